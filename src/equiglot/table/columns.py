"""Which column of a file is which column of the table, and whether it holds what it should.

A column that the table knows is found under its own name, under the name that the caller says, or under one of
a few other names in use; taking one of those is always told. A name that means different things to different
people (``score``, ``text``, ``mqm``) is not among them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from difflib import get_close_matches

import polars as pl

from equiglot.errors import InputError
from equiglot.table._raw import Raw
from equiglot.table.segments import KEY, TEXT_COLUMNS

__all__ = ["KNOWN_COLUMNS", "LANGUAGE_PAIR", "name_columns", "names", "texts"]

_TEXT_TYPES = (pl.String, pl.Null, pl.Categorical, pl.Enum)

KNOWN_COLUMNS = (*KEY, *TEXT_COLUMNS, "human", "romanizer")

LANGUAGE_PAIR = "language pair"
"""What :func:`name_columns` calls a column of language pairs (``en-hi``), where the file has no column of languages."""

_ALIASES: dict[str, tuple[str, ...]] = {
    "id": ("segment_id", "seg_id", "segment"),
    "language": ("lang", "language_code", "target_language", "tgt_lang"),
    LANGUAGE_PAIR: ("lp", "language_pair"),
    "script": (),
    "condition": (),
    "system": (),
    "source": ("src", "prompt", "question"),
    "target": ("translation", "hypothesis", "hyp", "mt", "tgt", "prediction", "response", "answer"),
    "reference": ("ref",),
    "human": ("human_score",),
}


def name_columns(raw: Raw, rename: Mapping[str, str], constants: Collection[str], measures: Collection[str]) -> Raw:
    """The file's columns under the table's names.

    Args:
        raw: the file.
        rename: from a name of the table to the file's name for it.
        constants: the columns that the caller gives one value for, which aliases are not searched for.
        measures: names, beside those of the table, that a column may be renamed to.

    Raises:
        InputError: no such column; one column under two names; two columns that could be the same one; a
            constant for a column that the file has.
    """
    columns = raw.frame.columns
    _check_names(raw, rename, measures)
    notes: list[str] = []
    new: dict[str, str] = {theirs: ours for ours, theirs in rename.items()}
    replaced = [ours for ours, theirs in rename.items() if ours in columns and ours != theirs and ours not in new]
    for ours in replaced:
        notes.append(f"column '{ours}' was left out, because '{rename[ours]}' is read as {ours}")
    for constant in constants:
        if (constant in columns and constant not in {*replaced, *new}) or constant in rename:
            raise raw.error(
                f"there is a column for {constant}, and one value for all rows was given too",
                fix=f"leave {constant}= out, or name another column",
                column=rename.get(constant, constant),
            )
    found = {*new.values(), *constants, *(c for c in columns if c not in new)}
    for ours, aliases in _ALIASES.items():
        if ours in found or (ours == LANGUAGE_PAIR and "language" in found):
            continue
        theirs = [c for c in columns if c.casefold() in (ours, *aliases) and c not in new]
        if len(theirs) > 1:
            raise raw.error(
                f"columns {' and '.join(map(repr, theirs))} could each be {ours}",
                fix=f"name the right one with --map {ours.split()[0]}=YOUR_COLUMN",
            )
        if theirs:
            new[theirs[0]] = ours
            found.add(ours)
            notes.append(f"column '{theirs[0]}' was read as {ours}")
    return replace(
        raw,
        frame=raw.frame.drop(replaced).rename(new),
        notes=(*raw.notes, *notes),
        odd={new.get(c, c): value for c, value in raw.odd.items()},
        measures={new.get(c, c): replace(m, name=new.get(c, c)) for c, m in raw.measures.items() if c not in replaced},
    )


def _check_names(raw: Raw, rename: Mapping[str, str], measures: Collection[str]) -> None:
    columns = raw.frame.columns
    for ours, theirs in rename.items():
        if ours not in KNOWN_COLUMNS and ours not in measures:
            near = get_close_matches(ours, KNOWN_COLUMNS, n=1)
            fix = f"did you mean '{near[0]}'?" if near else f"the table's columns are {', '.join(KNOWN_COLUMNS)}"
            raise InputError(f"'{ours}' is no column of the table", fix=fix)
        if theirs not in columns:
            near = get_close_matches(theirs, columns, n=1)
            fix = f"did you mean '{near[0]}'?" if near else f"the columns are {', '.join(columns)}"
            raise raw.error(f"there is no column '{theirs}' to read {ours} from", fix=fix)
    twice = {theirs for theirs in rename.values() if list(rename.values()).count(theirs) > 1}
    if twice:
        raise InputError(f"column '{min(twice)}' is named for two columns", fix="name each column once")


def texts(raw: Raw, column: str) -> pl.Series:
    """A column of text, null where it is missing.

    A list of one text is that text.

    Raises:
        InputError: anything but text; a list of several texts.
    """
    series = raw.frame[column]
    fix = f"name the column of texts with --map {column}=YOUR_COLUMN"
    if column in raw.odd:
        row, value = raw.odd[column]
        raise raw.error(f"{_shown(value)} is not text", fix=fix, row=row, column=column)
    if isinstance(series.dtype, pl.List) and series.dtype.inner in (pl.String(), pl.Null()):
        return _only_texts(raw, series)
    if isinstance(series.dtype, _TEXT_TYPES):
        return series.cast(pl.String)
    row = series.is_not_null().arg_max() or 0
    raise raw.error(f"{_shown(series[row])} is not text", fix=fix, row=row + 1, column=column)


def _only_texts(raw: Raw, lists: pl.Series) -> pl.Series:
    several = (lists.list.len() > 1).fill_null(False)
    if several.any():
        row = several.arg_max() or 0
        raise raw.error(
            f"there are {len(lists[row])} texts in one row, and only one can be read",
            fix="keep one of them",
            row=row + 1,
            column=lists.name,
        )
    return lists.list.get(0, null_on_oob=True).cast(pl.String)


def names(raw: Raw, column: str, *, missing: bool = False) -> pl.Series:
    """A column of names (ids, systems), whole numbers among them made text.

    Raises:
        InputError: anything but text and whole numbers; a missing value unless ``missing``.
    """
    series = raw.frame[column]
    if series.dtype.is_float() and ((series == series.floor()) & (series.abs() < 2**53)).all():
        series = series.cast(pl.Int64)
    if series.dtype.is_integer():
        series = series.cast(pl.String)
    if not isinstance(series.dtype, _TEXT_TYPES):
        row = series.is_not_null().arg_max() or 0
        fix = f"name the right column with --map {column}=YOUR_COLUMN"
        raise raw.error(f"{_shown(series[row])} is not a name", fix=fix, row=row + 1, column=column)
    if not missing and series.null_count():
        row = series.is_null().arg_max() or 0
        raise raw.error("the value is missing", fix="fill it in", row=row + 1, column=column)
    return series.cast(pl.String)


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
