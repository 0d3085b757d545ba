"""What all corrections have in common: fitted on one table, saved, and put to another.

A correction holds, for every (language, script) cell, the distribution of the scores that it was fitted on and a map
that never reverses an order. It maps rows of the cells it knows, of the metric it was fitted on and under that
metric's signature; unit and direction stay those of the metric. The order inside a cell is kept whichever way is
better, so that metrics where lower is better need nothing of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot._version import __version__
from equiglot.errors import InputError
from equiglot.measures import Direction, MeasureInfo
from equiglot.normalize._cells import Cell, cell_rows, located, named, scores_of
from equiglot.normalize._file import Arrays, write_map
from equiglot.normalize._reference import require_cell
from equiglot.normalize._signature import map_digest, map_signature
from equiglot.normalize.distribution import CellDistribution
from equiglot.normalize.drift import Drift, drifts
from equiglot.table import Segments

__all__ = ["EQUAL_MEANS_WARNING", "Correction", "Method", "read_distributions", "today"]

Method = Literal["qn", "isotonic", "affine", "shift", "identity"]

_EQUAL_MEANS = (
    "After {} the means of the fitted cells are equal by construction, so they cannot rank "
    "languages: it makes pooled segments comparable. To compare languages, fit on a matched calibration set and apply "
    "the map elsewhere."
)
EQUAL_MEANS_WARNING = _EQUAL_MEANS.format("quantile normalisation")
"""What every output that shows normalised scores must say."""

_OWN_WARNING = (
    "Each language was mapped onto its own native scores: its romanised and native means are equal by construction, "
    "and languages differ as they did in native script."
)
_CALLED: dict[str, str] = {"qn": "quantile normalisation", "affine": "an affine map", "shift": "a shift of means"}
_INFO = ("name", "unit", "direction", "signature")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Correction(ABC):
    """A fitted correction; its subclasses say how a cell's scores are mapped.

    Attributes:
        info: the metric it was fitted on; only scores with its signature can be mapped.
        reference_name: ``native-pooled``, ``native-own``, or the cells that were pooled.
        distributions: of each (language, script) cell.
        tokenizer: the identity of the tokeniser that the table's measures named, or None.
        fitted: the day of fitting in UTC, ISO 8601.
        version: the version of equiglot that fitted it.
        notes: what a reader must be told of the fit.
    """

    info: MeasureInfo
    reference_name: str
    distributions: Mapping[Cell, CellDistribution]
    tokenizer: str | None = None
    fitted: str = ""
    version: str = __version__
    notes: tuple[str, ...] = ()

    @property
    @abstractmethod
    def method(self) -> Method:
        """The class of transform: ``qn``, ``isotonic``, ``affine``, ``shift`` or ``identity``."""

    @abstractmethod
    def map_scores(self, cell: Cell, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """One cell's scores mapped, shape (rows,); the cell is one of :attr:`distributions`."""

    @abstractmethod
    def _arrays(self) -> Arrays:
        """Every number of the fit, by name."""

    @property
    def metric(self) -> str:
        """The score column that it maps."""
        return self.info.name

    @property
    def column(self) -> str:
        """The column that :meth:`transform` adds, ``<metric>_<method>``."""
        return f"{self.metric}_{self.method}"

    @property
    def direction(self) -> Direction:
        """Which way is better, before the map and after it."""
        return self.info.direction

    @property
    def cells(self) -> list[dict[str, str | int]]:
        """The fitted cells in order: language, script and n."""
        return [{"language": cell[0], "script": cell[1], "n": d.n} for cell, d in self.distributions.items()]

    @property
    def n(self) -> int:
        """How many scores it was fitted on."""
        return sum(cell.n for cell in self.distributions.values())

    @property
    def signature(self) -> str:
        """What the mapped scores are: the metric's signature, the method, the reference, n, the tokeniser, a digest."""
        return map_signature(
            self.info,
            norm=self.method,
            ref=self.reference_name,
            n=self.n,
            cells=len(self.distributions),
            tok=self.tokenizer,
            digest=map_digest(self._arrays()),
        )

    @property
    def warning(self) -> str:
        """What must be said wherever the mapped scores are shown; empty where there is nothing."""
        if self.method == "identity":
            return ""
        if self.reference_name == "native-own":
            return _OWN_WARNING
        return _EQUAL_MEANS.format(_CALLED[self.method])

    def drift(self, segments: Segments) -> list[Drift]:
        """How far the scores of each fitted cell lie from those that the map was fitted on.

        Raises:
            InputError: as :meth:`transform`.
        """
        scores, scored = self._scores(segments)
        rows = cell_rows(segments.frame)
        return drifts(self.distributions, {cell: scores[own[scored[own]]] for cell, own in rows.items()})

    def transform(self, segments: Segments) -> Segments:
        """The table with the mapped scores added as :attr:`column`; a null stays null and its reason is kept.

        Notes say which cells' scores do not follow those of the fit, how many lie outside its range, and that a column
        of the same name was replaced.

        Raises:
            InputError: no such measure, scores made under another signature than those of the fit, a cell that has no
                fitted distribution, a NaN or infinite score.
        """
        scores, scored = self._scores(segments)
        mapped = np.full(scores.size, np.nan)
        outside = 0
        for cell, own in cell_rows(segments.frame).items():
            rows = own[scored[own]]
            if not rows.size:
                continue
            with located(segments):
                require_cell(cell, self.distributions)
            mapped[rows] = self.map_scores(cell, scores[rows])
            outside += self.distributions[cell].outside(scores[rows])
        values = pl.Series(mapped).fill_nan(None)
        notes = [*self.notes, self.warning, self._replaced(segments), *self._new_notes(segments, outside)]
        info = replace(self.info, name=self.column, signature=self.signature)
        reasons = _reasons(segments.frame, self.metric, values)
        return segments.with_measure(info, values, reasons).noted(*filter(None, notes))

    def save(self, path: str | Path) -> None:
        """Write the map, whole or not at all: its numbers exactly, its signature, and a checksum over all of it.

        Args:
            path: ends in ``.json``, or in ``.parquet`` (for maps of millions of scores).

        Raises:
            InputError: another suffix, or a place that can't be written to.
        """
        header = {
            "signature": self.signature,
            "metric": {field: getattr(self.info, field) for field in _INFO},
            "reference": self.reference_name,
            "cells": self.cells,
            "tokenizer": self.tokenizer,
            "fitted": self.fitted,
            "equiglot": self.version,
            "notes": list(self.notes),
            "warning": self.warning,
        }
        write_map(Path(path), {**header, "method": self.method}, self._arrays())

    def _scores(self, segments: Segments) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        info = segments.info(self.metric)
        if info.signature != self.info.signature:
            raise segments.error(
                f"the scores were made under '{info.signature}', the map was fitted under '{self.info.signature}'",
                column=self.metric,
                fix="score them with the settings of the map, or fit a map on these scores",
            )
        with located(segments):
            return scores_of(segments, self.metric)

    def _replaced(self, segments: Segments) -> str:
        """A word on a column of that name which is not an earlier result of this very map."""
        there = segments.measures.get(self.column)
        if self.column not in segments.frame.columns or (there and there.signature == self.signature):
            return ""
        return f"The table had a column '{self.column}' already; it was replaced."

    def _new_notes(self, segments: Segments, outside: int) -> list[str]:
        notes: list[str] = []
        if outside and self.method in ("qn", "isotonic"):
            which = "1 row is" if outside == 1 else f"{outside:,} rows are"
            notes.append(f"{which} outside the fitted range of {self.metric} and took the value of its end.")
        if drifted := [str(drift) for drift in self.drift(segments) if drift.drifted]:
            notes.append(
                f"The scores do not follow those of the fit in {', '.join(drifted)}: systems of another quality do "
                f"that, and so do other texts or another version of {self.metric}; if it is not quality, fit again."
            )
        return notes

    def _distribution_arrays(self) -> dict[str, NDArray[np.float64]]:
        arrays: dict[str, NDArray[np.float64]] = {}
        for i, (cell, distribution) in enumerate(self.distributions.items()):
            arrays[_array_name(i, cell, "scores")] = distribution.scores
            arrays[_array_name(i, cell, "ranks")] = distribution.ranks
        return arrays


