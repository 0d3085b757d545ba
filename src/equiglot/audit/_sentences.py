"""The verdicts in words, for a reader who has met none of this before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from equiglot.audit._advice import normalize_advice, order_advice, place_advice, short_of_ratings, why_unclear
from equiglot.audit._gaps import CellGap
from equiglot.audit._languages import LanguagePair
from equiglot.audit._order_words import native_order_words
from equiglot.audit._ranges import on_rated
from equiglot.audit._words import (
    cell_name,
    counted,
    holm_p,
    itemised,
    listed,
    number,
    once,
    p_value,
    range_of,
    scores_of,
    shift,
    two_digits,
    valued,
)
from equiglot.audit.verdicts import (
    P1,
    P2,
    Answer,
    Evidence,
    Finding,
    Outcome,
    Rule,
    Verdict,
    is_clear,
    judge_drop,
    judge_gap,
    judge_native,
    judge_shift,
)

__all__ = ["fall", "judge_order", "judge_place"]

_Judged = tuple[LanguagePair, Finding]

_MAPPED = (
    "The languages and scripts were mapped onto one range (norm in the signature): where the map was fitted on these "
    "same rows, their means are equal by construction and can't rank languages."
)
_UNPAIRED = "No translation is there in native and in Latin script, so there is nothing to hold one against the other."
_ALL_LATIN = "Every language here is in Latin script already, so no order can suffer from romanising it."
_MOST_GAPS = 3
"""Comparisons that a sentence shows of each kind, the widest first; the table of gaps has them all."""
_KEEP_NATIVE = (
    "No map that keeps order repairs this: compare translations in native script, or with a metric that loses less."
)


def judge_place(evidence: Evidence, rule: Rule) -> Verdict:
    """P1: may scores of different languages and scripts be compared?"""
    shifts: list[_Judged] = [(pair, judge_shift(pair, rule)) for pair in evidence.pairs]
    native = judge_native(evidence, rule)
    answer = _place_answer(evidence, shifts, native)
    if evidence.cells < 2:
        lead = "There is one language in one script, so there is nothing to compare."
    elif answer == "no":
        lead = "Ranges differ between languages or scripts."
    elif answer == "can't tell" and not evidence.mapped:
        why = why_unclear(evidence, rule)
        lead = f"What there is does not settle it: {why}."
    else:
        lead = "No difference of range that matters was found." if answer == "yes" else ""
    mapped = _MAPPED if evidence.mapped and answer != "no" else ""
    parts = (lead, _gap_words(evidence, rule), _shift_words(shifts, evidence, rule), _eta_words(evidence), mapped)
    parts = parts if evidence.cells > 1 else parts[:1]
    said = once(" ".join(filter(None, parts)), evidence.names)
    fix = {"no": normalize_advice, "can't tell": place_advice}.get(answer)
    return Verdict("P1", P1, answer, said, once(fix(evidence, rule), evidence.names) if fix else "")


def judge_order(evidence: Evidence, rule: Rule) -> Verdict:
    """P2: does the metric order translations equally well in every script?"""
    if not evidence.pairs or not evidence.rated:
        latin = bool(evidence.means) and all(cell.endswith("-Latn") for cell in evidence.means)
        unpaired = _ALL_LATIN if latin else _UNPAIRED
        why = "No row has a person's score, so there is no order to agree with." if evidence.pairs else unpaired
        said = " ".join(filter(None, (why, native_order_words(evidence, rule))))
        advice = order_advice(evidence, rule)
        return Verdict("P2", P2, "can't tell", once(said, evidence.names), once(advice, evidence.names))
    drops: list[_Judged] = [(pair, judge_drop(pair, rule)) for pair in evidence.pairs]
    worse = sorted((p for p, f in drops if f == "fault"), key=lambda p: -(p.agreement.difference.value or 0.0))
    fine = [pair for pair, finding in drops if finding == "fine"]
    unclear = [pair for pair, finding in drops if finding == "unclear"]
    parts: list[str] = []
    if worse:
        parts.append(f"Romanised, order is worse in {itemised([(p.cell, _drop_words(p)) for p in worse])}.")
    if fine:
        subject = "It" if parts else "Order"
        parts.append(
            f"{subject} is as good, within {rule.min_drop:g}, in {itemised([(p.cell, _fall_words(p)) for p in fine])}."
        )
    if unclear:
        subject = "It" if parts else "Whether order is as good"
        parts.append(f"{subject} can't be told for {itemised([(p.cell, _unclear_words(p, rule)) for p in unclear])}.")
    said = once(" ".join(filter(None, (*parts, native_order_words(evidence, rule)))), evidence.names)
    if worse:
        return Verdict("P2", P2, "no", said, _KEEP_NATIVE)
    if unclear:
        return Verdict("P2", P2, "can't tell", said, order_advice(evidence, rule))
    return Verdict("P2", P2, "yes", said, "")


def fall(pair: LanguagePair) -> str:
    """Agreement before and after: ``0.85 to 0.42``."""
    before, after = pair.agreement.first.value, pair.agreement.second.value
    assert before is not None
    assert after is not None
    return f"{two_digits(before)} to {two_digits(after)}"


def _place_answer(evidence: Evidence, shifts: Sequence[_Judged], native: Finding | None) -> Answer:
    found = {finding for _, finding in shifts}
    if native == "fault" or "fault" in found:
        return "no"
    if evidence.cells < 2 or "unclear" in found:
        return "can't tell"
    if shifts:
        return "yes" if native in ("fine", None) or evidence.mapped else "can't tell"
    return "yes" if native == "fine" and evidence.rated else "can't tell"


def _gap_words(evidence: Evidence, rule: Rule) -> str:
    """How native languages differ in the metric and in people's scores."""
    judged = [(gap, judge_gap(gap, rule)) for gap in evidence.gaps if gap.excess.value is not None]
    if evidence.mapped or not evidence.gaps:
        return ""
    by_size = sorted(judged, key=lambda item: -abs(item[0].excess.value or 0.0))
    own = f"{evidence.raters}'s scores"
    heads: dict[Outcome, str] = {
        "contradicts": f"In native script {evidence.metric} contradicts {own}",
        "exaggerates": f"In native script {evidence.metric} shows wider gaps than {own}",
        "understates": f"In native script {evidence.metric} shows narrower gaps than {own}",
        "noisy": f"Native gaps in {evidence.metric} differ from those in {own}, but no more than noise may explain",
        "unclear": f"Whether native gaps in {evidence.metric} are those in {own} can't be told",
        "agrees": f"Native gaps in {evidence.metric} agree with those in {own} within {rule.min_gap:g} SD",
    }
    parts: list[str] = []
    for outcome, head in heads.items():
        found = [_one_gap(gap, rule) for gap, judgement in by_size if judgement == outcome]
        if found:
            more = f"; and {len(found) - _MOST_GAPS} more" if len(found) > _MOST_GAPS else ""
            parts.append(f"{head}: {'; '.join(found[:_MOST_GAPS])}{more}.")
    if short := short_of_ratings(evidence):
        few = [f"{cell_name(cell)} ({n})" for cell, n in short.items()]
        parts.append(f"Too few rows are rated, fewer than {rule.min_rows}, in {listed(few)}.")
    if judged:
        clear = [gap for gap, _ in judged if is_clear(gap, "gap_human", rule)]
        parts.append(_people_words(clear, evidence.raters))
    return " ".join(parts)


