"""How asking a model went: by language, how answers came and what they cost."""

from __future__ import annotations

from typing import Any

import polars as pl

from equiglot.measures import Direction, Measure, result_table
from equiglot.stats import bootstrap_mean
from equiglot.table import Segments

__all__ = ["generation_headline", "generation_table"]

_COUNTS: tuple[tuple[str, pl.Expr, Direction], ...] = (
    ("answers", pl.col("target").is_not_null(), "higher"),
    ("json_unwrapped", pl.col("json") == "unwrapped", "lower"),
    ("json_repaired", pl.col("json") == "repaired", "lower"),
    ("json_failed", pl.col("json") == "failed", "lower"),
    ("blank_answers", pl.col("target").str.strip_chars() == "", "lower"),
    ("cut_answers", pl.col("finish_reason") == "length", "lower"),
)


def generation_table(segments: Segments, *, seed: int = 0, resamples: int = 1000) -> pl.DataFrame:
    """Counts of how answers came, and the mean of their tokens, by language, script, condition and system.

    Args:
        segments: what :func:`~equiglot.generate.generate` returned.
        seed, resamples: of the bootstrap over rows behind the mean's 95% interval.

    Returns:
        A result table. ``answers``: prompts that the endpoint answered; ``json_*``: of these, how many were read in
        another way than as one sound object; ``blank_answers``: without a ``romanized_response``; ``cut_answers``: at
        the limit of tokens; all in rows, of n prompts. ``output_tokens``: mean of the answers whose tokens the endpoint
        counted.
    """
    info = segments.info("output_tokens")
    keys = ["language", "script", "condition", "system"]
    rows: list[tuple[dict[str, Any], Measure]] = []
    for group, part in segments.frame.group_by(keys, maintain_order=True):
        where = dict(zip(keys, group, strict=True))
        for name, which, direction in _COUNTS:
            count = part.filter(which).height
            rows.append((where, Measure(name, count, unit="rows", direction=direction, n=part.height)))
        values = part[info.name].drop_nulls()
        mean = bootstrap_mean(values.to_numpy(), seed=seed, resamples=resamples)
        tokens = Measure(
            info.name,
            mean.value,
            unit=info.unit,
            direction=info.direction,
            n=len(values),
            n_failed=part.height - len(values),
            interval=mean.interval,
            reason=None if len(values) else "the endpoint counted no tokens",
            signature=info.signature,
        )
        rows.append((where, tokens))
    return result_table(rows)


def generation_headline(segments: Segments) -> str:
    """How it went, in a sentence or two."""
    frame = segments.frame
    counts = {name: frame.filter(which).height for name, which, _ in _COUNTS}
    systems = ", ".join(frame["system"].unique(maintain_order=True))
    languages = frame["language"].n_unique()
    said = f"{systems} answered {counts['answers']:,} of {frame.height:,} prompts"
    said += f" in {languages} {'languages' if languages > 1 else 'language'}."
    odd = [
        f"{counts[name]:,} {what}"
        for name, what in (
            ("json_unwrapped", "wrapped in other text"),
            ("json_repaired", "with broken JSON that was repaired"),
            ("json_failed", "without the JSON that was asked for"),
            ("cut_answers", "cut at the limit of tokens"),
        )
        if counts[name]
    ]
    if odd:
        said += f" Of the answers: {', '.join(odd)}."
    if counts["blank_answers"]:
        said += f" {counts['blank_answers']:,} {'is' if counts['blank_answers'] == 1 else 'are'} left blank."
    return said
