"""Does a metric put languages in the order that is expected (paper 2, experiment 3; METHODS, section 6)?

The expected order is the user's: shares of training data, say. Per model, Spearman's rho and Kendall's tau-b between
that order and the languages' means, each with its exact p up to 12 languages. With four languages even a perfect match
has p = 0.083, so the verdict asks another thing: whether the order would stay with other sentences (a percentile
bootstrap over sentences, drawn together for all languages).

"yes": the order is the expected one in every model, and in (nearly) all resamples. "no": in some model it is another in
all of them (the interval of rho leaves out 1). Else "can't tell".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from equiglot.audit._language_means import CellMeans, cell_means, ranked
from equiglot.audit._sampling import Sampling
from equiglot.audit._series import places_of
from equiglot.audit._words import counted, listed, p_value, two_digits
from equiglot.audit.answers import MetricAnswer, as_document, metric_name
from equiglot.audit.scores import ScoreTable
from equiglot.errors import InputError
from equiglot.measures import Interval, Measure, MeasureInfo, result_table, signature
from equiglot.stats import RankTest, kendall_test, quantile_interval, spearman_test
from equiglot.table import parse_language

__all__ = ["RankingAudit", "ranking_audit"]


@dataclass(frozen=True, slots=True)
class RankingAudit:
    """What was found.

    Attributes:
        headline: the answer in a few sentences.
        answers: per metric, whether the order is the expected one.
        expected: the languages, the one that should be best first.
        agreement: keys metric, model; rho (interval over sentences), p, p_exact, tau, p_tau, and ``stays``, the share
            of resamples of the sentences that give the order found.
        values: keys metric, model, language; mean with its interval.
        ranks: keys metric, model, language; 1 = best.
        orders: metric, model, ``order`` (best first, ``=`` between languages that tie, null where one has no value).
        notes: what a reader must be told.
        signature: how it was made.
    """

    headline: str
    answers: tuple[MetricAnswer, ...]
    expected: tuple[str, ...]
    agreement: pl.DataFrame
    values: pl.DataFrame
    ranks: pl.DataFrame
    orders: pl.DataFrame
    notes: tuple[str, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON; what could not be had is None."""
        return as_document(self)


@dataclass(frozen=True, slots=True)
class _Found:
    metric: str
    model: str
    means: Any
    drawn: Any
    present: Any
    lacking: tuple[str, ...]
    order: tuple[str, ...]
    """Best first; languages that tie stand as expected."""
    ties: tuple[bool, ...]
    """Whether each language of the order has the mean of the one before it."""
    spearman: RankTest | None
    kendall: RankTest | None
    interval: Interval | None
    stays: float | None
    """The share of resamples with the same order."""

    def places(self, after: str) -> str:
        """The order in one line: a tie as ``=``, else ``after`` between two languages."""
        joined = (
            f"{'=' if tie else after if i else ''}{name}"
            for i, (name, tie) in enumerate(zip(self.order, self.ties, strict=True))
        )
        return "".join(joined)


def ranking_audit(scores: ScoreTable, expected: Sequence[str], *, seed: int = 0, resamples: int = 1000) -> RankingAudit:
    """Hold the order of languages by every metric and model against an expected one.

    Args:
        scores: one text of each sentence per language.
        expected: languages, the one that should be modelled best first.
        seed, resamples: of the intervals.

    Raises:
        InputError: fewer than two languages, one named twice, or one that the scores don't have.

    >>> from equiglot.audit import scores_from_frame
    >>> rows = [(str(i), lang, x) for i in range(9) for lang, x in (("en", 1.0 + i), ("zh", 2.0 + i), ("ar", 3.0 + i))]
    >>> table = scores_from_frame(pl.DataFrame(rows, schema=["id", "language", "sent_nll"], orient="row"))
    >>> ranking_audit(table, ["en", "zh", "ar"]).answers[0].answer
    'yes'
    """
    scores.one_text_each()
    order = _checked(expected, scores)
    sampling = Sampling(seed, resamples)
    made = signature(audit="ranking", expected=">".join(order), seed=seed, resamples=resamples)
    found = [
        _compared(metric, model, order, sampling)
        for metric in (cell_means(scores, name, sampling) for name in scores.measures)
        for model in scores.models
    ]
    answers = tuple(_answer(name, [f for f in found if f.metric == name], order) for name in scores.measures)
    infos = scores.measures
    return RankingAudit(
        headline=_headline(answers, found, order, scores.cut),
        answers=answers,
        expected=order,
        agreement=result_table(row for f in found for row in _agreement_rows(f, made)),
        values=result_table(row for f in found for row in _value_rows(f, infos[f.metric], order, sampling, made)),
        ranks=result_table(row for f in found for row in _rank_rows(f, infos[f.metric], order, made)),
        orders=pl.DataFrame(
            [(f.metric, f.model, f.places(">") or None) for f in found],
            schema={"metric": pl.String, "model": pl.String, "order": pl.String},
            orient="row",
        ),
        notes=scores.notes,
        signature=made,
    )


