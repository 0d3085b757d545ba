"""Systems in order, failures counted, beside the order that leaving failures out would give.

    mean_aware = (sum of valid rows' scores + invalid rows x their score) / all rows      (paper 3, section 3.4: 0)
    mean_valid = sum of valid rows' scores / valid rows
    rank       = 1 + the systems that are better, 1 the best
    rank_change = rank_aware - rank_valid; above 0 the policy sends a system down

    invalid    = invalid rows / all rows of the system

Items are those that every system has, with a score wherever it is valid, so that systems are compared on the same
items; the others are counted. The share of invalid answers alone is of all rows of a system, as in the table of
failures and in a gate. Where the metric is ``valid`` itself, the mean is the share of valid answers, and there is no
mean without failures. Intervals: percentile bootstrap over segments, all languages and systems of a segment
together. Systems are compared two by two on ``mean_aware`` by a paired permutation (sign flips by segment) and by the
paired bootstrap; p is Holm-corrected within a board. A system opens a new cluster where one of the cluster before is
better with an adjusted p of the permutation test below ``alpha``. Where segments are so few, or systems so many, that
no data could give such a p, a note says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from equiglot.measures import Measure, MeasureInfo, signature
from equiglot.rank._means import means_of
from equiglot.rank._rows import VALID, Board
from equiglot.rank._words import cannot_show
from equiglot.rank.pairs import Pair, adjusted_square, compare_pairs
from equiglot.stats import assign_clusters, percent, smallest_p

__all__ = ["Options", "Standings", "standings"]

Row = tuple[Mapping[str, Any], Measure]


@dataclass(frozen=True, slots=True)
class Options:
    """Seeds and sizes of the random steps, and the level of a test."""

    seed: int = 0
    resamples: int = 1000
    permutations: int = 1000
    alpha: float = 0.05


@dataclass(frozen=True, slots=True)
class Standings:
    """One metric on one board: rows for the table of systems and for that of pairs, and what must be known of them."""

    systems: list[Row]
    pairs: list[Row]
    notes: list[str]


def standings(board: Board, info: MeasureInfo, valid: MeasureInfo, worst: float, options: Options) -> Standings:
    """Means, ranks and clusters of a board's systems, and the test of every two."""
    how = {"metric": info.name, "of": info.signature, "valid": valid.signature, "invalid": f"{worst:g}"}
    made = signature(**how, seed=options.seed)
    own: dict[str, Any] = {"metric": info.name, **board.keys}
    n = len(board.scores)
    invalid = [_invalid(bad, rows, made) for bad, rows in zip(board.invalid, board.rows, strict=True)]
    if not n:
        why = "no item that every system has, with a score"
        none = Measure("mean_aware", None, info.unit, info.direction, 0, reason=why, signature=made)
        shares = zip(board.systems, invalid, strict=True)
        return Standings([({**own, "system": s}, measure) for s, share in shares for measure in (none, share)], [], [])
    larger = info.direction != "lower"
    every = np.ones_like(board.valid)
    aware, only = (
        means_of(board, counted, larger=larger, seed=options.seed, resamples=options.resamples)
        for counted in (every, board.valid)
    )
    pairs = compare_pairs(board, aware, seed=options.seed, permutations=options.permutations)
    order = np.argsort(-aware.value if larger else aware.value, kind="stable")
    p = adjusted_square(pairs, len(board.systems))[np.ix_(order, order)]
    # Below alpha, not at it: an exact p can be just that.
    below = float(np.nextafter(options.alpha, 0.0))
    cluster = dict(zip(order.tolist(), assign_clusters(p, below), strict=True))
    rows: list[Row] = []
    by_validity = info.name == VALID
    for k, system in enumerate(board.systems):
        measures = [
            aware.mean(k, MeasureInfo("mean_aware", info.unit, info.direction, made)),
            *([] if by_validity else [only.mean(k, MeasureInfo("mean_valid", info.unit, info.direction, made))]),
            invalid[k],
            aware.place(k, "rank_aware", made),
            *(
                []
                if by_validity
                else [
                    only.place(k, "rank_valid", made),
                    _number("rank_change", aware.rank[k] - only.rank[k], "ranks", n, made),
                ]
            ),
            _number("cluster", cluster[k], "cluster", n, made),
        ]
        rows += [({**own, "system": system}, measure) for measure in measures]
    tests: list[Row] = [
        ({"metric": info.name, **pair.keys(board)}, m)
        for pair in pairs
        for m in pair.measures(info, n, signature(**how, test=pair.test.method, seed=options.seed))
    ]
    return Standings(rows, tests, _notes(pairs, len(board.systems), options))


def _notes(pairs: list[Pair], systems: int, options: Options) -> list[str]:
    """Whether the smallest p that can come out, corrected over the pairs, is alpha or above."""
    if not pairs:
        return []
    segments, permutations = pairs[0].segments, options.permutations
    few = f"{segments} segment{'s' if segments > 1 else ''}"
    of_segments = min(1.0, len(pairs) * 2.0 ** (1 - segments))
    of_flips = min(1.0, len(pairs) * smallest_p(segments, permutations=permutations))
    if of_segments >= options.alpha:
        return [cannot_show(few, of_segments, systems, options.alpha)]
    if of_flips >= options.alpha:
        said = cannot_show(f"{permutations:,} sign flips", of_flips, systems, options.alpha)
        return [f"{said}; --permutations takes more"]
    return []


def _invalid(rows: int, n: int, made: str) -> Measure:
    share = percent(rows, n)
    return Measure(
        "invalid", share.value, "%", "lower", n, interval=share.interval, reason=share.reason, signature=made
    )


def _number(name: str, value: float, unit: str, n: int, made: str) -> Measure:
    if np.isnan(value):
        return Measure(name, None, unit, "neutral", n, reason="no valid row", signature=made)
    return Measure(name, float(value), unit, "neutral", n, signature=made)
