"""What a calibration set of n rows per cell buys: how far a mapped score would move, had other rows been drawn.

For each n, sets of n rows are drawn with replacement from every cell of the table (the cells independently), the
correction is fitted on each, and three scores of each cell, its 10th, 50th and 90th percentile, are mapped through all
of them. The interval holds 95% of what each came to. ``half_width`` is half of the interval's length, in the metric's
unit and, as ``half_width_sd``, in SD of the scores that are mapped onto.

``n_needed`` is the n at which half a width would be 0.1 SD, from the largest n drawn by the rule that widths shrink
with 1 / sqrt(n). The table stands for the population, so it should hold at least a few hundred rows per cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.measures import Interval, Measure, MeasureInfo, result_table, signature
from equiglot.normalize._cells import Cell, located, named
from equiglot.normalize._reference import Reference
from equiglot.normalize._rows import FitRows, Pairs, fit_rows, paired_scores
from equiglot.normalize.cellwise import CellNormalizer
from equiglot.normalize.correction import Correction, Method
from equiglot.normalize.normalizer import QuantileNormalizer
from equiglot.table import Segments

__all__ = ["SIZES", "CalibrationSizes", "calibration_sizes"]

SIZES = (30, 100, 300, 1000)
"""Rows per cell that are tried."""

_MOST = 1_000_000
_PLACES = (0.1, 0.5, 0.9)
_WANTED = 0.1
"""Half a width, in SD, that is called enough."""

Row = tuple[dict[str, str | int | None], Measure]
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CalibrationSizes:
    """What was found; ``table`` is a result table.

    Attributes:
        metric: the score that is mapped.
        headline: the answer in words.
        table: by cell, rows per cell and percentile of the cell: ``mapped``, ``half_width`` and ``half_width_sd``; by
            cell and percentile: ``n_needed``.
        signature: of the whole.
        notes: what a reader must be told.
    """

    metric: MeasureInfo
    headline: str
    table: pl.DataFrame
    signature: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON."""
        return {
            "metric": asdict(self.metric),
            "headline": self.headline,
            "table": self.table.to_dicts(),
            "signature": self.signature,
            "notes": list(self.notes),
        }


def calibration_sizes(
    segments: Segments,
    metric: str,
    method: Method = "qn",
    *,
    reference: Reference = "native-pooled",
    sizes: Sequence[int] = SIZES,
    seed: int = 0,
    resamples: int = 500,
    progress: Progress = silent,
) -> CalibrationSizes:
    """How wide the interval of a mapped score is at several sizes of the calibration set.

    Args:
        segments, metric, method, reference: as for :func:`~equiglot.normalize.fit_correction`.
        sizes: rows per cell.
        seed: of the draws.
        resamples: sets drawn per size.
        progress: told of sets done.

    Raises:
        InputError: a size below 2 or above a million; as :func:`~equiglot.normalize.fit_correction`.
    """
    if any(size < 2 for size in sizes) or not sizes:
        raise InputError("a calibration set needs at least 2 rows per cell", fix="give sizes such as 30, 100, 300")
    if max(sizes) > _MOST:
        raise InputError(f"{max(sizes)} rows per cell are more than can be drawn", fix=f"give sizes up to {_MOST:,}")
    info = segments.info(metric)
    with located(segments):
        rows = fit_rows(segments, metric)
        pairs = paired_scores(segments, metric) if method == "isotonic" else {}
        whole = _fit(rows, pairs, info, method, reference)
    places = {cell: np.quantile(rows.cells[cell], _PLACES) for cell in whole.distributions}
    spread = {cell: _spread(rows, cell, whole.reference_name) for cell in places}
    made = signature(
        sizes="calibration", metric=info.signature, norm=method, ref=whole.reference_name, seed=seed,
        resamples=resamples,
    )  # fmt: skip
    ordered = sorted(set(sizes))
    table: list[Row] = []
    for step, size in enumerate(ordered):
        drawn: dict[Cell, list[Vector]] = {cell: [] for cell in places}
        for done, (some, both) in enumerate(_draws(rows, pairs, size, seed, resamples)):
            progress("drawing calibration sets", step * resamples + done, len(ordered) * resamples)
            fitted = _fit(some, both, info, method, reference)
            for cell, mapped in drawn.items():
                if cell in fitted.distributions:
                    mapped.append(fitted.map_scores(cell, places[cell]))
        for cell, mapped in drawn.items():
            value = whole.map_scores(cell, places[cell])
            table += _rows(
                cell, size, value, np.array(mapped), spread[cell], info=info, made=made, last=size == ordered[-1]
            )
    frame = result_table(table)
    return CalibrationSizes(info, _headline(info, frame, ordered), frame, made, rows.notes)


