"""The section that answers: how much of this is no answer at all?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from equiglot.report.charts.failures import failures_chart
from equiglot.report.languages import cell_label
from equiglot.report.model import ReportChart, ReportTable, Section
from equiglot.report.reading import report_table
from equiglot.validity import KINDS, Validation
from equiglot.validity.expected import script_name

__all__ = ["examples_table", "spilled_table", "validity_section"]

_GROUP = ("language", "script", "condition", "system")


def validity_section(validation: Validation) -> Section:
    """What was found in answers, as a section of a report."""
    tables = [_shares(validation)]
    tables += [table for table in (spilled_table(validation), examples_table(validation)) if table.frame.height]
    return Section(
        title="How much of this is no answer at all?",
        lead=" ".join([validation.headline, *(f"{fault}." for fault in validation.faults)]),
        charts=(_bars(validation),) if validation.failures.height else (),
        tables=tuple(tables),
    )


def _shares(validation: Validation) -> ReportTable:
    """The shares of invalid answers with their intervals, and of the kinds without, which the data have."""
    whole = pl.col("measure") == "invalid"
    shown = validation.summary.with_columns(pl.when(whole).then(pl.col("low", "high")))
    table = report_table("failures", "Invalid answers, and what was found, per cent", shown)
    explained = (f"{kind}: {KINDS[kind]}." for kind in validation.counts)
    return replace(table, footnotes=(*table.footnotes, *explained), data=validation.summary)


def _bars(validation: Validation) -> ReportChart:
    invalid = validation.summary.filter(measure="invalid")
    said = [f"{_group(row)}: {row['value']:.1f}%." for row in invalid.iter_rows(named=True)]
    return ReportChart(
        name="failures",
        title="Invalid answers by language and system",
        alt=f"Stacked bars of the share of invalid answers by their first failure. {' '.join(said)}",
        draw=partial(failures_chart, validation.failures, invalid),
        note="Every invalid answer counts once, by its first failure. Line: 95% interval of the whole share.",
    )


def _group(row: dict[str, Any]) -> str:
    return f"{cell_label(row['language'], row['script'])}, {row['system']}"


def spilled_table(validation: Validation) -> ReportTable:
    """Which scripts spilled, where, and how much."""
    rows = [
        (_group(row), script_name(row["spilled"]), row["what"], f"{row['rows']:,}", f"{row['characters']:,}")
        for row in validation.spilled.iter_rows(named=True)
    ]
    heads = ("Answers", "What spilled", "It is", "Rows", "Characters")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(heads, pl.String), orient="row")
    return ReportTable("spilled", "Scripts that spilled", frame, data=validation.spilled)


def examples_table(validation: Validation) -> ReportTable:
    """The first answers of each kind, with place and reason."""
    rows = [
        (
            row["kind"],
            f"{row['system']}, {row['language']}, {row['id']}",
            _visible(row["text"]),
            _place(row),
            row["reason"],
        )
        for row in validation.examples.iter_rows(named=True)
    ]
    heads = ("Kind", "Answer", "Text", "Where", "Why")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(heads, pl.String), orient="row")
    note = "The first three of each kind. Places count characters (code points) from 0."
    return ReportTable("examples", "Examples", frame, (note,), validation.examples)


def _place(row: dict[str, Any]) -> str:
    return f"at {row['start']:,}–{row['end']:,}"


def _visible(text: str) -> str:
    """A text on one line, in at most 24 characters."""
    line = " ".join(text.split())
    return line if len(line) <= 24 else f"{line[:23]}…"
