"""The section that answers: does a score depend on the script, and can scores be put on one axis?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import polars as pl

from equiglot.audit import ScriptAudit
from equiglot.normalize import EQUAL_MEANS_WARNING
from equiglot.report.charts import agreement_chart, box_chart, box_summary
from equiglot.report.languages import cell_label
from equiglot.report.model import Answer, ReportChart, ReportTable, Section
from equiglot.report.reading import report_table, with_unit
from equiglot.table import Segments

__all__ = ["distinct_ranges", "script_section"]

_RHOS = {"rho_native": "native", "rho_romanized": "romanized"}


def script_section(
    audit: ScriptAudit, segments: Segments, *, corrected: ScriptAudit | None = None, floors: pl.DataFrame | None = None
) -> Section:
    """One metric's audit as a section of a report.

    Args:
        audit: of the metric as it is.
        segments: the table that was audited; where it has ``<metric>_qn`` too, cells are shown before and after.
        floors: what copies of the source and random pairs score, set beside the cells.
        corrected: the audit of ``<metric>_qn``; its pooled agreement is set beside that of the metric.
    """
    metric = audit.metric.name
    said, charts = [audit.headline, *audit.cautions], list[ReportChart]()
    if boxes := _boxes(audit, segments):
        charts.append(boxes)
    else:
        said.append(_no_scores(metric, segments.frame))
    rhos = _agreement(audit)
    if rhos.height:
        charts.append(_dumbbells(audit, rhos))
    return Section(
        title=f"{metric} across scripts",
        lead=" ".join(said),
        answers=tuple(Answer(v.question, v.answer, v.sentence, v.fix) for v in audit.verdicts),
        charts=tuple(charts),
        tables=tuple(_tables(audit, corrected, floors)),
    )


def _no_scores(metric: str, frame: pl.DataFrame) -> str:
    """That there is nothing to draw, and the reasons that stand in the rows."""
    reason = f"{metric}_reason"
    why = frame[reason].drop_nulls().cast(pl.String) if reason in frame.columns else pl.Series(dtype=pl.String)
    counts = why.value_counts().sort("count", reason, descending=[True, False]) if len(why) else pl.DataFrame()
    listed = ", ".join(f"{count:,} {text}" for text, count in counts.iter_rows()) or "no row says why"
    return f"No scores, so no chart of them: {metric} is null in all {frame.height:,} rows ({listed})."


def _boxes(audit: ScriptAudit, segments: Segments) -> ReportChart | None:
    metric, after = audit.metric.name, f"{audit.metric.name}_qn"
    has_after = after in segments.measures
    columns = {metric: f"{metric} as it is", **({after: f"{metric}, quantile-normalised"} if has_after else {})}
    summary = box_summary(segments.frame.sort("language", maintain_order=True), columns)
    if not summary.height:
        return None
    note = "Box: the middle half of a cell's scores, with the median. Whiskers: 5th to 95th percentile."
    return ReportChart(
        name=f"{metric}-cells",
        title=f"{metric} by language and script" + (", before and after quantile normalisation" if has_after else ""),
        alt=_describe(summary, audit),
        draw=partial(box_chart, summary, axis=with_unit(metric, audit.metric.unit)),
        note=f"{note} {EQUAL_MEANS_WARNING}" if has_after else note,
    )


def _describe(summary: pl.DataFrame, audit: ScriptAudit) -> str:
    """Box plots in words: where the medians of each panel lie."""
    said = [f"Box plots of {audit.metric.name} by language and script."]
    for (panel, condition), part in summary.group_by("panel", "condition", maintain_order=True):
        ordered = part.sort("middle", maintain_order=True)
        ends = [
            f"{row['middle']:.2f} in {cell_label(row['language'], row['script'])}"
            for row in (ordered.row(0, named=True), ordered.row(-1, named=True))
        ]
        said.append(f"{panel}, {condition}: medians from {ends[0]} to {ends[1]}.")
    return " ".join(said)


def _agreement(audit: ScriptAudit) -> pl.DataFrame:
    """rho by language and condition, in the form that the chart takes."""
    if not audit.languages.height:
        return pl.DataFrame()
    rows = audit.languages.filter(pl.col("measure").is_in(list(_RHOS)) & pl.col("value").is_not_null())
    return rows.select(
        "language", "script", pl.col("measure").replace(_RHOS).alias("condition"), "value", "low", "high", "level"
    )


def _dumbbells(audit: ScriptAudit, rhos: pl.DataFrame) -> ReportChart:
    metric = audit.metric.name
    level = rhos["level"].drop_nulls().max()
    interval = f", with {level:.0%} intervals" if isinstance(level, float) else ""
    worth = "; -1 is perfect agreement" if audit.metric.direction == "lower" else "; 1 is perfect agreement"
    both = ", in native script and romanised" if rhos["condition"].n_unique() > 1 else ""
    said = [
        f"{cell_label(row['language'], row['script'])} {row['condition']}: {row['value']:.2f}."
        for row in rhos.iter_rows(named=True)
    ]
    return ReportChart(
        name=f"{metric}-agreement",
        title=f"How well {metric} agrees with {audit.raters}{both}",
        alt=f"Spearman's rho of {metric} with {audit.raters}'s scores. {' '.join(said)}",
        draw=partial(agreement_chart, rhos, axis=f"Spearman's rho with {audit.raters}'s scores"),
        note=f"Spearman's rho over segments{interval}{worth}.",
    )


def _tables(audit: ScriptAudit, corrected: ScriptAudit | None, floors: pl.DataFrame | None) -> list[ReportTable]:
    metric = audit.metric.name
    pooled = [audit.pooled.with_columns(scored=pl.lit(metric))]
    if corrected is not None and corrected.pooled.height:
        pooled.append(corrected.pooled.with_columns(scored=pl.lit(f"{metric}, quantile-normalised")))
    ranges = distinct_ranges(audit.ranges)
    candidates = [
        ("languages", *_by_language(audit)),
        ("pooled", f"Agreement of {metric} with {audit.raters} over all cells together", pl.concat(pooled)),
        ("cells", f"{metric} by cell", audit.cells),
        ("gaps", _gaps_title(audit), audit.gaps),
        ("floors", f"What {metric} gives to what is no translation", _without_prefix(floors, metric)),
        ("ranges", f"How much of the variance of {metric} lies between scripts and cells", ranges),
        ("burden", "Segments that carry too much burden", audit.burden),
    ]
    tables = [
        report_table(f"{metric}-{name}", title, table, explain=True)
        for name, title, table in candidates
        if table.height
    ]
    return [*tables, *([_severity(audit)] if audit.severity.height else [])]


def distinct_ranges(ranges: pl.DataFrame) -> pl.DataFrame:
    """The analyses of variance without those by script where every script is of one language, as by cell it is then.

    Cells divide scripts, so as many groups are the same groups.
    """
    if not ranges.height:
        return ranges
    of = ("condition", "scored", "value")
    by_cell = ranges.filter(grouping="cell", measure="groups").select(of)
    same = ranges.filter(grouping="script", measure="groups").join(by_cell, on=of, how="semi")
    return ranges.join(
        same.select("condition", "scored", "grouping"),
        on=["condition", "scored", "grouping"],
        how="anti",
        maintain_order="left",
    )


def _by_language(audit: ScriptAudit) -> tuple[str, pl.DataFrame]:
    """Native beside romanised; without romanised rows agreement alone, for cells have the means already."""
    metric, table = audit.metric.name, audit.languages
    valued = set(table.filter(pl.col("value").is_not_null())["measure"])
    if "delta" in valued:
        return f"{metric} in native script and romanised", table
    if valued & _RHOS.keys():
        return f"How well {metric} agrees with {audit.raters}, by language", table
    return "", table.clear()


def _gaps_title(audit: ScriptAudit) -> str:
    metric = audit.metric.name
    if audit.human is None:
        return f"How far apart cells lie in {metric}"
    return f"How far apart cells lie, in {metric} and by {audit.raters}'s scores"


def _severity(audit: ScriptAudit) -> ReportTable:
    """The shift with a column per level of severity; the data keep the levels as a key."""
    level = pl.concat_str(pl.col("measure"), pl.lit(":"), pl.col("severity").fill_null(""))
    wide = audit.severity.with_columns(measure=pl.when(pl.col("measure") == "delta").then(level).otherwise("measure"))
    title = with_unit(f"Shift of {audit.metric.name} under romanisation by severity of errors", audit.metric.unit)
    table = report_table(f"{audit.metric.name}-severity", title, wide.drop("severity"), explain=True)
    return replace(table, data=audit.severity)


def _without_prefix(floors: pl.DataFrame | None, metric: str) -> pl.DataFrame:
    """The floors called by their kind alone: the table's title names the metric."""
    if floors is None:
        return pl.DataFrame()
    return floors.with_columns(pl.col("measure").str.strip_prefix(f"{metric}_"))
