"""How many sentences does this comparison need (paper 2, experiment 2; METHODS, section 6)?

    sample       n sentences of the N there are, without replacement, by Python's ``random.seed(s)`` and
                 ``random.sample(range(N), n)``; one sample per seed, the same for every metric and model
    mean, CI     over the seeds: mean +- t(0.975, k - 1) sd / sqrt(k). It says how well k samples settle their mean;
                 how far one sample may fall is ``sd``
    agree_order  share of seeds whose order of all series equals that of all N sentences (a tie is no agreement); null
                 where languages tie over all N, for then there is no order
    agree_best   share of seeds with the same best series (of languages: the only best one)
    agree_winner with alternatives: the same winner against each of them
    needed       the smallest n tried from which on at least ``share`` of the seeds agree (0.95; of 15 seeds all)

Samples of more than half the sentences share most of them with the whole, so agreement there is partly by
construction: "yes" (enough are there) takes a needed n of at most N / 2, "no" says that all sizes below N disagree.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.audit._series import Series, language_series, order_of, text_series, which_texts
from equiglot.audit._words import counted, listed
from equiglot.audit.answers import MetricAnswer, as_document, metric_name
from equiglot.audit.scores import ScoreTable
from equiglot.errors import InputError
from equiglot.measures import Measure, result_table, signature
from equiglot.stats import proportion, t_interval

__all__ = ["DEFAULT_SEEDS", "DEFAULT_SIZES", "StabilityAudit", "stability_audit"]

DEFAULT_SIZES = (1, 10, 100, 500, 1000)
DEFAULT_SEEDS = tuple(range(15))

_TIED = "languages tie over all sentences, so there is no order to agree with"


@dataclass(frozen=True, slots=True)
class StabilityAudit:
    """What was found.

    Attributes:
        headline: the answer in a few sentences.
        answers: per metric, how many sentences it needs, and whether they are there.
        agreement: keys metric, model, size; shares of seeds with the same order, best and (with alternatives) winners.
        totals: keys metric, size; the same over all models.
        needed: keys metric, model; sentences that the comparison needs, null where even the largest sample is too few.
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
        sizes: sentences per sample; those beyond the data are left out, all sentences are always added.
        seeds: one sample of each size per seed.
        share: of seeds that must agree.

    Raises:
        InputError: no sentence that all series have; fewer than two series or seeds; a size below 1.

    >>> from equiglot.audit import scores_from_frame
    >>> rows = [(str(i), lang, i % 7 + add) for i in range(40) for lang, add in (("en", 0.0), ("de", 5.0))]
    >>> frame = pl.DataFrame(rows, schema=["id", "language", "sent_nll"], orient="row")
    >>> audit = stability_audit(scores_from_frame(frame), sizes=[1, 10])
    >>> audit.needed["value"].to_list()
    [1.0]
    """
    _check_options(sizes, seeds)
    several = alternatives is not None or base is not None or _several_texts(scores)
    if several:
        ids, series, left_out = text_series(scores, which_texts(scores, base, alternatives))
    else:
        ids, series, left_out = language_series(scores)
    _check(scores, ids, series)
    total = len(ids)
    tried = [*(n for n in sorted(set(sizes)) if n < total), total]
    made = signature(
        audit="stability", seeds=f"{len(seeds)}({','.join(map(str, seeds))})", sampling="python-random", n=total
    )
    drawn = {n: _draws(total, n, seeds) for n in tried}
    found = [_Found.of(one, drawn, winners=several) for one in series]
    needed = {(f.series.metric, f.series.model): f.needed(share) for f in found}
    answers = tuple(
        _answer(metric, {m: n for (name, m), n in needed.items() if name == metric}, found, total, len(seeds))
        for metric in dict.fromkeys(f.series.metric for f in found)
    )
    notes = [f"{counted(left_out, 'sentence')} left out, which some text or metric lacks"] if left_out else []
    lacking = [metric for metric in scores.measures if metric not in {f.series.metric for f in found}]
    notes += [f"{metric}: not every language has a value, so there is no order" for metric in lacking]
    notes.append(
        f"the interval over {len(seeds)} seeds is of their mean; sd says how far one sample falls. Samples beyond "
        f"{counted(total // 2, 'sentence')} share most of them with the whole, so agreement there is partly by "
        "construction"
    )
    return StabilityAudit(
        headline=_headline(needed, found, total),
        answers=answers,
        agreement=result_table(row for f in found for row in f.agreement_rows(len(seeds), made)),
        totals=result_table(_total_rows(found, len(seeds), made)),
        needed=result_table(_needed_rows(found, needed, total, made)),
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
        means = {n: series.matrix.back(series.values[rows].mean(axis=1)) for n, rows in drawn.items()}
        whole = means[max(means)][0]
        best = order_of(series, whole.tolist())[0]
        tied = not winners and not _untied(whole)
        agree: dict[str, dict[int, NDArray[np.bool_] | None]] = {"agree_order": {}, "agree_best": {}}
        if winners:
            agree |= {"agree_winner": {}, "agree_first": {}}
        for n, rows in means.items():
            # Of one sentence the lowest and the highest are two of the texts themselves, so there is no order.
            same = np.array([_order(row) == _order(whole) and _untied(row) for row in rows])
            agree["agree_order"][n] = None if tied or (winners and n == 1) else same
            first = np.array([order_of(series, row.tolist())[0] == best for row in rows])
            if not winners:
                first = None if not _one_best(series, whole[None])[0] else first & _one_best(series, rows)
            agree["agree_best"][n] = first
            if winners:
                sides = np.sign(rows[:, :1] - rows[:, 1:]) == np.sign(whole[0] - whole[1:])
                agree["agree_winner"][n] = sides.all(axis=1)
                agree["agree_first"][n] = sides[:, 0]
        return cls(series, means, agree, tied)

    @property
    def winners(self) -> bool:
        """Whether a text is held against alternatives, rather than languages against each other."""
        return "agree_winner" in self.agree

    @property
    def asked(self) -> str:
        """The agreement that the verdict asks for."""
        return "agree_winner" if self.winners else "agree_order"

    def needed(self, share: float) -> int | None:
        """The smallest size from which on enough seeds agree; None where only the whole agrees with itself."""
        enough: int | None = None
        for n in sorted(self.means, reverse=True):
            held = self.agree[self.asked][n]
            if held is None or held.mean() < share:
                break
            enough = n
        return None if enough == max(self.means) and len(self.means) > 1 else enough

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


def _order(row: NDArray[np.float64]) -> list[int]:
    return np.argsort(row, kind="stable").tolist()


def _untied(row: NDArray[np.float64]) -> bool:
    return np.unique(row).size == row.size


def _one_best(series: Series, means: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether a row of means (seeds x series) has one best value only."""
    best = means.max(axis=1) if series.matrix.info.direction == "higher" else means.min(axis=1)
    return (means == best[:, None]).sum(axis=1) == 1


