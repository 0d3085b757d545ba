"""The section that answers: do people agree, and do metrics see what people see?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import floor

import polars as pl

from equiglot.people import Agreement, Divergence
from equiglot.people.agreement_words import TENTATIVE
from equiglot.report.charts import divergence_chart, dot_chart
from equiglot.report.charts._common import CONDITIONS
from equiglot.report.languages import cell_label
from equiglot.report.model import ReportChart, ReportTable, Section
from equiglot.report.reading import report_table
from equiglot.table import language_name

__all__ = ["agreement_tables", "divergence_tables", "people_section"]

_TOGETHER = "All together"
_GAPS = {"human_gap_sd": "people", "metric_gap_sd": "the metric"}
_MOST_EXAMPLES = 30


def people_section(*, agreement: Agreement | None = None, divergence: Divergence | None = None) -> Section:
    """How far raters agree, how far metrics are from them, or both, as a section of a report."""
    leads: list[str] = []
    charts: list[ReportChart | None] = []
    tables: list[ReportTable] = []
    if divergence is not None:
        leads.append(divergence.headline)
        charts.append(_gap_chart(divergence))
        tables += [*divergence_tables(divergence), _examples(divergence)]
    if agreement is not None:
        leads.append(agreement.headline)
        charts.append(_alpha_chart(agreement))
        tables += agreement_tables(agreement)
    return Section(
        title="Do people agree?" if divergence is None else "Do metrics see what people see?",
        lead=" ".join(leads),
        charts=tuple(chart for chart in charts if chart is not None),
        tables=tuple(table for table in tables if table.frame.height),
    )


def agreement_tables(agreement: Agreement) -> list[ReportTable]:
    """Alpha by dimension, kappa of pairs, and raters against themselves."""
    return [
        _table("agreement", "How far raters agree", _by_language(agreement.alpha)),
        _table("rater-pairs", "Every two raters", _with_raters(agreement.pairs)),
        _table("repeats", "Raters against themselves", agreement.repeats),
    ]


def divergence_tables(divergence: Divergence) -> list[ReportTable]:
    """Gaps between systems over all rows, agreement row by row, the failures missed; last, gaps by language."""
    gaps = divergence.gaps
    parts = [gaps]
    if "language" in gaps.columns and gaps["language"].null_count():
        parts = [gaps.filter(pl.col("language").is_null()), gaps.filter(pl.col("language").is_not_null())]
    first, *others = (_with_pairs(_by_cell(part)) for part in parts)
    return [
        _table("gaps", "How far systems lie apart", first),
        _table("rows", "Row by row", _by_cell(divergence.rows)),
        _table("missed", "Failures that metrics miss", divergence.missed),
        *(_table("gaps-by-language", "How far systems lie apart, by language", part) for part in others),
    ]


def _table(name: str, title: str, table: pl.DataFrame) -> ReportTable:
    """A table whose title names what all its rows are of, which then has no column.

    Why a ratio has no interval is in its data, and not among the reasons for what is missing.
    """
    keys = [key for key in ("metric", "systems", "raters", "rater", "answers") if key in table.columns]
    alone = [table[key][0] for key in keys if table[key].n_unique() == 1 and table[key][0] != _TOGETHER]
    shown = table.with_columns(pl.when(pl.col("value").is_null()).then("reason").alias("reason"))
    named = f"{title}: {', '.join(alone)}" if alone else title
    return replace(report_table(name, named, shown, explain=True), data=table)


def _by_language(table: pl.DataFrame) -> pl.DataFrame:
    """The table with ``answers`` in place of the language."""
    if "language" not in table.columns:
        return table
    labels = [_TOGETHER if language is None else language_name(language) for language in table["language"]]
    return table.select(pl.Series("answers", labels, dtype=pl.String), pl.exclude("language"))


def _by_cell(table: pl.DataFrame) -> pl.DataFrame:
    """The table with ``answers`` in place of language, script and condition."""
    if "language" not in table.columns:
        return table
    labels = [
        _TOGETHER if language is None else f"{cell_label(language, script)}, {CONDITIONS.get(condition, condition)}"
        for language, script, condition in table.select("language", "script", "condition").iter_rows()
    ]
    rest = [column for column in table.columns if column not in ("metric", "language", "script", "condition")]
    return table.select("metric", pl.Series("answers", labels, dtype=pl.String), *rest)


def _with_pairs(table: pl.DataFrame) -> pl.DataFrame:
    """The table with ``systems`` in place of both systems."""
    if "system" not in table.columns:
        return table
    pair = pl.format("{} over {}", "system", "other_system").alias("systems")
    rest = [c for c in table.columns if c not in ("metric", "answers", "system", "other_system")]
    return table.select("metric", "answers", pair, *rest)


def _with_raters(table: pl.DataFrame) -> pl.DataFrame:
    """The table with ``raters`` in place of both raters."""
    if "rater" not in table.columns:
        return table
    pair = pl.format("{} and {}", "rater", "other_rater").alias("raters")
    return table.select(pair, pl.exclude("rater", "other_rater"))


def _gap_chart(divergence: Divergence) -> ReportChart | None:
    table = divergence.gaps.filter(pl.col("measure").is_in(list(_GAPS)))
    if "language" in table.columns and table["language"].null_count():
        table = table.filter(pl.col("language").is_null())
    if not table["value"].count():
        return None
    frame = _with_pairs(_by_cell(table)).select(
        pl.col("metric").alias("panel"), pl.col("systems").str.replace(" over ", "\nover ", literal=True).alias("row"),
        pl.col("measure").replace_strict(_GAPS).alias("who"), "value", "low", "high",
    )  # fmt: skip
    said = [
        f"{panel}, {' '.join(pair.split())}, {who}: {value:.2f}."
        for panel, pair, who, value, *_ in frame.drop_nulls("value").iter_rows()
    ]
    return ReportChart(
        name="divergence",
        title="How far systems lie apart for people and by each metric",
        alt=f"Dots with intervals for every two systems. {' '.join(said)}",
        draw=partial(divergence_chart, frame),
        note="Gaps in standard deviations of rows within systems, with 95% intervals. Right of 0 the system named "
        "first is better. The further left of the filled dot the open one lies, the less the metric sees.",
    )


def _alpha_chart(agreement: Agreement) -> ReportChart | None:
    table = agreement.alpha.drop_nulls("value")
    if not table.height:
        return None
    frame = _by_language(table).select(
        pl.col("answers").alias("panel"), pl.col("dimension").str.replace_all("_", " ").alias("row"),
        pl.lit("").alias("series"), "value", "low", "high",
    )  # fmt: skip
    least = min(0.0, *(v for column in ("value", "low") for v in frame[column].drop_nulls()))
    said = [f"{row['panel']}, {row['row']}: {row['value']:.2f}." for row in frame.iter_rows(named=True)]
    return ReportChart(
        name="agreement",
        title="How far raters agree, by dimension",
        alt=f"Dots with intervals. {' '.join(said)}",
        draw=partial(
            dot_chart, frame, axis="Krippendorff's alpha", reference=TENTATIVE, named="tentative",
            ends=(floor(least * 5) / 5, 1.0),
        ),
        note="Lines are 95% intervals over items. Right of the dashed line (0.667) agreement allows tentative "
        "conclusions; from 0.8 it can be relied on.",
    )  # fmt: skip


def _examples(divergence: Divergence) -> ReportTable:
    """Failures above the metric's median, the most praised of each metric first."""
    missed = divergence.failures.filter("missed")
    shown = missed.group_by("metric", maintain_order=True).head(_MOST_EXAMPLES)
    rows = [
        (
            row["metric"], row["kind"], f"{row['system']}, {row['language']}, {row['id']}",
            f"{row['score']:.4g}", f"{row['median']:.4g}", None if row["human"] is None else f"{row['human']:.4g}",
            _short(row.get("target")),
        )
        for row in shown.iter_rows(named=True)
    ]  # fmt: skip
    heads = ("Metric", "Failure", "Answer", "Score", "Median", "People", "Text")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(heads, pl.String), orient="row")
    more = missed.height - shown.height
    notes = (f"{more:,} more are in the data file.",) if more else ()
    return ReportTable("missed-rows", "Failures scored above the median", frame, notes, missed)


def _short(text: str | None) -> str | None:
    line = " ".join((text or "").split())
    return line if len(line) <= 40 else f"{line[:39]}…"
