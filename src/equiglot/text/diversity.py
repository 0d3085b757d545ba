"""Lexical diversity: the moving-average type/token ratio.

Formula: ``MATTR = mean over windows of (distinct words in the window) / window``, every window of exactly
``window`` words, stride 1; words are ``str.split()`` pieces, case and punctuation kept, the texts joined in
their order. Unit: types per word, 0 to 1. Source: Covington and McFall 2010; window 500 and the joining of
segments as in paper 1, table 14.

Computed in one pass, O(n), whatever the window: word j is the first of its type in exactly those windows that
hold it and start after its previous occurrence, so the sum over all windows of their types is a sum over
words of a count of windows, in whole numbers. Differs from lexicalrichness, which builds a set per window
(O(n x window)) and raises an error where the text is shorter than the window; here that gives the plain
type/token ratio, and the result says so.
"""

from __future__ import annotations

from itertools import count

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.measures import Measure, signature
from equiglot.text._characters import code_points
from equiglot.text._texts import Texts, as_list

__all__ = ["mattr"]

_OTHER_SPACE = np.array([space.isspace() and space != " " for space in map(chr, range(0x3002))])
"""By code point, what ``str.split()`` splits at besides the plain space; the last such is U+3000."""

_JOINED = 1024
"""Texts split at once."""


def mattr(texts: Texts, window: int = 500) -> Measure:
    """The moving-average type/token ratio of the texts, taken as one text in their order.

    Args:
        texts: one per row; missing ones are left out and counted as failed.
        window: words per window.

    Returns:
        A measure in types per word. With fewer words than ``window`` it is the plain type/token ratio and
        ``reason`` says so; with no words it is null.

    >>> mattr(["a b a", "c"], window=2).value
    1.0
    >>> mattr(["a a"], window=500).reason
    '2 words are fewer than the window of 500: plain type/token ratio'

    Raises:
        InputError: a window of no words.
    """
    if window < 1:
        raise InputError(f"a window of {window} words", fix="give a window of at least 1 word")
    rows = as_list(texts)
    present = [text for text in rows if text is not None]
    types = _types(present)
    words = len(types)
    value, reason = None, None
    if not words:
        reason = "there are no words"
    else:
        if words < window:
            reason = f"{words} words are fewer than the window of {window}: plain type/token ratio"
        size = min(window, words)
        value = _types_over_windows(types, size) / (size * (words - size + 1))
    return Measure(
        "mattr",
        value,
        unit="types per word",
        direction="neutral",
        n=len(present),
        n_failed=len(rows) - len(present),
        reason=reason,
        signature=signature(measure="mattr", window=window, words="split", joined="in order"),
    )


def _types(texts: list[str]) -> NDArray[np.int64]:
    """The words of all texts in order, each as the number of its type.

    Splitting and numbering go through Polars and Arrow, which make no Python string per word; every white space
    of ``str.split()`` is made a plain space first, since theirs is a little different. (Arrow's own
    ``utf8_split_whitespace`` is quicker still and now and then makes up words: it reads past its buffer.)
    """
    pieces = [_plain_spaces(" ".join(texts[at : at + _JOINED])) for at in range(0, len(texts), _JOINED)]
    try:
        words = pl.Series(pieces, dtype=pl.String).str.split(" ").explode()
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form
        seen: dict[str, int] = {}
        every = [word for piece in pieces for word in piece.split()]
        return np.fromiter(map(seen.setdefault, every, count()), dtype=np.int64, count=len(every))
    return words.filter(words != "").to_arrow().dictionary_encode().indices.to_numpy().astype(np.int64)


def _plain_spaces(text: str) -> str:
    points = code_points(text)
    # Which there are is looked up first: ``replace`` of a control character crawls through Indic text, every other
    # byte of which is 09 to 0D.
    for space in set(points[np.flatnonzero(_OTHER_SPACE.take(points, mode="clip"))].tolist()):
        text = text.replace(chr(space), " ")
    return text


def _types_over_windows(types: NDArray[np.int64], window: int) -> int:
    """The sum, over every window of the words, of the number of distinct words in it."""
    place = np.arange(len(types))
    first = np.maximum(_previous(types) + 1, place - window + 1)
    last = np.minimum(place, len(types) - window)
    return int(np.maximum(last - first + 1, 0).sum())


def _previous(types: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each word the place where its type last occurred before, -1 for the first."""
    # NumPy's stable sort of 16-bit numbers is a radix sort, ten times quicker than that of wider ones.
    order = np.argsort(types.astype(np.uint16), kind="stable")
    if len(types) and types.max() >> 16:
        order = order[np.argsort((types[order] >> 16).astype(np.uint16), kind="stable")]
    sorted_types = types[order]
    again = sorted_types[1:] == sorted_types[:-1]
    previous = np.full(len(types), -1, dtype=np.int64)
    previous[order[1:][again]] = order[:-1][again]
    return previous
