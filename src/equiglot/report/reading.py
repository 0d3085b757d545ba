"""Result tables as readers want them: a row per language, script and condition, a column per measure.

A cell holds the value and its interval, "0.590 [0.551, 0.623]". Where a value could not be had there is a dash with a
mark, and a footnote says why; where a measure does not apply to a row the cell is empty. A measure that no row has
gets no column, unless no other has one either; a footnote names it. Nothing is rounded in the
data: the CSV file of a report holds the result table itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from equiglot.measures import RESULT_COLUMNS
from equiglot.report._numbers import decimals_for, shown_interval, shown_number, superscript
from equiglot.report.languages import cell_label
from equiglot.report.model import ReportTable

__all__ = ["reading_table", "report_table", "with_unit"]

_PAIR = "romanized/native"
_CONDITIONS = {
    "native": "native",
    "romanized": "romanised",
    "native + romanized": "both",
    _PAIR: "romanised vs native",
}
"""Conditions in the order in which a language's rows stand, and how they are called."""

_HEADS = {
    "condition": "Condition",
    "tokenizer": "Tokeniser",
    "scored": "Score",
    "grouping": "Groups by",
    "other_system": "Other system",
    "other_metric": "Other metric",
}
_OTHER = ("other_language", "other_script")
"""Keys of the cell that a row's own is held against; null where that is the mean of the others."""

_MOST_REASONS = 8


@dataclass(frozen=True, slots=True)
class _Naming:
    """How a measure is called and printed."""

    label: str
    note: str = ""
    unit: bool = False
    signed: bool = False
    detail: bool = False
    decimals: int | None = None


@cache
def _namings() -> dict[str, _Naming]:
    text = Path(__file__).with_name("measures.json").read_text(encoding="utf-8")
    return {name: _Naming(**entry) for name, entry in json.loads(text).items()}


def _naming(measure: str) -> _Naming:
    """A measure's naming; ``delta:High`` is printed as ``delta`` is and called by its level."""
    base, _, level = measure.partition(":")
    known = _namings().get(base)
    if known is None:
        return _Naming(measure, unit=True)
    return replace(known, label=level, unit=False, note="") if level else known


def reading_table(table: pl.DataFrame, *, measures: Sequence[str] | None = None) -> pl.DataFrame:
    """A result table as text, one column per measure.

    Args:
        table: keys and the columns of :data:`equiglot.measures.RESULT_COLUMNS`.
        measures: which, in this order; by default all but those that only specialists look up.

    >>> from equiglot.measures import Measure, result_table
    >>> tp = Measure("tp", 1.388, unit="ratio", direction="neutral", n=1400)
    >>> keys = {"language": "gu", "script": "Gujr", "condition": "native"}
    >>> reading_table(result_table([(keys, tp)])).rows(named=True)
    [{'Language': 'Gujarati (gu-Gujr)', 'Condition': 'native', 'TP': '1.388', 'n': '1,400'}]
    """
    return report_table("table", "", table, measures=measures).frame


def report_table(
    name: str, title: str, table: pl.DataFrame, *, measures: Sequence[str] | None = None, explain: bool = False
) -> ReportTable:
    """A result table for a report, with footnotes for what is missing.

    Args:
        name: of the table's files.
        title: its caption.
        table, measures: as for :func:`reading_table`.
        explain: whether footnotes say what the measures are.
    """
    data = _chosen(table, measures)
    keys = _row_keys(data)
    places = {place: i for i, place in enumerate(_places(data, keys))}
    columns: dict[str, list[str]] = _heads(data, keys, list(places))
    marks: dict[str, int] = {}
    had, absent = _had(data)
    for measure in had:
        own = data.filter(measure=measure)
        head, cells = _column(own, measure, keys, places, marks)
        columns[_unused(head, columns)] = cells
    if data.height:
        columns["n"] = _counts(data, keys, places)
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    notes = [f"{superscript(mark)} {reason}" for reason, mark in marks.items()]
    labels = next(iter(columns.values()), [])
    notes += _left_out(data, labels, keys, places) + _not_shown(data, absent)
    if explain:
        shown = [_naming(measure) for measure in had]
        notes += [f"{naming.label}: {naming.note}." for naming in shown if naming.note]
    return ReportTable(name, title, frame, tuple(notes), data)


def _chosen(table: pl.DataFrame, measures: Sequence[str] | None) -> pl.DataFrame:
    if measures is None:
        hidden = [name for name, naming in _namings().items() if naming.detail]
        return table.filter(~pl.col("measure").is_in(hidden))
    order = {measure: i for i, measure in enumerate(measures)}
    chosen = table.filter(pl.col("measure").is_in(list(order)))
    place = pl.col("measure").replace_strict(order, default=None, return_dtype=pl.Int64)
    return chosen.sort(place, maintain_order=True)


def _row_keys(data: pl.DataFrame) -> list[str]:
    """The keys that tell rows apart; one that has a single value, such as the only tokeniser, does not, nor does the
    condition where every row is of a pair.
    """
    keys = [key for key in data.columns if key not in RESULT_COLUMNS]
    pairs_only = "condition" in keys and data.height > 0 and (data["condition"] == _PAIR).all()
    always = {"language", "script", *_OTHER, *(() if pairs_only else ("condition",))}
    return [key for key in keys if key in always or data[key].drop_nulls().n_unique() > 1]


