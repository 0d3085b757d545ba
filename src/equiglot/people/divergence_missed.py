"""Which failures a metric misses: rows that are no answer, or that people put lowest, and that it scores above its
median.

Failures are the rows that the failure-aware policy calls invalid (:mod:`equiglot.validity`), by their first failure,
and those among the tenth of rated rows that people score lowest, ties in, as far as they lie below people's median.
Medians and tenths are those of the row's own language, script and condition, since scores of different ones may not be
comparable.

    missed = failures that the metric scores above its median / failures that have a score, per cent

A metric that sees nothing of them would miss half; one that sees all, none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from equiglot.measures import Measure, MeasureInfo
from equiglot.stats import percent

__all__ = ["CELL_KEYS", "LOWEST", "failing_rows", "missed_rows", "missed_shares"]

CELL_KEYS = ("language", "script", "condition")
"""Within which scores are held against a median."""

LOWEST = "lowest for people"
"""What rows are called that people score lowest."""

_TENTH = 0.1
_MEDIAN = "_median"


def failing_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """The table's failures: its rows with ``kind``; one that fails in two ways is there twice.

    Args:
        frame: with ``human``, and ``valid`` where rows were judged, and ``failure`` where their kinds are known.
    """
    parts: list[pl.DataFrame] = []
    if "valid" in frame.columns:
        kind = pl.col("failure").cast(pl.String) if "failure" in frame.columns else pl.lit(None, pl.String)
        parts.append(frame.filter(~pl.col("valid")).with_columns(kind=kind.fill_null("invalid")))
    place = (pl.col("human").rank("min") - 1) / pl.col("human").count()
    low = (place < _TENTH) & (pl.col("human") < pl.col("human").median())
    parts.append(frame.filter(low.over(CELL_KEYS).fill_null(False)).with_columns(kind=pl.lit(LOWEST)))
    return pl.concat(parts)


def missed_rows(frame: pl.DataFrame, failing: pl.DataFrame, infos: Sequence[MeasureInfo]) -> pl.DataFrame:
    """Failures that have a score, one row per failure and metric, the most praised first.

    Columns: metric, kind, id, language, script, condition, system, human, score, median, missed, and target where the
    table has texts.
    """
    text = ["target"] if "target" in frame.columns else []
    parts: list[pl.DataFrame] = []
    for info in infos:
        medians = frame.group_by(CELL_KEYS).agg(pl.col(info.name).median().alias(_MEDIAN))
        own = failing.drop_nulls(info.name).join(medians, on=CELL_KEYS, how="left")
        sign = -1 if info.direction == "lower" else 1
        above = (pl.col(info.name) - pl.col(_MEDIAN)) * sign
        parts.append(
            own.sort(above, descending=True, maintain_order=True).select(
                pl.lit(info.name).alias("metric"), "kind", "id", *CELL_KEYS, "system", "human",
                pl.col(info.name).alias("score"), pl.col(_MEDIAN).alias("median"), (above > 0).alias("missed"), *text,
            )
        )  # fmt: skip
    return pl.concat(parts)


def missed_shares(scored: pl.DataFrame, signatures: dict[str, str]) -> Iterator[tuple[dict[str, str], Measure]]:
    """The share missed by metric and kind: keys ``metric`` and ``failure``."""
    for (metric, kind), part in scored.group_by("metric", "kind", maintain_order=True):
        share = percent(int(part["missed"].sum()), part.height)
        keys = {"metric": str(metric), "failure": str(kind)}
        made = signatures[str(metric)]
        yield (
            keys,
            Measure(
                "missed",
                share.value,
                "%",
                "lower",
                part.height,
                interval=share.interval,
                reason=share.reason,
                signature=made,
            ),
        )
