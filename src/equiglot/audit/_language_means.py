"""Values of languages and models from the scores of their texts: macro means with intervals, pooled values, ranks.

    macro    the mean over texts (of ppl: geometric); percentile bootstrap over sentences, the same draw in every cell
    micro    bpb: sum sent_nll / (sum n_bytes ln 2); bpc likewise by characters; token_nll: sum sent_nll / sum n_scored
    ctc      tokens of the corpus: sum of n_tokens, else of n_scored + 1 where the first token is skipped, text by text;
             a text of which nothing is scored is left out
    rank     1 = best of all languages x models, average ranks for ties; which way is best is the metric's direction

A language's value is the plain mean of its values over the models that all languages have.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.audit._sampling import Sampling
from equiglot.audit.scores import ScoreTable, TextMatrix
from equiglot.measures import Measure, MeasureInfo, result_table
from equiglot.stats import average_ranks, quantile_interval, resampled_means

__all__ = ["CellMeans", "cell_means", "cells_table", "corpus_tokens", "ranked", "ranks_table"]

Array = NDArray[np.float64]

_MICRO = {"bpb": ("n_bytes", math.log(2)), "bpc": ("n_chars", math.log(2)), "token_nll": ("n_scored", 1.0)}
_NO_VALUE = "no text has a value"


@dataclass(frozen=True, slots=True)
class CellMeans:
    """A metric's mean in every cell (language, text, model), NaN where it has none; ``drawn`` is resamples x cells."""

    matrix: TextMatrix
    means: Array
    drawn: Array

    @property
    def info(self) -> MeasureInfo:
        """What the metric is."""
        return self.matrix.info

    @property
    def cells(self) -> pl.DataFrame:
        """language, text and model of each cell."""
        return self.matrix.cells

    def grid(self, values: Array) -> tuple[list[str], list[str], Array]:
        """Languages, models, and ``values`` (the last axis: cells) with those as the last two axes, NaN where none."""
        languages = self.cells["language"].unique(maintain_order=True).to_list()
        models = self.cells["model"].unique(maintain_order=True).to_list()
        grid = np.full((*values.shape[:-1], len(languages), len(models)), np.nan)
        for column, (language, model) in enumerate(self.cells.select("language", "model").iter_rows()):
            grid[..., languages.index(language), models.index(model)] = values[..., column]
        return languages, models, grid

    def by_language(self, values: Array) -> tuple[list[str], list[str], Array]:
        """Languages, the models that all of them have, and the mean of ``values`` over those (NaN where there is none).

        A language that has no value at all from any model takes no part in saying which models are shared.
        """
        languages, models, means = self.grid(self.means)
        there = np.isfinite(means)
        shared = [bool(there[there.any(axis=1), i].all()) and bool(there.any()) for i in range(len(models))]
        grid = self.grid(values)[2]
        chosen = [model for model, kept in zip(models, shared, strict=True) if kept]
        nothing = np.full(grid.shape[:-1], np.nan)
        return languages, chosen, grid[..., np.array(shared)].mean(axis=-1) if chosen else nothing


def cell_means(table: ScoreTable, metric: str, sampling: Sampling) -> CellMeans:
    """The means of a metric, and the same of resampled sentences."""
    matrix = table.matrix(metric)
    drawn = resampled_means(matrix.values, matrix.present, seed=sampling.seed, resamples=sampling.resamples)
    return CellMeans(matrix, matrix.means(), matrix.back(drawn))


def cells_table(table: ScoreTable, metrics: list[CellMeans], sampling: Sampling, signature: str) -> pl.DataFrame:
    """Per language and model: every metric's macro mean with its interval, pooled values, and corpus tokens."""

    def rows() -> Iterator[tuple[dict[str, Any], Measure]]:
        for found in metrics:
            present = found.matrix.present.sum(axis=0)
            sizes = table.frame.group_by("language", "text", "model").len()
            rows_of = found.cells.join(sizes, on=["language", "text", "model"], how="left", maintain_order="left")
            info = found.info
            for i, (language, _, model, height) in enumerate(rows_of.iter_rows()):
                n = int(present[i])
                value = float(found.means[i]) if n else None
                interval = quantile_interval(found.drawn[:, i], level=sampling.level) if n > 1 else None
                yield (
                    {"language": language, "model": model},
                    Measure(
                        info.name, value, info.unit, info.direction, n, height - n, interval,
                        None if n else _NO_VALUE, f"{signature}|metric:{info.signature}",
                    ),
                )  # fmt: skip
        for name in (found.info.name for found in metrics if found.info.name in _MICRO):
            yield from _micro(table, name, signature)
        yield from _tokens(table, signature)

    return result_table(rows())


