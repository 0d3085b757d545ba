"""The section that answers: which metric agrees best with people?"""

from __future__ import annotations

from functools import partial
from math import ceil, floor

import polars as pl

from equiglot.audit import MetricsAudit
from equiglot.report._numbers import shown_interval, shown_number, superscript
from equiglot.report.charts import dot_chart
from equiglot.report.languages import cell_label
from equiglot.report.model import ReportChart, ReportTable, Section
from equiglot.table import language_name

__all__ = ["metrics_section", "metrics_tables"]

_PLACE = ["language", "script", "condition"]
_ROW = ["granularity", "measure", "grouping"]
_RANK = ["granularity", "statistic", "grouping", "metric", "cluster"]

_NAMES = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "accuracy": "Pairwise accuracy",
    "soft_accuracy": "Soft pairwise accuracy",
    "acc_eq": "acc_eq",
    "epsilon": "Tie threshold of acc_eq",
}
_GROUPINGS = {
    ("system", "none"): "System level",
    ("segment", "none"): "Segments, not grouped",
    ("segment", "item"): "Segments, by item",
    ("segment", "system"): "Segments, by system",
}
_DRAWN = {
    "acc_eq": ("Which of two translations of one text is better", "acc_eq", "half"),
    "soft_accuracy": ("Which of two systems is better", "soft pairwise accuracy", "guessing"),
}


def metrics_tables(audit: MetricsAudit) -> list[ReportTable]:
    """A table over all cells where there are several, and one per cell: statistics down, metrics across."""
    places = audit.agreement.select(_PLACE).unique(maintain_order=True).sort("language", maintain_order=True)
    tables: list[ReportTable] = []
    for place in places.iter_rows(named=True):
        own = audit.agreement.join(pl.DataFrame([place], schema=places.schema), on=_PLACE, nulls_equal=True)
        if place["language"] is None:
            cells = places.drop_nulls("language").height
            tables.append(_table("agreement", f"Agreement with {audit.raters}, mean over {cells} cells", own, None))
            continue
        clusters = audit.clusters.filter(pl.col(c) == place[c] for c in _PLACE)
        label = f"{cell_label(place['language'], place['script'])}, {place['condition']}"
        tables.append(_table(f"agreement-{'-'.join(place.values())}", f"{label}: agreement", own, clusters))
    return tables


def _table(name: str, title: str, own: pl.DataFrame, clusters: pl.DataFrame | None) -> ReportTable:
    metrics = own["metric"].unique(maintain_order=True).to_list()
    rows = own.select(_ROW).unique(maintain_order=True)
    cells = {(*row, metric): "" for row in rows.iter_rows() for metric in metrics}
    marks: dict[str, int] = {}
    ranks = {} if clusters is None else {row[:-1]: f" ({row[-1]})" for row in clusters.select(*_RANK).iter_rows()}
    for row in own.iter_rows(named=True):
        place = (*(row[c] for c in _ROW), row["metric"])
        if row["value"] is None:
            cells[place] = f"–{superscript(marks.setdefault(row['reason'], len(marks) + 1))}"
        else:
            number = f"{row['value']:.3g}" if row["measure"] == "epsilon" else shown_number(row["value"], 3)
            cells[place] = number + ranks.get(place, "") + shown_interval(row["low"], row["high"], 2)
    columns = {
        "Over": [_GROUPINGS[granularity, grouping] for granularity, _, grouping in rows.iter_rows()],
        "Statistic": [_NAMES[measure] for _, measure, _ in rows.iter_rows()],
        **{metric: [cells[(*row, metric)] for row in rows.iter_rows()] for metric in metrics},
    }
    notes = [f"{superscript(mark)} {reason}" for reason, mark in marks.items()]
    if clusters is not None and clusters.height:
        notes.append("In brackets: the metric's cluster; those of one cluster can't be told apart by PERM-BOTH.")
    return ReportTable(name, title, pl.DataFrame(columns), tuple(notes), own)


def metrics_section(audit: MetricsAudit) -> Section:
    """The meta-evaluation as a section of a report."""
    charts = [chart for measure in _DRAWN if (chart := _dots(audit, measure)) is not None]
    return Section(
        title=f"Which metric agrees best with {audit.raters}?",
        lead=audit.headline,
        charts=tuple(charts),
        tables=tuple(metrics_tables(audit)),
    )


def _dots(audit: MetricsAudit, measure: str) -> ReportChart | None:
    """One accuracy with its intervals, a panel per cell and a row per metric."""
    own = audit.agreement.filter(pl.col("measure") == measure, pl.col("value").is_not_null()).drop_nulls("language")
    if not own.height:
        return None
    labels = _panel_names(own)
    frame = own.select(
        pl.Series("panel", labels), pl.col("metric").alias("row"), pl.lit("").alias("series"), "value", "low", "high"
    )
    title, axis, named = _DRAWN[measure]
    values = [0.5, *(v for column in ("value", "low", "high") for v in own[column].drop_nulls())]
    ends = floor(min(values) * 20) / 20, ceil(max(values) * 20) / 20
    said = [f"{row['panel']}, {row['row']}: {row['value']:.3f}." for row in frame.iter_rows(named=True)]
    return ReportChart(
        name=measure.replace("_", "-"),
        title=title,
        alt=f"{axis} of each metric by language. {' '.join(said)}",
        draw=partial(dot_chart, frame, axis=axis, reference=0.5, named=named, ends=ends),
        note=f"Lines: {own['level'].max():.0%} intervals over draws of items." if own["low"].count() else "",
    )


def _panel_names(own: pl.DataFrame) -> list[str]:
    """Each row's cell as the head of its panel, by as little as tells cells apart."""
    places = own.select(_PLACE)
    if places.unique().height == places["language"].n_unique():
        return [language_name(language) for language in places["language"]]
    return [f"{language}-{script}, {condition}" for language, script, condition in places.iter_rows()]
