"""The rows of each cell, and a score column as an array that is known to hold numbers."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.table import CELL, Segments

__all__ = ["Cell", "cell_rows", "located", "named", "scores_of"]

Cell = tuple[str, str]
"""Language and script."""


def named(cell: Cell) -> str:
    """A cell as readers know it.

    >>> named(("ta", "Taml"))
    'ta-Taml'
    """
    return "-".join(cell)


def cell_rows(frame: pl.DataFrame) -> dict[Cell, NDArray[np.uint32]]:
    """The row numbers of every cell; rows without a language or a script belong to none."""
    grouped = frame.select(CELL).with_row_index("row").drop_nulls().group_by(CELL).agg("row")
    return {(language, script): np.asarray(rows) for language, script, rows in zip(*grouped.get_columns(), strict=True)}


def scores_of(segments: Segments, metric: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """A score column, shape (rows,) with 0 where there is none, and which rows have both a score and a cell.

    Raises:
        InputError: a column that doesn't hold numbers, or a NaN or infinite score (its row is named).
    """
    column = segments.frame[metric]
    if not column.dtype.is_numeric():
        raise InputError(f"the scores are {column.dtype}, not numbers", column=metric, fix="give numbers or null")
    column = column.cast(pl.Float64)
    bad = (~column.is_finite()).fill_null(False).arg_true()
    if len(bad):
        problem = f"the score is {column[int(bad[0])]}"
        raise InputError(problem, row=int(bad[0]) + 1, column=metric, fix="make it null and give the reason")
    has_cell = segments.frame.select(pl.all_horizontal(pl.col(CELL).is_not_null())).to_series()
    # Adding 0 makes 0 of -0: equal scores must have equal bits, or a map's digest would depend on the rows' order.
    return column.fill_null(0.0).to_numpy() + 0.0, (column.is_not_null() & has_cell).to_numpy()


@contextmanager
def located(segments: Segments) -> Generator[None]:
    """Name the table's file in an :class:`InputError` of those who know the scores alone."""
    try:
        yield
    except InputError as error:
        raise error.located(segments.path) from error
