"""Question 4 answered: what the tokenisers, and a language model, cost each language and script."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.measures import result_table
from equiglot.models import require_model
from equiglot.table import Segments
from equiglot.text import text_profile
from equiglot.tokens import add_parity, load_tokenizer, token_profile

__all__ = ["profile"]

_KEYS = ("language", "script", "condition", "tokenizer")


def profile(
    segments: Segments,
    tokenizers: Sequence[str],
    *,
    language_model: str | None = None,
    bos: str = "auto",
    dtype: str = "auto",
    seed: int = 0,
    resamples: int = 1000,
    progress: Progress = silent,
) -> tuple[Segments, pl.DataFrame]:
    """Text facts, tokeniser parity and, with a language model, information parity.

    Returns:
        The segments with the measures of the first tokeniser (``tp``) and of the model (``ip``, ``sbi``) added, and one
        result table, keyed by language, script, condition and tokeniser; empty where there are no texts.
    """
    if "target" not in segments.frame.columns or segments.frame["target"].null_count() == segments.frame.height:
        return segments, result_table([]).with_columns(pl.lit(None, pl.String).alias(key) for key in _KEYS)
    if language_model is not None:
        require_model(language_model)
    loaded = [load_tokenizer(reference) for reference in tokenizers]
    tables = [text_profile(segments), token_profile(segments, loaded, marks=True, seed=seed, resamples=resamples)]
    has_source = "source" in segments.frame.columns and segments.frame["source"].null_count() < segments.frame.height
    if loaded and has_source:
        segments = add_parity(segments, loaded[0])
    if language_model is not None:
        from equiglot.likelihood import add_information, information_profile, load_language_model

        model = load_language_model(language_model, dtype=dtype)
        segments = add_information(segments, model, bos=bos, progress=progress)
        information = information_profile(segments, seed=seed, resamples=resamples)
        # LP is of the tokeniser, and stands in its table already.
        tables.append(information.filter(pl.col("measure") != "lp") if loaded else information)
    merged = pl.concat(tables, how="diagonal")
    keys = [key for key in _KEYS if key in merged.columns]
    return segments, merged.select(*keys, pl.exclude(keys))
