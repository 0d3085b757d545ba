"""Do native cells differ in the metric as they differ in people's scores? Signed gaps, in SD within a cell.

On the native rows that have both scores, a gap is the difference of two cells' means over the pooled SD within cells,
turned so that more is better, once for the metric and once for people. ``gap_excess = gap_metric - gap_human``: above 0
where the metric sets the first cell higher against the other than people do. Up to six cells are compared pair by pair;
of more, each is held against the mean of the others, which one cell far off moves a little for all. Rows are drawn
within each cell, cells independently: where cells translate the same sources this makes intervals wider than they need
be. p-values (bootstrap z) are Holm-corrected over the comparisons.

A standardised gap shrinks as a score's noise grows, in the metric and in people alike: true difference / (spread of
quality and noise together). A metric much noisier than people, or much less noisy, therefore shows some excess where
languages truly differ, without any fault of range. That is why the bar (:attr:`Rule.min_gap`) is not small, and why a
gap may be put down to noise: if both scores are quality plus noise, alike in all cells, and r is Pearson's correlation
of the two within cells, then ``r gap_human <= gap_metric <= gap_human / r`` (the bounds of errors in both variables,
Frisch 1934), and a metric gap between them is no evidence against the metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import polars as pl

from equiglot.audit._measures import measured, plain
from equiglot.audit._rows import NATIVE, Rows
from equiglot.audit._sampling import Sampling
from equiglot.audit._words import counted
from equiglot.measures import Direction, Measure, result_table
from equiglot.stats import Estimate, Significance, StandardizedGap, holm
from equiglot.table import CELL

__all__ = ["OTHERS", "CellGap", "Place", "compare_gaps", "gaps_table"]

Place = tuple[str, str]
"""A cell: language and script."""

OTHERS = "the mean of the others"
_MOST_IN_PAIRS = 6
_NAMES = ("gap_metric", "gap_human", "gap_excess")


@dataclass(frozen=True, slots=True)
class CellGap:
    """One native cell against another, or (``other`` is None) against the mean of the other cells.

    ``metric`` and ``human`` are the gaps in SD, positive where ``cell`` is the better one; ``excess`` is metric minus
    human. ``metric_scores`` and ``human_scores`` are the means behind them, of (cell, other), in the scores' own units
    and signs; the mean of several others has no interval. ``short`` counts the rated rows of those of the two cells
    that have too few.
    """

    cell: Place
    other: Place | None
    metric: Estimate
    human: Estimate
    excess: Estimate
    p: dict[str, float | None]
    adjusted: dict[str, float | None]
    metric_scores: tuple[Estimate, Estimate] | None
    human_scores: tuple[Estimate, Estimate] | None
    short: dict[str, int]
    n_failed: int
    within: float | None = None
    """Pearson's correlation of both scores inside the cells, more being better."""

    @property
    def may_be_noise(self) -> bool:
        """Whether noise in either score would do to make the metric's gap of people's."""
        metric, human, r = self.metric.value, self.human.value, self.within
        if metric is None or human is None or r is None or r <= 0 or metric * human <= 0:
            return False
        return r * abs(human) <= abs(metric) <= abs(human) / r

    @property
    def names(self) -> tuple[str, str]:
        """Both sides, such as ``ta-Taml`` and ``hi-Deva``."""
        return "-".join(self.cell), "-".join(self.other) if self.other else OTHERS


def compare_gaps(rows: Rows, direction: Direction, min_rows: int, sampling: Sampling) -> list[CellGap]:
    """Every comparison of native cells; one with a cell of fewer than ``min_rows`` rated rows has no value."""
    if not rows.rated:
        return []
    sign = -1.0 if direction == "lower" else 1.0
    native = rows.condition(NATIVE)
    heights = {place: part.height for place, part in _parts(native)}
    groups = dict(_parts(rows.native_and_rated().sort(*CELL, "score", "human")))
    scored = sorted(place for place, _ in _parts(native.drop_nulls("score")))
    counts = {place: groups[place].height if place in groups else 0 for place in scored}
    ready = [place for place, n in counts.items() if n >= max(min_rows, 1)]
    wanted = _comparisons(list(counts))
    judged = [pair for pair in wanted if pair[0] in ready and (pair[1] in ready if pair[1] else len(ready) > 1)]
    made = sampling.gaps(
        [(groups[place]["score"] * sign, groups[place]["human"]) for place in ready],
        [_contrast(pair, ready) for pair in judged],
    )
    found = dict(zip(judged, made, strict=True))
    tests = {
        name: holm([found[pair].tests[i].p if pair in found else None for pair in wanted])
        for i, name in enumerate(_NAMES)
    }
    within = _within([groups[place] for place in ready], sign)
    means = {c: {place: sampling.mean(groups[place][c]) for place in ready} for c in ("score", "human")}
    gaps: list[CellGap] = []
    for at, pair in enumerate(wanted):
        others = [place for place in ready if place != pair[0]] if pair in found else []
        sides = [pair[0]], [pair[1]] if pair[1] else others
        gap = found.get(pair) or _absent(pair, counts, min_rows, len(ready))
        behind = [(_joint(means[c], sides[0]), _joint(means[c], sides[1])) for c in means] if pair in found else []
        gaps.append(
            CellGap(
                cell=pair[0],
                other=pair[1],
                metric=gap.first,
                human=gap.second,
                excess=gap.excess,
                p={name: test.p for name, test in zip(_NAMES, gap.tests, strict=True)},
                adjusted={name: tests[name][at] for name in _NAMES},
                metric_scores=behind[0] if behind else None,
                human_scores=behind[1] if behind else None,
                short=_short(pair, counts, min_rows),
                n_failed=sum(heights[place] for place in {*sides[0], *sides[1]}) - gap.excess.n,
                within=within,
            )
        )
    return gaps


