"""Is one system better than another? Every two on the same items, invalid rows counted.

``difference`` is the first's mean less the second's, with the interval of the paired bootstrap; p is that of sign flips
by segment (every one where segments are few, :func:`equiglot.stats.sign_flip`), its Holm correction over the pairs of
a board, and that of the paired bootstrap (the share of resampled differences that lie further from the difference than
0 does; Koehn 2004, two-sided and never 0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equiglot.measures import Measure, MeasureInfo
from equiglot.rank._means import Means, resampled_interval
from equiglot.rank._rows import Board
from equiglot.stats import Significance, holm, sign_flip

__all__ = ["Pair", "adjusted_square", "compare_pairs"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems of a board, by place, with the tests of their difference."""

    first: int
    second: int
    difference: float
    drawn: NDArray[np.float64]
    segments: int
    test: Significance
    p_holm: float | None

    @property
    def p_bootstrap(self) -> float | None:
        """Two-sided p of the paired bootstrap; None where all resamples are the one segment."""
        if self.segments < 2:
            return None
        away = np.abs(self.drawn - self.difference) >= abs(self.difference) - 1e-12
        return (1 + int(away.sum())) / (1 + self.drawn.size)

    def measures(self, info: MeasureInfo, n: int, signature: str) -> list[Measure]:
        """As rows of a result table."""
        interval, why = resampled_interval(self.drawn, self.segments, "paired bootstrap")

        def p(name: str, value: float | None) -> Measure:
            reason = None if value is not None else self.test.reason or why
            return Measure(name, value, "p", "neutral", n, reason=reason, signature=signature)

        return [
            Measure(
                "difference",
                self.difference,
                info.unit,
                "neutral",
                n,
                interval=interval,
                reason=why,
                signature=signature,
            ),
            Measure("segments", float(self.segments), "segments", "neutral", n, signature=signature),
            p("p_permutation", self.test.p),
            p("p_holm", self.p_holm),
            p("p_bootstrap", self.p_bootstrap),
        ]

    def keys(self, board: Board) -> Mapping[str, Any]:
        """The systems, in the words of a result table."""
        return {**board.keys, "system": board.systems[self.first], "other_system": board.systems[self.second]}


def compare_pairs(board: Board, means: Means, *, seed: int, permutations: int) -> list[Pair]:
    """Every two systems of a board."""
    couples = list(combinations(range(len(board.systems)), 2))
    sums = board.by_segment(board.scores)
    tests = [sign_flip(sums[:, i] - sums[:, j], seed=seed, permutations=permutations) for i, j in couples]
    adjusted = holm([test.p for test in tests])
    return [
        Pair(i, j, float(means.value[i] - means.value[j]), means.drawn[:, i] - means.drawn[:, j], len(sums), test, p)
        for (i, j), test, p in zip(couples, tests, adjusted, strict=True)
    ]


def adjusted_square(pairs: list[Pair], systems: int) -> NDArray[np.float64]:
    """Adjusted p by both systems' places; 1 where there is no test."""
    square = np.ones((systems, systems))
    for pair in pairs:
        square[pair.first, pair.second] = square[pair.second, pair.first] = 1.0 if pair.p_holm is None else pair.p_holm
    return square
