"""What a correction is fitted on: the scores of every cell, which of them are native, and pairs of one translation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.normalize._cells import Cell, cell_rows, named, scores_of
from equiglot.normalize._pairs import pair_rows
from equiglot.table import Segments

__all__ = ["SMALLEST_CELL", "FitRows", "fit_rows", "paired_scores"]

SMALLEST_CELL = 30
"""A cell with fewer scores than this is named in a note: its positions are coarse."""

Vector = NDArray[np.float64]
Pairs = Mapping[Cell, tuple[Vector, Vector]]


@dataclass(frozen=True, slots=True, eq=False)
class FitRows:
    """The scores that there are, by cell.

    Attributes:
        cells: the scores of each cell in the table's order, shape (n,).
        native: which of them are of native rows, shape (n,).
        notes: what a reader must be told of them.
    """

    cells: Mapping[Cell, Vector]
    native: Mapping[Cell, NDArray[np.bool_]]
    notes: tuple[str, ...] = ()

    @property
    def pooled(self) -> Vector:
        """All native scores, in ascending order."""
        return np.sort(np.concatenate([s[self.native[c]] for c, s in self.cells.items()] or [np.empty(0)]))

    def own(self, language: str) -> Vector:
        """A language's native scores, in ascending order."""
        mine = [scores[self.native[cell]] for cell, scores in self.cells.items() if cell[0] == language]
        return np.sort(np.concatenate(mine))


def fit_rows(segments: Segments, metric: str) -> FitRows:
    """The scored rows of every cell, cells in order.

    Raises:
        InputError: no such measure, no score in any cell, or a NaN or infinite one.
    """
    segments.info(metric)
    scores, scored = scores_of(segments, metric)
    rows = cell_rows(segments.frame)
    native = (segments.frame["condition"] == "native").fill_null(False).to_numpy()
    kept = {cell: np.sort(own[scored[own]]) for cell, own in sorted(rows.items())}
    cells = {cell: own for cell, own in kept.items() if own.size}
    if not cells:
        raise InputError("no row has a score and a cell", column=metric, fix="score the table, or fill the column in")
    notes = [*_lost(metric, scored, cells, [cell for cell in rows if cell not in cells])]
    notes += _mixed(segments.frame, cells)
    return FitRows(
        {cell: scores[own] for cell, own in cells.items()},
        {cell: native[own] for cell, own in cells.items()},
        tuple(notes),
    )


def paired_scores(segments: Segments, metric: str) -> Pairs:
    """By romanised cell, the romanised and the native score of every translation that has both."""
    scores, scored = scores_of(segments, metric)
    pairs = pair_rows(segments)
    both = scored[pairs["native"].to_numpy()] & scored[pairs["romanized"].to_numpy()]
    pairs = pairs.filter(both)
    scripts = segments.frame["script"].gather(pairs["romanized"])
    grouped = pairs.with_columns(cell=scripts).group_by("language", "cell").agg("romanized", "native")
    return {
        (language, script): (scores[np.asarray(romanized)], scores[np.asarray(native)])
        for language, script, romanized, native in grouped.sort("language", "cell").iter_rows()
    }


def _lost(
    metric: str, scored: NDArray[np.bool_], cells: Mapping[Cell, NDArray[np.uint32]], empty: list[Cell]
) -> list[str]:
    small = [f"{named(cell)} ({own.size})" for cell, own in cells.items() if own.size < SMALLEST_CELL]
    notes: list[str] = []
    if left_out := int((~scored).sum()):
        notes.append(f"{left_out:,} rows without a {metric} score or a cell were left out of the fit.")
    if small:
        notes.append(f"Cells with fewer than {SMALLEST_CELL} scores are coarsely placed: {', '.join(small)}.")
    if empty:
        notes.append(f"Cells with no {metric} score were not fitted: {', '.join(map(named, sorted(empty)))}.")
    return notes


def _mixed(frame: pl.DataFrame, cells: Mapping[Cell, NDArray[np.uint32]]) -> list[str]:
    """Cells whose rows are of several conditions, which one map can't tell apart."""
    notes: list[str] = []
    for cell, rows in cells.items():
        conditions = sorted(frame["condition"].gather(rows).drop_nulls().unique())
        if len(conditions) > 1:
            notes.append(
                f"Cell {named(cell)} holds rows of several conditions ({', '.join(conditions)}): one map for all."
            )
    return notes
