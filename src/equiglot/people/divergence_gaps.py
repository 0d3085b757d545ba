"""How far systems lie apart for people, and by a metric, on the same rows.

For two systems, the first being the one that people put higher, over the rows that have both scores:

    human_gap, metric_gap        mean of the first less mean of the second; of a metric that is better when smaller, the
                                 other way round, so that above 0 the first is better
    human_gap_sd, metric_gap_sd  the same over the standard deviation of rows within systems, sqrt(SS / (N - systems)),
                                 of all systems compared: a unit that no scale can change
    gap_lost                     human_gap_sd - metric_gap_sd: above 0 the metric sees less than people do
    gap_ratio                    human_gap / metric_gap (paper 3: 1.43 of 12 points over 0.004, "357 times"): it mixes
                                 units, and doubles where the metric's scale is halved
    gap_ratio_sd                 human_gap_sd / metric_gap_sd

Systems need not have the same rows rated: a sample for people seldom has them. Intervals are percentiles of a bootstrap
over segments, all rows of a segment together, so that where systems do share segments their pairing counts. A ratio has
an interval only where that of the metric's gap leaves 0 out; else it has no upper end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import polars as pl

from equiglot.measures import Measure, MeasureInfo
from equiglot.people._estimates import Matrix, as_measure, estimate
from equiglot.stats import Estimate, clustered_means

__all__ = ["system_gaps"]

_FLAT = "every score within the systems is the same, so there is no standard deviation"
_FEW = "too few rows for a standard deviation within systems"


@dataclass(frozen=True, slots=True)
class _Scores:
    """One score's means by system and the standard deviation within systems, and both in every resample."""

    means: Matrix
    drawn: Matrix
    sd: float
    drawn_sd: Matrix
    reason: str | None

    def gap(self, i: int, j: int, *, standardized: bool) -> tuple[float | None, Matrix]:
        value, drawn = float(self.means[i] - self.means[j]), self.drawn[:, i] - self.drawn[:, j]
        if not standardized:
            return value, drawn
        if self.reason:
            return None, np.full_like(drawn, np.nan)
        usable = self.drawn_sd > 1e-9 * self.sd
        return value / self.sd, np.divide(drawn, self.drawn_sd, out=np.full_like(drawn, np.nan), where=usable)


def system_gaps(
    frame: pl.DataFrame, info: MeasureInfo, *, seed: int, resamples: int, signature: str
) -> Iterator[tuple[dict[str, str], Measure]]:
    """The measures above for every two systems: keys ``system`` and ``other_system``.

    Args:
        frame: rows with ``id``, ``system``, ``human`` and the metric; those without the metric are left out, and
            counted.
        info: of the metric.
        seed, resamples: of the intervals.
        signature: of the measures.
    """
    whole, frame = frame, frame.drop_nulls(info.name)
    # Systems that people put alike stay in the order of their names.
    ranked = frame.group_by("system").agg(pl.col("human").mean()).sort("human", "system", descending=[True, False])
    systems = ranked["system"].to_list()
    if len(systems) < 2:
        return
    sign = -1.0 if info.direction == "lower" else 1.0
    rows = frame.with_columns(pl.col(info.name) * sign)
    sizes, human, metric = _scores(rows, systems, info.name, seed, resamples)
    for i, j in combinations(range(len(systems)), 2):
        for measure in _measures(human, metric, (i, j), int(sizes[i] + sizes[j]), info.unit):
            failed = whole.filter(pl.col("system").is_in([systems[i], systems[j]])).height - measure.n
            keys = {"system": systems[i], "other_system": systems[j]}
            yield keys, replace(measure, n_failed=failed, signature=signature)


