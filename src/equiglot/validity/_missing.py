"""Answers that are missing altogether (null): they count as empty, though the model may never have been heard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from equiglot.table._files import format_suffix

__all__ = ["has_cells", "missing_by_system", "missing_note", "missing_word"]

_SHOWN = 8
_CELLS = "missing or blank in the table"
"""What is said of CSV and TSV, where other tools write an empty text as they write a missing one."""


def has_cells(path: Path | None) -> bool:
    """Whether a table is CSV or TSV."""
    return path is not None and format_suffix(path) in (".csv", ".tsv")


def missing_by_system(frame: pl.DataFrame) -> dict[str, int]:
    """How many targets each system lacks; only those that lack any."""
    return dict(frame.filter(pl.col("target").is_null()).group_by("system", maintain_order=True).len().iter_rows())


def missing_note(missing: Mapping[str, int], *, cells: bool) -> list[str]:
    """What is to be said of them: one note, or none where none is missing.

    >>> missing_note({"a": 2, "b": 1}, cells=False)[0][:57]
    '3 answers are missing altogether (null): 2 of a, 1 of b, '
    """
    total = sum(missing.values())
    if not total:
        return []
    most = sorted(missing.items(), key=lambda item: (-item[1], item[0]))
    systems = ", ".join(f"{n:,} of {system}" for system, n in most[:_SHOWN])
    more = f" and {len(most) - _SHOWN} more systems" if len(most) > _SHOWN else ""
    answers = f"{total:,} answer is" if total == 1 else f"{total:,} answers are"
    what = f"{_CELLS}, and CSV and TSV do not tell which" if cells else "missing altogether (null)"
    return [f"{answers} {what}: {systems}{more}, and counted as empty; where the endpoint failed, ask again first"]


def missing_word(notes: Iterable[str]) -> str:
    """What the headline calls them."""
    return _CELLS if any(_CELLS in note for note in notes) else "missing altogether"
