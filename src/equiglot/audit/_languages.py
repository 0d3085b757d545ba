"""One language in both conditions: how far its scores move, and how well they order translations before and after.

Agreement is Spearman's rho with people, turned so that more is better also for a metric of which less is better. The
reported ``rho_native`` and ``rho_romanized`` keep the metric's own sign (paper 1, table 7), the drop does not:
``rho_drop = agreement_native - agreement_romanized``, positive where the romanised order is worse. ``rho_between`` is
the rho of the two scores with each other and needs no people.

Four tests ask whether the drop is more than chance; each is Holm-corrected over the languages. All rhos with people
rest on the same rows of a language: those with both scores and a person's score. Means and delta need no person's
score (paper 1, table 2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from equiglot.audit._measures import measured, plain
from equiglot.audit._rows import NATIVE, PAIR, Rows
from equiglot.audit._sampling import Sampling
from equiglot.measures import Direction, Measure, MeasureInfo, result_table
from equiglot.stats import (
    Estimate,
    Significance,
    SpearmanDifference,
    holm,
    meng,
    paired_t,
    spearman,
    steiger,
    williams,
)

__all__ = ["LanguagePair", "compare_languages", "direction_sign", "language_table"]

_DROP_TESTS = ("williams", "steiger", "meng", "perm_both")
_TESTS = ("delta", *_DROP_TESTS)
"""The tests of each language: paired t of the mean shift, and four of the drop."""


@dataclass(frozen=True, slots=True)
class LanguagePair:
    """What was measured of one language; scores in the metric's unit, agreement turned so that more is better."""

    language: str
    script: str
    pairs: int
    mean_native: Estimate
    mean_romanized: Estimate
    delta: Estimate
    sd_native: float | None
    agreement: SpearmanDifference
    between: Estimate
    tests: dict[str, Significance]
    adjusted: dict[str, float | None] = field(default_factory=dict[str, float | None])

    @property
    def cell(self) -> str:
        """The native cell's name, e.g. ``ta-Taml``."""
        return f"{self.language}-{self.script}"

    @property
    def delta_in_sd(self) -> float | None:
        """The shift in standard deviations of the native scores (Glass's delta)."""
        return self.delta.value / self.sd_native if self.delta.value is not None and self.sd_native else None


def compare_languages(rows: Rows, direction: Direction, sampling: Sampling) -> list[LanguagePair]:
    """Every (language, native script) that has paired rows, by name, with each test's p corrected over all of them."""
    sign = direction_sign(direction)
    found: list[LanguagePair] = []
    for (language, script), group in rows.pairs.group_by(["language", "script"], maintain_order=True):
        scored = group.drop_nulls(["native", "romanized"])
        # Sorted, so that rounding in sums can't depend on the order of rows.
        shift = (scored["romanized"] - scored["native"]).sort()
        agreement, tests = _agreement(scored, rows.rated, sign, sampling)
        found.append(
            LanguagePair(
                language=str(language),
                script=str(script),
                pairs=group.height,
                mean_native=sampling.mean(scored["native"]),
                mean_romanized=sampling.mean(scored["romanized"]),
                delta=sampling.mean(shift),
                sd_native=float(scored["native"].sort().to_numpy().std(ddof=1)) if scored.height > 1 else None,
                agreement=agreement,
                between=sampling.rho(scored["native"], scored["romanized"]),
                tests={"delta": paired_t(shift.to_numpy()), **tests},
            )
        )
    adjusted = {name: holm([pair.tests[name].p for pair in found]) for name in _TESTS}
    return [replace(pair, adjusted={name: adjusted[name][i] for name in _TESTS}) for i, pair in enumerate(found)]


