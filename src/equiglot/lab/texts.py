"""Parallel texts: a table with one column per language and one row per sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from equiglot.errors import InputError
from equiglot.table import parse_language
from equiglot.table.reading import read_raw

__all__ = ["read_parallel"]


def read_parallel(path: Path, languages: Sequence[str] = ()) -> pl.DataFrame:
    """The texts of each language, one column each, nothing missing.

    Args:
        path: .csv, .tsv, .jsonl, .json or .parquet.
        languages: the columns wanted; empty takes every column whose name is a language and that holds text; ``id``
            is Indonesian only where its texts have white space in them, as sentences have and identifiers have not.

    Raises:
        InputError: no such column, one whose name has a slash, one that holds no text, a missing or blank sentence
            (with its row).
    """
    frame = read_raw(path).frame
    wanted = list(languages) or [
        name
        for name, kind in frame.schema.items()
        if kind == pl.String and _is_language(name) and not (name == "id" and _are_identifiers(frame[name]))
    ]
    if not wanted or not frame.height:
        fix = "give a table with a column per language, named en, hi, zh-Hant ..., and a row per sentence"
        raise InputError("no parallel texts", path=path, fix=fix)
    for name in wanted:
        if name not in frame.columns:
            raise InputError(
                f"there is no column '{name}'", path=path, fix=f"the columns are {', '.join(frame.columns)}"
            )
        if set(name) & set("/\\\0"):
            fix = "rename the column, as the models' folders are named after it"
            raise InputError("a language's name with a slash", path=path, column=name, fix=fix)
        if frame[name].dtype != pl.String:
            raise InputError("not a column of text", path=path, column=name, fix="name a column that holds sentences")
        blank = (frame[name].fill_null("").str.strip_chars() == "").arg_true()
        if len(blank):
            fix = "leave the row out in every language"
            raise InputError("there is no sentence", path=path, row=blank[0] + 1, column=name, fix=fix)
    return frame.select(wanted)


def _are_identifiers(column: pl.Series) -> bool:
    return not column.str.contains(r"\s").any()


def _is_language(name: str) -> bool:
    try:
        parse_language(name)
    except InputError:
        return False
    return True
