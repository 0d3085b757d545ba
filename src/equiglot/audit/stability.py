"""How many sentences does this comparison need (paper 2, experiment 2; METHODS, section 6)?

    sample       n sentences of the N there are, without replacement, by Python's ``random.seed(s)`` and
                 ``random.sample(range(N), n)``; one sample per seed, the same for every metric and model
    mean, CI     over the seeds: mean +- t(0.975, k - 1) sd / sqrt(k). It says how well k samples settle their mean;
                 how far one sample may fall is ``sd``
    agree_order  share of seeds whose order of all series, with its ties, equals that of all N sentences; null where
                 languages tie over all N, for then there is no order
    agree_best   share of seeds with the same best series (of languages: the only best one)
    agree_winner with alternatives: the same winner against each of them
    needed       the smallest n tried, of 10 sentences or more, from which on the share of agreeing seeds is shown to
                 reach ``share`` (0.95): by the low end of Wilson's interval, which takes 73 seeds or more that all
                 agree; of 200 seeds, 197. Null where no n up to N / 2 is shown to be enough

Means that differ by 1e-12 of their size or less tie: the rest is rounding. Samples of more than half the sentences
share most of them with the whole, so agreement there is partly by construction: "yes" (enough are there) takes a needed
n of at most N / 2, "no" an interval at N / 2 that lies below ``share``. At N / 2 a sample's mean is as far from that of
the whole, by chance, as that of the whole is from the truth, so N / 2 is always tried.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.audit._series import Series, language_series, places_of, text_series, which_texts
from equiglot.audit._stability_words import TIED, Outcome, stability_answer, stability_headline
from equiglot.audit._words import counted
from equiglot.audit.answers import MetricAnswer, as_document
from equiglot.audit.scores import ScoreTable
from equiglot.errors import InputError
from equiglot.measures import Interval, Measure, result_table, signature
from equiglot.stats import proportion, t_interval

__all__ = ["DEFAULT_SEEDS", "DEFAULT_SIZES", "StabilityAudit", "stability_audit"]

DEFAULT_SIZES = (1, 10, 100, 500, 1000)
DEFAULT_SEEDS = tuple(range(200))

_LEAST = 10
"""Sentences below which no sample is called enough, whatever its seeds say."""


@dataclass(frozen=True, slots=True)
class StabilityAudit:
    """What was found.

    Attributes:
        headline: the answer in a few sentences.
        answers: per metric, whether the sentences are enough, and how many it needs.
        agreement: keys metric, model, size; shares of seeds with the same order, best and (with alternatives) winners.
        totals: keys metric, size; the same over all models.
        needed: keys metric, model; sentences that the comparison needs, null where no sample is shown to be enough.
        curves: keys metric, model, size, series; mean over seeds with its t interval, and sd over seeds.
        notes: what a reader must be told.
        signature: how it was made.
    """

    headline: str
    answers: tuple[MetricAnswer, ...]
    agreement: pl.DataFrame
    totals: pl.DataFrame
    needed: pl.DataFrame
    curves: pl.DataFrame
    notes: tuple[str, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON; what could not be had is None."""
        return as_document(self)


