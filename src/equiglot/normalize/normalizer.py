"""COMET-QN as something fitted: learned on one table, saved, and put to another.

Fitting keeps two things: the reference (the scores of the native-script cells, pooled and in order) and, for every
(language, script) cell, its empirical distribution function. A score seen in fitting is mapped exactly as
:func:`~equiglot.normalize.quantile.quantile_normalize` maps it; a new score takes the rank that linear interpolation
between its cell's neighbouring scores gives, and one outside the cell's range the rank of its end, which is counted in
a note. Paper 1 (eq. 3) has no rule for new scores: it maps the data it was fitted on.

The order inside a cell is kept whichever way is better, so that metrics where lower is better need nothing of their
own. Unit and direction stay those of the metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot._version import __version__
from equiglot.errors import InputError
from equiglot.measures import Direction, MeasureInfo
from equiglot.normalize._cells import Cell, cell_rows, named, scores_of
from equiglot.normalize._file import Arrays, read_map, write_map
from equiglot.normalize._signature import map_digest, map_signature, tokenizer_identity
from equiglot.normalize.distribution import CellDistribution
from equiglot.normalize.quantile import reference_values
from equiglot.table import Segments

__all__ = ["EQUAL_MEANS_WARNING", "SMALLEST_CELL", "QuantileNormalizer"]

EQUAL_MEANS_WARNING = (
    "After quantile normalisation the means of the fitted cells are equal by construction, so they cannot rank "
    "languages: it makes pooled segments comparable. To compare languages, fit on a matched calibration set and apply "
    "the map elsewhere."
)
"""What every output that shows normalised scores must say."""

SMALLEST_CELL = 30
"""A cell with fewer scores than this is named in a note: its positions are coarse."""

_INFO = ("name", "unit", "direction", "signature")


@dataclass(frozen=True, slots=True, eq=False)
class QuantileNormalizer:
    """A fitted map from the scores of each cell onto one reference.

    Attributes:
        info: the metric it was fitted on; only scores with its signature can be mapped.
        reference_name: ``native-pooled``, or the cells that were pooled.
        reference: the reference's scores in ascending order, shape (m,).
        distributions: of each (language, script) cell.
        tokenizer: the identity of the tokeniser that the table's measures named, or None.
        fitted: the day of fitting in UTC, ISO 8601.
        version: the version of equiglot that fitted it.
        notes: what a reader must be told of the fit.
    """

    info: MeasureInfo
    reference_name: str
    reference: NDArray[np.float64]
    distributions: Mapping[Cell, CellDistribution]
    tokenizer: str | None = None
    fitted: str = ""
    version: str = __version__
    notes: tuple[str, ...] = ()

    @classmethod
    def fit(
        cls,
        segments: Segments,
        metric: str,
        *,
        reference: Literal["native-pooled"] | Sequence[Cell] = "native-pooled",
        points: int | None = None,
    ) -> QuantileNormalizer:
        """Learn the reference and every cell's distribution from a scored table; null scores are left out.

        Args:
            segments: the table, with ``metric`` among its measures.
            metric: the score column.
            reference: ``native-pooled`` (the rows whose condition is ``native``), or the (language, script) cells to
                pool.
            points: keep the reference at no more than this many evenly spaced positions, for a smaller file; where
                that thins it, a reference mapped through itself is no longer itself exactly.

        Raises:
            InputError: no such measure, a NaN or infinite score, no reference row with a score, an unknown cell.

        >>> frame = pl.DataFrame({"id": ["1", "2"] * 2, "language": "ta", "script": ["Taml"] * 2 + ["Latn"] * 2,
        ...     "condition": ["native"] * 2 + ["romanized"] * 2, "system": "a", "comet": [80.0, 90.0, 50.0, 70.0]})
        >>> table = Segments(frame, {"comet": MeasureInfo("comet", "points", "higher", "metric:comet")})
        >>> QuantileNormalizer.fit(table, "comet").transform(table).frame["comet_qn"].to_list()
        [80.0, 90.0, 80.0, 90.0]
        """
        info = segments.info(metric)
        scores, scored = scores_of(segments, metric)
        rows = cell_rows(segments.frame)
        cells = {
            cell: CellDistribution.of(scores[kept]) for cell, own in rows.items() if (kept := own[scored[own]]).size
        }
        if reference == "native-pooled":
            name, chosen = "native-pooled", scored & _native(segments.frame)
        elif isinstance(reference, str):
            raise InputError(f"'{reference}' is no reference", fix="give 'native-pooled' or a list of cells")
        else:
            name, chosen = "+".join(sorted({named(cell) for cell in reference})), np.zeros_like(scored)
            for cell in reference:
                _require_cell(cell, cells)
                chosen[rows[cell]] = scored[rows[cell]]
        if not chosen.any():
            fix = "mark the native rows with condition 'native', or name the cells to pool"
            raise InputError(f"no row of the reference has a score for '{metric}'", fix=fix)
        pooled = np.sort(scores[chosen])
        if points is not None and points < 1:
            raise InputError(f"a reference of {points} points", fix="keep one or more, a few thousand say")
        if points is not None and points < pooled.size:
            name = f"{name}@{points}"
            pooled = reference_values(np.arange(1.0, points + 1), points, pooled)
        return cls(
            info=info,
            reference_name=name,
            reference=pooled,
            distributions=dict(sorted(cells.items())),
            tokenizer=tokenizer_identity(segments.measures, metric),
            fitted=datetime.now(UTC).date().isoformat(),
            notes=_fit_notes(metric, cells, [cell for cell in rows if cell not in cells], int((~scored).sum())),
        )

    @property
    def metric(self) -> str:
        """The score column that it maps; :meth:`transform` adds ``<metric>_qn``."""
        return self.info.name

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
        """What the mapped scores are: the metric's signature, the reference, n, the tokeniser, a digest of the map."""
        return map_signature(
            self.info,
            ref=self.reference_name,
            n=self.n,
            cells=len(self.distributions),
            tok=self.tokenizer,
            digest=map_digest(self._arrays()),
        )

    def transform(self, segments: Segments) -> Segments:
        """The table with the mapped scores added as ``<metric>_qn``; a null stays null and its reason is kept.

        Raises:
            InputError: no such measure, scores made under another signature than those of the fit, a cell that has no
                fitted distribution, a NaN or infinite score.
        """
        metric, info = self.metric, segments.info(self.metric)
        if info.signature != self.info.signature:
            raise InputError(
                f"the scores were made under '{info.signature}', the map was fitted under '{self.info.signature}'",
                column=metric,
                fix="score them with the settings of the map, or fit a map on these scores",
            )
        scores, scored = scores_of(segments, metric)
        mapped = np.full(scores.size, np.nan)
        outside = 0
        for cell, own in cell_rows(segments.frame).items():
            rows = own[scored[own]]
            if not rows.size:
                continue
            fitted = _require_cell(cell, self.distributions)
            mapped[rows] = reference_values(fitted.rank(scores[rows]), fitted.n, self.reference)
            outside += fitted.outside(scores[rows])
        values = pl.Series(mapped).fill_nan(None)
        notes = [*self.notes, EQUAL_MEANS_WARNING]
        if outside:
            which = "1 row is" if outside == 1 else f"{outside:,} rows are"
            notes.append(f"{which} outside the fitted range of {metric} and took the value of its end.")
        described = replace(self.info, name=f"{metric}_qn", signature=self.signature)
        return segments.with_measure(described, values, _reasons(segments.frame, metric, values)).noted(*notes)

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
            "warning": EQUAL_MEANS_WARNING,
        }
        write_map(Path(path), header, self._arrays())

    @classmethod
    def load(cls, path: str | Path) -> QuantileNormalizer:
        """The map that :meth:`save` wrote, bit for bit.

        Raises:
            InputError: no such file, a file of something else, a damaged one, or one of a newer format.
        """
        header, arrays = read_map(Path(path))
        fix = "fit the map again with this version of equiglot"
        try:
            loaded = cls(
                info=MeasureInfo(**header["metric"]),
                reference_name=header["reference"],
                reference=arrays["reference"],
                distributions={
                    (cell := (entry["language"], entry["script"])): CellDistribution(
                        arrays[_array_name(i, cell, "scores")], arrays[_array_name(i, cell, "ranks")], entry["n"]
                    )
                    for i, entry in enumerate(header["cells"])
                },
                tokenizer=header["tokenizer"],
                fitted=header["fitted"],
                version=header["equiglot"],
                notes=tuple(header["notes"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"the map lacks a part ({error})", path=path, fix=fix) from error
        if not loaded.reference.size:
            raise InputError("the map's reference is empty", path=path, fix=fix)
        for cell, fitted in loaded.distributions.items():
            if not 0 < fitted.scores.size == fitted.ranks.size <= fitted.n:
                sizes = f"{fitted.scores.size} scores, {fitted.ranks.size} ranks, n {fitted.n}"
                raise InputError(f"cell {named(cell)} has sizes that don't agree ({sizes})", path=path, fix=fix)
        return loaded

    def _arrays(self) -> Arrays:
        arrays = {"reference": self.reference}
        for i, (cell, distribution) in enumerate(self.distributions.items()):
            arrays[_array_name(i, cell, "scores")] = distribution.scores
            arrays[_array_name(i, cell, "ranks")] = distribution.ranks
        return arrays


def _array_name(i: int, cell: Cell, what: str) -> str:
    return f"{i} {named(cell)} {what}"


def _native(frame: pl.DataFrame) -> NDArray[np.bool_]:
    return (frame["condition"] == "native").fill_null(False).to_numpy()


def _require_cell(cell: Cell, cells: Mapping[Cell, CellDistribution]) -> CellDistribution:
    if cell not in cells:
        have = ", ".join(map(named, cells)) or "none"
        raise InputError(
            f"cell {named(cell)} has no fitted scores (cells that have: {have})",
            fix="fit on a table in which it is scored, or leave its rows out",
        )
    return cells[cell]


def _reasons(frame: pl.DataFrame, metric: str, values: pl.Series) -> list[str | None] | None:
    """Why a value is null: the metric's own reason where there is one. None where no value is."""
    if not values.null_count():
        return None
    unscored = pl.lit(f"no {metric} score")
    if f"{metric}_reason" in frame.columns:
        unscored = pl.coalesce(f"{metric}_reason", unscored)
    reason = pl.when(pl.col(metric).is_null()).then(unscored).otherwise(pl.lit("language or script is missing"))
    return frame.select(pl.when(values.is_null()).then(reason).alias("reason"))["reason"].to_list()


def _fit_notes(
    metric: str, cells: Mapping[Cell, CellDistribution], empty: list[Cell], left_out: int
) -> tuple[str, ...]:
    small = [f"{named(cell)} ({d.n})" for cell, d in sorted(cells.items()) if d.n < SMALLEST_CELL]
    notes: list[str] = []
    if left_out:
        notes.append(f"{left_out:,} rows without a {metric} score or a cell were left out of the fit.")
    if small:
        notes.append(f"Cells with fewer than {SMALLEST_CELL} scores are coarsely placed: {', '.join(small)}.")
    if empty:
        notes.append(f"Cells with no {metric} score were not fitted: {', '.join(map(named, sorted(empty)))}.")
    return tuple(notes)
