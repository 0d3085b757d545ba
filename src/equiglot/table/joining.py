"""Put tables, and scores that were made elsewhere, together.

Numbers made in different ways are never put in one column: an upgrade of a metric moves its scores, and a mean
over both means nothing. Two tables agree on a measure where its unit, direction and signature are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

import polars as pl

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table._raw import Raw
from equiglot.table.keys import check_unique
from equiglot.table.scores import numbers
from equiglot.table.segments import KEY, Segments

__all__ = ["concat", "join_measures", "join_scores", "named_system"]

_PARTNER = "has a partner in the other table"


def concat(tables: Sequence[Segments]) -> Segments:
    """The rows of all tables, in order, with every column that any of them has.

    Raises:
        InputError: no table; a measure made in different ways; a column of different types; two rows with one
            key.
    """
    if not tables:
        raise InputError("there is no table to put together", fix="name at least one")
    measures: dict[str, MeasureInfo] = {}
    for table in tables:
        for name, info in table.measures.items():
            _check_same(measures.setdefault(name, info), info)
    notes: list[str] = []
    for name in measures:
        without = sum(table.frame.height for table in tables if name not in table.frame.columns)
        if without:
            notes.append(f"{name} is missing in {without} rows, whose table has no such column")
    try:
        frame = pl.concat([table.frame for table in tables], how="diagonal")
    except pl.exceptions.PolarsError as error:
        fix = "give the column one type in all tables"
        raise InputError(f"tables differ in a column's type ({error})", fix=fix) from error
    check_unique(Raw(frame, "tables"), frame)
    return Segments(frame, measures).noted(*(note for table in tables for note in table.notes), *notes)


def _check_same(one: MeasureInfo, other: MeasureInfo) -> None:
    if one != other:
        a, b = (f"{i.signature} ({i.unit}, {i.direction} is better)" for i in (one, other))
        raise InputError(
            f"the scores were made in different ways, {a} and {b}, and such scores are never averaged or compared",
            fix="score all rows alike, or give the columns two names",
            column=one.name,
        )


def join_scores(segments: Segments, scores: Mapping[str, Sequence[float | None]], info: MeasureInfo) -> Segments:
    """The table with scores that are known by system and order alone, as in COMET's JSON.

    Args:
        segments: the table; the rows of a system are counted in the table's order.
        scores: by system, or the name of its file, one score for each of its rows, None where there is none.
        info: what the scores are.

    Raises:
        InputError: a system that the table has not; as many scores as there are not rows; a score that is NaN
            or infinite.

    A system of the table that has no scores gets null, with the reason, and a note.
    """
    systems = segments.frame["system"].unique(maintain_order=True).to_list()
    places = segments.frame.select(pl.int_range(pl.len()).alias("row"), "system")
    values: list[float | None] = [None] * segments.frame.height
    reasons: list[str | None] = [f"no {info.name} was given for the system"] * segments.frame.height
    notes: list[str] = []
    left = set(systems)
    for name, given in scores.items():
        system = named_system(name, systems, len(scores) == 1)
        if system not in left:
            raise InputError(f"two lists of scores are for the system '{system}'", fix="give one list per system")
        left.remove(system)
        if system != name:
            notes.append(f"the scores of '{name}' were taken for the system '{system}'")
        rows = places.filter(pl.col("system") == system)["row"].to_list()
        if len(given) != len(rows):
            raise InputError(
                f"there are {len(given)} scores for the system '{system}', which has {len(rows)} rows",
                fix="score the same segments, in the same order",
                column=info.name,
            )
        for row, value in zip(rows, _finite(given, info.name), strict=True):
            values[row], reasons[row] = value, None if value is not None else "no score was given for the row"
    notes += [f"no {info.name} was given for the system '{system}'" for system in systems if system in left]
    return segments.with_measure(info, values, reasons).noted(*notes)


def named_system(name: str, systems: Sequence[str], only: bool) -> str:
    """The system that a list of scores is for, by its name, by its file's, or because there is but one."""
    path = PurePath(name)
    by_file = [s for s in systems if s in (path.name, path.stem, f"{path.parent.name}/{path.stem}")]
    if name in systems:
        return name
    if len(by_file) == 1:
        return by_file[0]
    if only and len(systems) == 1:
        return systems[0]
    raise InputError(
        f"there is no system '{name}'; the systems are {', '.join(systems)}", fix="name it as the table does"
    )


