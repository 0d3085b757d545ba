"""Information parity of every cell, and the romanisation tax of every pair of cells.

By language, script and condition, over the n segments that have the value (the others are counted in ``n_failed``):

    ip               mean of ip_i
    ipi              |mean IP - 1|
    sbi              mean of tp_i / ip_i
    sbi_flagged_pct  100 x share of segments with sbi_i >= 3.0

and for a native cell whose segments are there romanised too, over the segments complete in both conditions:

    lp, ep, tax, ep_pct    equiglot.likelihood.tax, of the means

Means are macro means: every segment counts the same. Intervals are percentile bootstrap over segments; those of ip
and ipi come from the same resamples, and a pair's resamples take both conditions of a segment together. IPI's interval
is of an absolute value: where mean IP is near 1 it is pushed away from 0.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from functools import partial

import numpy as np
import polars as pl

from equiglot.likelihood._measuring import Measuring, Row, commonest_reason
from equiglot.likelihood.tax import romanization_tax
from equiglot.measures import Direction, Measure, MeasureInfo, result_table
from equiglot.table import CELL, Segments

__all__ = ["information_profile"]

_GROUP = (*CELL, "condition")
_SAME_SEGMENT = ("id", "language", "system")
_UNITS: Mapping[str, tuple[str, Direction]] = {
    "ip": ("ratio", "neutral"),
    "ipi": ("ratio", "lower"),
    "sbi": ("ratio", "lower"),
    "sbi_flagged_pct": ("%", "lower"),
    "lp": ("ratio", "neutral"),
    "ep": ("ratio", "neutral"),
    "tax": ("ratio", "neutral"),
    "ep_pct": ("%", "neutral"),
}
_PAIR = ("lp", "ep", "tax", "ep_pct")
_NO_TP = "no token parity (tp) in the table"
_NO_SBI = "no script burden index (sbi) in the table"


def information_profile(
    segments: Segments,
    *,
    seed: int = 0,
    resamples: int = 1000,
    level: float = 0.95,
    sbi_threshold: float = 3.0,
) -> pl.DataFrame:
    """IP, IPI and SBI of each cell, and LP, EP, Tax and EP% of each native cell that is there romanised too.

    Args:
        segments: with the measure ``ip`` (from :func:`~equiglot.likelihood.add_information`); ``tp`` and ``sbi`` where
            those are wanted.
        seed: of the resampling.
        resamples: how many.
        level: of the intervals.
        sbi_threshold: a segment is flagged from this SBI on.

    Returns:
        A result table with the keys ``language``, ``script``, ``condition``; pairs have the script of the native rows
        and the condition ``romanized/native``. What can't be had is null with a reason.

    >>> from equiglot.measures import MeasureInfo
    >>> frame = pl.DataFrame({"id": ["1", "2"], "language": ["hi"] * 2, "script": ["Deva"] * 2,
    ...                       "condition": ["native"] * 2, "system": ["a"] * 2, "ip": [0.5, 0.3]})
    >>> table = information_profile(Segments(frame, {"ip": MeasureInfo("ip", "ratio", "neutral", "metric:ip")}))
    >>> dict(table.select("measure", "value").rows())["ipi"]
    0.6

    Raises:
        InputError: the table has no measure ``ip``.
    """
    segments.info("ip")
    measures = segments.measures
    measuring = Measuring(partial(_info, measures, sbi_threshold), seed, resamples, level)
    rows: list[Row] = []
    for cell in segments.frame.partition_by(_GROUP, maintain_order=True):
        where: dict[str, str | None] = {key: cell[key][0] for key in _GROUP}
        rows += [(where, measure) for measure in _parity(cell, measuring)]
        rows += [(where, measure) for measure in _burden(cell, measures, measuring, sbi_threshold)]
    return result_table([*rows, *_pairs(segments.frame, measures, measuring)])


def _info(measures: Mapping[str, MeasureInfo], sbi_threshold: float, name: str) -> MeasureInfo:
    """What a measure is; its signature is that of the column it is made of, under its own name."""
    base = {"ip": "ip", "ipi": "ip", "ep": "ip", "lp": "tp"}.get(name, "sbi")
    made_of = (measures.get(base) or measures["ip"]).signature.partition("|")[2]
    extra = f"|threshold:{sbi_threshold:g}" if name == "sbi_flagged_pct" else ""
    return MeasureInfo(name, *_UNITS[name], f"metric:{name}{extra}|{made_of}")


def _parity(cell: pl.DataFrame, measuring: Measuring) -> Iterator[Measure]:
    values = cell["ip"].drop_nulls().to_numpy()
    n, failed = len(values), cell.height - len(values)
    if not n:
        why = f"no segment has an IP ({commonest_reason(cell, 'ip')})"
        yield from (measuring.unknown(name, failed=failed, reason=why) for name in ("ip", "ipi"))
        return
    (mean,), drawn = measuring.means(values[:, None])
    yield measuring.known("ip", mean, n, failed=failed, drawn=drawn[:, 0])
    yield measuring.known("ipi", abs(mean - 1), n, failed=failed, drawn=np.abs(drawn[:, 0] - 1))


def _burden(cell: pl.DataFrame, measures: Container[str], measuring: Measuring, threshold: float) -> Iterator[Measure]:
    names = ("sbi", "sbi_flagged_pct")
    values = cell["sbi"].drop_nulls().to_numpy() if "sbi" in measures else np.zeros(0)
    n, failed = len(values), cell.height - len(values)
    if not n:
        why = f"no segment has an SBI ({commonest_reason(cell, 'sbi')})" if "sbi" in measures else _NO_SBI
        why = _NO_TP if "tp" not in measures else why
        yield from (measuring.unknown(name, failed=failed, reason=why) for name in names)
        return
    rows = np.stack([values, np.where(values >= threshold, 100.0, 0.0)], axis=1)
    means, drawn = measuring.means(rows)
    for i, name in enumerate(names):
        yield measuring.known(name, means[i], n, failed=failed, drawn=drawn[:, i])


def _pairs(frame: pl.DataFrame, measures: Container[str], measuring: Measuring) -> Iterator[Row]:
    romanized = frame.filter(pl.col("condition") == "romanized")
    for native in frame.filter(pl.col("condition") == "native").partition_by(CELL, maintain_order=True):
        counterpart = romanized.join(native, on="language", how="semi")
        if counterpart.is_empty():
            continue
        where: dict[str, str | None] = {key: native[key][0] for key in CELL} | {"condition": "romanized/native"}
        # A segment that is there twice in a condition can't be paired, and counts as failed.
        once = [side.filter(pl.struct(_SAME_SEGMENT).is_unique()) for side in (native, counterpart)]
        both = once[0].join(once[1], on=_SAME_SEGMENT, how="inner", suffix="_romanized", nulls_equal=True)
        yield from ((where, measure) for measure in _tax(both, native.height, "tp" in measures, measuring))


def _tax(both: pl.DataFrame, of: int, has_tp: bool, measuring: Measuring) -> Iterator[Measure]:
    """The four measures of a pair of cells, of the ``of`` native segments those that are complete."""
    columns = ["tp", "tp_romanized", "ip", "ip_romanized"]
    if not has_tp:
        both = both.with_columns(tp=pl.lit(1.0), tp_romanized=pl.lit(1.0))
    values = both.select(pl.col(columns).cast(pl.Float64)).drop_nulls().to_numpy()
    n, failed = len(values), of - len(values)
    if not n:
        why = "no segment has its values in both conditions"
        yield from (measuring.unknown(name, failed=failed, reason=why) for name in _PAIR)
        return
    means, drawn = measuring.means(values)
    if min(means) <= 0:
        why = "a mean is 0, so there is no ratio of means"
        yield from (measuring.unknown(name, failed=failed, reason=why, n=n) for name in _PAIR)
        return
    tax = romanization_tax(*means)
    resampled = [romanization_tax(*row) for row in drawn.tolist()] if drawn.min() > 0 else []
    for name in _PAIR:
        value = getattr(tax, name)
        if not has_tp and name != "ep":
            yield measuring.unknown(name, failed=of, reason=_NO_TP)
        elif value is None:
            yield measuring.unknown(name, failed=failed, n=n, reason="the tax is 1, so it has no parts")
        else:
            draws = np.array([getattr(row, name) for row in resampled], dtype=np.float64)
            yield measuring.known(name, value, n, failed=failed, drawn=draws)
