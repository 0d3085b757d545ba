"""Does the shift under romanisation go with how bad the translation is (paper 1, table 3)?

The mean of romanised minus native score per level of a severity column, and, where the levels have a known order,
Spearman's rho of level and shift. Paper 1's severity is that of the first error slot; levels that say "no error" bear
no rank and are left out of rho, as there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from equiglot.audit._measures import measured
from equiglot.audit._rows import PAIR, Rows
from equiglot.audit._sampling import Sampling
from equiglot.audit._words import counted, listed
from equiglot.measures import Measure, MeasureInfo, result_table

__all__ = ["severity_table"]

_SCALES = (("verylow", "low", "medium", "high", "veryhigh"), ("neutral", "minor", "major", "critical"))
"""Scales whose order is known: paper 1's and MQM's."""

_NO_ERROR = {"default", "none", "noerror", ""}


def severity_table(rows: Rows, info: MeasureInfo, sampling: Sampling, signature: str) -> tuple[pl.DataFrame, list[str]]:
    """Mean shift per language and level, rho of level and shift per language; and what the reader must be told."""
    named = rows.pairs.drop_nulls("severity")
    ranks, notes = _ranks(named["severity"])
    if unnamed := rows.pairs.height - named.height:
        notes.append(f"{counted(unnamed, 'pair')} without a severity are left out of its table.")
    pairs = named.with_columns(
        (pl.col("romanized") - pl.col("native")).alias("delta"), pl.col("severity").cast(pl.String).alias("level")
    ).with_columns(pl.col("level").replace_strict(ranks, default=None, return_dtype=pl.Float64).alias("rank"))

    def entries() -> Iterator[tuple[dict[str, Any], Measure]]:
        for (language, script), group in pairs.group_by(["language", "script"], maintain_order=True):
            keys = {"language": language, "script": script, "condition": PAIR}
            # Levels without a rank first: "no error" before the errors.
            ordered = group.sort("rank", "level", nulls_last=False)
            for (name,), part in ordered.group_by(["level"], maintain_order=True):
                mean = sampling.mean(part["delta"].drop_nulls())
                yield (
                    {**keys, "severity": name},
                    measured(
                        "delta",
                        mean,
                        unit=info.unit,
                        direction="neutral",
                        n_failed=part.height - mean.n,
                        signature=signature,
                    ),
                )
            if ranks:
                ranked = group.drop_nulls("rank")
                both = ranked.drop_nulls("delta")
                yield (
                    {**keys, "severity": None},
                    measured(
                        "rho_severity_delta",
                        sampling.rho(both["rank"], both["delta"]),
                        unit="rho",
                        direction="neutral",
                        n_failed=ranked.height - both.height,
                        signature=signature,
                    ),
                )

    return result_table(entries()), notes


def _ranks(levels: pl.Series) -> tuple[dict[str, int], list[str]]:
    """The rank of each level that has one, by its name as text."""
    if levels.dtype.is_numeric():
        return {name: i for i, name in enumerate(levels.unique().sort().cast(pl.String))}, []
    if isinstance(levels.dtype, pl.Enum):
        return {name: i for i, name in enumerate(levels.dtype.categories)}, []
    names = sorted(set(levels.cast(pl.String)))
    bare = {name: re.sub(r"[\W_]", "", name.casefold()) for name in names}
    for scale in _SCALES:
        if set(bare.values()) <= {*scale, *_NO_ERROR}:
            return {name: scale.index(b) for name, b in bare.items() if b in scale}, []
    return {}, [f"No order is known for the severities {listed(names)}, so they stand by name, without a rho."]
