"""What else a ranking should be read with: does a metric reward copying, do metrics agree, what do failures cost.

==================== ==================================================================================================
copying              Spearman of a metric with the word overlap of source and target, over valid and invalid rows alike:
                     high means that the metric rewards what is carried over from the source
disagreement         share of rows on which two metrics, both brought to 0-1, differ by more than 0.15 (paper 3, 4.3)
usage                mean tokens of an answer, and the same without degenerate ones (paper 3, table 4)
categories           a metric's failure-aware mean by category of prompt
==================== ==================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl

from equiglot.measures import Measure, MeasureInfo, result_table
from equiglot.stats import bootstrap_mean, bootstrap_spearman, percent
from equiglot.table import Segments
from equiglot.validity import Validation, failure_summary, word_overlap

__all__ = ["APART", "categories", "copying", "disagreement", "failures", "first_failures", "usage"]

APART = 0.15
"""Two metrics on a scale of 0 to 1 disagree when they are further apart than this (paper 3)."""

NO_CATEGORY = "(none)"
"""The category of rows that have none."""

_HUNDRED = ("points", "0-100", "%")


def copying(segments: Segments, metrics: Sequence[MeasureInfo], *, seed: int, resamples: int) -> pl.DataFrame:
    """Spearman of each metric with the word overlap, by language; empty where there is no source."""
    if "source" not in segments.frame.columns:
        return result_table([])
    pairs = segments.frame.select("source", "target").fill_null("").iter_rows()
    frame = segments.frame.with_columns(pl.Series("_overlap", [word_overlap(s, t) for s, t in pairs], pl.Float64))

    def row(keys: tuple[object, ...], part: pl.DataFrame, info: MeasureInfo) -> Measure:
        had = part.select(info.name, "_overlap").drop_nulls()
        found = bootstrap_spearman(
            had[info.name].to_numpy(), had["_overlap"].to_numpy(), seed=seed, resamples=resamples
        )
        return Measure("copying", found.value, "rho", "neutral", found.n, n_failed=part.height - had.height,
                       interval=found.interval, reason=found.reason, signature=info.signature)  # fmt: skip

    return result_table(
        ({"metric": info.name, "language": keys[0], "script": keys[1], "condition": keys[2]}, row(keys, part, info))
        for info in metrics
        for keys, part in _groups(frame, "language", "script", "condition")
    )


def disagreement(segments: Segments, metrics: Sequence[MeasureInfo]) -> pl.DataFrame:
    """The share of rows on which two metrics are more than :data:`APART` apart; null where one is not on 0 to 1."""
    rows: list[tuple[dict[str, str], Measure]] = []
    for first, second in combinations(metrics, 2):
        had = segments.frame.select(first.name, second.name).drop_nulls()
        ones = [_to_one(had[info.name], info) for info in (first, second)]
        left_out = segments.frame.height - had.height
        if ones[0] is None or ones[1] is None:
            odd = first if ones[0] is None else second
            measure = Measure("disagreement", None, "%", "neutral", had.height, left_out,
                              reason=f"{odd.name} is not on a scale of 0 to 1 or 0 to 100")  # fmt: skip
        else:
            apart = int(((ones[0] - ones[1]).abs() > APART + 1e-12).sum())
            measure = _percent("disagreement", apart, had.height, left_out)
        rows.append(({"metric": first.name, "other_metric": second.name}, measure))
    return result_table(rows)


def _to_one(values: pl.Series, info: MeasureInfo) -> pl.Series | None:
    """The scores on a scale of 0 to 1; None where that isn't theirs."""
    if info.direction != "higher" or not len(values):
        return None
    low, high = float(values.min()), float(values.max())  # type: ignore[arg-type]
    hundred = any(word in info.unit for word in _HUNDRED) or high > 1.5
    top = 100.0 if hundred else 1.0
    return values / top if low >= -top and high <= top * (1 + 1e-9) else None


