"""A ranking in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from equiglot.measures import MeasureInfo
from equiglot.rank._rows import VALID

__all__ = ["cannot_show", "copying_answers", "headline", "number"]

Row = dict[str, Any]


def headline(systems: pl.DataFrame, infos: Sequence[MeasureInfo], alpha: float) -> str:
    """Who is first by each metric, who shares the place, and what the policy changed."""
    return " ".join(_of_metric(systems.filter(metric=info.name), info, alpha) for info in infos)


def copying_answers(copying: pl.DataFrame) -> list[str]:
    """Whether each metric rewards copying: yes in languages where the whole interval of rho lies above 0."""
    answers: list[str] = []
    for metric in copying["metric"].unique(maintain_order=True) if copying.height else ():
        found: dict[str, list[str]] = {"yes": [], "no": [], "can't tell": []}
        for row in copying.filter(metric=metric).iter_rows(named=True):
            low, high = row["low"], row["high"]
            said = "can't tell" if low is None or low <= 0 <= high else "yes" if low > 0 else "no"
            found[said].append(f"{row['language']}-{row['script']}")
        parts = [f"{said} in {', '.join(dict.fromkeys(where))}" for said, where in found.items() if where]
        told = "; ".join(parts)
        answers.append(
            f"Does {metric} reward copying? {told[0].upper()}{told[1:]}. Yes: the 95% interval of its rank correlation "
            "with the words that source and answer share lies above 0; no: below 0."
        )
    return answers


def cannot_show(what: str, smallest: float, systems: int, alpha: float) -> str:
    """That so few segments, or sign flips, could tell no two systems apart, whatever the scores.

    >>> cannot_show("5 segments", 0.0625, 2, 0.05)
    "5 segments can't show a difference at 0.05, whatever they say: no p can be below 0.0625"
    """
    among, kind = (f" between {systems} systems", "Holm-corrected p") if systems > 2 else ("", "p")
    return f"{what} can't show a difference{among} at {alpha:g}, whatever they say: no {kind} can be below {smallest:g}"


def number(value: float) -> str:
    """Three figures that matter.

    >>> number(61.234), number(0.7149), number(100.0)
    ('61.2', '0.715', '100')
    """
    if abs(value) >= 99.95:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def _of_metric(systems: pl.DataFrame, info: MeasureInfo, alpha: float) -> str:
    together = systems.filter(pl.col("language").is_null()) if "language" in systems.columns else systems
    table = _by_system(together if together.height else systems)
    named = {name: row for name, row in table.items() if row.get("mean_aware") is not None}
    if not named:
        return f"By {info.name} nothing can be ranked: there is no item that every system has with a score."
    order = sorted(named, key=lambda name: (named[name]["rank_aware"], name))
    if len(order) == 1:
        only = order[0]
        if info.name == VALID:
            return f"{only} is the only system; its share of valid answers is {_mean(named[only], 'mean_aware')}."
        return (
            f"{only} is the only system; its mean {info.name} is {_mean(named[only], 'mean_aware')} with invalid "
            f"answers counted, {_mean(named[only], 'mean_valid')} without them ({_invalid(named[only])} invalid)."
        )
    first = order[0]
    beside = [name for name in order[1:] if named[name].get("cluster") == 1]
    by = "By share of valid answers" if info.name == VALID else f"By {info.name}, invalid answers counted"

    def with_mean(name: str) -> str:
        share = "" if info.name == VALID else f" ({_invalid(named[name])} of its answers invalid)"
        return f"with {_mean(named[name], 'mean_aware')}{share}"

    others = (
        f", and can't be told from {_shares(beside, {} if info.name == VALID else named)}, p >= {alpha:g}."
        if beside
        else f", ahead of {order[1]} {with_mean(order[1])}, p < {alpha:g}."
    )
    said = f"{by}, {first} is first {with_mean(first)}{others}"
    return said if info.name == VALID else f"{said} {_change(named, first)}"


def _shares(names: Sequence[str], named: dict[str, Row]) -> str:
    """Systems with the shares of their answers that are invalid, of those that are known."""
    return _listed([f"{name} ({_invalid(named[name])} invalid)" if name in named else name for name in names])


def _change(named: dict[str, Row], first: str) -> str:
    """What leaving invalid answers out would have said."""
    ranked = {name: row["rank_valid"] for name, row in named.items() if row.get("rank_valid") is not None}
    if not ranked:
        return "Every answer is invalid."
    best = min(ranked, key=lambda name: (ranked[name], name))
    moved = [name for name in named if named[name].get("rank_change")]
    if best == first or ranked.get(first) == 1:
        if not moved:
            return "Leaving invalid answers out gives the same order."
        others = _shares(sorted(moved), named)
        return f"Leaving invalid answers out has the same system first, and other places for {others}."
    return (
        f"Leaving invalid answers out would put {best} first ({_mean(named[best], 'mean_valid')} against "
        f"{_mean(named[first], 'mean_valid')}), though {_invalid(named[best])} of its answers are invalid."
    )


def _by_system(systems: pl.DataFrame) -> dict[str, Row]:
    table: dict[str, Row] = {}
    for row in systems.iter_rows(named=True):
        entry = table.setdefault(row["system"], {})
        entry[row["measure"]] = row["value"]
        entry[f"{row['measure']}_ends"] = (row["low"], row["high"])
    return table


def _mean(row: Row, name: str) -> str:
    if row.get(name) is None:
        return "none"
    low, high = row[f"{name}_ends"]
    ends = "" if low is None else f" [{number(low)}, {number(high)}]"
    return f"{number(row[name])}{ends}"


def _invalid(row: Row) -> str:
    return f"{row['invalid']:.1f}%"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
