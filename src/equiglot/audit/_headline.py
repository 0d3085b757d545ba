"""The headline: may I compare these scores, and if not, can they be put on one axis? In one to three sentences."""

from __future__ import annotations

from dataclasses import replace

from equiglot.audit._advice import mapping, place_advice, pooling, why_unclear
from equiglot.audit._gaps import CellGap
from equiglot.audit._languages import LanguagePair
from equiglot.audit._means_words import all_means, coarse, ends, two_means
from equiglot.audit._order_words import native_order_headline
from equiglot.audit._sentences import fall
from equiglot.audit._words import bracketed, cell_name, listed, number, once, scores_of, two_digits
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
from equiglot.stats import Estimate

__all__ = ["headline"]


def headline(evidence: Evidence, place: Verdict, order: Verdict, rule: Rule) -> str:
    """The answer to both questions, the comparison with people first where there is one."""
    if place.answer == "can't tell":
        parts = [_cannot_tell(evidence, rule)]
        if order.answer == "no":
            parts.append(_order(order, place, evidence, rule))
        else:
            parts.append(native_order_headline(evidence, rule))
        if len(evidence.means) > 1 and not evidence.mapped:
            parts += [pooling(evidence), coarse(evidence, rule)]
    elif place.answer == "yes":
        means = "" if evidence.mapped or not evidence.means else all_means(evidence, rule)
        parts = [_comparable(evidence), means, _order(order, place, evidence, rule)]
    else:
        parts = [
            f"{_not_comparable(evidence, rule)}.",
            f"{mapping(evidence)} puts single translations on one axis, but not languages: it makes their means equal.",
            coarse(evidence, rule),
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
    said = f"Don't compare them yet: {two_means(evidence.metric, *ends(evidence))}, and {why}"
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
    sides = list(zip(gap.names, gap.metric_scores, gap.human_scores, strict=True))
    (high, most, above), (low, least, below) = sorted(sides, key=lambda side: -(side[1].value or 0.0))
    people = " and ".join(number(mean.value or 0.0) for mean in (above, below))
    said = two_means(evidence.metric, (high, most), (low, least))
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
    size = bracketed([_positive(pair.delta)])
    return f"the very same translations of {cell_name(pair.cell)} score {by} {way} when only the script changes {size}"


def _positive(change: Estimate) -> Estimate:
    """A change without its sign, which a word says."""
    interval = change.interval
    if change.value is None or change.value >= 0 or interval is None:
        return change
    return replace(change, value=-change.value, interval=replace(interval, low=-interval.high, high=-interval.low))


def _order(order: Verdict, place: Verdict, evidence: Evidence, rule: Rule) -> str:
    if order.answer == "yes":
        return "Native or romanised, it orders translations equally well."
    if order.answer == "can't tell":
        if not evidence.pairs and not evidence.romanizable:
            return native_order_headline(evidence, rule)  # everything is in Latin script, so no other is asked about
        if native := native_order_headline(evidence, rule):
            return native
        return "Whether it also orders translations worse in Latin script can't be told from this table."
    worse = [pair for pair in evidence.pairs if judge_drop(pair, rule) == "fault"]
    worst = max(worse, key=lambda pair: pair.agreement.difference.value or 0.0)
    size = worst.agreement.difference
    drop = f"by {two_digits(size.value or 0.0)} {bracketed([size], 'two_digits')}"
    if len(worse) == 1:
        what = (
            f"in romanised {cell_name(worst.cell)} it orders translations worse (agreement with {evidence.raters} "
            f"{fall(worst)}, {drop})"
        )
    else:
        of = "all" if len(worse) == len(evidence.pairs) else f"{len(worse)} of"
        names = listed([cell_name(pair.cell) for pair in worse])
        what = (
            f"romanised, it orders translations worse in {of} {len(evidence.pairs)} languages, {names} (agreement "
            f"with {evidence.raters} falls furthest in {cell_name(worst.cell)}, {fall(worst)}, {drop})"
        )
    if place.answer == "no":
        return f"No such map repairs the second fault: {what}."
    return f"But {what}, which no map that keeps order repairs."
