"""Which texts can be scored at all, and the columns that every text's score has, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from equiglot.text import text_state

__all__ = ["COLUMNS", "REASONS", "states"]

REASONS = {
    "missing": "no text",
    "empty": "the text is empty",
    "white space": "only white space",
    "invisible": "only invisible characters",
    "surrogate": "not Unicode text: it has a lone surrogate",
}
"""Why a text in a state other than ``text`` has no score."""

COLUMNS: dict[str, Any] = {
    "sent_nll": pl.Float64,
    "n_tokens": pl.Int64,
    "n_scored": pl.Int64,
    "n_cut": pl.Int64,
    "n_bytes": pl.Int64,
    "n_chars": pl.Int64,
    "first": pl.String,
    "windows": pl.Int64,
    "reason": pl.String,
}


def states(texts: Sequence[str | None] | pl.Series) -> list[str]:
    """What each text is; beyond what the text room tells apart, whether UTF-8 can hold it, for tokenisers want that."""
    return [
        "surrogate" if state == "text" and any("\ud800" <= c <= "\udfff" for c in text or "") else state
        for text, state in zip(texts, text_state(texts), strict=True)
    ]
