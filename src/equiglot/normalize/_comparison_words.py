"""What a comparison of corrections says, in words."""

from __future__ import annotations

from typing import Any

import polars as pl

from equiglot.measures import MeasureInfo

__all__ = ["headline"]

_CALLED = {
    "shift": "a shift of means",
    "affine": "an affine map",
    "isotonic": "isotonic regression",
    "qn": "quantile normalisation",
}
_ONTO = {"native-own": "onto each language's own native scores", "native-pooled": "onto the pooled native scores"}


def headline(info: MeasureInfo, table: pl.DataFrame, languages: pl.DataFrame) -> str:
    """Who closes the gap, what happens to agreement, and the fault that is left."""
    raw = _row(table, "identity", None)
    mapped = table.filter(pl.col("correction").is_in(list(_CALLED)))
    said = [f"Romanised, {info.name} shifts by {_words(raw['abs_delta'], info.unit)} in the mean of the languages."]
    gaps = mapped.filter(measure="abs_delta").drop_nulls("value").sort("value")
    if gaps.height:
        said.append(
            f"On rows they were not fitted on, the corrections leave {_number(gaps['value'][0])} to "
            f"{_number(gaps['value'][-1])} of it."
        )
    turn = -1.0 if info.direction == "lower" else 1.0
    best = mapped.filter(measure="rho_pooled").drop_nulls("value").sort(pl.col("value") * turn)
    if best.height and raw["rho_pooled"]["value"] is not None:
        top = best.row(-1, named=True)
        said.append(
            f"Agreement with people over all languages together goes from {_words(raw['rho_pooled'])} to "
            f"{_words(top)} with {_CALLED[top['correction']]} {_ONTO[top['reference']]}."
        )
        said += _quantile_words(top, mapped)
    elif raw["rho_pooled"]["value"] is None:
        said.append(f"How far {info.name} agrees with people can't be told: {raw['rho_pooled']['reason']}.")
    return " ".join([*said, *_order_words(raw, table, turn)])


def _quantile_words(top: dict[str, Any], mapped: pl.DataFrame) -> list[str]:
    """How far the best quantile map is behind, where another correction is ahead."""
    behind = mapped.filter(measure="behind_best", correction="qn").drop_nulls("low").sort(pl.col("value").abs())
    if top["correction"] == "qn" or not behind.height:
        return []
    own = behind.row(0, named=True)
    ahead = "is behind by no more than chance explains" if own["low"] <= 0 <= own["high"] else "is behind"
    return [f"Quantile normalisation {_ONTO[own['reference']]} {ahead}: {_words(own)}."]


def _order_words(raw: dict[str, dict[str, Any]], table: pl.DataFrame, turn: float) -> list[str]:
    """That order within a language stays as it was, and the fault that is left where native text is ordered better."""
    start, ceiling = raw["rho_within"], _row(table, "native score", None)["rho_within"]
    if start["value"] is None or ceiling["value"] is None:
        return []
    within = table.filter((pl.col("measure") == "rho_within") & pl.col("correction").is_in(list(_CALLED)))
    moved = within.filter((pl.col("value") - start["value"]).abs() >= 5e-5).sort("value")
    said = f"Within languages agreement stays {start['value']:.4f}"
    if moved.height:
        which = ", ".join(sorted({_CALLED[name] for name in moved["correction"]}))
        values = " to ".join(dict.fromkeys(f"{value:.4f}" for value in (moved["value"][0], moved["value"][-1])))
        said += f" (but {which}: {values}, for ties)"
    clear = None not in (start["low"], ceiling["low"]) and (
        ceiling["low"] > start["high"] if turn > 0 else ceiling["high"] < start["low"]
    )
    if clear:
        native = f"{ceiling['value']:.4f} in native script"
        return [f"{said}, against {native}: that fault, P2, no order-preserving map can mend."]
    return [f"{said}; in native script it is {ceiling['value']:.4f}."]


def _row(table: pl.DataFrame, correction: str, reference: str | None) -> dict[str, dict[str, Any]]:
    rows = table.filter(correction=correction).filter(pl.col("reference").eq_missing(pl.lit(reference, pl.String)))
    return {row["measure"]: row for row in rows.iter_rows(named=True)}


def _words(row: dict[str, Any], unit: str = "") -> str:
    if row["low"] is None:
        return _number(row["value"])
    shown = f"{_number(row['value'])} ({row['level']:.0%} CI {_number(row['low'])} to {_number(row['high'])})"
    return shown if unit in ("", "rho") else f"{shown} {unit if unit != 'score' else ''}".rstrip()


def _number(value: float) -> str:
    """Three digits that tell something."""
    size = abs(value)
    decimals = 1 if size >= 100 else 2 if size >= 10 else 3
    return f"{value:#.2g}" if 0 < size < 0.01 else f"{value:.{decimals}f}"