def _share(name: str, held: NDArray[np.bool_] | None, seeds: int, winners: bool, made: str) -> Measure:
    if held is None:
        why = "of one sentence the lowest and the highest are two of the texts themselves" if winners else _TIED
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


def _needed_rows(
    found: list[_Found], needed: Mapping[tuple[str, str], int | None], total: int, made: str
) -> Iterator[tuple[dict[str, Any], Measure]]:
    for f in found:
        keys = {"metric": f.series.metric, "model": f.series.model}
        n = needed[f.series.metric, f.series.model]
        disagree = f"samples of all sizes tried below {total:,} still disagree with the whole"
        reason = None if n else _TIED if f.tied else disagree
        yield keys, Measure("needed", n, "sentences", "lower", total, 0, None, reason, made)


def _answer(metric: str, needed: Mapping[str, int | None], found: list[_Found], total: int, seeds: int) -> MetricAnswer:
    own = [f for f in found if f.series.metric == metric]
    question = f"How many sentences does the {_what(own)} by {metric_name(metric)} need?"
    if tied := [f.series.model for f in own if f.tied]:
        where = f" in {len(tied)} of {len(own)} models ({listed(tied)})" if len(own) > 1 else ""
        return MetricAnswer(metric, question, "can't tell", f"{_TIED[0].upper()}{_TIED[1:]}{where}.")
    half = max((n for n in own[0].means if n <= total / 2), default=min(own[0].means))
    held = [agreed for f in own if (agreed := f.agree[f.asked][half]) is not None]
    same = f"{sum(int(a.sum()) for a in held)} of {seeds * len(own)} samples"
    agreeing = f"at {counted(half, 'sentence')} {same} agree with the whole"
    unsettled = [model for model, n in needed.items() if n is None]
    if unsettled:
        where = f" in {len(unsettled)} of {len(own)} models ({listed(unsettled)})" if len(own) > 1 else ""
        fix = f"Score more than {counted(total, 'sentence')}, or call the closest languages equal."
        return MetricAnswer(metric, question, "no", f"More than the {total:,} there are{where}: {agreeing}.", fix)
    enough = max(n for n in needed.values() if n is not None)
    models = f" in each of {len(own)} models" if len(own) > 1 else ""
    if enough > total / 2:
        least = f"About {counted(enough, 'sentence')} or more, over half of the {total:,} there are: {agreeing}."
        return MetricAnswer(metric, question, "can't tell", least, f"Score more than {counted(total, 'sentence')}.")
    settled = f"About {counted(enough, 'sentence')}: samples of that size and above agree with the whole{models}"
    return MetricAnswer(metric, question, "yes", f"{settled} ({agreeing}).")


def _what(found: list[_Found]) -> str:
    return "winner against every translation" if found[0].asked == "agree_winner" else "order of languages"


def _headline(needed: Mapping[tuple[str, str], int | None], found: list[_Found], total: int) -> str:
    """How many sentences each metric needs, in the model that needs most."""
    groups: dict[str, list[str]] = {}
    tied = dict.fromkeys(metric_name(f.series.metric) for f in found if f.tied)
    for metric in dict.fromkeys(metric for metric, _ in needed):
        if metric_name(metric) in tied:
            continue
        own = [n for (name, _), n in needed.items() if name == metric]
        known = [n for n in own if n is not None]
        enough = f"about {max(known):,}" if len(known) == len(own) else f"more than the {total:,} there are"
        if len(known) == len(own) and max(known) > total / 2:
            enough += f" or more, for that is over half of the {total:,} there are"
        groups.setdefault(enough, []).append(metric_name(metric))
    said = [f"{listed(names)} need{'s' if len(names) == 1 else ''} {enough}" for enough, names in groups.items()]
    if tied:
        said.append(f"by {listed(list(tied))} languages tie, so there is none")
    return f"Sentences that the {_what(found)} needs: {'; '.join(said)}."
