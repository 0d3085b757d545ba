"""What every function of this room accepts as texts, and the check that they are texts."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from equiglot.errors import InputError

__all__ = ["Texts", "as_list"]

Texts = Sequence[str | None] | pl.Series
"""Texts, one per row; None (null) is a text that is missing, which is not an empty one."""


def as_list(texts: Texts, column: str | None = None) -> list[str | None]:
    """The texts as a list, each a ``str`` or None.

    >>> as_list(pl.Series(["a", None]))
    ['a', None]

    Raises:
        InputError: one string instead of a list of them, or a value that is not text.
    """
    if isinstance(texts, str):
        raise InputError("one string where a list of texts is expected", fix="write [text]", column=column)
    listed: list[str | None] = texts.to_list() if isinstance(texts, pl.Series) else list(texts)
    if set(map(type, listed)) <= {str, type(None)}:
        return listed
    for row, text in enumerate(listed, 1):
        if text is not None and not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            kind = type(text).__name__
            raise InputError(f"a {kind} where text is expected", fix="give a string, or None where it is missing",
                             row=row, column=column)  # fmt: skip
    return listed