def _people_words(clear: Sequence[CellGap], raters: str) -> str:
    """Whether people's own scores tell the languages apart."""
    if not clear:
        return f"There is no clear difference in {raters}'s own scores."
    widest = max(clear, key=lambda gap: abs(gap.human.value or 0.0))
    assert widest.human.value is not None
    high, low = map(_side, widest.names if widest.human.value > 0 else reversed(widest.names))
    more = f", most between {high} and {low}" if len(clear) > 1 else f" between {high} and {low}"
    own = f"{raters[0].upper()}{raters[1:]}'s own scores differ"
    return f"{own}{more} ({two_digits(abs(widest.human.value))} SD)."


def _one_gap(gap: CellGap, rule: Rule) -> str:
    """The metric's gap against people's, the cell named first that the metric sets higher."""
    metric, human, excess = gap.metric.value, gap.human.value, gap.excess
    assert metric is not None
    assert human is not None
    assert excess.value is not None
    turn = 1.0 if metric >= 0 else -1.0
    above, below = map(_side, gap.names if turn > 0 else reversed(gap.names))
    interval = excess.interval
    if interval and turn < 0:
        interval = replace(interval, low=-interval.high, high=-interval.low)
    p = gap.adjusted["gap_excess"]
    chance = f", {holm_p(p)}" if p is not None and p < rule.alpha else ""
    return (
        f"{above} over {below}, {two_digits(turn * metric)} SD against {two_digits(turn * human)} (excess "
        f"{two_digits(turn * excess.value)}, {range_of(interval, 'two_digits')}{chance})"
    )


