"""How far metrics are from people, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from equiglot.measures import MeasureInfo
from equiglot.people.divergence_missed import LOWEST

__all__ = ["headline"]

_Row = dict[str, Any]


def headline(
    gaps: pl.DataFrame, rows: pl.DataFrame, missed: pl.DataFrame, infos: Sequence[MeasureInfo], failing: pl.DataFrame
) -> str:
    """What each metric makes of the two systems that people put first, of single rows, and of all failures."""
    said: list[str] = []
    for info in infos:
        own_rows = _measures(rows, info.name)
        sentences = [
            *_gaps(_first_pair(gaps, info.name), info.name, mixes_units="mad" not in own_rows),
            *_turned(gaps, info.name),
            *_row_by_row(own_rows, info.name),
            *_missed(missed, failing, info.name),
        ]
        said += [sentence for sentence in sentences if sentence not in said]
    return " ".join(said) or "Nothing can be compared: no row has both a human score and a metric's."


def _together(table: pl.DataFrame, metric: str) -> pl.DataFrame:
    """The rows of all languages together, or of the only one."""
    if not table.height:
        return table
    own = table.filter(metric=metric)
    whole = own.filter(pl.col("language").is_null())
    return whole if whole.height else own


def _measures(table: pl.DataFrame, metric: str) -> dict[str, _Row]:
    return {row["measure"]: row for row in _together(table, metric).iter_rows(named=True)}


def _first_pair(gaps: pl.DataFrame, metric: str) -> dict[str, _Row]:
    own = _together(gaps, metric)
    if not own.height:
        return {}
    first = own.row(0, named=True)
    return _measures(own.filter(system=first["system"], other_system=first["other_system"]), metric)


def _gaps(pair: dict[str, _Row], metric: str, *, mixes_units: bool) -> Iterator[str]:
    if not pair:
        return
    human, raw, ratio = pair["human_gap"], pair["metric_gap"], pair["gap_ratio"]["value"]
    ours, theirs = pair["human_gap_sd"], pair["metric_gap_sd"]
    chance = "" if human["low"] is None or human["low"] > 0 else ", which may be chance"
    yield f"People put {human['system']} ahead of {human['other_system']} by {_value(human)}{_in_sd(ours)}{chance}."
    if raw["value"] < 0:
        yield f"{metric} puts it behind, by {_value(raw, -1)}{_in_sd(theirs, -1)}."
        return
    yield f"{metric} puts it ahead by {_value(raw)}{_in_sd(theirs)}{_lost(pair)}."
    if ratio is not None and ratio > 0:
        but = ", a ratio that mixes units" if mixes_units else ""
        yield f"People's gap is {_figures(ratio)} times that by {metric}{but}."


def _in_sd(row: _Row, sign: int = 1) -> str:
    return "" if row["value"] is None else f", {_value(row, sign)} in SD of rows"


def _lost(pair: dict[str, _Row]) -> str:
    lost = pair["gap_lost"]
    if lost["low"] is None:
        return ""
    if lost["low"] > 0:
        return ", and so sees less than people do"
    return ", and so sees more than people do" if lost["high"] < 0 else "; the difference may be chance"


def _turned(gaps: pl.DataFrame, metric: str) -> Iterator[str]:
    """Pairs that the metric orders the other way, beyond chance on both sides."""
    own = _together(gaps, metric)
    if not own.height:
        return
    pairs = own.select("system", "other_system").unique().height
    certain = own.filter(
        ((pl.col("measure") == "human_gap") & (pl.col("low") > 0))
        | ((pl.col("measure") == "metric_gap") & (pl.col("high") < 0))
    )
    turned = certain.group_by("system", "other_system").len().filter(len=2).height
    if pairs > 1 and turned:
        yield f"Of {pairs} pairs of systems {metric} puts {turned} the other way round."


def _row_by_row(own: dict[str, _Row], metric: str) -> Iterator[str]:
    if "rho" in own and own["rho"]["value"] is not None:
        yield f"Row by row, {metric} goes with people's scores with rho {_value(own['rho'])}."
    if "mad" in own and own["mad"]["value"] is not None:
        bias = own["bias"]["value"]
        way = "more lenient" if bias > 0 else "stricter"
        yield (
            f"On people's scale {metric} is off by {_value(own['mad'])} on average, and {_figures(abs(bias))} {way}."
        )


def _missed(missed: pl.DataFrame, failing: pl.DataFrame, metric: str) -> Iterator[str]:
    """How many failures score above the median, and how many have no score to say it of."""
    own = missed.filter(metric=metric).drop_nulls("value") if missed.height else None
    said: list[str] = []
    lowest = pl.col("failure") == LOWEST
    for kind, what in ((~lowest, "invalid answers"), (lowest, "answers that people put lowest")):
        rows = failing.select(metric, failure="kind").filter(kind)[metric]
        if gone := rows.null_count():
            verb = "has" if gone == 1 else "have"
            yield f"Of {rows.len():,} {what} {gone:,} {verb} no {metric}."
        if own is not None and (n := int(own.filter(kind)["n"].sum())):
            share = float((own.filter(kind)["value"] * own.filter(kind)["n"]).sum()) / 100
            said.append(f"{share:.0f} of {f'the other {n:,}' if gone else f'{n:,} {what}'}")
    if said:
        yield f"{metric} scores {' and '.join(said)} above its median."


def _value(row: _Row, sign: int = 1) -> str:
    """The value with its interval; turned round where the sign is -1."""
    if row["low"] is None:
        return _figures(sign * row["value"])
    low, high = sorted((sign * row["low"], sign * row["high"]))
    return f"{_figures(sign * row['value'])} [{_figures(low)}, {_figures(high)}]"


def _figures(value: float) -> str:
    """Three figures that matter, and a decimal of larger numbers.

    >>> _figures(1.43), _figures(0.004), _figures(357.5), _figures(-0.0312)
    ('1.43', '0.004', '357.5', '-0.0312')
    """
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.3g}"
