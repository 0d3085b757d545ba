"""How much of a score's variance lies between scripts, or between cells: one-way ANOVA within one condition.

Groupings are ``script`` (Devanagari holds Hindi and Marathi) and ``cell`` (language and script). In the romanised
condition every row is Latin, so the groups are those of the native rows that it was made from. People's scores are
analysed by the same groups, because languages may differ in quality and not only in script: ranges that differ are
evidence against the metric only as far as people's don't. They are analysed on the rows that have both scores; where
some rows have no person's score the metric is analysed on those rows too, as ``METRIC (rated rows)``.

Paper 1's table 8 groups by "script family". Its F, eta^2 and p fit each other only with one degree of freedom between
groups, that is two families, which the paper does not name in the text we have; here every script is its own group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from equiglot.audit._measures import measured, plain
from equiglot.audit._rows import NATIVE, ROMANIZED, Rows
from equiglot.measures import Measure, result_table
from equiglot.stats import Anova, WelchAnova, anova, welch_anova

__all__ = ["Ranges", "compare_ranges", "on_rated", "ranges_table"]

_GROUPINGS = {"script": ["script"], "cell": ["language", "script"]}


@dataclass(frozen=True, slots=True)
class Ranges:
    """The analysis of one score in one condition by one grouping."""

    condition: str
    grouping: str
    scored: str
    equal: Anova
    welch: WelchAnova
    n_failed: int
    sizes: tuple[int, ...]
    """Rows of each group."""


def compare_ranges(rows: Rows, metric: str, level: float) -> list[Ranges]:
    """Every condition that has rows, by both groupings, for the metric and for people's scores."""
    pairs = rows.pairs.rename({"romanized": "score"})
    both = pairs.drop_nulls(["score", "human"]) if rows.rated else pairs.clear()
    found: list[Ranges] = []
    for condition, frame, rated in (
        (NATIVE, rows.condition(NATIVE), rows.native_and_rated()),
        (ROMANIZED, pairs, both),
    ):
        scored = frame.drop_nulls("score")
        parts = [(metric, "score", scored)]
        if rows.rated:
            parts.append(("human", "human", rated))
            if rated.height < scored.height:
                parts.append((on_rated(metric), "score", rated))
        if frame.height:
            found += [
                _analysed(part, column, (condition, grouping, name), frame.height - part.height, level)
                for name, column, part in parts
                for grouping in _GROUPINGS
            ]
    return found


def on_rated(metric: str) -> str:
    """What the metric is called where only its rated rows are analysed."""
    return f"{metric} (rated rows)"


def _analysed(part: pl.DataFrame, column: str, keys: tuple[str, str, str], n_failed: int, level: float) -> Ranges:
    by = _GROUPINGS[keys[1]]
    groups = [group[column].to_numpy() for _, group in part.sort(by).group_by(by, maintain_order=True)]
    return Ranges(*keys, anova(groups, level=level), welch_anova(groups), n_failed, tuple(map(len, groups)))


def ranges_table(found: Sequence[Ranges], signature: str) -> pl.DataFrame:
    """The analyses as a result table: F, its degrees of freedom and p, eta^2 with its interval, omega^2, Welch's F."""

    def rows() -> Iterator[tuple[dict[str, Any], Measure]]:
        for ranges in found:
            keys = {"condition": ranges.condition, "grouping": ranges.grouping, "scored": ranges.scored}
            equal, welch, n, failed = ranges.equal, ranges.welch, ranges.equal.n, ranges.n_failed
            for name, value, unit, reason in (
                ("groups", equal.groups, "groups", None),
                ("f", equal.f, "F", equal.reason),
                ("df_between", equal.df_between, "degrees of freedom", equal.reason),
                ("df_within", equal.df_within, "degrees of freedom", equal.reason),
                ("p", equal.p, "p", equal.reason),
                ("neg_log10_p", equal.neg_log10_p, "-log10 p", equal.reason),
                ("omega2", equal.omega2, "share of variance", equal.reason),
                ("f_welch", welch.f, "F", welch.reason),
                ("p_welch", welch.p, "p", welch.reason),
            ):
                yield keys, plain(name, value, unit, n=n, n_failed=failed, reason=reason, signature=signature)
            unit = "share of variance"
            yield (
                keys,
                measured("eta2", equal.eta2, unit=unit, direction="neutral", n_failed=failed, signature=signature),
            )

    return result_table(rows())
