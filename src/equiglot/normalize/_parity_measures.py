"""What is measured of a language that was left out of the calibration, and of all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equiglot.measures import Direction, Interval, Measure, MeasureInfo
from equiglot.normalize._resampling import interval_of, rho_draws, strata_counts
from equiglot.stats import bootstrap_mean, spearman

__all__ = ["Fold", "Reading", "Row", "measure_fold", "measure_means"]

Vector = NDArray[np.float64]
Row = tuple[dict[str, str | None], Measure]

_MEANS = ("rho_raw", "rho_cal", "rho_nat", "recovered")
_NO_SHARE = "the loss of agreement is too near 0 for an interval of a share of it"


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """One language left out: its rated translations in both conditions, and what was predicted for them.

    Attributes:
        cell: language and script of the native rows.
        raw, native, human: scores as they are in both conditions, and people's.
        predicted: the predicted gaps.
        gaps_trained: the gaps, native less romanised, that the regressor was fitted on.
    """

    cell: tuple[str, str]
    raw: Vector
    native: Vector
    human: Vector
    predicted: Vector
    gaps_trained: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A fold's measures by row, and the resampled values of the four that are averaged, shape (resamples, 4)."""

    rows: list[Row]
    drawn: NDArray[np.float64]


def measure_fold(fold: Fold, regressor: str, info: MeasureInfo, made: str, *, seed: int, resamples: int) -> Reading:
    """Agreement raw, calibrated and native, what was recovered, and how the predicted gaps go with the true ones."""
    series = [fold.raw, fold.raw + fold.predicted, fold.native]
    raw, cal, nat = (spearman(values, fold.human) for values in series)
    gaps = fold.native - fold.raw
    counts = list(strata_counts([fold.raw.size], seed=seed, resamples=resamples))
    drawn = np.concatenate([rho_draws(series, fold.human, block) for block in counts])
    of_gaps = np.concatenate([rho_draws([fold.predicted], gaps, block) for block in counts])[:, 0]
    turn = -1.0 if info.direction == "lower" else 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = drawn[:, 2] - drawn[:, 0]
        shares = np.where(turn * lost > 0, 100 * (drawn[:, 1] - drawn[:, 0]) / lost, np.nan)
    recovered, why = _recovered(raw, cal, nat, turn)
    gain = None if raw is None or cal is None else cal - raw
    train, own = (bootstrap_mean(values, seed=seed, resamples=resamples) for values in (fold.gaps_trained, gaps))
    better: Direction = "lower" if info.direction == "lower" else "higher"
    n = fold.raw.size
    measures = [
        _measure("rho_raw", raw, n, better, interval_of(drawn[:, 0]), made=made),
        _measure("rho_cal", cal, n, better, interval_of(drawn[:, 1]), made=made),
        _measure("rho_nat", nat, n, better, interval_of(drawn[:, 2]), made=made),
        _measure("cal_gain", gain, n, better, interval_of(drawn[:, 1] - drawn[:, 0]), made=made),
        _measure("recovered", recovered, n, "higher", interval_of(shares), unit="%", why=why, made=made),
        _measure("gap_train", train.value, train.n, "neutral", train.interval, unit=info.unit, made=made),
        _measure("gap_heldout", own.value, own.n, "neutral", own.interval, unit=info.unit, made=made),
        _measure("rho_gap", spearman(fold.predicted, gaps), n, "higher", interval_of(of_gaps), made=made),
    ]
    key: dict[str, str | None] = {"language": fold.cell[0], "script": fold.cell[1], "regressor": regressor}
    return Reading([(key, measure) for measure in measures], np.column_stack([drawn, shares]))


def measure_means(readings: Sequence[Reading], regressor: str, made: str) -> list[Row]:
    """Means over the languages of the rhos and of what was recovered, of those that have a value."""
    found: list[Row] = []
    for i, name in enumerate(_MEANS):
        own = [next(measure for _, measure in reading.rows if measure.name == name) for reading in readings]
        values = {k: measure.value for k, measure in enumerate(own) if measure.value is not None}
        value = sum(values.values()) / len(values) if values else None
        interval = interval_of(np.mean([readings[k].drawn[:, i] for k in values], axis=0)) if values else None
        lost = len(own) - len(values)
        reason = f"{lost} of {len(own)} languages have no value" if lost else None
        if value is not None and interval is None:
            reason = f"in some language {_NO_SHARE}"
        n = sum(own[k].n for k in values)
        measure = Measure(name, value, own[0].unit, own[0].direction, n, lost, interval, reason, made)
        found.append(({"regressor": regressor}, measure))
    return found


def _measure(
    name: str,
    value: float | None,
    n: int,
    direction: Direction,
    interval: Interval | None,
    *,
    made: str,
    unit: str = "rho",
    why: str | None = None,
) -> Measure:
    interval = None if value is None else interval
    reason = why or "every value on one side is the same" if interval is None else None
    return Measure(name, value, unit, direction, n, interval=interval, reason=reason, signature=made)


def _recovered(raw: float | None, cal: float | None, nat: float | None, turn: float) -> tuple[float | None, str | None]:
    """Per cent, and what is to be said where it, or its interval, is missing."""
    if raw is None or cal is None or nat is None:
        return None, "a rho is not defined"
    if turn * (nat - raw) <= 0:
        return None, "romanised agreement is no lower than native, so there is nothing to recover"
    return 100 * (cal - raw) / (nat - raw), _NO_SHARE
