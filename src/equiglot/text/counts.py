"""Bytes, characters and words of each text, and whether there is text at all.

Units: ``bytes`` are those of the UTF-8 form, ``chars`` are Unicode code points, ``words`` are the pieces of
Python's ``str.split()``: Unicode white space separates, U+00A0 too (splitting on " " alone changes every
count of IndicMT, whose targets hold thousands of no-break spaces). ``word_bytes`` are the bytes of the words,
white space left out.

Differs from peers: no normalisation and no stripping beforehand; an empty text has zeros, a missing one
nulls.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import polars as pl

from equiglot.text._texts import Texts, as_list

if TYPE_CHECKING:
    import regex

__all__ = ["STATES", "TextState", "text_counts", "text_state"]

TextState = Literal["text", "missing", "empty", "white space", "invisible"]

STATES: tuple[TextState, ...] = ("text", "missing", "empty", "white space", "invisible")
"""What :func:`text_state` says: there is text, or one of four ways in which there is none."""


def text_counts(texts: Texts) -> pl.DataFrame:
    """Bytes, code points and words of each text.

    Returns:
        One row per text: ``bytes``, ``chars``, ``words``, ``word_bytes``; all null where the text is missing.
        A lone surrogate, which UTF-8 cannot hold, counts as the three bytes it would take.

    >>> text_counts(["नमस्ते\\u00a0जी", "", None]).rows()
    [(26, 9, 2, 24), (0, 0, 0, 0), (None, None, None, None)]
    """
    columns = ("bytes", "chars", "words", "word_bytes")
    rows = [(None,) * 4 if text is None else _counts(text) for text in as_list(texts)]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.Int64), orient="row")


def _counts(text: str) -> tuple[int, int, int, int]:
    words = text.split()
    return utf8_bytes(text), len(text), len(words), utf8_bytes("".join(words))


def utf8_bytes(text: str) -> int:
    """The length of the UTF-8 form; ASCII, whose length is known without encoding, is the quick case."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def text_state(texts: Texts) -> pl.Series:
    """Whether each text is there: ``text``, ``missing``, ``empty``, ``white space`` or ``invisible``.

    ``missing`` is None, ``empty`` has no characters, ``white space`` only such (``str.isspace``), and
    ``invisible`` only characters that show nothing: white space, controls (Cc), default-ignorable ones (ZWJ,
    BOM, variation selectors, Hangul fillers) and the blank Braille pattern U+2800. A metric given any of
    these four returns a number by accident, so they are failures, told apart.

    >>> text_state(["a", None, "", " \\u00a0", "\\u200d", "\\u0301"]).to_list()
    ['text', 'missing', 'empty', 'white space', 'invisible', 'text']
    """
    return pl.Series("state", [_state(text) for text in as_list(texts)], dtype=pl.String)


def _state(text: str | None) -> TextState:
    if text is None:
        return "missing"
    if not text:
        return "empty"
    if text.isspace():
        return "white space"
    return "invisible" if _invisible().fullmatch(text) else "text"


@lru_cache(maxsize=1)
def _invisible() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]+", flags=regex.VERSION1)
