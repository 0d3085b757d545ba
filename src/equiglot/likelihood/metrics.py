"""What a text costs a language model, per text and per unit of it.

    sent_nll  = - sum ln P                                  nats
    token_nll = sent_nll / n_scored                         nats/token
    ppl       = exp(token_nll)
    bpb       = sent_nll / (n_bytes ln 2)                   bits/byte
    bpc       = sent_nll / (n_chars ln 2)                   bits/character
    bpec      = sent_nll / (n_source_chars ln 2)            bits/character of the source, which says the same in English
    mrr       = mean over scored tokens of 1 / rank

(paper 2; METHODS, section 3.) Bytes are of UTF-8 and characters are code points, white space included, both of the text
that was scored: all of it, unless a cut was asked for. Only sent_nll and bpec don't change their unit from one language
to the next; the others divide by tokens, bytes or characters, of which another script or tokeniser has more or fewer.

Differs from peers: bits are divided by ln 2, bytes are not characters, and a text that can't be scored is null with a
reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.likelihood._notes import bos_notes, content_notes, cut_notes, source_notes, terms, window_notes
from equiglot.likelihood.model import LanguageModel
from equiglot.likelihood.policy import settle
from equiglot.likelihood.score import score_texts
from equiglot.measures import Direction, MeasureInfo
from equiglot.table import Segments

__all__ = ["COUNTS", "METRICS", "Metric", "add_costs", "add_likelihood"]

COUNTS = ("n_tokens", "n_scored", "n_cut", "n_bytes", "n_chars", "windows")
"""The columns of counts that come with the metrics."""


_LARGEST_EXPONENT = 700.0
"""Of a perplexity that a float still holds."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One way to state what a text costs.

    Attributes:
        unit: of the value.
        direction: which way the model finds the text easier.
        of: the column that it is made of.
        per: the column of counts that it is a mean over, None where it isn't one.
        bits: whether it is in bits rather than nats.
    """

    unit: str
    direction: Direction = "lower"
    of: str = "sent_nll"
    per: str | None = None
    bits: bool = False


METRICS = {
    "sent_nll": Metric("nats"),
    "token_nll": Metric("nats/token", per="n_scored"),
    "ppl": Metric("perplexity", per="n_scored"),
    "bpb": Metric("bits/byte", per="n_bytes", bits=True),
    "bpc": Metric("bits/character", per="n_chars", bits=True),
    "bpec": Metric("bits/source character", per="n_source_chars", bits=True),
    "mrr": Metric("reciprocal rank", "higher", of="mrr", per="n_scored"),
    "sent_nll_no_bos": Metric("nats", of="sent_nll_no_bos"),
}
"""Every metric by the name of its column; ``sent_nll_no_bos`` is there where both first-token policies were run."""


def add_likelihood(
    segments: Segments,
    model: LanguageModel,
    *,
    ranks: bool = True,
    bos: str = "auto",
    window: int | None = None,
    stride: int | None = None,
    cut: int | None = None,
    cache: bool | Path = True,
    progress: Progress = silent,
) -> Segments:
    """The table with what each target costs the model.

    Args:
        segments: needs ``target``; with ``source`` there is ``bpec`` too.
        model: from :func:`~equiglot.likelihood.load_language_model`.
        ranks: whether to count ranks, for ``mrr``.
        bos: ``auto``, ``require``, ``never``, or ``both``: as ``require``, and ``sent_nll_no_bos`` scored under
            ``never`` beside it, with a note where the two lie far apart.
        window, stride, cut, cache: as in :func:`~equiglot.likelihood.score_texts`.
        progress: told of unique texts done.

    Returns:
        The same rows in the same order, with the measures of :data:`METRICS` and the counts of :data:`COUNTS`. A value
        that can't be had is null, and ``<measure>_reason`` says why.

    Raises:
        InputError: there is no ``target``, or as in :func:`~equiglot.likelihood.score_texts`.
    """
    segments.require("target", why="is scored by the language model")
    main = "require" if bos == "both" else bos
    policy = settle(model, bos=main, window=window, stride=stride, cut=cut)
    target = segments.frame["target"]
    scores = score_texts(
        target, model, detail="ranks" if ranks else "nll", bos=main,
        window=window, stride=stride, cut=cut, cache=cache, progress=progress,
    )  # fmt: skip
    made = add_costs(segments, scores, partial(policy.signature, model=model))
    notes = [*cut_notes(made.frame, cut), *window_notes(made.frame, str(policy.windows)), *content_notes(made.frame)]
    if "bpec" in made.measures:
        notes += source_notes(made.frame, "BPEC")
    if bos == "both":
        without = settle(model, bos="never", window=window, stride=stride, cut=cut)
        bare = score_texts(
            target, model, bos="never", window=window, stride=stride, cut=cut, cache=cache, progress=progress
        )
        info = MeasureInfo("sent_nll_no_bos", "nats", "lower", without.signature("sent_nll", model))
        made = made.with_measure(info, bare["sent_nll"], bare["reason"].to_list())
        notes += bos_notes(scores, bare)
    return made.noted(*notes, *terms(model))


def add_costs(segments: Segments, scores: pl.DataFrame, signed: Callable[[str], str]) -> Segments:
    """The table with the metrics and counts that its targets' scores give.

    Args:
        segments: with as many rows as ``scores``.
        scores: as :func:`~equiglot.likelihood.score_texts` makes it; a metric whose counts are not there is left out.
        signed: the signature of a metric by its name.
    """
    frame = segments.frame.with_columns(scores.select(name for name in COUNTS if name in scores.columns))
    if "source" in frame.columns:
        frame = frame.with_columns(pl.col("source").str.len_chars().cast(pl.Int64).alias("n_source_chars"))
    made = replace(segments, frame=frame)
    costs = scores.with_columns(frame.select(pl.col("^n_source_chars$")))
    for name, metric in METRICS.items():
        if {metric.of, metric.per or metric.of} <= set(costs.columns):
            info = MeasureInfo(name, metric.unit, metric.direction, signed(name))
            values = costs.select(_value(name)).to_series()
            why = [_why(name, *row) for row in zip(values.is_null(), costs["reason"], costs["n_cut"], strict=True)]
            made = made.with_measure(info, values, why)
    return made


def _value(name: str) -> pl.Expr:
    """A metric of each row, null where the cost, or what it is divided by, is not there."""
    metric = METRICS[name]
    cost = pl.col(metric.of)
    if name == "mrr" or metric.per is None:
        return cost
    count = pl.when(pl.col(metric.per) > 0).then(pl.col(metric.per))
    if name == "bpec":  # of a cut text the source says more than what was scored
        count = pl.when(pl.col("n_cut") == 0).then(count)
    each = cost / (count * (math.log(2) if metric.bits else 1.0))
    if name == "ppl":
        return pl.when(each < _LARGEST_EXPONENT).then(each.exp())
    return each


def _why(name: str, missing: bool, reason: str | None, n_cut: int | None) -> str | None:
    """Why a value is not there."""
    if not missing or reason is not None:
        return reason
    if name == "ppl":
        return f"more than exp({_LARGEST_EXPONENT:g})"
    return "the text was cut, and the source says more than what was scored" if n_cut else "no source text"
