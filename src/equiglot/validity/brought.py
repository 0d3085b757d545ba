"""What a table says of validity when it is read again.

Parquet keeps the types of :data:`equiglot.validity.validate.COLUMNS`. In CSV, and in tables that others made, yes and
no are words and a list is one text (:func:`equiglot.table.writing.as_cells`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import polars as pl

from equiglot.measures import MeasureInfo
from equiglot.table import Segments
from equiglot.validity.findings import from_json

__all__ = ["brought", "yes_or_no"]

_YES, _NO = frozenset({"true", "1", "1.0", "yes", "y"}), frozenset({"false", "0", "0.0", "no", "n"})
_LISTS = ("failures", "remarks")


def brought(segments: Segments) -> Segments:
    """The table with what it says of validity in the types that validation gives it; the same where that is nothing.

    Raises:
        InputError: a ``valid`` that is neither yes nor no somewhere, lists or details that validation did not write.
    """
    made = [
        *([yes_or_no(segments, "valid")] if "valid" in segments.frame.columns else []),
        *(_kinds(segments, column) for column in _LISTS if column in segments.frame.columns),
    ]
    if "failure_details" in segments.frame.columns:
        _check_details(segments)
    measures = dict(segments.measures)
    if "valid" in segments.frame.columns:
        measures.setdefault("valid", MeasureInfo("valid", "share", "higher", "measure:valid|origin:brought"))
    return replace(segments, frame=segments.frame.with_columns(made), measures=measures)


def yes_or_no(segments: Segments, column: str, *, no: Collection[str | None] = ()) -> pl.Series:
    """A column of yes and no, which may be words, as Boolean.

    Args:
        segments: the table.
        column: its column.
        no: what else says no: "" for an empty text, None for a missing value.

    Raises:
        InputError: what is neither.
    """
    given = segments.frame[column]
    if given.dtype == pl.Boolean:
        words = given.cast(pl.String)
    elif given.dtype.is_nested() or isinstance(given.dtype, pl.Binary | pl.Object):
        raise segments.error("this is not a column of yes and no", fix="write true or false", column=column)
    else:
        words = given.cast(pl.String).str.strip_chars().str.to_lowercase()
    said = words.is_in([*_YES, *_NO, *(word for word in no if word is not None)]).fill_null(None in no)
    if not said.all():
        row = int((~said).arg_true()[0])
        what = "a missing value" if given[row] is None else f"'{_short(given[row])}'"
        problem = f"{what} is neither yes nor no"
        raise segments.error(problem, fix="write true or false", row=row + 1, column=column)
    return words.is_in(list(_YES)).fill_null(False).alias(column)


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _kinds(segments: Segments, column: str) -> pl.Series:
    """A column of lists of kinds."""
    given = segments.frame[column]
    if given.dtype in (pl.List(pl.String), pl.List(pl.Null), pl.Null):
        return given.cast(pl.List(pl.String))
    if given.dtype != pl.String:
        fix = "leave the column out, or validate again"
        raise segments.error("this is not a column of kinds of failure", fix=fix, column=column)
    none = pl.lit([], dtype=pl.List(pl.String))
    text = pl.col(column)
    blank = text.fill_null("").str.strip_chars() == ""
    return given.to_frame().select(pl.when(blank).then(none).otherwise(text.str.split("; ")).alias(column)).to_series()


def _check_details(segments: Segments) -> None:
    given = segments.frame["failure_details"]
    fix = "leave the column out, or validate again"
    if not isinstance(given.dtype, pl.String | pl.Null):
        raise segments.error("this is not a column of findings", fix=fix, column="failure_details")
    for row, text in enumerate(given):
        try:
            if text not in (None, "[]"):
                from_json(text)
        except (ValueError, TypeError, RecursionError):
            problem = "this is no list of findings as `equiglot validate` writes it"
            raise segments.error(problem, fix=fix, row=row + 1, column="failure_details") from None
