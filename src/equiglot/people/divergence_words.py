"""How far metrics are from people, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from equiglot.measures import MeasureInfo
from equiglot.people.divergence_missed import LOWEST

__all__ = ["headline"]

_Row = dict[str, Any]
_MIXES = "that ratio mixes units"


def headline(gaps: pl.DataFrame, rows: pl.DataFrame, missed: pl.DataFrame, infos: Sequence[MeasureInfo]) -> str:
    """What each metric makes of the two systems that people put first, of single rows, and of failures."""
    said = [sentence for info in infos for sentence in _of_metric(gaps, rows, missed, info.name)]
    return " ".join(said) or "Nothing can be compared: no row has both a human score and a metric's."


def _of_metric(gaps: pl.DataFrame, rows: pl.DataFrame, missed: pl.DataFrame, metric: str) -> list[str]:
    said = [
        _gap(_first_pair(gaps, metric), metric),
        _reversed(gaps, metric),
        _rho(rows, metric),
        _judge(rows, metric),
        _missed(missed, metric),
    ]
    return [sentence for sentence in said if sentence]


def _together(table: pl.DataFrame, metric: str) -> pl.DataFrame:
    """The rows of all languages together, or of the only one."""
    if not table.height:
        return table
    own = table.filter(metric=metric)
    whole = own.filter(pl.col("language").is_null())
    return whole if whole.height else own


def _first_pair(gaps: pl.DataFrame, metric: str) -> dict[str, _Row]:
    own = _together(gaps, metric)
    if not own.height:
        return {}
    first = own.row(0, named=True)
    pair = own.filter(system=first["system"], other_system=first["other_system"])
    return {row["measure"]: row for row in pair.iter_rows(named=True)}


def _gap(pair: dict[str, _Row], metric: str) -> str | None:
    if not pair:
        return None
    human, raw = pair["human_gap"], pair["metric_gap"]
    what = (
        f"People put {human['system']} ahead of {human['other_system']} by {_value(human)}; {metric} by {_value(raw)}."
    )
    ratio = pair["gap_ratio"]["value"]
    times = (
        f" The first is {_figures(ratio)} times the second, but {_MIXES}." if ratio is not None and ratio > 0 else ""
    )
    ours, theirs = pair["human_gap_sd"], pair["metric_gap_sd"]
    if ours["value"] is None or theirs["value"] is None:
        return what + times
    both = f"{_value(ours)} for people, {_value(theirs)} by {metric}{_lost(pair)}"
    return f"{what}{times} In standard deviations of rows: {both}."


def _lost(pair: dict[str, _Row]) -> str:
    lost = pair["gap_lost"]
    if lost["low"] is None:
        return ""
    if lost["low"] > 0:
        return ", which sees less"
    return ", which sees more" if lost["high"] < 0 else "; the difference may be chance"


def _reversed(gaps: pl.DataFrame, metric: str) -> str | None:
    """Pairs that the metric orders the other way, beyond chance on both sides."""
    own = _together(gaps, metric)
    if not own.height:
        return None
    pairs = own.select("system", "other_system").unique().height
    certain = own.filter(
        ((pl.col("measure") == "human_gap") & (pl.col("low") > 0))
        | ((pl.col("measure") == "metric_gap") & (pl.col("high") < 0))
    )
    turned = certain.group_by("system", "other_system").len().filter(len=2).height
    if pairs < 2 or not turned:
        return None
    return f"Of {pairs} pairs of systems it puts {turned} the other way round."


def _rho(rows: pl.DataFrame, metric: str) -> str | None:
    own = _together(rows, metric).filter(measure="rho") if rows.height else rows
    if not own.height or own["value"][0] is None:
        return None
    return f"Row by row, {metric} goes with people's scores with rho {_value(own.row(0, named=True))}."


def _judge(rows: pl.DataFrame, metric: str) -> str | None:
    own = {row["measure"]: row for row in _together(rows, metric).iter_rows(named=True)} if rows.height else {}
    if "mad" not in own or own["mad"]["value"] is None:
        return None
    bias = own["bias"]["value"]
    way = "more lenient" if bias > 0 else "stricter"
    return f"On people's scale it is off by {_value(own['mad'])} on average, and {_figures(abs(bias))} {way}."


def _missed(missed: pl.DataFrame, metric: str) -> str | None:
    if not missed.height:
        return None
    own = missed.filter(metric=metric).drop_nulls("value")
    said: list[str] = []
    invalid = own.filter(pl.col("failure") != LOWEST)
    for part, what in ((invalid, "invalid answers"), (own.filter(failure=LOWEST), "answers that people put lowest")):
        n = int(part["n"].sum())
        if n:
            share = float((part["value"] * part["n"]).sum()) / 100
            said.append(f"{share:.0f} of {n:,} {what}")
    return f"{metric} scores {' and '.join(said)} above its median." if said else None


def _value(row: _Row) -> str:
    if row["low"] is None:
        return _figures(row["value"])
    return f"{_figures(row['value'])} [{_figures(row['low'])}, {_figures(row['high'])}]"


def _figures(value: float) -> str:
    """Three figures that matter, and never fewer digits than the whole number has.

    >>> _figures(1.43), _figures(0.004), _figures(357.5), _figures(-0.0312)
    ('1.43', '0.004', '357.5', '-0.0312')
    """
    if abs(value) >= 100:
        return f"{value:.1f}"
    return f"{value:.3g}" if abs(value) >= 1e-4 else f"{value:.1g}"
