"""Every cell's own scores, and the share of its segments that carry too much burden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from equiglot.audit._measures import measured
from equiglot.audit._sampling import Sampling
from equiglot.measures import Measure, MeasureInfo, result_table
from equiglot.stats import Estimate, proportion

__all__ = ["burden_table", "cell_table"]

_PLACE = ["language", "script", "condition"]
_QUANTILES = {"p5": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "p95": 0.95}


def cell_table(frame: pl.DataFrame, info: MeasureInfo, sampling: Sampling, signature: str) -> pl.DataFrame:
    """Mean (with a bootstrap interval), median, quartiles and the 5th and 95th percentile of each cell.

    Where people's scores are there, ``human_mean`` too, over all rows that have one.
    """

    def rows() -> Iterator[tuple[dict[str, Any], Measure]]:
        for keys, group in _groups(frame):
            scores = group["score"].drop_nulls()
            n, reason = len(scores), None if len(scores) else "no row has a score"
            found = {"mean": sampling.mean(scores)} | {
                name: Estimate(scores.quantile(q, "linear"), None, n, reason) for name, q in _QUANTILES.items()
            }
            for name, estimate in found.items():
                yield (
                    keys,
                    measured(
                        name,
                        estimate,
                        unit=info.unit,
                        direction=info.direction,
                        n_failed=group.height - n,
                        signature=signature,
                    ),
                )
            if "human" in group.columns:
                people = group["human"].drop_nulls()
                mean = sampling.mean(people) if len(people) else Estimate(None, None, 0, "no row has a person's score")
                yield (
                    keys,
                    measured(
                        "human_mean",
                        mean,
                        unit="score",
                        direction="higher",
                        n_failed=group.height - mean.n,
                        signature=signature,
                    ),
                )

    return result_table(rows())


def burden_table(frame: pl.DataFrame, flag: float, sampling: Sampling, signature: str) -> pl.DataFrame:
    """Per cent of segments with SBI at or above the flag, per cell (paper 1, table 8), with Wilson's interval."""

    def rows() -> Iterator[tuple[dict[str, Any], Measure]]:
        for keys, group in _groups(frame):
            values = group["sbi"].drop_nulls()
            flagged = proportion(int((values >= flag).sum()), len(values), level=sampling.level)
            failed = group.height - len(values)
            yield (
                keys,
                measured(
                    "sbi_flagged_pct",
                    flagged,
                    unit="%",
                    direction="lower",
                    n_failed=failed,
                    signature=f"{signature}|flag:{flag:g}",
                    scale=100,
                ),
            )

    return result_table(rows())


def _groups(frame: pl.DataFrame) -> Iterator[tuple[dict[str, Any], pl.DataFrame]]:
    for keys, group in frame.group_by(_PLACE, maintain_order=True):
        yield dict(zip(_PLACE, keys, strict=True)), group
