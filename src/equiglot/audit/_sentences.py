"""The verdicts and the headline in words, for a reader who has met none of this before."""

from __future__ import annotations

from collections.abc import Sequence

from equiglot.audit._languages import LanguagePair
from equiglot.audit._ranges import Ranges
from equiglot.audit._words import counted, listed, number, p_value, range_of, shift, two_digits, valued
from equiglot.audit.verdicts import P1, P2, Evidence, Finding, Rule, Verdict, judge_drop, judge_ranges, judge_shift

__all__ = ["headline", "judge_order", "judge_place"]

_Judged = tuple[LanguagePair, Finding]

_NORMALIZE = (
    "Quantile normalisation (`equiglot normalize fit`) puts the cells on one axis without changing any order inside a "
    "cell; cell means are then equal by construction, so they can't rank languages."
)
_ROMANIZE = "Add the same translations in Latin script (`equiglot romanize`), score both, and audit again."
_MORE = "Audit more segments."
_UNPAIRED = "No translation is there in native and in Latin script, so there is nothing to hold one against the other."
_MAPPED = (
    "The cells were mapped onto one range (norm:qn): where the map was fitted on these same rows, cell means are equal "
    "by construction and can't rank languages."
)


def judge_place(evidence: Evidence, rule: Rule) -> Verdict:
    """P1: may scores of different cells be compared?"""
    shifts: list[_Judged] = [(pair, judge_shift(pair, rule)) for pair in evidence.pairs]
    metric, people = evidence.native(evidence.metric), evidence.native("human")
    ranges = judge_ranges(metric, people, rule)
    said = " ".join(filter(None, (_shift_words(shifts, evidence, rule), _range_words(metric, people, evidence, rule))))
    if ranges == "fault" or any(finding == "fault" for _, finding in shifts):
        return Verdict("P1", P1, "no", f"Ranges differ between cells. {said}", _NORMALIZE)
    if evidence.cells < 2:
        why = "There are fewer than two cells, so there is nothing to compare."
        return Verdict("P1", P1, "can't tell", why, _ROMANIZE)
    if not shifts:
        return _place_without_romanized(ranges, said, evidence)
    if any(finding == "unclear" for _, finding in shifts):
        return Verdict("P1", P1, "can't tell", f"What there is does not settle it. {said}", _MORE)
    if ranges in ("fine", None) or evidence.mapped:
        alike = "Ranges are alike in all cells, as far as it matters."
        return Verdict("P1", P1, "yes", f"{alike} {said} {_MAPPED}" if evidence.mapped else f"{alike} {said}", "")
    why = "Script alone moves no score, but how native cells compare can't be told from quality and range together."
    return Verdict("P1", P1, "can't tell", f"{why} {said}", "Compare only where content and raters are matched.")


def judge_order(evidence: Evidence, rule: Rule) -> Verdict:
    """P2: does the metric order translations within each script as well?"""
    if not evidence.pairs:
        return Verdict("P2", P2, "can't tell", _UNPAIRED, _ROMANIZE)
    if not evidence.rated:
        why = "No row has a person's score, so there is no order to agree with."
        return Verdict("P2", P2, "can't tell", why, "Add people's scores as a column 'human', larger is better.")
    drops = [(pair, judge_drop(pair, rule)) for pair in evidence.pairs]
    worse = sorted((p for p, f in drops if f == "fault"), key=lambda p: -(p.agreement.difference.value or 0.0))
    fine = [pair for pair, finding in drops if finding == "fine"]
    unclear = [pair for pair, finding in drops if finding == "unclear"]
    parts: list[str] = []
    if worse:
        parts.append(f"Order is worse within {listed([_drop_words(pair) for pair in worse])}.")
    if fine:
        subject = "It" if parts else "Order"
        parts.append(f"{subject} is as good, within {rule.min_drop:g}, in {listed([_fall_words(p) for p in fine])}.")
    if unclear:
        subject = "It" if parts else "Whether order is as good"
        parts.append(f"{subject} can't be told for {listed([_unclear_words(pair, rule) for pair in unclear])}.")
    said = " ".join(parts)
    if worse:
        fix = (
            "No map that keeps order repairs this: compare translations in native script, or with a metric that loses "
            "less."
        )
        return Verdict("P2", P2, "no", said, fix)
    if unclear:
        return Verdict("P2", P2, "can't tell", said, _MORE)
    return Verdict("P2", P2, "yes", said, "")


