"""The section that answers: which system is best, failures counted?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from equiglot.rank import Ranking
from equiglot.report.charts._common import CONDITIONS
from equiglot.report.charts.failures import failures_chart
from equiglot.report.charts.leaderboard import COUNTED, LEFT_OUT, leaderboard_chart
from equiglot.report.languages import cell_label
from equiglot.report.model import ReportChart, ReportTable, Section
from equiglot.report.reading import report_table, with_unit

__all__ = ["rank_section"]

_TOGETHER = "All together"
_KINDS = {"mean_aware": COUNTED, "mean_valid": LEFT_OUT}
_ITEMS = {"mean_aware": "items", "mean_valid": "items_valid"}
"""How many items a mean is of, as a column of its own."""


def rank_section(ranking: Ranking) -> Section:
    """A ranking as a section of a report."""
    charts = [_leaderboard(ranking, info.name, info.unit) for info in ranking.metrics if _is_ranked(ranking, info.name)]
    if (bars := _failures(ranking)) is not None:
        charts.append(bars)
    return Section(
        title="Which system is best, failures counted?",
        lead=" ".join([ranking.headline, *ranking.copying_answers]),
        charts=tuple(charts),
        tables=tuple(table for table in _tables(ranking) if table.frame.height),
    )


def _tables(ranking: Ranking) -> list[ReportTable]:
    copying = report_table("copying", "Does the metric reward copying?", ranking.copying)
    return [
        *_for_each(ranking, "standings", "Systems, failures counted and left out", ranking.systems),
        *_for_each(ranking, "pairs", "Every two systems compared, failures counted", ranking.pairs),
        report_table("rank-failures", "Invalid answers by kind (%)", ranking.failures),
        replace(copying, footnotes=(*ranking.copying_answers, *copying.footnotes)),
        report_table("disagreement", "How often metrics disagree", ranking.disagreement),
        *_for_each(ranking, "categories", "By category of prompt, failures counted", ranking.categories),
        report_table("usage", "Tokens per answer", ranking.usage),
    ]


def _for_each(ranking: Ranking, name: str, title: str, table: pl.DataFrame) -> list[ReportTable]:
    """A table for each metric, because their units differ."""
    if len(ranking.metrics) < 2 or "metric" not in table.columns:
        return [_of_cells(name, title, table)]
    return [
        _of_cells(f"{name}-{info.name}", f"{info.name}: {title[0].lower()}{title[1:]}", table.filter(metric=info.name))
        for info in ranking.metrics
    ]


def _of_cells(name: str, title: str, table: pl.DataFrame) -> ReportTable:
    """A table by language and all together; how many items means are of in columns of their own, instead of a range."""
    named = _named(table)
    means = named.filter(pl.col("measure").is_in(list(_ITEMS)))
    if "rank_aware" not in set(named["measure"]):
        return _language_head(report_table(name, title, named))
    items = means.with_columns(
        pl.col("measure").replace(_ITEMS), pl.col("n").cast(pl.Float64).alias("value"),
        *(pl.lit(None, pl.Float64).alias(end) for end in ("low", "high")), pl.lit("").alias("unit"),
    )  # fmt: skip
    made = _language_head(report_table(name, title, pl.concat([named, items])))
    return replace(made, frame=made.frame.drop("n"), data=named)


def _language_head(table: ReportTable) -> ReportTable:
    return replace(table, frame=table.frame.rename({"Cell": "Language"}, strict=False))


def _named(table: pl.DataFrame) -> pl.DataFrame:
    """The table with one key ``cell`` for language, script and condition; null in it is all together."""
    if "language" not in table.columns:
        return table
    labels = [
        _TOGETHER if language is None else f"{cell_label(language, script)}, {CONDITIONS.get(condition, condition)}"
        for language, script, condition in table.select("language", "script", "condition").iter_rows()
    ]
    keys = ["metric", "cell", *(key for key in ("system", "other_system") if key in table.columns)]
    made = table.with_columns(pl.Series("cell", labels, dtype=pl.String))
    return made.select(*keys, *(c for c in table.columns if c not in (*keys, "language", "script", "condition")))


def _is_ranked(ranking: Ranking, metric: str) -> bool:
    """Whether any system has a mean."""
    means = ranking.systems.filter(pl.col("metric") == metric, pl.col("measure").is_in(list(_KINDS)))
    return means["value"].count() > 0


def _leaderboard(ranking: Ranking, metric: str, unit: str) -> ReportChart:
    table = _named(ranking.systems.filter(pl.col("metric") == metric, pl.col("measure").is_in(list(_KINDS))))
    if "cell" not in table.columns:
        table = table.with_columns(cell=pl.lit(_TOGETHER))
    order = table.filter(measure="mean_aware").unique("system", keep="first", maintain_order=True)
    better = next(info for info in ranking.metrics if info.name == metric).direction != "lower"
    systems = order.sort("value", descending=better, nulls_last=True)["system"].to_list()
    place = pl.col("system").replace_strict(systems, range(len(systems)))
    frame = table.select(
        pl.col("cell").alias("panel"), "system", pl.col("measure").replace_strict(_KINDS).alias("kind"),
        "value", "low", "high", place.alias("_place"),
    )  # fmt: skip
    panels = frame["panel"].unique(maintain_order=True).to_list()
    frame = frame.sort(pl.col("panel").replace_strict(panels, range(len(panels))), "_place", maintain_order=True)
    return ReportChart(
        name=f"{metric}-leaderboard",
        title=f"{metric}: systems with failures counted, and without",
        alt=f"Dots with intervals for each system. {ranking.headline}",
        draw=partial(leaderboard_chart, frame.drop("_place"), axis=with_unit(metric, unit)),
        note="Lines are 95% intervals. The further the open dot stands from the filled one, the more failures hide.",
    )


def _failures(ranking: Ranking) -> ReportChart | None:
    invalid = ranking.failures.filter(measure="invalid")
    if not ranking.first_failures.height:
        return None
    said = [_said(row) for row in invalid.iter_rows(named=True)]
    return ReportChart(
        name="rank-failures",
        title="Invalid answers by language and system",
        alt=f"Stacked bars of the share of invalid answers by their first failure. {' '.join(said)}",
        draw=partial(failures_chart, ranking.first_failures, invalid),
        note="Every invalid answer counts once, by its first failure. Line: 95% interval of the whole share.",
    )


def _said(row: dict[str, Any]) -> str:
    return f"{cell_label(row['language'], row['script'])}, {row['system']}: {row['value']:.1f}%."
