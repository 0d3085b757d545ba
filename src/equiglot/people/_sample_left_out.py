"""Rows that no sample could hold, by reason and system: without a text, a text twice, or in no stratum."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from equiglot.table import KEY

__all__ = ["left_out_note"]

_SHOWN = 3


def left_out_note(
    whole: pl.DataFrame, unique: pl.DataFrame, candidates: Collection[int], metrics: Sequence[str]
) -> list[str]:
    """One note; none where every row could be chosen.

    Args:
        whole: all rows.
        unique: those that have a text, each text once.
        candidates: places in ``unique`` of the rows that are in a stratum.
        metrics: the scores that strata read; a row without one may be in no stratum for that.
    """
    kept = unique.select(KEY).with_columns(_kept=True, _met=pl.Series(range(unique.height)).is_in(list(candidates)))
    rows = whole.join(kept, on=KEY, how="left", nulls_equal=True)
    why = pl.when(pl.col("target").is_null()).then(pl.lit("no text"))
    why = why.when(pl.col("_kept").is_null()).then(pl.lit("the same text as another row"))
    why = why.when("_met").then(None)
    for metric in metrics:
        why = why.when(pl.col(metric).is_null()).then(pl.lit(f"in no stratum, and no {metric}"))
    out = rows.select("system", why=why.otherwise(pl.lit("in no stratum"))).drop_nulls("why")
    if not out.height:
        return []
    said = [
        f"{reason} ({_by_system(part)})"
        for (reason,), part in sorted(out.partition_by("why", as_dict=True).items(), key=lambda item: str(item[0][0]))
    ]
    return [f"{out.height:,} of {whole.height:,} rows could not be chosen: {'; '.join(said)}"]


def _by_system(rows: pl.DataFrame) -> str:
    systems = rows.group_by("system").len().sort(-pl.col("len").cast(pl.Int64), "system").rows()
    shown = ", ".join(f"{n:,} of {system}" for system, n in systems[:_SHOWN])
    more = len(systems) - _SHOWN
    return shown + (f" and of {more} more system{'' if more == 1 else 's'}" if more > 0 else "")
