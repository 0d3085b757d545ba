"""What stands in the way of an answer, and what would give one: it follows from what the table has and lacks."""

from __future__ import annotations

import math

from equiglot.audit._means_words import coarse, look_alike
from equiglot.audit._words import cell_name, listed, scores_of
from equiglot.audit.verdicts import Evidence, Rule, judge_drop, judge_gap, judge_native, judge_shift

__all__ = [
    "mapping",
    "normalize_advice",
    "order_advice",
    "place_advice",
    "pooling",
    "rows_needed",
    "short_of_ratings",
    "why_unclear",
]

_MANY_TIMES = 100
"""An estimate of more than this many times the rated rows there are is none: the excess lies at the bar itself."""
_LEAST_MORE = 1.5
"""Rows that leave a question open are told to be short by this factor at least, whatever the estimate says."""


def mapping(evidence: Evidence) -> str:
    """Quantile normalisation, and where its result lies or how to come by it."""
    if evidence.normalized:
        return f"Quantile normalisation (done: {evidence.normalized})"
    return "Quantile normalisation (`equiglot normalize fit`)"


def normalize_advice(evidence: Evidence, rule: Rule) -> str:
    """What mends P1, and what it can't do."""
    said = (
        f"{mapping(evidence)} puts single translations of all languages and scripts on one axis without changing any "
        "order inside one; the means of languages are then equal by construction, so they can't rank languages."
    )
    return " ".join(filter(None, (said, coarse(evidence, rule))))


def pooling(evidence: Evidence) -> str:
    """What can be done with the scores even where they can't be compared."""
    if evidence.normalized:
        return (
            "Single translations are pooled on one axis after quantile normalisation, which can't rank languages "
            f"({evidence.normalized})."
        )
    return (
        "Single translations can be pooled on one axis after quantile normalisation (`equiglot normalize fit`, column "
        f"{evidence.metric}_qn), which can't rank languages."
    )


def short_of_ratings(evidence: Evidence) -> dict[str, int]:
    """The native cells that have too few rated rows to be judged, and how many they have."""
    short: dict[str, int] = {}
    for gap in evidence.gaps:
        short |= gap.short
    return dict(sorted(short.items()))


def why_unclear(evidence: Evidence, rule: Rule) -> str:
    """Why P1 can't be told, as a clause."""
    native = judge_native(evidence, rule)
    shifts = {judge_shift(pair, rule) for pair in evidence.pairs}
    if not evidence.means:
        return f"no row in native script has {scores_of(evidence.metric)}"
    if "unclear" in shifts:
        alike = f"native languages differ in it as in {evidence.raters}'s scores, but " if evidence.rated else ""
        before = alike if native == "fine" else ""
        return f"{before}what the script alone does to it can't be told from these pairs of native and romanised rows"
    if native is None:
        return "there is one language in its own script, and nothing to hold it against"
    alone = "the script alone doesn't move it, but " if shifts else ""
    if not evidence.rated and look_alike(evidence):
        return (
            f"{alone}this table can't tell whether that is equal quality, or chance in the ranges that the metric has "
            "in each language and script"
        )
    if not evidence.rated:
        return (
            f"{alone}this table can't tell how much of that is quality and how much is only the range that the metric "
            "has in each language and script"
        )
    if short := short_of_ratings(evidence):
        few = [f"{cell_name(cell)} has {n}" for cell, n in short.items()]
        return (
            f"{alone}too few translations have {evidence.raters}'s scores ({listed(few)}; {rule.min_rows} are needed)"
        )
    if _noisy(evidence, rule):
        return (
            f"{alone}gaps in {evidence.raters}'s scores are of another size, though no more than noise in either may "
            "explain"
        )
    open_question = (
        f"whether languages are as close in {evidence.raters}'s scores"
        if look_alike(evidence)
        else f"whether the gap in {evidence.raters}'s scores is as large"
    )
    return f"{alone}{open_question} can't be told from {_rated_words(evidence)}"