def stability_audit(
    scores: ScoreTable,
    *,
    base: str | None = None,
    alternatives: Sequence[str] | None = None,
    sizes: Sequence[int] = DEFAULT_SIZES,
    seeds: Sequence[int] = DEFAULT_SEEDS,
    share: float = 0.95,
) -> StabilityAudit:
    """Draw ever larger samples of sentences and see when the order of languages stays.

    Args:
        scores: of parallel texts.
        base, alternatives: to hold a text against alternative translations (as :func:`alternatives_audit` does) rather
            than languages against each other.
        sizes: sentences per sample; those beyond the data are left out, half and all sentences are always added.
        seeds: one sample of each size per seed.
        share: of samples that must agree, as far as the seeds show.

    Raises:
        InputError: no sentence that all series have; fewer than two series or seeds; a seed given twice, or
            below 0; a size below 1.

    >>> from equiglot.audit import scores_from_frame
    >>> rows = [(str(i), lang, i % 7 + add) for i in range(40) for lang, add in (("en", 0.0), ("de", 5.0))]
    >>> frame = pl.DataFrame(rows, schema=["id", "language", "sent_nll"], orient="row")
    >>> audit = stability_audit(scores_from_frame(frame), sizes=[1, 10])
    >>> audit.needed["value"].to_list()
    [10.0]
    """
    _check_options(sizes, seeds)
    several = alternatives is not None or base is not None or _several_texts(scores)
    if several:
        ids, series, left_out = text_series(scores, which_texts(scores, base, alternatives))
    else:
        ids, series, left_out = language_series(scores)
    _check(scores, ids, series)
    total = len(ids)
    tried = [*sorted({n for n in (*sizes, max(total // 2, 1)) if n < total}), total]
    made = signature(
        audit="stability", seeds=f"{len(seeds)}({','.join(map(str, seeds))})", sampling="python-random", n=total
    )
    drawn = {n: _draws(total, n, seeds) for n in tried}
    found = [_Found.of(one, drawn, winners=several) for one in series]
    outcomes = [f.outcome(share) for f in found]
    metrics = {
        metric: [o for o in outcomes if o.metric == metric] for metric in dict.fromkeys(o.metric for o in outcomes)
    }
    notes = [f"{counted(left_out, 'sentence')} left out, which some text or metric lacks"] if left_out else []
    lacking = [metric for metric in scores.measures if metric not in metrics]
    notes += [f"{metric}: not every language has a value, so there is no order" for metric in lacking]
    notes.append(
        f"the interval over {len(seeds)} seeds is of their mean; sd says how far one sample falls. Samples beyond "
        f"{counted(total // 2, 'sentence')} share most of them with the whole, so agreement there is partly by "
        "construction"
    )
    return StabilityAudit(
        headline=stability_headline(metrics),
        answers=tuple(stability_answer(own) for own in metrics.values()),
        agreement=result_table(row for f in found for row in f.agreement_rows(len(seeds), made)),
        totals=result_table(_total_rows(found, len(seeds), made)),
        needed=result_table(_needed_rows(outcomes, made)),
        curves=result_table(row for f in found for row in f.curve_rows(made)),
        notes=(*scores.notes, *notes),
        signature=made,
    )


def _several_texts(scores: ScoreTable) -> bool:
    return scores.frame.select("language", "text").n_unique() > scores.frame["language"].n_unique()


def _check(scores: ScoreTable, ids: list[str], series: list[Series]) -> None:
    if not ids:
        raise scores.error("no sentence has a score in every language", fix="score the same sentences in all of them")
    if len(series[0].names) < 2:
        raise scores.error("there is one language, and nothing to hold it against", fix="add another")


def _check_options(sizes: Sequence[int], seeds: Sequence[int]) -> None:
    if len(set(seeds)) < 2:
        raise InputError("one seed can't agree or disagree with another", fix="give two seeds or more")
    if len(set(seeds)) < len(seeds) or min(seeds) < 0:  # -1 draws what 1 does
        problem = "a seed below 0, or one given twice, draws the sample of another seed again"
        raise InputError(problem, fix="give different seeds from 0 on, e.g. 0-199")
    if any(n < 1 for n in sizes):
        raise InputError(f"a sample of {min(sizes)} sentences is none", fix="give sizes from 1 on")


def _draws(total: int, n: int, seeds: Sequence[int]) -> NDArray[np.int64]:
    """seeds x n positions; sorted, so that sums don't depend on the order of drawing."""
    # Python's generator rather than NumPy's: published samples (paper 2's) can then be drawn again by their seeds.
    return np.array([sorted(random.Random(seed).sample(range(total), n)) for seed in seeds])


@dataclass(frozen=True, slots=True)
class _Found:
    """One metric and model: the means of every sample (by size: seeds x series), and which agree with the whole."""

    series: Series
    means: Mapping[int, NDArray[np.float64]]
    agree: Mapping[str, Mapping[int, NDArray[np.bool_] | None]]
    tied: bool
    """Whether languages tie over all sentences, so that there is no order to agree with."""

    @classmethod
    def of(cls, series: Series, drawn: Mapping[int, NDArray[np.int64]], *, winners: bool) -> _Found:
        total = max(drawn)
        means = {n: series.matrix.back(_means(series.values, rows, whole=n == total)) for n, rows in drawn.items()}
        places = {n: places_of(rows) for n, rows in means.items()}
        whole = places[total][0]
        best = _best(series, whole[None])[0]
        tied = not winners and np.unique(whole).size < whole.size
        agree: dict[str, dict[int, NDArray[np.bool_] | None]] = {"agree_order": {}, "agree_best": {}}
        if winners:
            agree |= {"agree_winner": {}, "agree_first": {}}
        for n, rows in places.items():
            # Of one sentence the lowest and the highest are two of the texts themselves, so there is no order.
            agree["agree_order"][n] = None if tied or (winners and n == 1) else (rows == whole).all(axis=1)
            first = (_best(series, rows) == best).all(axis=1)
            agree["agree_best"][n] = first if winners or best.sum() == 1 else None
            if winners:
                sides = np.sign(rows[:, :1] - rows[:, 1:]) == np.sign(whole[0] - whole[1:])
                agree["agree_winner"][n] = sides.all(axis=1)
                agree["agree_first"][n] = sides[:, 0]
        return cls(series, means, agree, tied)

    @property
    def winners(self) -> bool:
        """Whether a text is held against alternatives, rather than languages against each other."""
        return "agree_winner" in self.agree

    def outcome(self, share: float) -> Outcome:
        """How many sentences are shown to be enough, and what is shown at half of them."""
        sizes, total = sorted(self.means)[:-1], max(self.means)
        asked = self.agree["agree_winner" if self.winners else "agree_order"]
        held = {n: agreed for n in sizes if (agreed := asked[n]) is not None}
        half = max((n for n in held if n <= total / 2), default=None)
        at_half = None if half is None else held[half]
        needed, seeming, low = None, None, 1.0
        for n in reversed(sizes):
            if n not in held or n < _LEAST or held[n].mean() < share:
                break
            seeming = n
            low = min(low, _interval(held[n]).low)
            needed = n if low >= share and n <= total / 2 else needed
        return Outcome(
            metric=self.series.metric,
            model=self.series.model,
            winners=self.winners,
            tied=self.tied,
            total=total,
            needed=needed,
            seeming=seeming,
            half=half,
            agreeing=0 if at_half is None else int(at_half.sum()),
            seeds=len(self.means[total]),
            refuted=at_half is not None and _interval(at_half).high < share,
            too_few=total < 2 * _LEAST,
            too_few_seeds=_interval(np.ones(len(self.means[total]), dtype=np.bool_)).low < share,
        )

    def agreement_rows(self, seeds: int, made: str) -> Iterator[tuple[dict[str, Any], Measure]]:
        for n in self.means:
            keys = {"metric": self.series.metric, "model": self.series.model, "size": n}
            for name, by_size in self.agree.items():
                yield keys, _share(name, by_size[n], seeds, self.winners, made)

    def curve_rows(self, made: str) -> Iterator[tuple[dict[str, Any], Measure]]:
        info = self.series.matrix.info
        for n, rows in self.means.items():
            for i, name in enumerate(self.series.names):
                keys = {"metric": info.name, "model": self.series.model, "size": n, "series": name}
                mean = t_interval(rows[:, i])
                yield keys, Measure("mean", mean.value, info.unit, info.direction, mean.n, 0, mean.interval, None, made)
                sd = float(rows[:, i].std(ddof=1)) if n < max(self.means) else 0.0
                yield keys, Measure("sd", sd, info.unit, "neutral", mean.n, signature=made)


def _means(values: NDArray[np.float64], drawn: NDArray[np.int64], *, whole: bool) -> NDArray[np.float64]:
    """seeds x series; all sentences are the same ones for every seed."""
    if whole:
        return np.repeat(values.mean(axis=0, keepdims=True), len(drawn), axis=0)
    return np.stack([values[rows].mean(axis=0) for rows in drawn])


def _best(series: Series, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which series are best (seeds x series), all that tie there."""
    highest = series.matrix.info.direction == "higher"
    return places == (places.max(axis=1, keepdims=True) if highest else 0)


def _interval(held: NDArray[np.bool_]) -> Interval:
    found = proportion(int(held.sum()), held.size).interval
    assert found is not None
    return found


def _share(name: str, held: NDArray[np.bool_] | None, seeds: int, winners: bool, made: str) -> Measure:
    if held is None:
        why = "of one sentence the lowest and the highest are two of the texts themselves" if winners else TIED
        return Measure(name, None, "share", "higher", 0, seeds, reason=why, signature=made)
    share = proportion(int(held.sum()), held.size)
    return Measure(name, share.value, "share", "higher", held.size, 0, share.interval, None, made)


def _total_rows(found: list[_Found], seeds: int, made: str) -> Iterator[tuple[dict[str, Any], Measure]]:
    for metric in dict.fromkeys(f.series.metric for f in found):
        own = [f for f in found if f.series.metric == metric]
        for n in own[0].means:
            for name in own[0].agree:
                parts = [f.agree[name][n] for f in own]
                known = [part for part in parts if part is not None]
                held = np.concatenate(known) if len(known) == len(parts) else None
                yield {"metric": metric, "size": n}, _share(name, held, seeds * len(own), own[0].winners, made)


def _needed_rows(outcomes: list[Outcome], made: str) -> Iterator[tuple[dict[str, Any], Measure]]:
    for o in outcomes:
        keys = {"metric": o.metric, "model": o.model}
        reason = None if o.needed else o.why
        yield keys, Measure("needed", o.needed, "sentences", "lower", o.total, 0, None, reason, made)