def _checked(expected: Sequence[str], scores: ScoreTable) -> tuple[str, ...]:
    order: list[str] = []
    languages = scores.languages
    for name in expected:
        language = name if name in languages else parse_language(name).language
        if language not in languages:
            raise scores.error(
                f"the expected order names '{name}', and the scores have {', '.join(languages)}",
                fix="leave it out, or score it",
            )
        order.append(language)
    if len(order) < 2 or len(set(order)) < len(order):
        raise InputError(
            f"'{', '.join(expected)}' is no order of two languages or more, each named once",
            fix="write it as --expected en,zh,ar,ru, the one that should be best first",
        )
    return tuple(order)


def _compared(metric: CellMeans, model: str, expected: tuple[str, ...], sampling: Sampling) -> _Found:
    at = {(language, name): i for i, (language, _, name) in enumerate(metric.cells.iter_rows())}
    columns = [at.get((language, model)) for language in expected]
    means = np.array([np.nan if i is None else metric.means[i] for i in columns])
    nothing = np.full(len(metric.drawn), np.nan)
    drawn = np.stack([nothing if i is None else metric.drawn[:, i] for i in columns], axis=1)
    present = np.array([0 if i is None else int(metric.matrix.present[:, i].sum()) for i in columns])
    lacking = tuple(name for name, mean in zip(expected, means, strict=True) if not np.isfinite(mean))
    name = metric.info.name
    if lacking:
        return _Found(name, model, means, drawn, present, lacking, (), (), None, None, None, None)
    sign = -1 if metric.info.direction == "higher" else 1
    place = np.arange(len(expected))
    found, resampled = _ranks(sign * means[None])[0], _ranks(sign * drawn)
    at_order = np.argsort(found, kind="stable")
    order = tuple(expected[i] for i in at_order)
    several = min(present) > 1
    return _Found(
        metric=name,
        model=model,
        means=means,
        drawn=drawn,
        present=present,
        lacking=(),
        order=order,
        ties=(False, *(np.diff(found[at_order]) == 0).tolist()),
        spearman=spearman_test(place, found),
        kendall=kendall_test(place, found),
        interval=quantile_interval(_rhos(place, resampled), level=sampling.level) if several else None,
        stays=float((np.diff(resampled[:, at_order], axis=1) > 0).all(axis=1).mean()) if several else None,
    )


def _ranks(means: Any) -> Any:
    """The places of means (rows x languages), alike where they differ by rounding only; NaN where there is no mean."""
    return np.where(np.isfinite(means), places_of(np.nan_to_num(means)), np.nan)


def _rhos(place: Any, drawn: Any) -> Any:
    """Spearman's rho of each resample's means with the expected places; NaN where they are all the same."""
    above = (drawn[:, :, None] > drawn[:, None, :]).sum(axis=2)
    alike = (drawn[:, :, None] == drawn[:, None, :]).sum(axis=2)
    ranks = above + (alike - 1) / 2
    centred, middle = ranks - ranks.mean(axis=1, keepdims=True), place - place.mean()
    size = np.sqrt((centred**2).sum(axis=1) * (middle @ middle))
    return np.divide(centred @ middle, size, out=np.full(len(drawn), np.nan), where=size > 0)


def _agreement_rows(f: _Found, made: str) -> Iterator[tuple[dict[str, Any], Measure]]:
    keys = {"metric": f.metric, "model": f.model}
    if f.spearman is None or f.kendall is None:
        reason = f"no value in {', '.join(f.lacking)}"
        for name, unit in (
            ("rho", "rho"),
            ("p", "p"),
            ("p_exact", "p"),
            ("tau", "tau"),
            ("p_tau", "p"),
            ("stays", "share"),
        ):
            yield keys, Measure(name, None, unit, "neutral", 0, len(f.lacking), reason=reason, signature=made)
        return
    rho, tau = f.spearman, f.kendall
    n = rho.value.n
    for name, value, unit, interval, why in (
        ("rho", rho.value.value, "rho", f.interval if rho.value.value is not None else None, rho.value.reason),
        ("p", rho.approximate.p, "p", None, rho.approximate.reason),
        ("p_exact", rho.exact.p, "p", None, rho.exact.reason),
        ("tau", tau.value.value, "tau", None, tau.value.reason),
        ("p_tau", tau.best.p, "p", None, tau.best.reason),
        ("stays", f.stays, "share", None, "one sentence; there is nothing to resample"),
    ):
        yield keys, Measure(name, value, unit, "neutral", n, 0, interval, None if value is not None else why, made)


def _value_rows(
    f: _Found, info: MeasureInfo, expected: tuple[str, ...], sampling: Sampling, made: str
) -> Iterator[tuple[dict[str, Any], Measure]]:
    for i, language in enumerate(expected):
        keys = {"metric": f.metric, "model": f.model, "language": language}
        n = int(f.present[i])
        value = float(f.means[i]) if n else None
        interval = quantile_interval(f.drawn[:, i], level=sampling.level) if n > 1 else None
        reason = None if n else "no text has a value"
        yield keys, Measure("mean", value, info.unit, info.direction, n, 0, interval, reason, made)


