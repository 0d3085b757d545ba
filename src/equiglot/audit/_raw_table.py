"""A file's columns as they are, for tables that hold more than one row per segment, language and system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from equiglot.measures import Direction, MeasureInfo
from equiglot.table import known_measure
from equiglot.table._raw import Raw
from equiglot.table.columns import names
from equiglot.table.reading import read_raw
from equiglot.table.scores import numbers

__all__ = ["Raw", "measure_info", "numbered_column", "open_raw", "optional_names", "plain_text", "renamed"]

_ALIASES: Mapping[str, Sequence[str]] = {
    "id": ("id", "sentence", "segment_id", "seg_id", "segment", "sentence_id", "sent_id"),
    "language": ("language", "lang", "language_code", "target_language", "tgt_lang"),
}


def open_raw(path: str | Path, *, quotes: bool = True) -> Raw:
    """The columns of a .csv, .tsv, .jsonl, .json or .parquet file under their own names.

    Raises:
        InputError: a file that can't be read, or has no rows.
    """
    raw = read_raw(path, quotes=quotes)
    if not raw.frame.height:
        raise raw.error("there are no rows", fix="name a file that has rows")
    return raw


def renamed(raw: Raw, rename: Mapping[str, str]) -> Raw:
    """The columns under our names: those that the caller maps, then ``id`` and ``language`` by names in common use.

    Raises:
        InputError: a column that is not there; two that could each be the id.
    """
    columns = raw.frame.columns
    for ours, theirs in rename.items():
        if theirs not in columns:
            raise raw.error(
                f"there is no column '{theirs}' to read {ours} from", fix=f"the columns are {', '.join(columns)}"
            )
    new = {theirs: ours for ours, theirs in rename.items()}
    replaced = [ours for ours, theirs in rename.items() if ours in columns and ours != theirs and ours not in new]
    for ours, aliases in _ALIASES.items():
        if ours in rename or ours in columns:
            continue
        found = [column for column in columns if column.casefold() in aliases and column not in new]
        if len(found) > 1:
            raise raw.error(
                f"columns {' and '.join(map(repr, found))} could each be {ours}",
                fix=f"name the right one with --map {ours}=YOUR_COLUMN",
            )
        if found:
            new[found[0]] = ours
    measures = {new.get(c, c): replace(info, name=new.get(c, c)) for c, info in raw.measures.items()}
    return replace(raw, frame=raw.frame.drop(replaced).rename(new), measures=measures)


def optional_names(raw: Raw, column: str) -> pl.Series | None:
    """A column of names as text, or None where there is no such column; a missing name is an error."""
    return names(raw, column) if column in raw.frame.columns else None


def plain_text(raw: Raw, column: str) -> pl.Series:
    """A column as text, null where it is missing; lists, bytes and durations, which no text stands for, are errors."""
    series = raw.frame[column]
    if series.dtype.is_nested() or isinstance(series.dtype, (pl.Binary, pl.Duration, pl.Object)):
        row = int(series.is_not_null().arg_max() or 0)
        fix = "write it as text, or leave the column out"
        raise raw.error(f"a value of type {series.dtype} is not text", fix=fix, row=row + 1, column=column)
    return series.cast(pl.String)


def numbered_column(raw: Raw, column: str) -> pl.Series:
    """A column as Float64, null where it is missing; NaN, infinity and text are errors that name the row."""
    return numbers(raw, column)


def measure_info(raw: Raw, column: str, direction: Direction | None) -> MeasureInfo:
    """What is known of a score column: by the file, by its name, or by the direction that the caller gives.

    Raises:
        InputError: a direction that is not known, or contradicts the metric's own.
    """
    made = f"metric:{column}|origin:brought"
    known = known_measure(column)
    info = raw.measures.get(column) or (MeasureInfo(column, *known, made) if known else None)
    if info is None and direction is None:
        raise raw.error(
            f"whether larger or smaller values of '{column}' are better is not known",
            fix="say it with --direction higher or --direction lower",
            column=column,
        )
    if info is not None and direction not in (None, info.direction):
        raise raw.error(
            f"'{direction}' was given as its direction, and this metric's is '{info.direction}'",
            fix="leave --direction out, or rename the column where its scores are turned round",
            column=column,
        )
    return info or MeasureInfo(column, "score", direction or "neutral", made)