def usage(segments: Segments, *, seed: int, resamples: int) -> pl.DataFrame:
    """Tokens per answer by system, over all answers and without degenerate ones; empty without ``output_tokens``."""
    if "output_tokens" not in segments.frame.columns:
        return result_table([])
    rows: list[tuple[dict[str, object], Measure]] = []
    looped = pl.col("failures").list.contains("degenerate") if "failures" in segments.frame.columns else pl.lit(False)
    frame = segments.frame.with_columns(_counts(segments, "output_tokens"), looped.fill_null(False).alias("_loop"))
    for keys, part in _groups(frame, "system"):
        counted = part.drop_nulls("output_tokens")
        for name, chosen in (("tokens", counted), ("tokens_sound", counted.filter(~pl.col("_loop")))):
            tokens = chosen["output_tokens"].sort().to_numpy()
            mean = bootstrap_mean(tokens, seed=seed, resamples=resamples)
            measure = Measure(name, mean.value, "tokens", "neutral", mean.n, part.height - counted.height,
                              interval=mean.interval, reason=mean.reason)  # fmt: skip
            rows.append(({"system": keys[0]}, measure))
        rows.append(({"system": keys[0]}, _percent("degenerate", int(part["_loop"].sum()), part.height, 0)))
    return result_table(rows)


def _counts(segments: Segments, column: str) -> pl.Series:
    """A column of numbers, which may be text."""
    given = segments.frame[column]
    if not (given.dtype.is_numeric() or isinstance(given.dtype, pl.String | pl.Null)):
        raise segments.error("this column is not of numbers", fix="mend it, or leave it out", column=column)
    if given.dtype == pl.String:
        given = given.str.strip_chars().replace("", None)
    numbers = given.cast(pl.Float64, strict=False)
    if len(wrong := (given.is_not_null() & ~numbers.is_finite().fill_null(False)).arg_true()):
        row = int(wrong[0])
        fix = "leave the cell empty where the count is not known"
        raise segments.error(f"'{given[row]}' is not a number", fix=fix, row=row + 1, column=column)
    return numbers


def categories(
    segments: Segments, metrics: Iterable[MeasureInfo], worst: dict[str, float], *, seed: int, resamples: int
) -> pl.DataFrame:
    """Failure-aware means by category and system; empty without a column ``category``."""
    if "category" not in segments.frame.columns:
        return result_table([])
    dtype = segments.frame["category"].dtype
    if dtype.is_nested() or isinstance(dtype, pl.Binary | pl.Object):
        fix = "give each row one category, or leave the column out"
        raise segments.error("this is not a column of texts", fix=fix, column="category")
    named = segments.frame.with_columns(pl.col("category").cast(pl.String).fill_null(NO_CATEGORY))
    rows: list[tuple[dict[str, object], Measure]] = []
    for info in metrics:
        score = pl.when("valid").then(pl.col(info.name).cast(pl.Float64)).otherwise(worst[info.name]).alias("_score")
        for keys, part in _groups(named.with_columns(score), "category", "system"):
            had = part["_score"].drop_nulls().to_numpy()
            mean = bootstrap_mean(np.sort(had), seed=seed, resamples=resamples)
            measure = Measure("mean_aware", mean.value, info.unit, info.direction, mean.n, part.height - mean.n,
                              interval=mean.interval, reason=mean.reason, signature=info.signature)  # fmt: skip
            rows.append(({"metric": info.name, "category": keys[0], "system": keys[1]}, measure))
    return result_table(rows)


def failures(segments: Segments) -> pl.DataFrame:
    """Shares of invalid rows and of each kind by language and system; of a brought ``valid`` the share alone."""
    if {"failure", "failure_details"} <= set(segments.frame.columns):
        return failure_summary(segments)
    made = segments.measures["valid"].signature
    groups = _groups(segments.frame, "language", "script", "condition", "system")
    return result_table(
        (
            dict(zip(("language", "script", "condition", "system"), keys, strict=True)),
            replace(
                _percent("invalid", int((~part["valid"]).sum()), part.height, 0), direction="lower", signature=made
            ),
        )
        for keys, part in groups
    )


def _groups(frame: pl.DataFrame, *keys: str) -> list[tuple[tuple[object, ...], pl.DataFrame]]:
    """The groups of rows by name, so that nothing depends on the order of rows."""
    return sorted(frame.partition_by(*keys, as_dict=True).items(), key=lambda group: tuple(map(str, group[0])))


def first_failures(segments: Segments) -> pl.DataFrame:
    """Invalid rows by their first failure, so that each counts once; empty of a brought ``valid``."""
    if "failure_details" not in segments.frame.columns:
        return pl.DataFrame()
    return Validation.of(segments).failures


def _percent(name: str, rows: int, n: int, failed: int) -> Measure:
    share = percent(rows, n)
    return Measure(name, share.value, "%", "neutral", n, failed, interval=share.interval, reason=share.reason)