def _micro(table: ScoreTable, name: str, signature: str) -> Iterator[tuple[dict[str, Any], Measure]]:
    count, unit = _MICRO[name]
    if count not in table.frame.columns or "sent_nll" not in table.frame.columns:
        return
    info = table.measures[name]
    both = table.frame.filter(pl.col("sent_nll").is_not_null() & pl.col(count).is_not_null())
    sums = both.group_by("language", "model").agg(pl.col("sent_nll").sum(), pl.col(count).sum(), pl.len().alias("n"))
    for row in sums.sort("language", "model").iter_rows(named=True):
        value = row["sent_nll"] / (row[count] * unit) if row[count] else None
        yield (
            {"language": row["language"], "model": row["model"]},
            Measure(
                f"{name}_micro", value, info.unit, info.direction, row["n"],
                reason=None if row[count] else "nothing to divide by", signature=signature,
            ),
        )  # fmt: skip


def corpus_tokens(table: ScoreTable) -> pl.DataFrame | None:
    """Tokens by language and model: ``ctc``, ``mean`` per text and ``n`` texts; None where nothing counts tokens."""
    columns = table.frame.columns
    skipped = 0 if table.first_token == "scored" else 1
    counts = {"n_tokens": pl.col("n_tokens"), "n_scored": pl.col("n_scored") + skipped}
    known = [count for name, count in counts.items() if name in columns]
    if not known:
        return None
    frame = table.frame
    if "n_scored" in columns:  # 0 with a sum is a text of one token, the first; without, one that has no score
        summed = pl.col("sent_nll").is_not_null() if "sent_nll" in columns else pl.lit(False)
        frame = frame.filter(summed | (pl.col("n_scored") != 0).fill_null(True))
    tokens = pl.coalesce(known)
    return (
        frame.group_by("language", "model")
        .agg(tokens.sum().alias("ctc"), tokens.mean().alias("mean"), tokens.count().alias("n"))
        .filter(pl.col("n") > 0)
        .sort("language", "model")
    )


def _tokens(table: ScoreTable, signature: str) -> Iterator[tuple[dict[str, Any], Measure]]:
    tokens = corpus_tokens(table)
    if tokens is None:
        return
    for language, model, ctc, _, n in tokens.iter_rows():
        yield {"language": language, "model": model}, Measure("ctc", ctc, "tokens", "neutral", n, signature=signature)


def ranked(means: Array, info: MeasureInfo) -> Array:
    """Ranks of the values that are there, 1 = best, NaN elsewhere."""
    there = np.isfinite(means)
    ranks = np.full(means.shape, np.nan)
    ranks[there] = average_ranks(-means[there] if info.direction == "higher" else means[there])
    return ranks


def ranks_table(metrics: list[CellMeans], signature: str) -> pl.DataFrame:
    """The rank of every language and model under every metric; keys ``metric``, ``language``, ``model``."""

    def rows() -> Iterator[tuple[dict[str, Any], Measure]]:
        for found in metrics:
            ranks = ranked(found.means, found.info)
            n = int(np.isfinite(ranks).sum())
            for i, (language, _, model) in enumerate(found.cells.iter_rows()):
                value = float(ranks[i]) if np.isfinite(ranks[i]) else None
                keys = {"metric": found.info.name, "language": language, "model": model}
                reason = None if value is not None else _NO_VALUE
                yield keys, Measure("rank", value, "rank", "lower", n, reason=reason, signature=signature)

    return result_table(rows())
