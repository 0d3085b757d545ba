"""What a report is made of: sections of answers, tables and charts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import altair as alt

__all__ = ["Answer", "Draw", "ReportChart", "ReportTable", "Section"]

Draw = Callable[[int], "alt.TopLevelMixin"]
"""Draws an Altair chart that fits a width in pixels."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A question answered in words: ``answer`` is "yes", "no" or "can't tell"; ``fix`` says what to do, or is empty."""

    question: str
    answer: str
    sentence: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table.

    Attributes:
        name: of its files, without a suffix.
        title: its caption.
        frame: as it is read: every cell is printed as it stands, null as a dash.
        footnotes: what its cells leave out.
        data: the same as numbers, for the CSV file; ``frame`` itself where there is none.
    """

    name: str
    title: str
    frame: pl.DataFrame
    footnotes: tuple[str, ...] = ()
    data: pl.DataFrame | None = None


@dataclass(frozen=True, slots=True)
class ReportChart:
    """A chart.

    Attributes:
        name: of its files, without a suffix.
        title: its caption.
        alt: what it shows, in words, for those who can't see it.
        draw: makes the Altair chart for a width in pixels: it is drawn wide and narrow, for screens of either kind.
        note: how to read it, set below it.
    """

    name: str
    title: str
    alt: str
    draw: Draw
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One question of the report.

    Attributes:
        title: its heading.
        lead: the answer in a sentence or three; it is also set at the top of the report.
        tables, charts: the evidence.
        answers: the parts of the answer, each with its sentence and what to do.
    """

    title: str
    lead: str
    tables: tuple[ReportTable, ...] = ()
    charts: tuple[ReportChart, ...] = ()
    answers: tuple[Answer, ...] = ()
