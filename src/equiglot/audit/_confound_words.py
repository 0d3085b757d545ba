"""The confound audit in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from equiglot.audit._words import counted, holm_p, listed, two_digits
from equiglot.audit.answers import MetricAnswer, metric_name, rho_words
from equiglot.measures import MeasureInfo

if TYPE_CHECKING:
    from equiglot.audit.confound import Confound, ConfoundRule

__all__ = ["confound_answer", "confound_headline"]

_MORE = {"bytes": "more bytes", "chars": "more characters", "tokens": "more tokens"}
_NOUN = {"bytes": "bytes", "chars": "characters", "tokens": "tokens"}


def confound_answer(info: MeasureInfo, found: Sequence[Confound], rule: ConfoundRule) -> MetricAnswer:
    """Whether a metric may rank languages, as far as its confounds tell."""
    name = metric_name(info.name)
    question = f"May {name} rank languages?"
    primary = [c for c in found if c.primary]
    guilty = [c for c in primary if _is_fault(c, found, rule)]
    if guilty:
        said = "; ".join(_follows(c, info, found) for c in guilty)
        fix = "Hold languages against each other by sentence NLL on parallel text, the first token scored (BOS)."
        return MetricAnswer(info.name, question, "no", f"It {said}.", fix if info.name != "sent_nll" else "")
    tested = [c for c in primary if c.test.value.value is not None]
    if not tested:
        why = primary[0].test.value.reason if primary else "nothing to hold it against"
        return MetricAnswer(info.name, question, "can't tell", f"No correlation could be had: {why}.", _lacks(primary))
    rhos = "; ".join(f"{_NOUN[c.confound]}: {rho_words(c.test.value, _points(c), c.test.best)}" for c in tested)
    clear = all(_within(c, rule.min_rho) for c in tested) and len(tested) == len(primary)
    if clear:
        return MetricAnswer(info.name, question, "yes", f"It follows none of them ({rhos}).")
    strong = [c for c in tested if abs(c.test.value.value or 0.0) >= rule.min_rho]
    verb = "May follow" if strong else "Nothing shows that it follows"
    told = f"{verb} {listed([_NOUN[c.confound] for c in (strong or tested)]).replace(' and ', ' or ')} ({rhos})"
    wide = f"{counted(max(c.languages for c in tested), 'language')} can't rule out |rho| from {rule.min_rho:g} on"
    return MetricAnswer(info.name, question, "can't tell", f"{told}, but {wide}.", "More languages would settle it.")


def confound_headline(answers: Sequence[MetricAnswer], found: Sequence[Confound]) -> str:
    """Which metrics may rank languages, the strongest evidence first."""
    said: list[str] = []
    faulty = [answer.metric for answer in answers if answer.answer == "no"]
    if faulty:
        # Perplexity and NLL per token rank alike, so that their evidence is the same and is said once.
        evidence: dict[str, list[str]] = {}
        for metric in faulty:
            evidence.setdefault(_evidence(metric, found), []).append(metric_name(metric))
        told = [f"{listed(names)} follow{'s' if len(names) == 1 else ''} {why}" for why, names in evidence.items()]
        said.append(
            f"No: {listed([metric_name(m) for m in faulty])} may not rank languages. {_capital('; '.join(told))}."
        )
    for answer in answers:
        if answer.answer == "yes":
            said.append(f"{_capital(metric_name(answer.metric))} follows neither bytes, characters nor tokens.")
        elif answer.answer == "can't tell":
            said.append(f"{_capital(metric_name(answer.metric))}: can't tell. {answer.sentence}")
    return " ".join(said)


def _is_fault(c: Confound, found: Sequence[Confound], rule: ConfoundRule) -> bool:
    rho = c.test.value.value
    if rho is None or c.adjusted is None or c.adjusted >= rule.alpha or abs(rho) < rule.min_rho:
        return False
    alone = next((o for o in found if o.confound == c.confound and o.points == "languages" and not o.primary), None)
    if alone is None or c.points == "languages":
        return True
    value = alone.test.value.value
    return value is not None and value * rho > 0 and abs(value) >= rule.min_rho


def _within(c: Confound, bar: float) -> bool:
    interval = c.test.value.interval
    return interval is not None and -bar < interval.low and interval.high < bar


def _follows(c: Confound, info: MeasureInfo, found: Sequence[Confound]) -> str:
    rho = c.test.value.value or 0.0
    better = {"higher": rho > 0, "lower": rho < 0}.get(info.direction)
    effect = "" if better is None else f": {_MORE[c.confound]}, {'better' if better else 'worse'}"
    adjusted = f", {holm_p(c.adjusted)}" if c.adjusted is not None else ""
    within = _within_models(c, found)
    return f"follows {_NOUN[c.confound]} ({rho_words(c.test.value, _points(c), c.test.best)}{adjusted}){effect}{within}"


def _within_models(c: Confound, found: Sequence[Confound]) -> str:
    own = [
        o.test.value.value
        for o in found
        if o.confound == c.confound and o.points.startswith("model ") and o.test.value.value is not None
    ]
    if not own:
        return ""
    return f"; within one model still {two_digits(min(own))} to {two_digits(max(own))}"


def _points(c: Confound) -> str:
    n = c.test.value.n
    return counted(n, "language") if n == c.languages else f"{n} models of {counted(c.languages, 'language')}"


def _evidence(metric: str, found: Sequence[Confound]) -> str:
    own = [c for c in found if c.metric == metric and c.primary and c.test.value.value is not None]
    c = max(own, key=lambda o: abs(o.test.value.value or 0.0))
    return f"{_NOUN[c.confound]} ({rho_words(c.test.value, _points(c), c.test.best)})"


def _lacks(primary: Sequence[Confound]) -> str:
    lacking = {c.confound for c in primary if "no count" in (c.test.value.reason or "")}
    wanted = [
        *(["give the texts (--texts)"] if lacking - {"tokens"} else []),
        *(["add a column n_scored or n_tokens"] if "tokens" in lacking else []),
    ]
    return _capital(f"{' and '.join(wanted)}.") if wanted else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
