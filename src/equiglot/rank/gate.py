"""Thresholds that a system has to meet before it ships, for use in a CI job.

Each check compares a value with its limit; the value's interval is told, and does not decide. A value that can't be had
fails its check: what was not measured was not met. So does a language that the baseline has and the table does not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from equiglot.errors import InputError
from equiglot.rank._words import number
from equiglot.rank.ranking import Ranking

__all__ = ["Check", "Limits", "check"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What is asked; None asks nothing.

    Attributes:
        max_invalid: largest share of invalid answers, 0 to 1, of a system in any language.
        max_rank: worst rank of the system among all, all languages together.
        max_drop: largest loss of the failure-aware mean against the baseline, in the metric's own unit, in any
            language; needs a baseline.

    Raises:
        InputError: a limit that is no number.
    """

    max_invalid: float | None = None
    max_rank: int | None = None
    max_drop: float | None = None

    def __post_init__(self) -> None:
        for name in ("max_invalid", "max_rank", "max_drop"):
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                problem = f"a limit of {value} is none"
                raise InputError(problem, fix=f"give a number, or leave --{name.replace('_', '-')} out")


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison.

    Attributes:
        name: ``invalid``, ``rank`` or ``drop``.
        passed: whether the limit was met.
        value, limit: what was compared; a value is None where it could not be had.
        sentence: the same in words.
    """

    name: str
    passed: bool
    value: float | None
    limit: float
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {name: getattr(self, name) for name in ("name", "passed", "value", "limit", "sentence")}


def check(
    ranking: Ranking, limits: Limits, *, system: str | None = None, baseline: Ranking | None = None
) -> list[Check]:
    """Every check that the limits ask for.

    Args:
        ranking: of the table that is to pass.
        limits: what is asked.
        system: the one that is to pass; None asks all of them (a rank needs one, where there are several).
        baseline: what a drop is measured from: the same system, or the only one of its table.

    Raises:
        InputError: nothing is asked, no such system, a rank of several systems, or a drop without a baseline or the
            other way round.
    """
    if limits == Limits():
        raise InputError("nothing is asked of this table", fix="give --max-invalid, --max-rank or --max-drop")
    if baseline is not None and limits.max_drop is None:
        raise InputError("a baseline is given, and no drop from it is asked", fix="give --max-drop, or leave it out")
    names = ranking.failures["system"].unique().sort().to_list()
    if system is not None and system not in names:
        raise InputError(f"there is no system '{system}'", fix=f"the systems are {', '.join(names)}")
    wanted = [system] if system is not None else names
    checks: list[Check] = []
    if limits.max_invalid is not None:
        checks += _invalid(ranking, wanted, limits.max_invalid)
    if limits.max_rank is not None:
        if len(wanted) > 1:
            raise InputError("a rank is of one system", fix=f"name it with --system, e.g. --system {names[0]}")
        checks += _ranks(ranking, wanted[0], limits.max_rank)
    if limits.max_drop is not None:
        if baseline is None:
            raise InputError("a drop is measured from a baseline", fix="give its table with --baseline")
        checks += _drops(ranking, baseline, wanted, limits.max_drop)
    return checks


def _invalid(ranking: Ranking, systems: Sequence[str], limit: float) -> list[Check]:
    rows = ranking.failures.filter(pl.col("measure") == "invalid", pl.col("system").is_in(list(systems)))
    checks: list[Check] = []
    for row in rows.iter_rows(named=True):
        share = None if row["value"] is None else row["value"] / 100
        passed = share is not None and share <= limit
        told = "unknown" if share is None else f"{share:.1%} [{row['low']:.1f}, {row['high']:.1f}] of {row['n']:,}"
        sentence = (
            f"{row['system']}, {row['language']}-{row['script']}: {told} answers invalid, at most {limit:.1%} allowed"
        )
        checks.append(Check("invalid", passed, share, limit, sentence))
    return checks


def _ranks(ranking: Ranking, system: str, limit: int) -> list[Check]:
    checks: list[Check] = []
    for info in ranking.metrics:
        row = _row(_together(ranking.systems, info.name), system, "rank_aware")
        value = row["value"] if row else None
        told = "unknown" if value is None else f"{value:.0f}"
        sentence = f"{system}: rank {told} by {info.name}, at most {limit} allowed"
        checks.append(Check("rank", value is not None and value <= limit, value, limit, sentence))
    return checks


def _drops(ranking: Ranking, baseline: Ranking, systems: Sequence[str], limit: float) -> list[Check]:
    checks: list[Check] = []
    for info in ranking.metrics:
        if info.name not in {known.name for known in baseline.metrics}:
            raise InputError(f"the baseline has no '{info.name}'", fix="score it with the same metric")
        ours, theirs = (r.systems.filter(metric=info.name, measure="mean_aware") for r in (ranking, baseline))
        _same_making(ours, theirs, info.name)
        for row in ours.filter(pl.col("system").is_in(list(systems))).iter_rows(named=True):
            before = _before(theirs, row)
            after = row["value"]
            where = "all together" if row.get("language") is None else f"{row['language']}-{row['script']}"
            if before is None or after is None:
                drop, told = None, "there is nothing to compare"
            else:
                drop = before - after if info.direction != "lower" else after - before
                told = f"{number(before)} before, {number(after)} now"
            sentence = f"{row['system']}, {where}: {info.name} {told}, at most {limit:g} worse allowed"
            checks.append(Check("drop", drop is not None and drop <= limit + 1e-12, drop, limit, sentence))
        checks += [
            Check("drop", False, None, limit, f"{where}: {info.name} was in the baseline, and is not in the table now")
            for where in _gone(ours, theirs)
        ]
    return checks


def _gone(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[str]:
    """The languages, scripts and conditions that the baseline alone has."""
    keys = [key for key in ("language", "script", "condition") if key in ours.columns and key in theirs.columns]
    cells = [frame.select(keys).drop_nulls("language").unique() for frame in (theirs, ours)] if keys else []
    gone = cells[0].join(cells[1], on=keys, how="anti", nulls_equal=True).sort(keys) if cells else pl.DataFrame()
    return [", ".join(["-".join(filter(None, row[:2])), *row[2:]]) for row in gone.iter_rows()]


def _same_making(ours: pl.DataFrame, theirs: pl.DataFrame, metric: str) -> None:
    made, were = (frame["signature"].unique().sort().to_list() for frame in (ours, theirs))
    if made != were:
        raise InputError(
            f"'{metric}' was made differently in the baseline ({were[0]}) and now ({made[0]})",
            fix="score and validate both in the same way",
        )


def _before(baseline: pl.DataFrame, row: dict[str, Any]) -> float | None:
    """The baseline's mean for the same language and system; for its only system where it has no such."""
    keys = [key for key in ("language", "script", "condition") if key in row and key in baseline.columns]
    same = baseline.filter([pl.col(key).eq_missing(pl.lit(row[key])) for key in keys])
    own = same.filter(system=row["system"])
    chosen = own if own.height else same if same["system"].n_unique() == 1 else own
    return chosen["value"][0] if chosen.height == 1 else None


def _together(systems: pl.DataFrame, metric: str) -> pl.DataFrame:
    rows = systems.filter(metric=metric)
    together = rows.filter(pl.col("language").is_null())
    return together if together.height else rows


def _row(systems: pl.DataFrame, system: str, measure: str) -> dict[str, Any] | None:
    found = systems.filter(system=system, measure=measure)
    return found.row(0, named=True) if found.height else None
