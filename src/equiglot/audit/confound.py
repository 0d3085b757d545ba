"""Does a metric follow what it divides by: bytes, characters or tokens (paper 2, experiment 1; METHODS, section 6)?

Parallel texts say the same in every language. Where a metric's order of languages can be read off the number of bytes,
characters or tokens that a language spends on that, the order says nothing of the model.

    bytes, chars    of the texts, by language; against the language's value (its mean over models): n = languages
    tokens          of the corpus (CTC), by language and model; against every model's value: n = pairs of both.
                    Several models of a language are no independent points, so p is too small and the interval too
                    narrow there: a verdict asks the same over languages alone too. Within each model stands beside it.

Each is Spearman's rho with an interval (Fisher's z), p by the t approximation, and the exact permutation p up to 12
points. BPB is asked of bytes, BPC of characters, PPL, token NLL and MRR of tokens, any other metric of all three;
p-values of these are Holm-corrected together, and those over languages alone among themselves. Lengths without white
space stand beside them, uncorrected.

======== ===============================================================================================================
"no"     some Holm-adjusted p < alpha with |rho| >= ``min_rho``, and both over languages alone too
"yes"    every interval over languages lies within ``min_rho`` of 0: rarely, for ten leave one of +-0.6 around 0
======== ===============================================================================================================
Everything between is "can't tell", and so are two more. A sentence NLL that follows tokens alone: what a model saw
little of costs it more and is cut into more tokens, so tokens may be the effect. And all that is asked of four
languages, of which even a perfect order has p = 2 / 4! = 0.083. That nothing is found doesn't make a metric right, only
not wrong in this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.audit._confound_words import confound_answer, confound_headline, few_languages, undecided
from equiglot.audit._language_means import (
    CellMeans,
    cell_means,
    cells_table,
    corpus_tokens,
    ranked,
    ranks_table,
)
from equiglot.audit._rank_shares import mean_ranks_table, shares_table
from equiglot.audit._sampling import Sampling
from equiglot.audit._words import counted
from equiglot.audit.answers import MetricAnswer, as_document
from equiglot.audit.scores import ScoreTable
from equiglot.measures import Measure, result_table, signature
from equiglot.stats import RankTest, holm, spearman_test

__all__ = ["Confound", "ConfoundAudit", "ConfoundRule", "confound_audit"]

_OWN = {"bpb": ("bytes",), "bpc": ("chars",), "ppl": ("tokens",), "token_nll": ("tokens",), "mrr": ("tokens",)}
_ALL = ("tokens", "bytes", "chars")
_LEAST = 3
"""Languages below which there is no correlation."""
_BESIDE = {"bytes": "bytes_nospace", "chars": "chars_nospace"}


@dataclass(frozen=True, slots=True)
class ConfoundRule:
    """When a correlation counts: below ``alpha`` after Holm, and from ``min_rho`` on (0.5 is Cohen's "large")."""

    alpha: float = 0.05
    min_rho: float = 0.5


@dataclass(frozen=True, slots=True)
class Confound:
    """One correlation.

    Attributes:
        metric: the measure.
        confound: ``bytes``, ``chars``, ``tokens``, ``bytes_nospace`` or ``chars_nospace``.
        points: ``languages``, ``models`` (pairs of language and model), or ``model NAME`` for the languages of one.
        languages: how many there are among the points.
        test: rho and its tests.
        primary: whether it is what the verdict asks first; of the others it asks tokens over languages alone.
        adjusted: Holm-adjusted p, over the primary ones or over those of tokens over languages alone.
    """

    metric: str
    confound: str
    points: str
    languages: int
    test: RankTest
    primary: bool
    adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class ConfoundAudit:
    """What was found.

    Attributes:
        headline: the answer in a few sentences.
        answers: per metric, whether it may rank languages.
        rule: when a correlation counted.
        confounds: keys metric, confound, points; measures rho, p, p_exact, p_holm.
        languages: keys language; every metric's mean over models, and bytes, chars, bytes_nospace, chars_nospace.
        cells: keys language, model; macro and micro values of the metrics, ctc.
        ranks: keys metric, language, model; 1 = best of all.
        mean_ranks: keys metric, language, model (one of both is null).
        rank_shares: key metric; how much of the variance of ranks lies between models, between languages.
        notes: what a reader must be told.
        signature: how it was made.
    """

    headline: str
    answers: tuple[MetricAnswer, ...]
    rule: ConfoundRule
    confounds: pl.DataFrame
    languages: pl.DataFrame
    cells: pl.DataFrame
    ranks: pl.DataFrame
    mean_ranks: pl.DataFrame
    rank_shares: pl.DataFrame
    notes: tuple[str, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON; what could not be had is None."""
        return as_document(self)


_DEFAULT_RULE = ConfoundRule()


def confound_audit(
    scores: ScoreTable, *, seed: int = 0, resamples: int = 1000, rule: ConfoundRule = _DEFAULT_RULE
) -> ConfoundAudit:
    """Ask every metric of the table what it follows.

    Args:
        scores: with texts, or with counts of bytes and characters; one text of each sentence per language.
        seed, resamples: of the intervals of means.
        rule: thresholds of the verdict.

    Raises:
        InputError: several texts of a sentence in a language.

    >>> from equiglot.audit import scores_from_frame
    >>> languages, sizes = ["de", "en", "fi", "fr", "ru", "tr"], [30, 20, 25, 28, 50, 24]
    >>> frame = pl.DataFrame({"id": ["1"] * 6, "language": languages, "sent_nll": [40.0] * 6, "n_bytes": sizes})
    >>> audit = confound_audit(scores_from_frame(frame))
    >>> [(answer.metric, answer.answer) for answer in audit.answers]
    [('sent_nll', "can't tell"), ('bpb', 'no')]
    """
    scores.one_text_each()
    sampling = Sampling(seed, resamples)
    made = signature(audit="confound", first=scores.first_token or "skipped?", seed=seed, resamples=resamples)
    metrics = [cell_means(scores, metric, sampling) for metric in scores.measures]
    lengths = _lengths(scores)
    tokens = corpus_tokens(scores)
    found = _corrected([c for metric in metrics for c in _confounds(metric, lengths, tokens)])
    few = few_languages(found, rule)
    answers = tuple(
        confound_answer(metric.info, [c for c in found if c.metric == metric.info.name], rule, few)
        for metric in metrics
    )
    return ConfoundAudit(
        headline=confound_headline(answers, found, few),
        answers=answers,
        rule=rule,
        confounds=result_table(_confound_rows(found, made)),
        languages=result_table(_language_rows(metrics, lengths, made)),
        cells=cells_table(scores, metrics, sampling, made),
        ranks=ranks_table(metrics, made),
        mean_ranks=mean_ranks_table(metrics, made),
        rank_shares=shares_table(metrics, made),
        notes=(*scores.notes, *_notes(scores, metrics, tokens, lengths), *undecided(answers)),
        signature=made,
    )


def _lengths(scores: ScoreTable) -> pl.DataFrame:
    """By language, the sums and means per text of bytes and characters: of the texts, else as the scores count them."""
    columns = scores.frame.columns
    taken = {
        name: next((c for c in (f"text_{name}", f"n_{name}") if c in columns), None)
        for name in ("bytes", "chars", "bytes_nospace", "chars_nospace")
    }
    there = {name: column for name, column in taken.items() if column is not None}
    # A text is counted once; what models count may differ where each cuts or decodes it in its own way.
    texts = scores.frame.group_by("language", "id").agg(pl.col(c).mean().alias(n) for n, c in there.items())
    sums = [pl.col(name).sum().alias(f"{name}_sum") for name in there]
    means = [pl.col(name).mean() for name in there]
    counts = [pl.col(name).count().alias(f"{name}_n") for name in there]
    return texts.group_by("language").agg(*sums, *means, *counts).sort("language")


def _confounds(found: CellMeans, lengths: pl.DataFrame, tokens: pl.DataFrame | None) -> Iterator[Confound]:
    metric = found.info.name
    languages, models, means = found.by_language(found.means)
    for confound in _OWN.get(metric, _ALL):
        if confound != "tokens":
            for name, primary in ((confound, True), (_BESIDE[confound], False)):
                sizes = dict(lengths.select("language", name).iter_rows()) if name in lengths.columns else {}
                if sizes or primary:
                    yield _correlated(
                        metric, name, "languages", languages, [sizes.get(x) for x in languages], means, primary
                    )
            continue
        known = {} if tokens is None else {(lang, m): mean for lang, m, _, mean, _ in tokens.iter_rows()}
        cells = list(found.cells.select("language", "model").iter_rows())
        sizes = [known.get(cell) for cell in cells]
        several = found.cells["model"].n_unique() > 1
        points = "models" if several else "languages"
        yield _correlated(metric, confound, points, [cell[0] for cell in cells], sizes, found.means, True)
        if not several:
            continue
        per_language = [_mean([known.get((language, model)) for model in models]) for language in languages]
        yield _correlated(metric, confound, "languages", languages, per_language, means, False)
        for model in found.cells["model"].unique(maintain_order=True):
            own = [i for i, cell in enumerate(cells) if cell[1] == model]
            names = [cells[i][0] for i in own]
            yield _correlated(
                metric, confound, f"model {model}", names, [sizes[i] for i in own], found.means[own], False
            )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _correlated(  # noqa: PLR0917  (one row of the table)
    metric: str,
    confound: str,
    points: str,
    languages: Sequence[str],
    sizes: Sequence[float | None],
    means: NDArray[np.float64],
    primary: bool,
) -> Confound:
    """rho over the points that have both."""
    both = [i for i, size in enumerate(sizes) if size is not None and np.isfinite(means[i])]
    known = len({languages[i] for i in both})
    # Several models of two languages are points enough, and still two languages.
    tested = both if known >= _LEAST else []
    test = spearman_test([float(means[i]) for i in tested], [float(sizes[i] or 0.0) for i in tested])
    if not any(size is not None for size in sizes):
        test = replace(test, value=replace(test.value, reason=f"the table has no count of {confound}"))
    elif known < _LEAST:
        why = f"{counted(known, 'language')}; a correlation needs at least {_LEAST}"
        test = replace(test, value=replace(test.value, n=len(both), reason=why))
    return Confound(metric, confound, points, known, test, primary)


def _corrected(found: list[Confound]) -> list[Confound]:
    adjusted: dict[int, float | None] = {}
    alone = [c for c in found if (c.primary, c.confound, c.points) == (False, "tokens", "languages")]
    for family in ([c for c in found if c.primary], alone):
        adjusted |= zip(map(id, family), holm([c.test.best.p for c in family]), strict=True)
    return [replace(c, adjusted=adjusted.get(id(c))) for c in found]


def _confound_rows(found: list[Confound], made: str) -> Iterator[tuple[dict[str, Any], Measure]]:
    for c in found:
        keys = {"metric": c.metric, "confound": c.confound, "points": c.points}
        value, test = c.test.value, c.test
        reason = value.reason if value.value is None else None
        yield keys, Measure("rho", value.value, "rho", "neutral", value.n, 0, value.interval, reason, made)
        holm_reason = reason or test.best.reason or "not among the tests that were corrected"
        for name, p, why in (
            ("p", test.approximate.p, test.approximate.reason),
            ("p_exact", test.exact.p, test.exact.reason),
            ("p_holm", c.adjusted, holm_reason),
        ):
            yield (
                keys,
                Measure(name, p, "p", "neutral", value.n, 0, None, None if p is not None else why or reason, made),
            )


def _language_rows(
    metrics: list[CellMeans], lengths: pl.DataFrame, made: str
) -> Iterator[tuple[dict[str, Any], Measure]]:
    for found in metrics:
        languages, models, means = found.by_language(found.means)
        ranks = ranked(means, found.info)
        info = found.info
        why = "no model has a value in every language" if not models else "no text has a value"
        for i, language in enumerate(languages):
            value = float(means[i]) if np.isfinite(means[i]) else None
            reason = None if value is not None else why
            keys = {"language": language}
            yield keys, Measure(info.name, value, info.unit, info.direction, len(models), 0, None, reason, made)
            rank = None if value is None else float(ranks[i])
            yield keys, Measure(f"rank_{info.name}", rank, "rank", "lower", len(models), 0, None, reason, made)
    for name in ("bytes", "chars", "bytes_nospace", "chars_nospace"):
        if name not in lengths.columns:
            continue
        unit = "bytes" if "bytes" in name else "characters"
        for language, total, n in lengths.select("language", f"{name}_sum", f"{name}_n").iter_rows():
            yield {"language": language}, Measure(name, total, unit, "neutral", n, signature=made)


def _notes(
    scores: ScoreTable, metrics: list[CellMeans], tokens: pl.DataFrame | None, lengths: pl.DataFrame
) -> Iterator[str]:
    known = "n_tokens" in scores.frame.columns and not scores.frame["n_tokens"].null_count()
    if tokens is not None and scores.first_token is None and not known:
        yield (
            "the table doesn't say whether n_scored counts the first token; taken as skipped, so a text has one token "
            "more than n_scored (--first-token scored says otherwise)"
        )
    if "bytes" in lengths.columns and "text_bytes" not in scores.frame.columns:
        yield "bytes and characters are those that the scores count, for there are no texts (--texts)"
    if len(scores.models) > 1:
        yield (
            f"over pairs of language and model the {len(scores.models)} models of a language are no independent "
            "points, so those p-values are too small; verdicts ask rho over languages alone as well, which stands "
            "beside them, as does rho within each model"
        )
    for found in metrics:
        models = found.by_language(found.means)[1]
        lacking = len(scores.models) - len(models)
        if lacking and models:
            yield f"{found.info.name}: means leave out {counted(lacking, 'model')}, which some language lacks"
