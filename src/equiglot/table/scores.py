"""Which columns are scores, and their numbers.

A score's direction has to be known before anything is said of it, so a column becomes a measure only where its
name is a known metric's (``known_measures.json``) or the caller gives its direction. What made a score that came
with a file can't be known, so its signature, ``metric:NAME|origin:brought``, can only say that.

A cell that is missing is null; NaN, infinity and text are errors that name the row, for they would spread into
every mean.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import cast

import polars as pl

from equiglot.errors import InputError
from equiglot.measures import Direction, MeasureInfo
from equiglot.table._raw import Raw

__all__ = ["known_measure", "numbers", "read_measures"]

_LARGEST = 1e100  # the squares of a hundred million such scores still have a sum
_MISSING = "leave the cell empty where the score is missing"
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?")
_NO_VALUE = {"n/a", "na", "n.a.", "none", "null", "nil", "-", "--", "\u2013", "\u2014", "?", ".", "missing"}
"""What people write, in lower case, where a score is missing."""
_MOST_ROWS = 3
"""Other bad rows that an error names after the first."""


@cache
def _known() -> list[tuple[re.Pattern[str], str, Direction]]:
    text = files("equiglot.table").joinpath("known_measures.json").read_text("utf-8")
    return [
        (re.compile(entry["name"]), entry["unit"], cast(Direction, entry["direction"]))
        for entry in json.loads(text)["measures"]
    ]


def known_measure(column: str) -> tuple[str, Direction] | None:
    """The unit and the direction of a metric by the name of its column, or None where the name is not known.

    >>> known_measure("wmt22-comet-da"), known_measure("TER"), known_measure("score")
    (('score', 'higher'), ('score', 'lower'), None)
    """
    name = re.sub(r"[_ /]", "-", column.casefold()).removesuffix("-qn")
    names = (name, name.removesuffix("-score"))
    return next(((u, d) for pattern, u, d in _known() if any(map(pattern.fullmatch, names))), None)


def read_measures(
    raw: Raw, asked: Mapping[str, Direction], taken: tuple[str, ...]
) -> tuple[list[pl.Series], dict[str, MeasureInfo]]:
    """The score columns as numbers, and what is known of them.

    Args:
        raw: the file, its columns under the table's names.
        asked: the direction of columns that the caller calls scores.
        taken: columns that are something else.

    Raises:
        InputError: no such column; another direction than the metric's own; NaN, infinity or text among the
            numbers.
    """
    for column, direction in asked.items():
        _check_asked(raw, column, direction, taken)
    series: list[pl.Series] = []
    infos: dict[str, MeasureInfo] = {}
    for column in raw.frame.columns:
        known = known_measure(column)
        if column in taken or not (column in asked or column in raw.measures or known):
            continue
        if column in raw.measures and raw.frame[column].dtype == pl.Boolean:
            infos[column] = raw.measures[column]  # yes or no, as `valid`: it stays what it is
            continue
        if column not in asked and not _has_numbers(raw.frame[column]):
            continue
        unit, direction = known or ("score", asked.get(column, "neutral"))
        made = f"metric:{column}|origin:brought"
        infos[column] = raw.measures.get(column) or MeasureInfo(column, unit, direction, made)
        series.append(numbers(raw, column))
    return series, infos


def _check_asked(raw: Raw, column: str, direction: Direction, taken: tuple[str, ...]) -> None:
    if column not in raw.frame.columns:
        fix = f"the columns are {', '.join(raw.frame.columns)}"
        raise raw.error(f"there is no column '{column}' to read as a score", fix=fix)
    if column in taken:
        raise raw.error("this column is not a score", fix="name a column of scores", column=column)
    if direction not in ("higher", "lower", "neutral"):
        fix = "say which way is better: higher, lower or neutral"
        raise raw.error(f"'{direction}' is not a direction", fix=fix, column=column)
    known = known_measure(column)
    own = raw.measures[column].direction if column in raw.measures else known[1] if known else direction
    if own != direction:
        raise raw.error(
            f"'{direction}' was given as its direction, and this metric's is '{own}'",
            fix="leave the direction out, or rename the column where its scores are turned round",
            column=column,
        )


def _has_numbers(series: pl.Series) -> bool:
    if series.dtype == pl.String:
        stripped = series.str.strip_chars()
        commas = stripped.str.contains(f"^(?:{_DECIMAL_COMMA.pattern})$").any()
        return bool(commas) or stripped.cast(pl.Float64, strict=False).count() > 0
    return series.dtype.is_numeric()


def numbers(raw: Raw, column: str) -> pl.Series:
    """A column as Float64, null where it is missing.

    Raises:
        InputError: NaN, infinity, a number beyond 1e100, text, or another type that is not a number.
    """
    series = raw.frame[column]
    values = series
    if series.dtype == pl.String:
        stripped = series.str.strip_chars()
        values = stripped.set(stripped == "", None)
        series = values
    elif not series.dtype.is_numeric() and series.dtype != pl.Null:
        row = series.is_not_null().arg_max() or 0
        raise raw.error(f"'{series[row]}' is not a number", fix=_MISSING, row=row + 1, column=column)
    values = series.cast(pl.Float64, strict=False)
    wrong = (series.is_not_null() & ~values.is_finite().fill_null(False)).arg_true()
    if wrong.len():
        row = int(wrong[0])
        if values[row] is None:
            words = (series.is_not_null() & values.is_null()).arg_true().to_list()
            raise _not_a_number(raw, column, {at: str(series[at]) for at in words})
        problem = f"the value is {'NaN' if values[row] != values[row] else 'infinite'}"
        raise raw.error(problem, fix=_MISSING, row=row + 1, column=column)
    large = (values.abs() > _LARGEST).fill_null(False).arg_true()
    if large.len():
        row = int(large[0])
        fix = f"give scores between -{_LARGEST:g} and {_LARGEST:g}"
        raise raw.error(f"the value {values[row]:g} is too large to compute with", fix=fix, row=row + 1, column=column)
    return values


def _not_a_number(raw: Raw, column: str, found: Mapping[int, str]) -> InputError:
    """The error for the first of the values that are no numbers, with the next ones named, and how to mend them."""
    (row, value), *others = found.items()
    why, fix = _mend(value)
    problem = f"'{value}' is not a number{why}{raw.line_of(row)}"
    if others:
        named = [f"'{text}' in row {at + 1}{raw.line_of(at)}" for at, text in others[:_MOST_ROWS]]
        left = len(others) - len(named)
        problem += f"; nor {'is' if len(others) == 1 else 'are'} {', '.join(named)}"
        problem += f" and those in {left} more {'row' if left == 1 else 'rows'}" if left else ""
    return raw.error(problem, fix=fix, row=row + 1, column=column)


def _mend(value: str) -> tuple[str, str]:
    """Why a text is no number, to be put after saying so, and what to write."""
    if _THOUSANDS.fullmatch(value):
        return (
            ", for it has a comma",
            f"write {value.replace(',', '')}, or {value.replace(',', '.', 1)} if it is decimal",
        )
    if _DECIMAL_COMMA.fullmatch(value):
        return ", for it has a decimal comma", f"write {value.replace(',', '.')}"
    return (" but a word for a missing one" if value.casefold() in _NO_VALUE else ""), _MISSING
