"""The headline: may I compare these scores, and if not, can they be put on one axis? In one to three sentences."""

from __future__ import annotations

from equiglot.audit._advice import place_advice, pooling, why_unclear
from equiglot.audit._gaps import CellGap
from equiglot.audit._languages import LanguagePair
from equiglot.audit._sentences import fall
from equiglot.audit._words import cell_name, listed, number, once, scores_of, two_digits
from equiglot.audit.verdicts import (
    Evidence,
    Rule,
    Verdict,
    is_clear,
    judge_drop,
    judge_gap,
    judge_native,
    judge_shift,
)

__all__ = ["headline"]


def headline(evidence: Evidence, place: Verdict, order: Verdict, rule: Rule) -> str:
    """The answer to both questions, the comparison with people first where there is one."""
    if place.answer == "can't tell":
        parts = [_cannot_tell(evidence, rule)]
        if len(evidence.means) > 1 and not evidence.mapped:
            parts.append(pooling(evidence))
        if order.answer == "no":
            parts.append(_order(order, place, evidence, rule))
    elif place.answer == "yes":
        parts = [_comparable(evidence), _order(order, place, evidence, rule)]
    else:
        parts = [
            f"{_not_comparable(evidence, rule)}.",
            "Quantile normalisation (`equiglot normalize fit`) puts single translations on one axis, but not "
            "languages: it makes their means equal.",
            _order(order, place, evidence, rule),
        ]
    return once(" ".join(filter(None, parts)), evidence.names)


def _cannot_tell(evidence: Evidence, rule: Rule) -> str:
    """What to tell a reader whose table does not settle it."""
    scores = scores_of(evidence.metric)
    if evidence.mapped:
        return (
            f"Single {scores} lie on one axis, for they were mapped onto it; the means of languages are equal by "
            "construction and can't rank them."
        )
    why = why_unclear(evidence, rule)
    if len(evidence.means) < 2:
        if evidence.cells < 2:
            why = "there is one language in one script, so there is nothing to compare"
        return f"This table can't tell whether {scores} of different languages and scripts may be compared: {why}."
    (low, least), *_, (high, most) = sorted(evidence.means.items(), key=lambda item: item[1])
    said = (
        f"Don't compare them yet: {evidence.metric} is {number(most)} for {cell_name(high)} and {number(least)} for "
        f"{cell_name(low)}, and {why}"
    )
    advice = place_advice(evidence, rule)
    if not advice:
        return f"{said}."
    return f"{said}; {advice[0].lower()}{advice[1:]}"


def _comparable(evidence: Evidence) -> str:
    scores = scores_of(evidence.metric)
    if evidence.mapped:
        return (
            f"Yes, single {scores} lie on one axis, because they were mapped onto it; the means of languages don't "
            "rank them."
        )
    native = "native ranges hardly differ" if len(evidence.means) > 1 else ""
    if evidence.gaps:
        native = f"in native script languages differ in it as in {evidence.raters}'s scores"
    alone = "rewriting translations in Latin script hardly moves them" if evidence.pairs else ""
    why = f"{native}, and {alone}" if native and alone else native or alone
    return f"Yes, {scores} of these languages and scripts may be compared as they are, on one axis: {why}."


def _not_comparable(evidence: Evidence, rule: Rule) -> str:
    """Which scores are not on one scale, and the plainest evidence that they aren't."""
    scores = scores_of(evidence.metric)
    moved = [pair for pair in evidence.pairs if judge_shift(pair, rule) == "fault"]
    alone = _alone(max(moved, key=lambda pair: abs(pair.delta_in_sd or 0.0))) if moved else ""
    native = judge_native(evidence, rule)
    if native == "fault":
        faults = [gap for gap in evidence.gaps if judge_gap(gap, rule) not in ("agrees", "noisy", "unclear")]
        worst = max(faults, key=lambda gap: abs(gap.excess.value or 0.0))
        said = f"No, {scores} of different languages are not on one scale: {_gap(worst, evidence, rule)}"
        return f"{said}; and {alone}" if alone else said
    if not evidence.gaps or evidence.mapped:
        return f"No, {scores} of different scripts are not on one scale: {alone}"
    if native == "fine":
        beside = f"native languages differ in it as in {evidence.raters}'s scores"
    else:
        beside = f"whether native languages differ in it as in {evidence.raters}'s scores can't be told"
    return f"No, {scores} of different scripts are not on one scale: {beside}, but {alone}"


def _gap(gap: CellGap, evidence: Evidence, rule: Rule) -> str:
    """One comparison with people, the cell with the higher metric first."""
    assert gap.metric_scores is not None
    assert gap.human_scores is not None
    assert gap.metric.value is not None
    assert gap.human.value is not None
    turned = gap.metric_scores[0] < gap.metric_scores[1]
    high, low = (
        name if name.startswith("the ") else cell_name(name) for name in (gap.names[::-1] if turned else gap.names)
    )
    most, least = gap.metric_scores[::-1] if turned else gap.metric_scores
    people = " and ".join(map(number, gap.human_scores[::-1] if turned else gap.human_scores))
    said = f"{evidence.metric} is {number(most)} for {high} and {number(least)} for {low}"
    own = f"{evidence.raters}'s"
    if judge_gap(gap, rule) == "contradicts":
        return f"{said}, and {own} scores rank them the other way round ({people})"
    if not is_clear(gap, "gap_human", rule):
        return f"{said}, with no clear difference in {own} own scores ({people})"
    return (
        f"{said}, a gap of {two_digits(abs(gap.metric.value))} SD where {own} scores ({people}) have one of "
        f"{two_digits(abs(gap.human.value))} SD"
    )


def _alone(pair: LanguagePair) -> str:
    """What the script alone does."""
    assert pair.delta.value is not None
    way = "lower" if pair.delta.value < 0 else "higher"
    by = number(abs(pair.delta.value))
    return f"the very same translations of {cell_name(pair.cell)} score {by} {way} when only the script changes"


def _order(order: Verdict, place: Verdict, evidence: Evidence, rule: Rule) -> str:
    if order.answer == "yes":
        return "Native or romanised, it orders translations equally well."
    if order.answer == "can't tell":
        if not evidence.pairs and not evidence.romanizable:
            return ""  # everything is in Latin script, so there is no other to ask about
        return "Whether it also orders translations worse in Latin script can't be told from this table."
    worse = [pair for pair in evidence.pairs if judge_drop(pair, rule) == "fault"]
    worst = max(worse, key=lambda pair: pair.agreement.difference.value or 0.0)
    if len(worse) == 1:
        what = (
            f"in romanised {cell_name(worst.cell)} it orders translations worse (agreement with {evidence.raters} "
            f"{fall(worst)})"
        )
    else:
        of = "all" if len(worse) == len(evidence.pairs) else f"{len(worse)} of"
        names = listed([cell_name(pair.cell) for pair in worse])
        what = (
            f"romanised, it orders translations worse in {of} {len(evidence.pairs)} languages, {names} (agreement "
            f"with {evidence.raters} falls furthest in {cell_name(worst.cell)}, {fall(worst)})"
        )
    if place.answer == "no":
        return f"No such map repairs the second fault: {what}."
    return f"But {what}, which no map that keeps order repairs."
