"""What parity calibration did, in words."""

from __future__ import annotations

from typing import Any

import polars as pl

from equiglot.measures import MeasureInfo

__all__ = ["headline"]


def headline(info: MeasureInfo, languages: pl.DataFrame, means: pl.DataFrame) -> str:
    """How much of the lost agreement each regressor recovers in unseen languages, and where it harms and why."""
    count = languages["language"].n_unique()
    said = [f"Each of {count} languages was calibrated by a regressor that had seen the other {count - 1} only."]
    for (regressor,), own in means.group_by("regressor", maintain_order=True):
        rows = {row["measure"]: row for row in own.iter_rows(named=True)}
        if rows["rho_cal"]["value"] is None:
            said.append(f"Whether {regressor} helped can't be told, for the scores of a language are all the same.")
            continue
        start, end, top = (rows[name]["value"] for name in ("rho_raw", "rho_cal", "rho_nat"))
        share = rows["recovered"]
        part = (
            "" if share["value"] is None else f", {share['value']:.1f}% of the loss{_interval(share, '.1f')} on average"
        )
        said.append(
            f"With {regressor} mean agreement of {info.name} with people goes from {start:.3f} to {end:.3f}"
            f"{_interval(rows['rho_cal'], '.3f')}, against {top:.3f} in native script{part}."
        )
        said += _negative(regressor, languages.filter(regressor=regressor), info)
    return " ".join(said)


def _negative(regressor: str, table: pl.DataFrame, info: MeasureInfo) -> list[str]:
    """Languages that the regressor harms beyond chance, each with the reason that the numbers give."""
    harmed: list[str] = []
    better = 1.0 if info.direction != "lower" else -1.0
    for (language, script), own in table.group_by("language", "script", maintain_order=True):
        rows = {row["measure"]: row for row in own.iter_rows(named=True)}
        gain = rows["cal_gain"]
        end = gain["high"] if better > 0 else gain["low"]
        if gain["value"] is None or end is None or better * end >= 0:
            continue
        harmed.append(f"{language}-{script} ({gain['value']:+.3f}{_interval(gain, '.3f', ', ')}; {_why(rows)})")
    return [f"Negative transfer of {regressor}: {'; '.join(harmed)}."] if harmed else []


def _why(rows: dict[str, dict[str, Any]]) -> str:
    train, own, gap = rows["gap_train"]["value"], rows["gap_heldout"]["value"], rows["rho_gap"]["value"]
    said = f"its mean gap is {own:+.3g}, that of the others {train:+.3g}"
    said += ", of opposite sign" if train * own < 0 else ", of the same sign"
    if gap is not None:
        said += f"; predicted gaps go with the true ones at rho {gap:.2f}"
    return said


def _interval(row: dict[str, Any], form: str, before: str = " (", after: str = ")") -> str:
    if row["low"] is None:
        return ""
    close = after if before == " (" else ""
    return f"{before}{row['level']:.0%} CI {row['low']:{form}} to {row['high']:{form}}{close}"
