"""Bytes and characters of parallel texts, with white space and without."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from equiglot.audit._raw_table import Raw, optional_names, renamed
from equiglot.table.columns import texts as text_column

__all__ = ["lengths_of", "measured_lengths"]

_TEXT_COLUMNS = ("target", "text", "sentence_text", "source")


def measured_lengths(text: pl.Expr) -> list[pl.Expr]:
    """UTF-8 bytes and code points of a text, and both with all white space left out."""
    bare = text.str.replace_all(r"\s", "")
    return [
        text.str.len_bytes().alias("text_bytes"),
        text.str.len_chars().alias("text_chars"),
        bare.str.len_bytes().alias("text_bytes_nospace"),
        bare.str.len_chars().alias("text_chars_nospace"),
    ]


def lengths_of(raw: Raw, rename: Mapping[str, str]) -> tuple[pl.DataFrame, list[str]]:
    """The lengths of each text, by ``id`` and ``text`` (the name of its language, or of the text).

    Args:
        raw: one column per language, or one row per text with a column ``language``.
        rename: our names for the columns of ids, languages and texts; those that are not there are not asked for.

    Raises:
        InputError: nothing that could be text, or something else in a column of texts.
    """
    raw = renamed(raw, {ours: theirs for ours, theirs in rename.items() if theirs in raw.frame.columns})
    ids = optional_names(raw, "id")
    notes: list[str] = []
    if "language" in raw.frame.columns:
        column = next((c for c in _TEXT_COLUMNS if c in raw.frame.columns), None)
        if column is None:
            raise raw.error(
                f"there is no column of texts; the columns are {', '.join(raw.frame.columns)}",
                fix="name it with --map target=YOUR_COLUMN",
            )
        names = optional_names(raw, "language")
        long = pl.DataFrame({"text": names, "_text": text_column(raw, column)})
        numbers = pl.int_range(1, pl.len() + 1).over("text").cast(pl.String)
        long = long.with_columns(numbers.alias("id") if ids is None else ids.alias("id"))
    else:
        wide = [c for c, dtype in raw.frame.schema.items() if c != "id" and dtype == pl.String]
        if not wide:
            raise raw.error("there is no column of texts", fix="give one column of text per language")
        numbers = pl.Series(map(str, range(1, raw.frame.height + 1)), dtype=pl.String)
        frame = raw.frame.select(wide).with_columns((numbers if ids is None else ids).alias("id"))
        long = frame.unpivot(index="id", variable_name="text", value_name="_text")
    if ids is None:
        notes.append(f"{raw.name}: there is no column 'id', so texts were numbered in file order")
    lengths = long.select("id", "text", *measured_lengths(pl.col("_text")))
    twice = lengths.select("id", "text").is_duplicated()
    if twice.any():
        row = lengths.row(int(twice.arg_max() or 0), named=True)
        raise raw.error(f"there are two texts of sentence {row['id']} in {row['text']}", fix="keep one of them")
    return lengths, notes