def headline(evidence: Evidence, place: Verdict, order: Verdict, rule: Rule) -> str:
    """The answer to "may I compare them, and if not, can they be put on one axis?" in one to three sentences."""
    if place.answer == "can't tell":
        if len(evidence.means) > 1 and not evidence.pairs and not evidence.rated:
            return _scores_alone(evidence)
        first = f"This table can't tell whether {evidence.metric} scores of different cells may be compared."
        first += f" {place.sentence.split('. ')[0].rstrip('.')}."
        return f"{first} {_order_headline(order, place, evidence, rule)}" if order.answer == "no" else first
    then = _order_headline(order, place, evidence, rule)
    if place.answer == "yes" and evidence.mapped:
        first = (
            f"Yes, single {evidence.metric} scores of these cells lie on one axis, because they were mapped onto it; "
        )
        return f"{first}cell means don't rank the languages. {then}"
    if place.answer == "yes":
        first = f"Yes, {evidence.metric} scores of these cells may be compared: their ranges hardly differ."
        return f"{first} {then}"
    second = (
        "Quantile normalisation (`equiglot normalize fit`) puts single translations on one axis, but not languages:"
    )
    return f"{_not_comparable(evidence, rule)} {second} it makes all cell means equal. {then}"


def _scores_alone(evidence: Evidence) -> str:
    """What to tell a reader who has native scores of several cells and nothing to hold them against."""
    (low, least), *_, (high, most) = sorted(evidence.means.items(), key=lambda item: item[1])
    if evidence.mapped:
        return f"Single {evidence.metric} scores lie on one axis; cell means are equal by construction."
    return (
        f"Don't compare them yet: {evidence.metric} is {number(most)} for {high} and {number(least)} for {low}, and "
        "this table can't tell how much of that is quality and how much is only the range that the metric has in each "
        "language and script. People's scores (a column 'human'), or the same translations in Latin script (`equiglot "
        "romanize`) scored too, would tell."
    )


def _not_comparable(evidence: Evidence, rule: Rule) -> str:
    """Which scores are not on one scale, and the plainest evidence that they aren't."""
    metric, ranked = evidence.metric, sorted(evidence.means.items(), key=lambda item: item[1])
    native = evidence.native(metric)
    apart = native.equal.eta2.value if native else None
    if apart is not None and apart >= rule.min_eta2:
        (low, least), (high, most) = ranked[0], ranked[-1]
        subject = f"No, {metric} {number(most)} for {high} and {number(least)} for {low} are not on one scale"
    else:
        subject = f"No, {metric} scores of different scripts are not on one scale"
    moved = [pair for pair in evidence.pairs if judge_shift(pair, rule) == "fault"]
    if not moved:
        return f"{subject}: cells differ in it by more than in {evidence.raters}'s scores."
    example = max(moved, key=lambda pair: abs(pair.delta_in_sd or 0.0))
    assert example.delta.value is not None
    way = "lower" if example.delta.value < 0 else "higher"
    by = number(abs(example.delta.value))
    return f"{subject}: the very same {example.language} translations score {by} {way} when only the script changes."


def _order_headline(order: Verdict, place: Verdict, evidence: Evidence, rule: Rule) -> str:
    if order.answer == "yes":
        return "Native or romanised, it orders translations equally well."
    if order.answer == "can't tell":
        return "Whether it also orders translations worse in Latin script can't be told from this table."
    faulty = [pair for pair in evidence.pairs if judge_drop(pair, rule) == "fault"]
    worst = max(faulty, key=lambda pair: pair.agreement.difference.value or 0.0)
    what = (
        f"in romanised {worst.language} it orders translations worse (agreement with {evidence.raters} {_fall(worst)})"
    )
    if place.answer == "no":
        return f"No such map repairs the second fault: {what}."
    return f"But {what}, which no map that keeps order repairs."


def _place_without_romanized(ranges: Finding | None, said: str, evidence: Evidence) -> Verdict:
    if ranges == "fine" and evidence.rated:
        return Verdict(
            "P1", P1, "yes", f"Native cells have the same range, and so have {evidence.raters}'s scores. {said}", ""
        )
    if not evidence.rated:
        why = "Without romanised rows or people's scores, a difference in quality can't be told from one in range."
    elif ranges == "unclear":
        why = "Without romanised rows, ranges are judged across native cells only, and there they don't settle it."
    else:
        why = _UNPAIRED
    return Verdict("P1", P1, "can't tell", f"{why} {said}".strip(), _ROMANIZE)


