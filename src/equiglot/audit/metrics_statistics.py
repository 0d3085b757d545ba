"""The statistics by which metrics are held against people, as WMT does it.

=========== ====================== ======== ====================================================================
granularity statistic              grouping
=========== ====================== ======== ====================================================================
system      pearson spearman kendall none   of the systems' means over the rows that have both scores
system      accuracy               none     pairs of systems that metric and people order alike (Kocmi et al. 2021)
system      soft_accuracy          none     1 - mean difference of the two p that one is better (Thompson et al. 2024)
segment     pearson spearman kendall none   one correlation over all rows
segment     the same               item     within each item, over its systems, averaged over items
segment     the same               system   within each system, over its items, averaged over systems
segment     acc_eq                 item     pairs of systems within each item, ties calibrated (Deutsch et al. 2023)
=========== ====================== ======== ====================================================================

Kendall is tau-b. Intervals of correlations are those of boot-both (systems and items drawn), so they speak of other
systems too, and are wide with few; those of the three accuracies draw items only, since a system drawn twice would tie
with itself. Values are those of mt-metrics-eval on the same rows, but that a lone pair of systems has no system-level
correlation here, that people whose scores order no two systems give no accuracy (calling all pairs tied would reach 1),
and that rows without a metric's score are left out, where it wants every score.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from equiglot.audit._sampling import Sampling
from equiglot.audit._words import counted
from equiglot.audit.metrics_tables import Array, Tables
from equiglot.measures import Interval
from equiglot.stats import (
    Along,
    CorrelationKind,
    TableStatistic,
    boot_both,
    calibrated_accuracy,
    pair_accuracy,
    soft_pair_accuracy,
    table_correlation,
)
from equiglot.stats.two_way import row_means

__all__ = ["RANKED", "STATISTICS", "Measured", "Statistic", "measure"]

Grouping = Literal["none", "item", "system"]


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic; ``ranked`` where WMT ranks metrics by it, and ``complete`` where it needs every system's score."""

    name: str
    granularity: Literal["system", "segment"]
    grouping: Grouping
    unit: str
    draw: Literal["both", "columns"] = "both"
    ranked: bool = False
    complete: bool = False

    def function(self, sampling: Sampling) -> TableStatistic:
        """From tables of a metric and of people to one number."""
        if self.name == "accuracy":
            return pair_accuracy
        if self.name == "acc_eq":
            return calibrated_accuracy
        if self.name == "soft_accuracy":
            return partial(soft_pair_accuracy, seed=sampling.seed, permutations=sampling.permutations)
        along: dict[str, Along] = {"none": "all", "item": "columns", "system": "rows"}
        kind: CorrelationKind = self.name  # pyright: ignore[reportAssignmentType]  (the names are one)
        return partial(
            table_correlation, kind=kind, along="means" if self.granularity == "system" else along[self.grouping]
        )

    def usable(self, *tables: Array) -> list[Array]:
        """The tables with only the cells that all have, without the systems and items that the statistic can't use."""
        ok = ~np.isnan(np.sum(tables, axis=0))
        kept = [np.where(ok, table, np.nan) for table in tables]
        if self.complete:
            rows = ok.any(axis=1)
            columns = ok[rows].all(axis=0)
            return [table[rows][:, columns] for table in kept]
        if self.grouping == "item":
            return [table[:, ok.sum(axis=0) > 1] for table in kept]
        return kept


_KINDS = ("pearson", "spearman", "kendall")
_GROUPINGS: tuple[Grouping, ...] = ("none", "item", "system")

STATISTICS: tuple[Statistic, ...] = (
    *(Statistic(kind, "system", "none", "r", ranked=kind == "pearson") for kind in _KINDS),
    Statistic("accuracy", "system", "none", "share of pairs", draw="columns"),
    Statistic("soft_accuracy", "system", "none", "share of pairs", draw="columns", ranked=True, complete=True),
    *(
        Statistic(kind, "segment", grouping, "r", ranked=kind == "pearson" and grouping == "none")
        for grouping in _GROUPINGS
        for kind in _KINDS
    ),
    Statistic("acc_eq", "segment", "item", "share of pairs", draw="columns", ranked=True),
)
"""All of them."""

RANKED = tuple(statistic for statistic in STATISTICS if statistic.ranked)
"""Those by which metrics are sorted into clusters: WMT's own choice of 2022 to 2024."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A statistic's value, None with a reason, and the number of rows, systems or items that it rests on."""

    value: float | None
    interval: Interval | None
    n: int
    reason: str | None


def measure(statistic: Statistic, tables: Tables, metric: str, sampling: Sampling) -> Measured:
    """One statistic of one metric with its interval."""
    x, y = statistic.usable(tables.scores[metric], tables.human)
    n = _count(statistic, x, y)
    if reason := _undefined(statistic, x, y, n):
        return Measured(None, None, n, reason)
    function = statistic.function(sampling)
    value = float(function(x, y))
    if np.isnan(value):
        return Measured(None, None, n, "one side has the same value everywhere")
    interval = boot_both(
        x,
        y,
        function,
        draw=statistic.draw,
        seed=sampling.seed,
        resamples=sampling.resamples,
        level=sampling.level,
    )
    return Measured(value, interval, n, None if interval else "no resample had a defined value")


def _count(statistic: Statistic, x: Array, y: Array) -> int:
    """Systems at system level; rows, items or systems, by grouping, at segment level."""
    ok = ~np.isnan(x + y)
    if statistic.granularity == "system":
        return int(ok.any(axis=1).sum())
    if statistic.grouping == "none":
        return int(ok.sum())
    return int((ok.sum(axis=0 if statistic.grouping == "item" else 1) > 1).sum())


def _orders_nothing(statistic: Statistic, x: Array, y: Array) -> bool:
    """Whether people's scores tie every pair that an accuracy asks for, so that calling all pairs tied gives 1."""
    if statistic.name == "accuracy":
        means = row_means(x, y)[1]
        return np.unique(means[~np.isnan(means)]).size == 1
    there = y[:, ~np.isnan(y).all(axis=0)]
    return bool(there.size and (np.nanmax(there, axis=0) == np.nanmin(there, axis=0)).all())


def _undefined(statistic: Statistic, x: Array, y: Array, n: int) -> str | None:
    """Why there is no value, as far as that can be seen beforehand."""
    if statistic.complete and not x.shape[1]:
        return "no item has both scores for every system"
    if statistic.draw == "columns" and _orders_nothing(statistic, x, y):
        return "people's scores order no two systems, so there is nothing to agree with"
    if statistic.granularity == "system":
        least = 2 if statistic.draw == "columns" else 3
        return None if n >= least else f"{counted(n, 'system')}; at least {least} are needed"
    if statistic.grouping == "none":
        return None if n >= 3 else f"{counted(n, 'row')}; a correlation needs at least 3"
    if n:
        return None
    return f"no {statistic.grouping} has two rows with both scores"
