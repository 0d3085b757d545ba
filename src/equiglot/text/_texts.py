"""What every function of this room accepts as texts, and the check that they are texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import polars as pl

from equiglot.errors import InputError

__all__ = ["Texts", "as_list", "checked", "listed"]

Texts = Sequence[str | None] | pl.Series
"""Texts, one per row; None (null) is a text that is missing, which is not an empty one."""


def as_list(texts: Texts, column: str | None = None) -> list[str | None]:
    """The texts as a list, each a ``str`` or None.

    >>> as_list(pl.Series(["a", None]))
    ['a', None]

    Raises:
        InputError: one string instead of a list of them, or a value that is not text.
    """
    return checked(listed(texts, column), column=column)


def listed(texts: Texts, column: str | None = None) -> list[object]:
    """The texts as a list, not looked at yet."""
    if isinstance(texts, str):
        raise InputError("one string where a list of texts is expected", fix="write [text]", column=column)
    return texts.to_list() if isinstance(texts, pl.Series) else list(texts)


def checked(rows: list[object], first: int = 0, column: str | None = None) -> list[str | None]:
    """The rows, each a ``str`` or None, or an error that names the row; ``first`` is where in the texts they begin."""
    if not set(map(type, rows)) <= {str, type(None)}:
        for row, text in enumerate(rows, first + 1):
            if text is not None and not isinstance(text, str):
                kind = type(text).__name__
                raise InputError(f"a {kind} where text is expected", fix="give a string, or None where it is missing",
                                 row=row, column=column)  # fmt: skip
    return cast("list[str | None]", rows)
