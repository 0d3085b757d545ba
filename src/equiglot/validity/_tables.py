"""The blocks of a table under the table's names: ids numbered through the file, no two rows of one key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from equiglot.errors import InputError
from equiglot.table import KEY, Segments
from equiglot.table._arrange import ReadOptions, arrange
from equiglot.table.columns import name_columns, names
from equiglot.validity._blocks import moved, table_blocks

__all__ = ["arranged_blocks"]

_NO_ID = "there is no column 'id', so rows were numbered in file order within language, system and condition"


def arranged_blocks(
    path: Path, options: ReadOptions, rename: Mapping[str, str], quotes: bool, told: Callable[[Segments, int], None]
) -> Iterator[pl.DataFrame]:
    """The rows of a table in blocks.

    Args:
        path: the table.
        options: how columns are read.
        rename: from our names of columns to the file's.
        quotes: whether ``"`` quotes in CSV and TSV.
        told: is told of each block, and how many rows there are before it.

    Raises:
        InputError: what :func:`equiglot.table.read_segments` refuses, with the row in the file. That two rows have
            one key is found after the last block, from eight bytes kept of each row.
    """
    numbered: dict[tuple[str, ...], int] = {}
    hashes: list[np.ndarray[tuple[int], np.dtype[np.uint64]]] = []
    for before, segments, has_id in _segments(path, options, rename, quotes):
        frame = segments.frame
        told(segments if has_id else segments.noted(f"{path.name}: {_NO_ID}"), before)
        if has_id:
            hashes.append(frame.select(KEY).hash_rows().to_numpy())
        yield frame if has_id else _numbered(frame, numbered)
    values, counts = np.unique(np.concatenate([np.zeros(0, np.uint64), *hashes]), return_counts=True)
    if (counts > 1).any():
        _check_unique(_segments(path, options, rename, quotes), pl.Series(values[counts > 1]), path)


def _segments(
    path: Path, options: ReadOptions, rename: Mapping[str, str], quotes: bool
) -> Iterator[tuple[int, Segments, bool]]:
    """Each block with the number of rows before it, and whether its rows have ids of their own."""
    for before, block in table_blocks(path, quotes=quotes):
        raw = name_columns(block, rename, ["language"] if options.get("language") else [], [])
        if "target" not in raw.frame.columns:
            have = ", ".join(raw.frame.columns)
            fix = f"name it with --map target=YOUR_COLUMN; the columns are {have}"
            raise InputError("there is no column of answers", fix=fix, path=path)
        has_id = "id" in raw.frame.columns
        try:
            ids = names(raw, "id") if has_id else None
            # Whether ids are unique is not for one block to say.
            numbers = pl.Series("id", range(raw.frame.height)).cast(pl.String)
            segments = arrange(replace(raw, frame=raw.frame.with_columns(numbers)), options)
        except InputError as error:
            raise moved(error, before).located(path) from error
        yield before, segments if ids is None else replace(segments, frame=segments.frame.with_columns(ids)), has_id


def _numbered(frame: pl.DataFrame, numbered: dict[tuple[str, ...], int]) -> pl.DataFrame:
    """Ids within each group, going on from the blocks before."""
    group = ["language", "system", "condition"]
    starts = [numbered.get(key, 0) for key in frame.select(group).iter_rows()]
    number = pl.Series(starts) + frame.select(pl.int_range(1, pl.len() + 1).over(group)).to_series()
    for *key, rows in frame.group_by(group).len().iter_rows():
        numbered[tuple(key)] = numbered.get(tuple(key), 0) + rows
    return frame.with_columns(number.cast(pl.String).alias("id"))


def _check_unique(blocks: Iterator[tuple[int, Segments, bool]], suspects: pl.Series, path: Path) -> None:
    """Of rows whose keys hash alike, whether two have one key."""
    first: dict[tuple[str | None, ...], int] = {}
    for before, segments, _ in blocks:
        keys = segments.frame.select(KEY)
        for row in keys.hash_rows().is_in(suspects.implode()).arg_true():
            key, number = keys.row(row), before + row + 1
            if (other := first.setdefault(key, number)) != number:
                values = ", ".join(map(str, key))
                raise InputError(
                    f"rows {other} and {number} have the same {', '.join(KEY)} ({values})",
                    fix="give each row an id of its own, or a column that tells them apart (system, condition, script)",
                    path=path,
                    row=number,
                )