def _scores(
    frame: pl.DataFrame, systems: list[str], metric: str, seed: int, resamples: int
) -> tuple[Matrix, _Scores, _Scores]:
    """Rows per system, and both scores from the same resamples of segments."""
    _, segment = np.unique(frame["id"].to_numpy(), return_inverse=True)
    place = {name: k for k, name in enumerate(systems)}
    system = np.array([place[name] for name in frame["system"]])
    clusters, k = int(segment.max()) + 1, len(systems)

    def summed(values: Matrix) -> Matrix:
        sums = np.zeros((clusters, k))
        np.add.at(sums, (segment, system), values)
        return sums

    counts = summed(np.ones(frame.height))
    sizes = counts.sum(axis=0)
    parts: list[Matrix] = []
    centres: list[Matrix] = []
    flat: list[bool] = []
    for column in ("human", metric):
        values = frame[column].to_numpy().astype(float)
        centre = summed(values).sum(axis=0) / sizes
        off = values - centre[system]
        parts += [summed(off), summed(off**2)]
        centres.append(centre)
        flat.append(all(np.ptp(values[system == s]) == 0 for s in range(k)))
    # Mean rows of a system per segment, times segments, are its rows in the resample.
    stacked = np.hstack([*parts, counts])
    drawn = clustered_means(stacked, np.hstack([*[counts] * 4, np.ones_like(counts)]), seed=seed, resamples=resamples)
    drawn_sizes = drawn[:, 4 * k :] * clusters
    scores: list[_Scores] = []
    for which, centre in enumerate(centres):
        means, squares = (drawn[:, (2 * which + part) * k : (2 * which + part + 1) * k] for part in (0, 1))
        within = np.where(drawn_sizes > 0, drawn_sizes * (squares - means**2), 0.0).sum(axis=1)
        spare = drawn_sizes.sum(axis=1) - (drawn_sizes > 0).sum(axis=1)
        own_spare = float(sizes.sum()) - k
        sd = float(np.sqrt(parts[2 * which + 1].sum() / own_spare)) if own_spare > 0 else 0.0
        variances = np.divide(within, spare, out=np.zeros_like(within), where=spare > 0)
        reason = _FEW if own_spare < 1 else _FLAT if flat[which] else None
        scores.append(_Scores(centre, means + centre, sd, np.sqrt(np.maximum(variances, 0.0)), reason))
    return sizes, scores[0], scores[1]


def _measures(human: _Scores, metric: _Scores, pair: tuple[int, int], n: int, unit: str) -> Iterator[Measure]:
    def measure(name: str, own: str, value: float | None, drawn: Matrix, reason: str | None) -> Measure:
        found = Estimate(None, None, n, reason) if value is None else estimate(value, drawn, n, of="segments")
        return as_measure(name, found, own)

    for suffix, standardized in (("", False), ("_sd", True)):
        ours, theirs = (score.gap(*pair, standardized=standardized) for score in (human, metric))
        units = ("SD", "SD") if standardized else ("points of people's scale", unit)
        yield measure(f"human_gap{suffix}", units[0], *ours, human.reason)
        yield measure(f"metric_gap{suffix}", units[1], *theirs, metric.reason)
        why = human.reason or metric.reason
        if standardized:
            lost = None if ours[0] is None or theirs[0] is None else ours[0] - theirs[0]
            yield measure("gap_lost", "SD", lost, ours[1] - theirs[1], why)
        yield as_measure(f"gap_ratio{suffix}", _ratio(ours, theirs, n, why), "ratio")


def _ratio(ours: tuple[float | None, Matrix], theirs: tuple[float | None, Matrix], n: int, why: str | None) -> Estimate:
    (top, drawn_top), (bottom, drawn_bottom) = ours, theirs
    if top is None or bottom is None:
        return Estimate(None, None, n, why)
    if bottom == 0.0:
        return Estimate(None, None, n, "the metric's gap is 0")
    around = estimate(bottom, drawn_bottom, n).interval
    if around is None or around.low <= 0.0 <= around.high:
        reason = "the interval of the metric's gap holds 0, so the ratio has no upper end"
        return Estimate(top / bottom, None, n, reason)
    drawn = np.divide(drawn_top, drawn_bottom, out=np.full_like(drawn_top, np.nan), where=drawn_bottom != 0)
    return estimate(top / bottom, drawn, n, of="segments")
