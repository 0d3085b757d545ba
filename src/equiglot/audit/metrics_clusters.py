"""Which metrics can't be told apart: PERM-BOTH between every two, and the clusters that follow.

Metrics stand in the order of their value. A metric opens a new cluster where any metric of the one before is better by
a test at ``alpha``; so a cluster holds those that none of its own members beats (WMT; mt-metrics-eval's
``AssignRanks``). p is one-sided and not corrected for the number of pairs, as at WMT.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equiglot.audit._sampling import Sampling
from equiglot.audit.metrics_statistics import Statistic
from equiglot.audit.metrics_tables import Tables
from equiglot.stats import Significance, assign_clusters, perm_both_tables

__all__ = ["Clusters", "find_clusters"]


@dataclass(frozen=True, slots=True)
class Clusters:
    """Metrics in falling order with their clusters, counted from 1, and the tests of each better against each worse."""

    metrics: tuple[str, ...]
    values: tuple[float, ...]
    clusters: tuple[int, ...]
    tests: dict[tuple[str, str], Significance]


def find_clusters(
    statistic: Statistic, tables: Tables, values: dict[str, float], sampling: Sampling, alpha: float
) -> Clusters:
    """The clusters of the metrics that have a value."""
    order = sorted(values, key=lambda metric: (-values[metric], metric))
    function = statistic.function(sampling)
    tests: dict[tuple[str, str], Significance] = {}
    p = np.ones((len(order), len(order)))
    for i, better in enumerate(order):
        for j in range(i + 1, len(order)):
            first, second, shared = statistic.usable(tables.scores[better], tables.scores[order[j]], tables.human)
            test = perm_both_tables(
                first, second, shared, function, seed=sampling.seed, permutations=sampling.permutations
            )
            tests[better, order[j]] = test
            p[i, j] = 1.0 if test.p is None else test.p
    return Clusters(tuple(order), tuple(values[m] for m in order), tuple(assign_clusters(p, alpha)), tests)