def today() -> str:
    """The day in UTC, ISO 8601."""
    return datetime.now(UTC).date().isoformat()


def read_distributions(header: Mapping[str, Any], arrays: Arrays, path: str | Path) -> dict[Cell, CellDistribution]:
    """The distributions of a saved map.

    Raises:
        InputError: sizes that don't agree.
    """
    found = {
        (cell := (entry["language"], entry["script"])): CellDistribution(
            arrays[_array_name(i, cell, "scores")], arrays[_array_name(i, cell, "ranks")], entry["n"]
        )
        for i, entry in enumerate(header["cells"])
    }
    for cell, fitted in found.items():
        if not 0 < fitted.scores.size == fitted.ranks.size <= fitted.n:
            sizes = f"{fitted.scores.size} scores, {fitted.ranks.size} ranks, n {fitted.n}"
            fix = "fit the map again with this version of equiglot"
            raise InputError(f"cell {named(cell)} has sizes that don't agree ({sizes})", path=path, fix=fix)
    return found


def _array_name(i: int, cell: Cell, what: str) -> str:
    return f"{i} {named(cell)} {what}"


def _reasons(frame: pl.DataFrame, metric: str, values: pl.Series) -> list[str | None] | None:
    """Why a value is null: the metric's own reason where there is one. None where no value is."""
    if not values.null_count():
        return None
    unscored = pl.lit(f"no {metric} score")
    if f"{metric}_reason" in frame.columns:
        unscored = pl.coalesce(f"{metric}_reason", unscored)
    reason = pl.when(pl.col(metric).is_null()).then(unscored).otherwise(pl.lit("language or script is missing"))
    return frame.select(pl.when(values.is_null()).then(reason).alias("reason"))["reason"].to_list()
