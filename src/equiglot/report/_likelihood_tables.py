"""Tables of the audits of language-model scores, with metrics called as readers call them."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from equiglot.audit import AlternativesAudit, RankingAudit
from equiglot.audit.answers import metric_name
from equiglot.report.model import ReportTable
from equiglot.table import language_name

__all__ = ["capital", "counting", "in_words", "orders_table", "winners_table"]

_CONFOUNDS = {
    "bytes": "bytes",
    "chars": "characters",
    "tokens": "tokens",
    "bytes_nospace": "bytes without white space",
    "chars_nospace": "characters without white space",
}
_POINTS = {"models": "pairs of language and model", "languages": "languages"}


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def in_words(table: pl.DataFrame) -> pl.DataFrame:
    """A result table with its keys in words."""
    names = {metric: metric_name(metric) for metric in table["metric"].unique()} if "metric" in table.columns else {}
    changed = [pl.col("metric").replace(names)] if names else []
    changed += [pl.col("confound").replace(_CONFOUNDS)] if "confound" in table.columns else []
    if "points" in table.columns:
        changed.append(pl.col("points").replace(_POINTS).str.replace("^model ", "languages of "))
    return table.with_columns(changed)


def counting(table: ReportTable, what: str = "") -> ReportTable:
    """The table with its n called what it counts, or without it where its rows don't count one thing."""
    frame = table.frame.rename({"n": what}) if what else table.frame.drop("n")
    return replace(table, frame=frame) if "n" in table.frame.columns else table


def winners_table(audit: AlternativesAudit) -> ReportTable:
    """Who wins against each alternative: a row per metric, a column per model, one name where all agree."""
    shown: dict[tuple[str, str], str] = {}
    for (metric, model), part in audit.winners.group_by("metric", "model", maintain_order=True):
        tags = [winner or "neither" for winner in part["winner"].to_list()]
        marked = [tag if clear else f"{tag}?" for tag, clear in zip(tags, part["clear"], strict=True)]
        same = len(set(tags)) == 1 and part["clear"].all()
        shown[str(metric), str(model)] = language_name(tags[0]) if same else " ".join(marked)
    metrics, models = (list(dict.fromkeys(key[i] for key in shown)) for i in (0, 1))
    columns = {"Metric": [metric_name(metric) for metric in metrics]}
    for model in models:
        columns["Better" if len(models) == 1 else model] = [shown.get((metric, model), "–") for metric in metrics]
    order = ", ".join((*audit.texts.others, "the lowest", "the highest"))
    notes = (
        f"One name: it wins against every translation, clearly against each. Else in this order: "
        f"{order}; a question mark where it is not clear.",
    )
    return ReportTable("winners", "The better language", pl.DataFrame(columns), notes, audit.winners)


def orders_table(audit: RankingAudit) -> ReportTable:
    """The order of languages by every metric: a row per metric, a column per model."""
    metrics, models = (audit.orders[c].unique(maintain_order=True).to_list() for c in ("metric", "model"))
    order = {(metric, model): found for metric, model, found in audit.orders.iter_rows()}
    columns = {"Metric": [metric_name(metric) for metric in metrics]}
    for model in models:
        found = [order[metric, model] for metric in metrics]
        columns["Order" if len(models) == 1 else model] = [o.replace(">", ", ") if o else "–" for o in found]
    notes = (f"Best first; expected was {', '.join(audit.expected)}. =: a tie. A dash: a language has no value.",)
    return ReportTable("orders", "The order of languages", pl.DataFrame(columns), notes, audit.orders)
