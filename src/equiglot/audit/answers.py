"""What the audits of language-model scores say: names of metrics, answers, and audits as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, Literal

import polars as pl

from equiglot.audit._words import p_value, two_digits
from equiglot.stats import Estimate, Significance

__all__ = ["MetricAnswer", "as_document", "metric_name", "rho_words"]

_NAMES = {
    "bpb": "bits per byte",
    "bpc": "bits per character",
    "mrr": "MRR",
    "ppl": "perplexity",
    "token_nll": "NLL per token",
    "sent_nll": "sentence NLL",
    "sent_nll_uncut": "sentence NLL without the cut (estimated)",
}

Answered = Literal["yes", "no", "can't tell"]


@dataclass(frozen=True, slots=True)
class MetricAnswer:
    """One question about one metric, answered in words.

    Attributes:
        metric: the measure.
        question: what was asked.
        answer: ``yes``, ``no`` or ``can't tell``.
        sentence: why, with the numbers.
        fix: what to do about it; empty where nothing is to be done.
    """

    metric: str
    question: str
    answer: Answered
    sentence: str
    fix: str = ""


def metric_name(metric: str) -> str:
    """A metric as a sentence names it.

    >>> metric_name("bpb"), metric_name("my_score")
    ('bits per byte', 'my_score')
    """
    return _NAMES.get(metric, metric)


def rho_words(value: Estimate, points: str, test: Significance | None = None) -> str:
    """A rank correlation with its interval, its n and its p.

    >>> rho_words(Estimate(-0.8, None, 10), "10 languages")
    'rho = -0.80, n = 10 languages'
    """
    assert value.value is not None
    interval = value.interval
    between = f", {interval.level:.0%} CI {two_digits(interval.low)} to {two_digits(interval.high)}" if interval else ""
    said = f", {p_value(test.p, test.neg_log10_p)}" if test is not None and test.p is not None else ""
    return f"rho = {two_digits(value.value)}{between}, n = {points}{said}"


def as_document(audit: Any) -> dict[str, Any]:
    """An audit's fields as plain values for JSON: frames as lists of rows, what could not be had as None."""
    return {field.name: _plain(getattr(audit, field.name)) for field in fields(audit)}


def _plain(value: Any) -> Any:
    if isinstance(value, pl.DataFrame):
        return value.to_dicts()
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
