"""What a file holds before its columns have a meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo

__all__ = ["Raw"]


@dataclass(frozen=True, slots=True)
class Raw:
    """The columns of a file under their own names.

    Attributes:
        frame: the rows; every column of a CSV or TSV file is text, and an empty cell null.
        name: what the notes and signatures call the file, e.g. ``wmt.tsv``.
        path: the file, where it is one, for errors.
        notes: what had to be said of the file on the way.
        told: notes that the file itself carries.
        odd: by column made into text though not all of it was, the first row (from 1) that was none, and
            what it held.
        measures: what the file itself says of its measures.
        lines: the line of the file on which each row begins, from 1, where the file is of lines.
    """

    frame: pl.DataFrame
    name: str
    path: Path | None = None
    notes: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    odd: Mapping[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    measures: Mapping[str, MeasureInfo] = field(default_factory=dict[str, MeasureInfo])
    lines: NDArray[np.int64] | None = None

    def line_of(self, row: int) -> str:
        """`` (line 8)`` for a row counted from 0; empty where the file has no lines."""
        return "" if self.lines is None else f" (line {self.lines[row]})"

    def error(self, problem: str, *, fix: str, row: int | None = None, column: str | None = None) -> InputError:
        """An error in this file."""
        return InputError(problem, fix=fix, path=self.path, row=row, column=column)
