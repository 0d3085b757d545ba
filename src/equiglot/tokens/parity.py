"""Tokeniser parity of every segment: TP = n_t / n_s.

n_t and n_s are the tokens of target and source under one tokeniser, without special tokens. Unit: ratio; 1
where the target takes as many tokens as its source, above 1 where it takes more. Source: Petrov et al. 2023;
paper 1, table 10. A language's TP is the mean over segments (:func:`equiglot.tokens.token_profile`), not a
ratio of totals.

Differs from peers: a segment without text on either side has no TP and says why; it is neither 0 nor
infinite, and is not averaged away.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.measures import MeasureInfo, signature
from equiglot.table import Segments
from equiglot.text import text_state
from equiglot.tokens.tokenizer import Tokenizer

__all__ = ["add_parity", "no_parity"]


def add_parity(segments: Segments, tokenizer: Tokenizer) -> Segments:
    """The table with the measures ``n_tokens``, ``n_source_tokens`` (tokens) and ``tp`` (ratio).

    Counts are null where the text is missing. ``tp`` is null, with ``tp_reason`` beside it, where source or
    target is missing, empty, white space or invisible, or where the source has no tokens.

    >>> from equiglot.tokens import load_tokenizer
    >>> frame = pl.DataFrame({"id": ["1"], "language": ["hi"], "script": ["Deva"], "condition": ["native"],
    ...                       "system": ["a"], "source": ["hello sir"], "target": ["नमस्ते जी"]})
    >>> table = add_parity(Segments(frame), load_tokenizer("pkg:xlmr"))
    >>> table.frame.select("n_tokens", "n_source_tokens", "tp").row(0)
    (3.0, 3.0, 1.0)

    Raises:
        InputError: no source or no target.
    """
    segments.require("source", "target", why="is tokenised")
    target, source = segments.frame["target"], segments.frame["source"]
    n_t, n_s = _counts(target, tokenizer), _counts(source, tokenizer)
    reasons = no_parity(target, source, n_s)
    ratios = [a / b if why is None else None for a, b, why in zip(n_t, n_s, reasons, strict=True)]
    columns = [
        ("n_tokens", "tokens", [None if np.isnan(n) else n for n in n_t], _missing(target, "target")),
        ("n_source_tokens", "tokens", [None if np.isnan(n) else n for n in n_s], _missing(source, "source")),
        ("tp", "ratio", ratios, reasons),
    ]
    for name, unit, values, why in columns:
        info = MeasureInfo(name, unit, "neutral", signature(metric=name, tok=tokenizer.identity, special="none"))
        segments = segments.with_measure(info, values, why)
    return segments


def no_parity(target: pl.Series, source: pl.Series, n_s: NDArray[np.float64]) -> list[str | None]:
    """Row by row, why there is no TP; None where there is one."""
    states = zip(text_state(target), text_state(source), n_s, strict=True)
    return [_why(t, s, n) for t, s, n in states]


def _why(target: str, source: str, n_s: float) -> str | None:
    if target != "text":
        return f"target is {target}"
    if source != "text":
        return f"source is {source}"
    return None if n_s > 0 else "source has no tokens"


def _counts(texts: pl.Series, tokenizer: Tokenizer) -> NDArray[np.float64]:
    """Tokens of each text, NaN where it is missing."""
    counts = np.full(len(texts), np.nan)
    present = texts.is_not_null().to_numpy()
    counts[present] = tokenizer.count(texts.drop_nulls())
    return counts


def _missing(texts: pl.Series, name: str) -> Sequence[str | None]:
    return [f"{name} is missing" if missing else None for missing in texts.is_null()]