def language_table(
    rows: Rows,
    found: Sequence[LanguagePair],
    agreements: Mapping[str, Estimate],
    *,
    info: MeasureInfo,
    sampling: Sampling,
    signature: str,
) -> pl.DataFrame:
    """The languages as a result table; one that has no romanised rows says so in every measure that needs them.

    ``agreements`` holds the rho of native cells by name, turned so that more is better.
    """
    entries: list[tuple[dict[str, Any], Measure]] = []
    for pair in found:
        keys = {"language": pair.language, "script": pair.script, "condition": PAIR}
        entries += [(keys, measure) for measure in _measures(pair, info, signature)]
    compared = {(pair.language, pair.script) for pair in found}
    absent = Estimate(None, None, 0, "no romanised rows of the same translations")
    for place, group in rows.condition(NATIVE).group_by(["language", "script"], maintain_order=True):
        if place in compared:
            continue
        keys = {"language": place[0], "script": place[1], "condition": PAIR}
        had = {"mean_native": sampling.mean(group["score"].drop_nulls())}
        if (cell := "-".join(map(str, place))) in agreements:
            had["rho_native"] = agreements[cell]
        for name, unit, direction in _shown(info):
            estimate = had.get(name, absent)
            measure = measured(
                name,
                estimate,
                unit=unit,
                direction=direction,
                n_failed=group.height - estimate.n,
                signature=signature,
                scale=direction_sign(info.direction) if name == "rho_native" else 1.0,
            )
            entries.append((keys, measure))
    return result_table(entries)


def direction_sign(direction: Direction) -> float:
    """-1 for a measure of which less is better: times it, more is better."""
    return -1.0 if direction == "lower" else 1.0


def _agreement(
    scored: pl.DataFrame, rated: bool, sign: float, sampling: Sampling
) -> tuple[SpearmanDifference, dict[str, Significance]]:
    """Both rhos with people, their difference, and its tests."""
    if not rated:
        reason = "no row has a person's score"
        absent = Estimate(None, None, 0, reason)
        untested = {name: Significance(name, 0, reason=reason) for name in _DROP_TESTS}
        return SpearmanDifference(absent, absent, absent), untested
    both = scored.drop_nulls("human")
    first, second, people = both["native"] * sign, both["romanized"] * sign, both["human"]
    agreement = sampling.rho_difference(first, second, people)
    one, two, n = agreement.first.value, agreement.second.value, both.height
    between = spearman(first.to_numpy(), second.to_numpy())
    if one is None or two is None or between is None:
        reason = agreement.difference.reason
        return agreement, {name: Significance(name, n, reason=reason) for name in _DROP_TESTS}
    return agreement, {
        "williams": williams(one, two, between, n),
        "steiger": steiger(one, two, between, n),
        "meng": meng(one, two, between, n),
        "perm_both": sampling.swap_test(first, second, people),
    }


def _shown(info: MeasureInfo) -> list[tuple[str, str, Direction]]:
    """Name, unit and direction of each estimate in the table."""
    unit, way = info.unit, info.direction
    return [
        ("mean_native", unit, way),
        ("mean_romanized", unit, way),
        ("delta", unit, "neutral"),
        ("delta_in_sd", "SD of native scores", "neutral"),
        ("rho_native", "rho", way),
        ("rho_romanized", "rho", way),
        ("rho_drop", "rho", "lower"),
        ("rho_between", "rho", "higher"),
    ]


def _measures(pair: LanguagePair, info: MeasureInfo, signature: str) -> list[Measure]:
    effect, sign = pair.delta_in_sd, direction_sign(info.direction)
    no_effect = pair.delta.reason or "the native scores have no spread"
    estimates = [
        (pair.mean_native, 1.0),
        (pair.mean_romanized, 1.0),
        (pair.delta, 1.0),
        (Estimate(effect, None, pair.delta.n, no_effect if effect is None else None), 1.0),
        (pair.agreement.first, sign),
        (pair.agreement.second, sign),
        (pair.agreement.difference, 1.0),
        (pair.between, 1.0),
    ]
    measures = [
        measured(
            name,
            estimate,
            unit=unit,
            direction=direction,
            n_failed=pair.pairs - estimate.n,
            signature=signature,
            scale=scale,
        )
        for (name, unit, direction), (estimate, scale) in zip(_shown(info), estimates, strict=True)
    ]
    for name, test in pair.tests.items():
        for shown, p in ((f"p_{name}", test.p), (f"p_{name}_holm", pair.adjusted[name])):
            failed = pair.pairs - test.n
            measures.append(plain(shown, p, "p", n=test.n, n_failed=failed, reason=test.reason, signature=signature))
    return measures