def _side(name: str) -> str:
    return name if name.startswith("the ") else cell_name(name)


def _shift_words(shifts: Sequence[_Judged], evidence: Evidence, rule: Rule) -> str:
    """What rewriting the same translations in Latin script does to the score."""
    act = f"ewriting the same translations in Latin script moves mean {evidence.metric}"
    by_size = sorted(shifts, key=lambda item: -abs(item[0].delta_in_sd or 0.0))

    def part(finding: Finding, before: str, after: str) -> str:
        found = [(pair.cell, _one_shift(pair, rule)) for pair, judged in by_size if judged == finding]
        return f"{before}{act}{after} in {itemised(found)}." if found else ""

    parts = (
        part("fault", "R", ""),
        part("fine", "R", " by nothing that matters"),
        part("unclear", "It can't be told whether r", ""),
    )
    return " ".join(filter(None, parts))


def _one_shift(pair: LanguagePair, rule: Rule) -> str:
    delta, effect = pair.delta, pair.delta_in_sd
    if delta.value is None:
        return str(delta.reason)
    if delta.n < rule.min_rows:
        return f"only {counted(delta.n, 'pair')}"
    if effect is None:
        return "every native score is the same" if pair.sd_native == 0 else str(delta.reason)
    return f"{shift(delta.value)} ({two_digits(effect)} SD, {range_of(delta.interval)})"


def _eta_words(evidence: Evidence) -> str:
    """How much of the variance of native scores lies between cells, and of people's scores on the same rows."""
    people = evidence.native("human")
    part = evidence.native(on_rated(evidence.metric)) if people else None
    metric = part or evidence.native(evidence.metric)
    if metric is None:
        return ""
    if metric.equal.groups < 2:
        return "There is one language in its own script, so native ranges have nothing to be held against."
    found = metric.equal
    if found.eta2.value is None or found.f is None or found.p is None:
        return f"How far native scores differ can't be analysed: {found.reason}."
    test = f"F({found.df_between}, {found.df_within:,}) = {number(found.f)}, {p_value(found.p, found.neg_log10_p)}"
    said = (
        f"In native script, language and script account for {valued(found.eta2)} of the variance of "
        f"{scores_of(evidence.metric)}, {test}"
    )
    if people is None:
        beside = "no people's scores say how far the languages truly differ in quality"
    elif people.equal.eta2.value is None:
        beside = f"{evidence.raters}'s scores can't be analysed beside it ({people.equal.reason})"
    else:
        beside = f"of that of {evidence.raters}'s scores on the same rows, {valued(people.equal.eta2)}"
    return f"{said}; {beside}; {evidence.content}."


def _fall_words(pair: LanguagePair) -> str:
    drop = pair.agreement.difference
    assert drop.value is not None
    return f"agreement {fall(pair)}, drop {two_digits(drop.value)}, {range_of(drop.interval, 'two_digits')}"


def _drop_words(pair: LanguagePair) -> str:
    p = pair.adjusted["williams"]
    assert p is not None
    return f"{_fall_words(pair)}, {holm_p(p)}"


def _unclear_words(pair: LanguagePair, rule: Rule) -> str:
    before, drop = pair.agreement.first, pair.agreement.difference
    if drop.value is None or before.value is None:
        rated = counted(drop.n, "rated pair")
        return f"{rated}, {drop.reason}"
    if drop.n < rule.min_rows:
        return f"only {counted(drop.n, 'rated pair')}"
    if before.value < rule.min_drop:
        return f"agreement is only {two_digits(before.value)} in native script, so there is little to lose"
    return _fall_words(pair)
