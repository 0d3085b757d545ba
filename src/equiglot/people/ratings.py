"""Tables of ratings: what the rating app exports, or the same columns from anywhere else.

One row per item, rater and dimension (columns :data:`RATINGS`). An item is an id, language and system. A row without a
rating was skipped; ``repeat`` is true where the rater saw the item a second time.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from equiglot.errors import InputError
from equiglot.table import Segments, parse_language
from equiglot.table._raw import Raw
from equiglot.table.columns import names
from equiglot.table.reading import read_raw
from equiglot.table.scores import numbers

__all__ = ["ITEM", "RATINGS", "TOTAL", "rater_totals", "read_ratings", "read_totals", "totals", "with_totals"]

RATINGS: dict[str, pl.DataType] = {
    "id": pl.String(),
    "language": pl.String(),
    "system": pl.String(),
    "rater": pl.String(),
    "dimension": pl.String(),
    "rating": pl.Float64(),
    "seconds": pl.Float64(),
    "note": pl.String(),
    "skipped": pl.String(),
    "repeat": pl.Boolean(),
}
"""The columns of a table of ratings."""

ITEM = ("id", "language", "system")
"""The columns that together name an item."""

TOTAL = "total"
"""What the sum over dimensions is called, as a dimension."""

_ABSENT = {"language": "und", "system": "system", "dimension": "rating"}
"""What stands in for a column that a table of ratings may lack."""
_SAID = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def read_ratings(path: str | Path, *, quotes: bool = True) -> pl.DataFrame:
    """The table of ratings in a file; of its columns ``id``, ``rater`` and ``rating`` are needed.

    Raises:
        InputError: a file that can't be read; a column that is missing; a rating that is not a number; a rater who
            rated an item twice on one dimension, neither of them marked as a repeat; totals among the dimensions.
    """
    return _ratings(_open(path, quotes))


def _ratings(raw: Raw) -> pl.DataFrame:
    for column in ("id", "rater", "rating"):
        if column not in raw.frame.columns:
            have = ", ".join(raw.frame.columns)
            fix = "write the ratings with equiglot rate --export, or name your columns as it does"
            raise raw.error(f"there is no column '{column}'; the columns are {have}", fix=fix)
    frame = pl.DataFrame([*_items(raw), _named(raw, "rater"), _named(raw, "dimension"), numbers(raw, "rating")])
    frame = frame.with_columns(repeat=_repeats(raw))
    if row := _second(frame, *ITEM, "rater", "dimension", "repeat"):
        rater, dimension = frame["rater"][row - 1], frame["dimension"][row - 1]
        fix = "keep one of them, or mark the second in a column 'repeat'"
        raise raw.error(f"{rater} rated this item twice on {dimension}", fix=fix, row=row)
    if frame["dimension"].n_unique() > 1 and TOTAL in set(frame["dimension"]):
        row = int((frame["dimension"] == TOTAL).arg_max() or 0) + 1
        fix = "leave such rows out: totals are made from the other dimensions"
        raise raw.error("there are totals among the ratings", fix=fix, row=row, column="dimension")
    carried = [c for c in ("seconds", "note", "skipped") if c in raw.frame.columns]
    return frame.with_columns(raw.frame.select(carried)).select(c for c in RATINGS if c in {*frame.columns, *carried})


def read_totals(path: str | Path, *, quotes: bool = True) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """The total per item (columns id, language, system, human) that a file holds, or that its ratings make.

    Returns:
        The totals, and the ratings where the file holds them.

    Raises:
        InputError: as :func:`read_ratings`; neither raters nor a column ``human``; two totals of one item.
    """
    raw = _open(path, quotes)
    if "rater" in raw.frame.columns:
        ratings = _ratings(raw)
        return totals(ratings), ratings
    if not {"id", "human"} <= set(raw.frame.columns):
        fix = "give what equiglot rate --export wrote"
        raise raw.error("there are neither ratings by raters nor a total 'human' per item 'id'", fix=fix)
    frame = pl.DataFrame([*_items(raw), numbers(raw, "human")])
    if row := _second(frame, *ITEM):
        raise raw.error("this item has two totals", fix="keep one row per id, language and system", row=row)
    return frame, None


def rater_totals(ratings: pl.DataFrame) -> pl.DataFrame:
    """Each rater's sum over dimensions: columns id, language, system, rater, repeat, rating.

    Null where the rater left a dimension out, or skipped the item.
    """
    wanted = ratings["dimension"].n_unique()
    whole = (pl.col("rating").count() == wanted) & (pl.col("dimension").n_unique() == wanted)
    keys = [*ITEM, "rater", "repeat"]
    return ratings.group_by(keys, maintain_order=True).agg(pl.when(whole).then(pl.col("rating").sum()))


def totals(ratings: pl.DataFrame) -> pl.DataFrame:
    """Per item the mean of raters' totals: columns id, language, system, human; second ratings don't count.

    Null where nobody rated the item in full.

    >>> row = {"id": "1", "language": "hi", "system": "a", "rater": "r", "repeat": False}
    >>> given = [{**row, "dimension": "x", "rating": 2.0}, {**row, "dimension": "y", "rating": 1.0}]
    >>> totals(pl.DataFrame(given)).row(0)
    ('1', 'hi', 'a', 3.0)
    """
    first = rater_totals(ratings).filter(~pl.col("repeat"))
    return first.group_by(ITEM, maintain_order=True).agg(human=pl.col("rating").mean())


def with_totals(segments: Segments, human: pl.DataFrame) -> Segments:
    """The table with the totals of its rows as ``human``; null where an item was not rated.

    Raises:
        InputError: two rows of the table with one id, language and system; no total that belongs to any row.
    """
    frame = segments.frame
    twice = frame.select(ITEM).is_duplicated()
    if twice.any():
        key = " ".join(map(str, frame.select(ITEM).filter(twice).row(0)))
        fix = "keep the rows of the script and condition that people rated"
        raise segments.error(f"two rows have the same id, language and system ({key})", fix=fix)
    joined = frame.drop("human", strict=False).join(human, on=ITEM, how="left", maintain_order="left")
    found = joined["human"].count()
    if not found:
        fix = "give the ratings of this table's rows: id, language and system must agree"
        raise segments.error("none of the ratings is of a row of this table", fix=fix)
    note = f"people rated {found:,} of {frame.height:,} rows"
    if (elsewhere := human["human"].count() - found) > 0:
        note += f"; {elsewhere:,} totals are of no row of this table"
    return replace(segments, frame=joined).noted(note)


def _second(frame: pl.DataFrame, *keys: str) -> int:
    """The first row, from 1, whose keys an earlier one has; 0 where there is none."""
    again = (~frame.select(pl.struct(keys).is_first_distinct()).to_series()).arg_true()
    return int(again[0]) + 1 if again.len() else 0


def _open(path: str | Path, quotes: bool) -> Raw:
    raw = read_raw(path, quotes=quotes)
    if not raw.frame.height:
        raise raw.error("there are no rows", fix="name a file that has rows")
    return raw


def _items(raw: Raw) -> list[pl.Series]:
    language = _named(raw, "language")
    if "language" in raw.frame.columns:
        language = language.replace({tag: _language(raw, language, tag) for tag in language.unique()})
    return [_named(raw, "id"), language, _named(raw, "system")]


def _language(raw: Raw, column: pl.Series, tag: str) -> str:
    try:
        return parse_language(tag).language
    except InputError as error:
        row = int((column == tag).arg_max() or 0) + 1
        raise raw.error(error.problem, fix=error.fix, row=row, column="language") from error


def _named(raw: Raw, column: str) -> pl.Series:
    if column in raw.frame.columns:
        return names(raw, column)
    return pl.repeat(_ABSENT[column], raw.frame.height, dtype=pl.String, eager=True).alias(column)


def _repeats(raw: Raw) -> pl.Series:
    if "repeat" not in raw.frame.columns:
        return pl.repeat(False, raw.frame.height, eager=True)
    given = raw.frame["repeat"]
    if given.dtype == pl.Boolean:
        return given.fill_null(False)
    words = given.cast(pl.String).str.strip_chars().str.to_lowercase().fill_null("false")
    wrong = (~words.is_in(list(_SAID))).arg_true()
    if wrong.len():
        row = int(wrong[0])
        raise raw.error(
            f"'{given[row]}' is neither yes nor no", fix="write true or false", row=row + 1, column="repeat"
        )
    return words.replace_strict(_SAID, return_dtype=pl.Boolean)