def _fit(rows: FitRows, pairs: Pairs, info: MeasureInfo, method: Method, reference: Reference) -> Correction:
    if method == "qn":
        return QuantileNormalizer.of_rows(rows, info, reference=reference)
    return CellNormalizer.of_rows(rows, pairs, info, method, reference=reference)


def _spread(rows: FitRows, cell: Cell, reference: str) -> float:
    """SD of the scores that a cell is mapped onto, in the table as it is."""
    onto = rows.own(cell[0]) if reference in ("native-own", "none") else rows.pooled
    return float(onto.std(ddof=1)) if onto.size > 1 else 0.0


def _draws(
    rows: FitRows, pairs: Pairs, size: int, seed: int, resamples: int
) -> Iterator[tuple[FitRows, Mapping[Cell, tuple[Vector, Vector]]]]:
    generator = np.random.default_rng([seed, size])
    # Sorted, because positions are drawn: the order of the table's rows must be of no matter.
    order = {cell: np.lexsort([own, rows.native[cell]]) for cell, own in rows.cells.items()}
    cells = {cell: own[order[cell]] for cell, own in rows.cells.items()}
    native = {cell: own[order[cell]] for cell, own in rows.native.items()}
    for _ in range(resamples):
        at = {cell: generator.integers(0, own.size, size) for cell, own in cells.items()}
        both = {cell: generator.integers(0, own[0].size, size) for cell, own in pairs.items()}
        yield (
            FitRows({c: cells[c][i] for c, i in at.items()}, {c: native[c][i] for c, i in at.items()}),
            {c: (pairs[c][0][i], pairs[c][1][i]) for c, i in both.items()},
        )


def _rows(
    cell: Cell, size: int, values: Vector, drawn: Vector, spread: float, *, info: MeasureInfo, made: str, last: bool
) -> Iterator[Row]:
    for i, place in enumerate(_PLACES):
        low, high = np.quantile(drawn[:, i], [0.025, 0.975]).tolist()
        half = (high - low) / 2
        key: dict[str, str | int | None] = {
            "language": cell[0], "script": cell[1], "percentile": f"{place:.0%}", "rows": size,
        }  # fmt: skip
        interval = Interval(low, high, 0.95, f"{len(drawn)} calibration sets of {size} rows per cell")
        yield (
            key,
            Measure("mapped", float(values[i]), info.unit, info.direction, size, interval=interval, signature=made),
        )
        yield key, Measure("half_width", half, info.unit, "lower", size, signature=made)
        flat = "the scores that are mapped onto are all the same"
        in_sd = half / spread if spread > 0 else None
        why = None if spread > 0 else flat
        yield key, Measure("half_width_sd", in_sd, "SD", "lower", size, reason=why, signature=made)
        if last:
            needed = size * (in_sd / _WANTED) ** 2 if in_sd is not None else None
            where = {**key, "rows": None}
            yield where, Measure("n_needed", needed, "rows per cell", "lower", size, reason=why, signature=made)


def _headline(info: MeasureInfo, table: pl.DataFrame, sizes: Sequence[int]) -> str:
    shown = 100 if 100 in sizes else sizes[0]
    middle = table.filter(measure="half_width", rows=shown, percentile="50%").drop_nulls("value").sort("value")
    wide = table.filter(measure="half_width_sd", rows=shown, percentile="50%").drop_nulls("value").sort("value")
    if not middle.height or not wide.height:
        return f"How far a mapped {info.name} score would move can't be told: every score is the same."
    worst = middle.row(-1, named=True)
    said = (
        f"Fitted on {shown} rows per cell, a middling {info.name} score is mapped to within {worst['value']:.2g} "
        f"({wide['value'][-1]:.2f} SD) in the worst cell, {named((worst['language'], worst['script']))}, and within "
        f"{middle['value'].median():.2g} in the median one (95% of calibration sets)."
    )
    needed = table.filter(measure="n_needed", percentile="50%").drop_nulls("value").sort("value")
    if needed.height:
        rows = _rounded(needed["value"][-1])
        said += f" To have it within {_WANTED:g} SD in every cell takes about {rows:,} rows per cell."
    return said


def _rounded(n: float) -> int:
    """Up, to two digits: more would claim what the rule can't give."""
    step = 10 ** max(len(str(int(n))) - 2, 0)
    return int(-(-n // step) * step)