def _places(data: pl.DataFrame, keys: list[str]) -> list[tuple[Any, ...]]:
    """The rows in order: by language, the native one first; else as they first occur."""
    if not keys:
        return [()]
    rows = data.select(keys).unique(maintain_order=True)
    if "language" not in keys:
        return list(rows.iter_rows())
    order = [pl.col("language")]
    if "condition" in keys:
        ranks = {condition: i for i, condition in enumerate(_CONDITIONS)}
        order.append(pl.col("condition").replace_strict(ranks, default=len(ranks), return_dtype=pl.Int64))
    return list(rows.sort(order, maintain_order=True, nulls_last=True).iter_rows())


def _heads(data: pl.DataFrame, keys: list[str], places: list[tuple[Any, ...]]) -> dict[str, list[str]]:
    """The columns of keys: language and script as one label, those of another cell as well, the rest by name."""
    rows = [dict(zip(keys, place, strict=True)) for place in places]
    heads: dict[str, list[str]] = {}
    if "language" in keys:
        heads["Language"] = [cell_label(row["language"], row.get("script")) for row in rows]
    if "other_language" in keys:
        others = [(row["other_language"], row.get("other_script")) for row in rows]
        heads["Against"] = [cell_label(*other) if other[0] else "the mean of the others" for other in others]
    for key in keys:
        if key in ("language", *_OTHER) or (key == "script" and "language" in keys):
            continue
        names = _CONDITIONS if key == "condition" else {}
        heads[_HEADS.get(key, key.capitalize())] = [
            "all" if row[key] is None else names.get(row[key], str(row[key])) for row in rows
        ]
    return heads


def _column(
    own: pl.DataFrame, measure: str, keys: list[str], places: dict[tuple[Any, ...], int], marks: dict[str, int]
) -> tuple[str, list[str]]:
    naming = _naming(measure)
    units = own["unit"].drop_nulls().unique(maintain_order=True).to_list()
    unit = units[0] if units else ""
    decimals = naming.decimals if naming.decimals is not None else decimals_for(own["value"].drop_nulls(), unit)
    cells = [""] * len(places)
    for row in own.iter_rows(named=True):
        if row["value"] is None:
            reason = row["reason"] or "not measured"
            cell = f"–{superscript(marks.setdefault(reason, len(marks) + 1))}"
        else:
            number = shown_number(row["value"], decimals, unit=unit, signed=naming.signed)
            cell = number + shown_interval(row["low"], row["high"], decimals)
        place = places[tuple(row[key] for key in keys)]
        if not cells[place] or cells[place].startswith("–"):  # two stages may measure the same: the first that could
            cells[place] = cell
    return (with_unit(naming.label, unit) if naming.unit else naming.label), cells


def with_unit(name: str, unit: str) -> str:
    """A name with its unit, unless that says nothing.

    >>> with_unit("Mean", "points"), with_unit("comet", "score"), with_unit("fluency", "Fluency")
    ('Mean (points)', 'comet', 'fluency')
    """
    return name if unit in ("", "score") or unit.casefold() == name.casefold() else f"{name} ({unit})"


def _had(data: pl.DataFrame) -> tuple[list[str], list[str]]:
    """The measures that some row has, and those that none has; all of them as if had where none has any."""
    measures = data["measure"].unique(maintain_order=True).to_list()
    valued = set(data.filter(pl.col("value").is_not_null())["measure"])
    had = [measure for measure in measures if measure in valued]
    return (had, [measure for measure in measures if measure not in valued]) if had else (measures, [])


def _not_shown(data: pl.DataFrame, absent: Sequence[str]) -> list[str]:
    """The measures that no row has, by the reasons for it."""
    why: dict[str, list[str]] = {}
    for measure in absent:
        reasons = data.filter(measure=measure)["reason"].drop_nulls().unique(maintain_order=True).to_list()
        why.setdefault("; ".join(reasons) or "not measured", []).append(_naming(measure).label)
    said = [f"{', '.join(labels)} ({reasons})" for reasons, labels in why.items()]
    return [f"Not shown, as no row has a value: {'; '.join(said)}."] if said else []


def _unused(head: str, columns: Iterable[str]) -> str:
    """A head that no column has yet, for measures that are called alike."""
    taken, number = set(columns), 2
    unique = head
    while unique in taken:
        unique, number = f"{head} {number}", number + 1
    return unique


def _counts(data: pl.DataFrame, keys: list[str], places: dict[tuple[Any, ...], int]) -> list[str]:
    """n per row, as a range where its values rest on different numbers of rows; 0 where there is no value."""
    counts: list[list[int]] = [[] for _ in places]
    for *place, n in data.filter(pl.col("value").is_not_null()).select(*keys, "n").iter_rows():
        counts[places[tuple(place)]].append(n)
    shown = [(min(own), max(own)) if own else (0, 0) for own in counts]
    return [f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in shown]


def _left_out(
    data: pl.DataFrame, labels: Sequence[str], keys: list[str], places: dict[tuple[Any, ...], int]
) -> list[str]:
    """What the values that could be had leave out, and in which rows."""
    partial = data.filter((pl.col("n_failed") > 0) & pl.col("value").is_not_null() & pl.col("reason").is_not_null())
    where: dict[str, list[str]] = {}
    for *place, reason in partial.select(*keys, "reason").iter_rows():
        rows = where.setdefault(reason, [])
        label = labels[places[tuple(place)]]
        if label not in rows:
            rows.append(label)
    every = len(set(labels))
    said = [f"{'Every row' if len(rows) == every > 1 else ', '.join(rows)}: {why}." for why, rows in where.items()]
    more = len(said) - _MOST_REASONS
    return said if more <= 0 else [*said[:_MOST_REASONS], f"{more} more reasons are in the data file."]
