"""The section that answers: which system is best, failures counted?"""

from __future__ import annotations

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
_BREAKDOWN = ("empty", "copy", "short copy", "spillage", "degenerate")


def rank_section(ranking: Ranking) -> Section:
    """A ranking as a section of a report."""
    charts = [_leaderboard(ranking, info.name, info.unit) for info in ranking.metrics if _is_ranked(ranking, info.name)]
    if (bars := _failures(ranking)) is not None:
        charts.append(bars)
    return Section(
        title="Which system is best, failures counted?",
        lead=ranking.headline,
        charts=tuple(charts),
        tables=tuple(table for table in _tables(ranking) if table.frame.height),
    )


def _tables(ranking: Ranking) -> list[ReportTable]:
    cells = _named(ranking.systems)
    return [
        report_table("standings", "Systems, failures counted and left out", cells),
        report_table("pairs", "Every two systems compared, failures counted", _named(ranking.pairs)),
        report_table("rank-failures", "Invalid answers by kind (%)", ranking.failures),
        report_table("copying", "Does the metric reward copying?", ranking.copying),
        report_table("disagreement", "How often metrics disagree", ranking.disagreement),
        report_table("categories", "By category of prompt, failures counted", ranking.categories),
        report_table("usage", "Tokens per answer", ranking.usage),
    ]


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
    kinds = ranking.failures.filter(pl.col("measure").is_in(_BREAKDOWN), pl.col("value") > 0)
    if not kinds.height:
        return None
    parts = kinds.select("language", "script", "condition", "system", failure="measure", percent="value")
    said = [_said(row) for row in invalid.iter_rows(named=True)]
    return ReportChart(
        name="rank-failures",
        title="Invalid answers by language and system",
        alt=f"Stacked bars of the share of invalid answers by kind. {' '.join(said)}",
        draw=partial(failures_chart, parts, invalid),
        note="An answer with several failures counts under each. Line: 95% interval of the whole share.",
    )


def _said(row: dict[str, Any]) -> str:
    return f"{cell_label(row['language'], row['script'])}, {row['system']}: {row['value']:.1f}%."