def _shift_words(shifts: Sequence[_Judged], evidence: Evidence, rule: Rule) -> str:
    """What rewriting the same translations in Latin script does to the score."""
    act = f"ewriting the same translations in Latin script moves mean {evidence.metric}"
    by_size = sorted(shifts, key=lambda item: -abs(item[0].delta_in_sd or 0.0))

    def part(finding: Finding, before: str, after: str) -> str:
        found = [_one_shift(pair, rule) for pair, judged in by_size if judged == finding]
        return f"{before}{act}{after} in {listed(found)}." if found else ""

    parts = (
        part("fault", "R", ""),
        part("fine", "R", " by nothing that matters"),
        part("unclear", "It can't be told whether r", ""),
    )
    return " ".join(filter(None, parts))


def _one_shift(pair: LanguagePair, rule: Rule) -> str:
    delta, effect = pair.delta, pair.delta_in_sd
    if delta.value is None:
        return f"{pair.cell} ({delta.reason})"
    if delta.n < rule.min_rows:
        return f"{pair.cell} (only {counted(delta.n, 'pair')})"
    if effect is None:
        return f"{pair.cell} ({'every native score is the same' if pair.sd_native == 0 else delta.reason})"
    return f"{pair.cell} ({shift(delta.value)}, {two_digits(effect)} SD, {range_of(delta.interval)})"


def _range_words(metric: Ranges | None, people: Ranges | None, evidence: Evidence, rule: Rule) -> str:
    """How much of the variance of native scores lies between cells, and whether people's scores differ as well."""
    if metric is None:
        return ""
    if metric.equal.groups < 2:
        return "There is one native cell, so native ranges have nothing to be held against."
    found = metric.equal
    if found.eta2.value is None or found.f is None or found.p is None:
        return f"Ranges of native cells can't be analysed: {found.reason}."
    test = f"F({found.df_between}, {found.df_within:,}) = {number(found.f)}, {p_value(found.p, found.neg_log10_p)}"
    said = (
        f"Among native cells, the cell accounts for {valued(found.eta2)} of the variance of {evidence.metric}, {test}"
    )
    if people is None:
        beside = "no people's scores say how far the languages truly differ in quality"
    elif people.equal.eta2.value is None:
        beside = f"{evidence.raters}'s scores can't be analysed beside it ({people.equal.reason})"
    elif people.equal.eta2.value >= rule.min_eta2:
        shown = found.eta2.value >= rule.min_eta2
        meaning = "so part of it may be true quality" if shown else "by more than the metric shows"
        beside = f"{evidence.raters}'s own scores differ too, {valued(people.equal.eta2)}, {meaning}"
    else:
        beside = f"{evidence.raters}'s own scores hardly differ, {valued(people.equal.eta2)}"
    return f"{said}; {beside}; {evidence.matched}."


def _fall(pair: LanguagePair) -> str:
    before, after = pair.agreement.first.value, pair.agreement.second.value
    assert before is not None
    assert after is not None
    return f"{two_digits(before)} to {two_digits(after)}"


def _fall_words(pair: LanguagePair) -> str:
    drop = pair.agreement.difference
    assert drop.value is not None
    return f"{pair.cell} ({_fall(pair)}, drop {two_digits(drop.value)}, {range_of(drop.interval, 'two_digits')})"


def _drop_words(pair: LanguagePair) -> str:
    drop, p = pair.agreement.difference, pair.adjusted["williams"]
    assert drop.value is not None
    assert p is not None
    chance = p_value(p).replace("p", "Holm-adjusted p", 1)
    interval = range_of(drop.interval, "two_digits")
    return f"{pair.language}-Latn (agreement {_fall(pair)}, drop {two_digits(drop.value)}, {interval}, {chance})"


def _unclear_words(pair: LanguagePair, rule: Rule) -> str:
    before, drop = pair.agreement.first, pair.agreement.difference
    if drop.value is None or before.value is None:
        rated = counted(drop.n, "rated pair")
        return f"{pair.cell} ({rated}: {drop.reason})"
    if drop.n < rule.min_rows:
        return f"{pair.cell} (only {counted(drop.n, 'rated pair')})"
    if before.value < rule.min_drop:
        return (
            f"{pair.cell} (agreement is only {two_digits(before.value)} in native script, so there is little to lose)"
        )
    return _fall_words(pair)