def _finite(values: Sequence[float | None], name: str) -> list[float | None]:
    frame = pl.DataFrame({name: pl.Series(name, values, dtype=pl.Float64, strict=False)})
    return numbers(Raw(frame, "scores"), name).to_list()


def join_measures(segments: Segments, other: Segments, on: Sequence[str] = KEY) -> Segments:
    """The table with the measures of another table's rows of the same key.

    Args:
        segments: the table that keeps its rows and their order.
        other: the table that has the measures.
        on: the columns that say which rows are the same.

    Raises:
        InputError: no measures; a column that is not there; two rows of ``other`` with one key; no row in both;
            a measure that both have and that was made in different ways.

    Rows without a partner get null, with the reason, and a note says how many. A measure that both tables have
    is the other's where it has one.
    """
    if not other.measures:
        raise InputError("the other table has no measures", fix="name its score columns")
    for column in on:
        for side in (segments, other):
            if column not in side.frame.columns:
                have = ", ".join(side.frame.columns)
                raise InputError(f"there is no column '{column}' to join on", fix=f"the columns are {have}")
    for name in sorted(segments.measures.keys() & other.measures.keys()):
        _check_same(segments.measures[name], other.measures[name])
    columns = [c for m in other.measures for c in (m, f"{m}_reason") if c in other.frame.columns]
    given = other.frame.select(*on, *columns)
    twice = given.select(on).is_duplicated()
    if twice.any():
        key = ", ".join(str(value) for value in given.select(on).row(twice.arg_max() or 0))
        fix = "join on more columns, or leave one of the rows out"
        raise InputError(f"two rows of the other table have the same {', '.join(on)} ({key})", fix=fix)
    rows = segments.frame.select(on).join(
        given.with_columns(pl.lit(True).alias(_PARTNER)), on=on, how="left", nulls_equal=True, maintain_order="left"
    )
    found = rows[_PARTNER].fill_null(False)
    if not found.any():
        fix = "check that both tables name their segments, languages and systems alike"
        raise InputError(f"no row of the other table has the {', '.join(on)} of one here", fix=fix)
    alone = given.height - given.join(segments.frame.select(on), on=on, how="semi", nulls_equal=True).height
    made = segments
    for name, info in other.measures.items():
        made = made.with_measure(info, *_joined(segments.frame, rows, found, name))
    notes: list[str] = []
    if not found.all():
        notes.append(f"{(~found).sum()} of {found.len()} rows have no partner in the table that was joined")
    if alone:
        notes.append(f"{alone} of {given.height} rows of the table that was joined have no partner and were left out")
    return made.noted(*other.notes, *notes)


def _joined(
    frame: pl.DataFrame, rows: pl.DataFrame, found: pl.Series, name: str
) -> tuple[pl.Series, Sequence[str | None]]:
    """A measure and its reasons: the other table's in rows that have a partner there, else what was."""
    reason, nothing = f"{name}_reason", pl.repeat(None, rows.height, dtype=pl.String, eager=True)
    values = rows[name]
    reasons = rows[reason] if reason in rows.columns else nothing
    if name in frame.columns:
        was = frame[reason] if reason in frame.columns else nothing
        values = values.zip_with(found, frame[name])
    else:
        was = pl.repeat("the row has no partner in the table that was joined", rows.height, eager=True)
    return values, reasons.zip_with(found, was).to_list()