def _rank_rows(
    f: _Found, info: MeasureInfo, expected: tuple[str, ...], made: str
) -> Iterator[tuple[dict[str, Any], Measure]]:
    reason = f"no value in {', '.join(f.lacking)}" if f.lacking else None
    ranks = ranked(f.means, info)
    for i, language in enumerate(expected):
        keys = {"metric": f.metric, "model": f.model, "language": language}
        value = None if reason else float(ranks[i])
        yield keys, Measure("rank", value, "rank", "lower", len(expected), 0, None, reason, made)


def _answer(metric: str, found: list[_Found], expected: tuple[str, ...]) -> MetricAnswer:
    name = metric_name(metric)
    question = f"Does {name} put the languages in the expected order ({', '.join(expected)})?"
    told = [f for f in found if f.spearman is not None]
    if not told:
        lacking = sorted({language for f in found for language in f.lacking})
        return MetricAnswer(metric, question, "can't tell", f"There is no value in {listed(lacking)}.")
    sentence = "; ".join(_words(f, len(found) > 1) for f in told)
    absent = [f.model for f in found if f.spearman is None]
    if absent:
        sentence += f"; {listed(absent)} lack a language" if len(absent) > 1 else f"; {absent[0]} lacks a language"
    if any(_contradicts(f, expected) for f in told):
        return MetricAnswer(metric, question, "no", f"{sentence}.")
    settled = all(f.order == expected and f.interval is not None and f.interval.low == 1 for f in told)
    return MetricAnswer(metric, question, "yes" if settled and not absent else "can't tell", f"{sentence}.")


def _words(f: _Found, several: bool) -> str:
    assert f.spearman is not None and f.kendall is not None
    rho, tau = f.spearman.value.value, f.kendall.value.value
    undefined = "two languages have no rho" if len(f.order) == 2 else "all tie, so there is no rho"
    evidence = [undefined if rho is None else f"rho = {two_digits(rho)}"]
    if f.interval and rho is not None:
        ends = (two_digits(f.interval.low), two_digits(f.interval.high))
        evidence.append(
            f"{f.interval.level:.0%} CI over {counted(int(min(f.present)), 'sentence')} {' to '.join(ends)}"
        )
    if tau is not None:
        evidence.append(f"tau = {two_digits(tau)}")
    evidence.append(f"n = {counted(len(f.order), 'language')}")
    if (p := f.spearman.best.p) is not None:
        evidence.append(p_value(p))
    if f.stays is not None:
        evidence.append(f"the same order in {f.stays:.0%} of resamples")
    named = f"{f.model}: " if several else ""
    return f"{named}{f.places(', ')} ({', '.join(evidence)})"


def _headline(answers: Sequence[MetricAnswer], found: list[_Found], expected: tuple[str, ...], cut: bool) -> str:
    """Which metrics give the expected order, which don't, and which can't tell: as they were answered one by one."""
    groups: dict[tuple[str, str], list[str]] = {}
    for said in ("yes", "no", "can't tell"):
        for answer in answers:
            if answer.answer == said:
                own = [f for f in found if f.metric == answer.metric]
                form = ("{} gives it", "{} give it") if said == "yes" else _doubt(own, expected, said == "no")
                groups.setdefault(form, []).append(metric_name(answer.metric))
    told = "; ".join((one if len(names) == 1 else many).format(listed(names)) for (one, many), names in groups.items())
    warning = " Texts were cut before they were scored, so sums are too small where much was cut." if cut else ""
    return f"Expected order {', '.join(expected)}: {told}.{warning}"


def _doubt(own: list[_Found], expected: tuple[str, ...], denied: bool) -> tuple[str, str]:
    """A metric that doesn't give the order, and in which models, or that can't tell, and why: for one and for many."""
    if denied:
        other = [f.model for f in own if _contradicts(f, expected)]
        same = [f.model for f in own if f.order == expected and not any(f.ties)]
        where = f" in {listed(other)}" if len(other) < len(own) else ""
        where += f", but {{}} in {listed(same)}" if same else ""
        return f"{{}} doesn't give it{where.format('does')}", f"{{}} don't give it{where.format('do')}"
    if any(f.lacking for f in own):
        why = "a language lacks a value"
    elif any(any(f.ties) for f in own):
        why = "languages tie"
    elif any(f.stays is None for f in own):
        why = "there is one sentence"
    else:
        why = "other sentences could change the order"
    form = f"by {{}} it can't be told, for {why}"
    return form, form


def _contradicts(f: _Found, expected: tuple[str, ...]) -> bool:
    """Whether the order is another one, and stays so with other sentences."""
    return bool(f.order) and f.order != expected and f.interval is not None and f.interval.high < 1
