"""The confound audit in words: languages are the unit, so what several models add is said after, and without its p."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from equiglot.audit._words import counted, holm_p, listed, p_value, two_digits
from equiglot.audit.answers import MetricAnswer, metric_name, rho_words
from equiglot.measures import MeasureInfo

if TYPE_CHECKING:
    from equiglot.audit.confound import Confound, ConfoundRule

__all__ = ["confound_answer", "confound_headline", "few_languages", "undecided"]

_MORE = {"bytes": "more bytes", "chars": "more characters", "tokens": "more tokens"}
_SAID_IN_FULL = 2
"""How many different answers "can't tell" the headline gives with their evidence."""

_CAUSE = (
    "a sum divides by no unit, so this may be no fault of its own: what a model saw little of costs it more, and is "
    "cut into more tokens"
)
_CONTROLLED = "Ask models trained alike on every language (equiglot lab), or more models of other makers."

_NOUN = {"bytes": "bytes", "chars": "characters", "tokens": "tokens"}


def few_languages(found: Sequence[Confound], rule: ConfoundRule) -> str:
    """Why so few languages convict nothing, as a clause; empty where there are enough.

    The smallest two-sided p of n untied languages is 2 / n!, and Holm multiplies the smallest of m p-values by m.
    """
    n = max((c.languages for c in found), default=0)
    tests = sum(c.primary and c.adjusted is not None for c in found)
    least = 2 / math.factorial(n)
    if n < 3 or least * tests < rule.alpha:
        return ""
    corrected = f", before the correction for {tests} tests" if least < rule.alpha else ""
    return f"even a perfect order of {counted(n, 'language')} has {p_value(least)}{corrected}"


def confound_answer(info: MeasureInfo, found: Sequence[Confound], rule: ConfoundRule, few: str = "") -> MetricAnswer:
    """Whether a metric may rank languages, as far as its confounds tell; ``few`` as :func:`few_languages` has it."""
    name = metric_name(info.name)
    question = f"May {name} rank languages?"
    primary = [c for c in found if c.primary]
    guilty = [c for c in primary if _is_fault(c, found, rule)]
    if guilty:
        said = "; ".join(_follows(c, info, found) for c in guilty)
        if info.name == "sent_nll" and all(c.confound == "tokens" for c in guilty):
            return MetricAnswer(info.name, question, "can't tell", f"It {said}, but {_CAUSE}.", _CONTROLLED)
        fix = "Hold languages against each other by sentence NLL on parallel text, the first token scored (BOS)."
        return MetricAnswer(info.name, question, "no", f"It {said}.", fix)
    # What pairs of language and model correlate at is no evidence where languages alone have no correlation.
    tested = [c for c in primary if _alone(c, found).test.value.value is not None]
    if not tested:
        why = _alone(primary[0], found).test.value.reason if primary else "nothing to hold it against"
        fix = _lacks(primary) or ("Score more languages." if primary else "")
        return MetricAnswer(info.name, question, "can't tell", f"No correlation could be had: {why}.", fix)
    rhos = "; ".join(f"{_NOUN[c.confound]}: {_evidence(c, found)}" for c in tested)
    clear = all(_within(_alone(c, found), rule.min_rho) for c in tested) and len(tested) == len(primary)
    if clear:
        return MetricAnswer(info.name, question, "yes", f"It follows none of them ({rhos}).")
    strong = [c for c in tested if any(abs(o.test.value.value or 0.0) >= rule.min_rho for o in (c, _alone(c, found)))]
    verb = "May follow" if strong else "Nothing shows that it follows"
    told = f"{verb} {listed([_NOUN[c.confound] for c in (strong or tested)]).replace(' and ', ' or ')} ({rhos})"
    languages = counted(max(c.languages for c in tested), "language")
    wide = "can't settle it" if strong else f"can't rule out |rho| from {rule.min_rho:g} on"
    fix = f"More languages would settle it{': ' if few else ''}{few}."
    return MetricAnswer(info.name, question, "can't tell", f"{told}, but {languages} {wide}.", fix)


def confound_headline(answers: Sequence[MetricAnswer], found: Sequence[Confound], few: str = "") -> str:
    """Which metrics may rank languages, the strongest evidence first."""
    said: list[str] = []
    faulty = [answer.metric for answer in answers if answer.answer == "no"]
    if faulty:
        # Perplexity and NLL per token rank alike in a model, so that their evidence is the same there and is said once.
        evidence: dict[str, list[str]] = {}
        for metric in faulty:
            evidence.setdefault(_strongest(metric, found), []).append(metric_name(metric))
        told = [f"{listed(names)} follow{'s' if len(names) == 1 else ''} {why}" for why, names in evidence.items()]
        said.append(
            f"No: {listed([metric_name(m) for m in faulty])} may not rank languages. {_capital('; '.join(told))}."
        )
    untold: dict[str, list[str]] = {}
    for answer in answers:
        if answer.answer == "yes":
            said.append(f"{_capital(metric_name(answer.metric))} follows neither bytes, characters nor tokens.")
        elif answer.sentence.endswith(f"{_CAUSE}."):
            said.append(f"{_capital(metric_name(answer.metric))}: can't tell. {answer.sentence}")
        elif answer.answer == "can't tell":
            untold.setdefault(answer.sentence, []).append(metric_name(answer.metric))
    if len(untold) > _SAID_IN_FULL:
        said.append(_untold(answers, found))
    else:
        said += [f"{_capital(listed(names))}: can't tell. {why}" for why, names in untold.items()]
    return " ".join([*said, *([f"{_capital(few)}."] if few and not faulty else [])])


def _untold(answers: Sequence[MetricAnswer], found: Sequence[Confound]) -> str:
    """Many metrics of which nothing can be told, in short, for each has its own answer too.

    Which of them may follow what is left to the table: with so few languages it would name now this one, now that.
    """
    names = [a.metric for a in answers if a.answer == "can't tell" and not a.sentence.endswith(f"{_CAUSE}.")]
    languages = counted(max(c.languages for c in found if c.metric in names), "language")
    meanwhile = " Meanwhile sentence NLL on parallel text is the one that divides by no unit." * ("sent_nll" in names)
    return f"Can't tell of {listed([metric_name(name) for name in names])}: {languages} can't settle it.{meanwhile}"


def undecided(answers: Sequence[MetricAnswer]) -> list[str]:
    """What to do where no metric could be told to follow its divisor or not to."""
    if not answers or any(answer.answer != "can't tell" for answer in answers):
        return []
    return [
        "no metric got a yes or a no: with one or a few multilingual models, a language that the model saw little of "
        "also takes more tokens, so rho can't tell cause from effect. Models trained alike on every language (equiglot "
        "lab) or scores of ten languages and more, as the published ones are, can; meanwhile hold languages against "
        "each other by sentence NLL on parallel text, which divides by no unit"
    ]


def _is_fault(c: Confound, found: Sequence[Confound], rule: ConfoundRule) -> bool:
    both = (c, _alone(c, found))
    rhos = [o.test.value.value for o in both if o.test.value.value is not None]
    shown = [o.adjusted is not None and o.adjusted < rule.alpha for o in both]
    return len(rhos) == 2 and all(shown) and (min(rhos) >= rule.min_rho or max(rhos) <= -rule.min_rho)


def _alone(c: Confound, found: Sequence[Confound]) -> Confound:
    """The same over languages alone; itself where that is what it is of."""
    same = (o for o in found if (o.metric, o.confound, o.points) == (c.metric, c.confound, "languages"))
    return next(same, c)


def _within(c: Confound, bar: float) -> bool:
    interval = c.test.value.interval
    return interval is not None and -bar < interval.low and interval.high < bar


def _follows(c: Confound, info: MeasureInfo, found: Sequence[Confound]) -> str:
    rho = c.test.value.value or 0.0
    better = {"higher": rho > 0, "lower": rho < 0}.get(info.direction)
    effect = "" if better is None else f": {_MORE[c.confound]}, {'better' if better else 'worse'}"
    within = _within_models(c, found)
    return f"follows {_NOUN[c.confound]} ({_evidence(c, found, adjusted=True)}){effect}{within}"


def _within_models(c: Confound, found: Sequence[Confound]) -> str:
    own = [
        o.test.value.value
        for o in found
        if o.confound == c.confound and o.points.startswith("model ") and o.test.value.value is not None
    ]
    if not own:
        return ""
    return f"; within one model still {two_digits(min(own))} to {two_digits(max(own))}"


def _evidence(c: Confound, found: Sequence[Confound], *, adjusted: bool = False) -> str:
    """rho over languages with its interval and p, and rho alone over all pairs of language and model."""
    alone = _alone(c, found)
    said = rho_words(alone.test.value, counted(alone.languages, "language"), alone.test.best)
    if adjusted and alone.adjusted is not None:
        said += f", {holm_p(alone.adjusted)}"
    if alone is c or c.test.value.value is None:
        return said
    return f"{said}; over all {c.test.value.n} pairs of language and model {two_digits(c.test.value.value)}"


def _strongest(metric: str, found: Sequence[Confound]) -> str:
    own = [c for c in found if c.metric == metric and c.primary and c.test.value.value is not None]
    c = max(own, key=lambda o: abs(o.test.value.value or 0.0))
    return f"{_NOUN[c.confound]} ({_evidence(c, found)})"


def _lacks(primary: Sequence[Confound]) -> str:
    lacking = {c.confound for c in primary if "no count" in (c.test.value.reason or "")}
    wanted = [
        *(["give the texts (--texts)"] if lacking - {"tokens"} else []),
        *(["add a column n_scored or n_tokens"] if "tokens" in lacking else []),
    ]
    return _capital(f"{' and '.join(wanted)}.") if wanted else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