def gaps_table(found: Sequence[CellGap], signature: str) -> pl.DataFrame:
    """The gaps as a result table; where a cell is held against the mean of the others, the other's keys are null."""

    def rows() -> Iterator[tuple[dict[str, Any], Measure]]:
        for gap in found:
            other = gap.other or (None, None)
            keys = {
                "language": gap.cell[0],
                "script": gap.cell[1],
                "other_language": other[0],
                "other_script": other[1],
            }
            for name, estimate in zip(_NAMES, (gap.metric, gap.human, gap.excess), strict=True):
                yield (
                    keys,
                    measured(
                        name,
                        estimate,
                        unit="SD within cells",
                        direction="neutral",
                        n_failed=gap.n_failed,
                        signature=signature,
                    ),
                )
                reason = estimate.reason or "the resampled values have no spread"
                for label, p in (("p_" + name, gap.p[name]), (f"p_{name}_holm", gap.adjusted[name])):
                    yield (
                        keys,
                        plain(
                            label,
                            p,
                            "p",
                            n=estimate.n,
                            n_failed=gap.n_failed,
                            reason=reason,
                            signature=signature,
                        ),
                    )

    return result_table(rows())


def _comparisons(places: Sequence[Place]) -> list[tuple[Place, Place | None]]:
    if len(places) <= _MOST_IN_PAIRS:
        return list(combinations(places, 2))
    return [(place, None) for place in places]


def _contrast(pair: tuple[Place, Place | None], places: Sequence[Place]) -> list[float]:
    """The weight of each cell: 1 for the cell, and -1 for the other or shared among all others."""
    cell, other = pair
    spread = -1.0 / (len(places) - 1)
    return [1.0 if p == cell else spread if other is None else -1.0 if p == other else 0.0 for p in places]


def _absent(pair: tuple[Place, Place | None], counts: dict[Place, int], min_rows: int, ready: int) -> StandardizedGap:
    short = [f"{counted(n, 'rated row')} of {cell}" for cell, n in _short(pair, counts, min_rows).items()]
    reason = f"only {' and '.join(short)}, fewer than {min_rows}" if short else "no other cell has enough rated rows"
    n = sum(counts[place] for place in pair if place)
    absent, test = Estimate(None, None, n, reason), Significance("bootstrap z", n, reason=reason)
    return StandardizedGap(absent, absent, absent, (test, test, test))


def _short(pair: tuple[Place, Place | None], counts: dict[Place, int], min_rows: int) -> dict[str, int]:
    return {"-".join(place): counts[place] for place in pair if place and counts[place] < max(min_rows, 1)}


def _parts(frame: pl.DataFrame) -> Iterator[tuple[Place, pl.DataFrame]]:
    for (language, script), part in frame.group_by(CELL, maintain_order=True):
        yield (str(language), str(script)), part


def _within(groups: Sequence[pl.DataFrame], sign: float) -> float | None:
    """Pearson's correlation of score and people's score after each group's means are taken off."""
    import numpy as np

    if not groups:
        return None
    parts = [group.select("score", "human").to_numpy() for group in groups]
    one, two = np.concatenate([part - part.mean(axis=0) for part in parts]).T
    size = float(np.sqrt((one @ one) * (two @ two)))
    return sign * float(one @ two) / size if size > 0 else None


def _joint(means: Mapping[Place, Estimate], places: Sequence[Place]) -> Estimate:
    """A cell's mean; of several cells the mean of their means, which has no interval."""
    if len(places) == 1:
        return means[places[0]]
    values = [mean.value for mean in map(means.__getitem__, places) if mean.value is not None]
    return Estimate(sum(values) / len(values), None, sum(means[place].n for place in places), "a mean of means")