def place_advice(evidence: Evidence, rule: Rule) -> str:
    """What would settle P1."""
    native = judge_native(evidence, rule)
    said: list[str] = []
    if any(judge_shift(pair, rule) == "unclear" for pair in evidence.pairs):
        said.append("Score more translations in both scripts.")
    if not evidence.means:
        said.append(f"Add {scores_of(evidence.metric)} of translations in native script.")
    elif native is None and not evidence.pairs:
        said.append(f"Add {scores_of(evidence.metric)} of another language{_or_latin(evidence)}.")
    elif evidence.rated and native == "unclear":
        said.append(_rating_advice(evidence, rule))
    elif not evidence.rated and (native == "unclear" or not evidence.pairs):
        latin = "" if evidence.pairs else _or_latin(evidence)
        said.append(f"Add people's scores of the translations (a column 'human', larger is better){latin}.")
    return " ".join(said)


def _rating_advice(evidence: Evidence, rule: Rule) -> str:
    """What more of people's scores there should be, and roughly how many where an interval tells."""
    again = "Have each rated several times, so that there is less noise." if _noisy(evidence, rule) else ""
    if short := [cell_name(cell) for cell in short_of_ratings(evidence)]:
        few = f"Have more translations rated: at least {rule.min_rows} in {listed(short)}."
        return f"{few} {again}".strip()
    if again:
        return again
    needed = rows_needed(evidence, rule)
    if needed is None:
        return "Have more translations rated in every language."
    if needed == math.inf:
        return f"More ratings will hardly settle it: the difference lies at the bar of {rule.min_gap:g} SD."
    return f"Have more translations rated in every language: roughly {needed:,.0f} in each."


def rows_needed(evidence: Evidence, rule: Rule) -> float | None:
    """Roughly how many rated rows per language would settle what native gaps leave open, to two digits.

    An interval's half-width h shrinks with the square root of n. To lie within the bar it must be no wider than the
    bar less the excess; where the excess is beyond the bar, no wider than the excess, to leave out 0. So n grows by
    (h / margin)^2, for the comparison that needs most. Infinite where the excess lies so near the bar that no number
    that can be had would do; None where no open comparison has an interval. Holm's correction is left out.
    """
    most = 0.0
    for gap in evidence.gaps:
        excess, means = gap.excess, gap.human_scores
        if judge_gap(gap, rule) != "unclear" or excess.value is None or excess.interval is None or means is None:
            continue
        size, half = abs(excess.value), (excess.interval.high - excess.interval.low) / 2
        margin = rule.min_gap - size if size < rule.min_gap else size
        if margin <= 0 or (half / margin) ** 2 > _MANY_TIMES:
            return math.inf
        per_language = means[0].n if gap.other is None else min(mean.n for mean in means)
        most = max(most, per_language * max((half / margin) ** 2, _LEAST_MORE))
    if not most:
        return None
    step = 10 ** max(int(math.log10(most)) - 1, 0)
    return math.ceil(most / step) * step


def _rated_words(evidence: Evidence) -> str:
    """How many rated rows a language has: ``60 rated rows per language``."""
    compared = [(gap.human_scores if gap.other else gap.human_scores[:1]) for gap in evidence.gaps if gap.human_scores]
    counts = sorted({mean.n for means in compared for mean in means})
    if not counts:
        return "so few rated rows"
    many = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return f"{many} rated rows per language"


def order_advice(evidence: Evidence, rule: Rule) -> str:
    """What would settle P2."""
    people = "people's scores (a column 'human', larger is better)"
    if not evidence.pairs:
        if not evidence.romanizable:
            return ""
        also = "" if evidence.rated else f", and {people}"
        return f"Add the same translations{_of(evidence)} in Latin script (`equiglot romanize`), scored too{also}."
    if not evidence.rated:
        return f"Add {people}."
    unclear = [pair for pair in evidence.pairs if judge_drop(pair, rule) == "unclear"]
    values = [(pair.agreement.first.value, pair.agreement.difference.n) for pair in unclear]
    if all(value is not None and value < rule.min_drop and n >= rule.min_rows for value, n in values):
        return "Take a metric that agrees with people in native script."
    return "Have more of the translations rated that are there in both scripts."


def _noisy(evidence: Evidence, rule: Rule) -> bool:
    return any(judge_gap(gap, rule) == "noisy" for gap in evidence.gaps)


def _or_latin(evidence: Evidence) -> str:
    if not evidence.romanizable:
        return ""
    return f", or the same translations{_of(evidence)} in Latin script (`equiglot romanize`), scored too"


def _of(evidence: Evidence) -> str:
    """Which languages to romanise, where some are in Latin script already."""
    if len(evidence.romanizable) == len(evidence.means):
        return ""
    return f" of {listed([cell_name(cell) for cell in evidence.romanizable])}"
