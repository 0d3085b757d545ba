"""The columns that strata may read beside a table's own: scores under one name, their ranks, words of prompts."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from equiglot.errors import InputError
from equiglot.table import Segments

__all__ = ["MADE", "add_columns", "choose_metrics"]

MADE = ("metric", "other_metric", "metric_rank", "source_word_share")
"""The columns that :func:`add_columns` makes."""

_WORD = r"\p{L}[\p{L}\p{M}\p{N}'’]*"


def choose_metrics(segments: Segments, asked: Sequence[str]) -> tuple[str, ...]:
    """The scores that strata call ``metric`` and ``other_metric``: those asked for, else the table's first two.

    Raises:
        InputError: a measure that the table lacks; more than two.
    """
    if len(asked) > 2:
        raise InputError(f"{len(asked)} metrics were named, and strata compare two", fix="name two at most")
    if asked:
        for name in asked:
            if name in segments.measures and not segments.frame[name].dtype.is_numeric():
                raise segments.error("this column is not of numbers", fix="name a column of scores", column=name)
        return tuple(segments.info(name).name for name in asked)
    numbers = {name for name, dtype in segments.frame.schema.items() if dtype.is_numeric()}  # `valid` is none
    return tuple(n for n, info in segments.measures.items() if info.direction != "neutral" and n in numbers)[:2]


def add_columns(segments: Segments, metrics: Sequence[str]) -> pl.DataFrame:
    """The table's frame with what of :data:`MADE` can be had.

    ``metric_rank`` is the average rank of a score among those of its language, from 0 (worst) to 1 (best), whichever
    way the metric runs. ``source_word_share`` is the share of the target's words that occur among the words of all
    sources of the table, letter case ignored; null where the target has no words.
    """
    frame = segments.frame.drop(*MADE, strict=False)
    if metrics:
        frame = frame.with_columns(metric=metrics[0])
        score = pl.col("metric") if segments.info(metrics[0]).direction == "higher" else -pl.col("metric")
        last = (pl.col("metric").count() - 1).over("language")
        rank = (score.rank("average").over("language") - 1) / last
        frame = frame.with_columns(
            metric_rank=pl.when(last > 0).then(rank).when(pl.col("metric").is_not_null()).then(0.5)
        )
    if len(metrics) == 2:
        frame = frame.with_columns(other_metric=metrics[1])
    if {"source", "target"} <= set(frame.columns):
        frame = frame.with_columns(_source_word_share(frame))
    return frame


def _source_word_share(frame: pl.DataFrame) -> pl.Series:
    known = _words(frame["source"].unique()).explode(empty_as_null=False).drop_nulls().unique()
    words = (
        pl.DataFrame({"row": range(frame.height), "word": _words(frame["target"])})
        .explode("word")
        .drop_nulls()
        .with_columns(pl.col("word").is_in(known.implode()))
    )
    shares = words.group_by("row").agg(pl.col("word").mean())
    rows = pl.DataFrame({"row": range(frame.height)})
    return rows.join(shares, on="row", how="left", maintain_order="left")["word"].alias("source_word_share")


def _words(texts: pl.Series) -> pl.Series:
    return texts.str.to_lowercase().str.extract_all(_WORD)
