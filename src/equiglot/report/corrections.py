"""The sections that answer: what does a correction mend, and what do facts of the text give back?"""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from equiglot.normalize import CEILING, Comparison, ParityCalibration
from equiglot.report._numbers import decimals_for
from equiglot.report.charts import calibration_chart, corrections_chart
from equiglot.report.languages import cell_label
from equiglot.report.model import ReportChart, Section
from equiglot.report.reading import report_table, with_unit

__all__ = ["calibration_section", "corrections_section"]

_CALLED = {
    "identity": "as it is",
    "shift": "shift of means",
    "affine": "affine (z)",
    "isotonic": "isotonic",
    "qn": "quantile",
    CEILING: "native script",
}
_AGREEMENT = ("rho_raw", "rho_cal", "rho_nat", "cal_gain", "recovered")
_GAPS = ("gap_train", "gap_heldout", "rho_gap")
_ONTO = {"native-own": "own native scores", "native-pooled": "pooled native scores"}


def corrections_section(found: Comparison) -> Section:
    """The corrections held against each other, as a section of a report."""
    metric = found.metric.name
    unit = found.metric.unit
    charts = [
        _chart(found, "rho_pooled", f"Agreement of {metric} with people over all languages together",
               "Spearman's rho with people's scores"),
        _chart(found, "abs_delta", f"What is left of the shift of {metric} under romanisation",
               with_unit("size of the shift", unit)),
    ]  # fmt: skip
    tables = (
        report_table(f"{metric}-corrections", f"Corrections of {metric}", _named(found.table), explain=True),
        report_table(f"{metric}-corrections-languages", "By language", _named(found.languages), explain=True),
    )
    return Section(
        title=f"What can a correction of {metric} mend?", lead=found.headline, charts=tuple(charts), tables=tables
    )


def calibration_section(found: ParityCalibration) -> Section:
    """Parity calibration as a section of a report."""
    metric = found.metric.name
    points = _points(found.languages)
    said = [
        f"{cell_label(row['language'], row['script'])} {row['kind']}: {row['value']:.2f}."
        for row in points.drop_nulls("value").iter_rows(named=True)
    ]
    chart = ReportChart(
        name=f"{metric}-calibration",
        title=f"Agreement of {metric} with people: raw, calibrated by other languages, native",
        alt=f"Spearman's rho by language. {' '.join(said)}",
        draw=partial(calibration_chart, points, axis="Spearman's rho with people's scores"),
        note="A line joins the romanised score as it is with the native one: what calibration could give back.",
    )
    tables = (
        report_table(f"{metric}-calibration-languages", "Languages left out in turn", found.languages,
                     measures=_AGREEMENT, explain=True),
        report_table(f"{metric}-calibration-means", "Means over the languages", found.means),
        report_table(f"{metric}-calibration-gaps", "Why it helps or harms", found.languages,
                     measures=_GAPS, explain=True),
    )  # fmt: skip
    title = f"What do facts of the text give back of the agreement that {metric} loses?"
    return Section(title=title, lead=found.headline, charts=(chart,), tables=tables)


def _chart(found: Comparison, measure: str, title: str, axis: str) -> ReportChart:
    rows = found.table.filter(measure=measure)
    if measure == "abs_delta":
        rows = rows.filter(pl.col("correction") != CEILING)
    data = rows.select(
        pl.col("correction").replace(_CALLED).alias("row"),
        pl.col("reference").fill_null("").alias("reference"),
        "value",
        "low",
        "high",
    )
    said = [_said(row) for row in data.drop_nulls("value").iter_rows(named=True)]
    values = [float(value) for value in data["value"].drop_nulls()]
    # A shift in the unit of the metric may be small against it; it gets one decimal more than agreement, then.
    decimals = decimals_for(values, "rho") + (measure == "abs_delta" and max(values, default=0.0) < 0.1)
    return ReportChart(
        name=f"{found.metric.name}-{measure}",
        title=title,
        alt=f"{axis}. {' '.join(said)}",
        draw=partial(corrections_chart, data, axis=axis, decimals=decimals),
        note="Filled: mapped onto each language's own native scores. Open: onto the native scores of all languages. "
        "Lines: 95% intervals. Romanised rows that no map was fitted on.",
    )


def _said(row: dict[str, Any]) -> str:
    onto = f" onto {_ONTO[row['reference']]}" if row["reference"] else ""
    return f"{row['row']}{onto}: {row['value']:.3g}."


def _named(table: pl.DataFrame) -> pl.DataFrame:
    """The keys as readers know them."""
    return table.with_columns(pl.col("correction").replace(_CALLED), pl.col("reference").replace(_ONTO).fill_null("–"))


def _points(languages: pl.DataFrame) -> pl.DataFrame:
    """rho by language: raw, native, and one per regressor."""
    keys = ("language", "script")
    first = languages["regressor"][0]
    ends = languages.filter(pl.col("measure").is_in(["rho_raw", "rho_nat"]) & (pl.col("regressor") == first))
    kinds = {"rho_raw": "raw", "rho_nat": "native"}
    calibrated = languages.filter(measure="rho_cal")
    return pl.concat(
        [
            ends.select(*keys, pl.col("measure").replace(kinds).alias("kind"), "value"),
            calibrated.select(*keys, pl.col("regressor").alias("kind"), "value"),
        ]
    ).sort("language", maintain_order=True)
