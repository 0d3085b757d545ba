"""The blocks of tables under the table's names: ids numbered through each file, no two rows of one key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import polars as pl

from equiglot.errors import InputError
from equiglot.table import KEY, Segments
from equiglot.table._arrange import ReadOptions, arrange
from equiglot.table.columns import name_columns, names
from equiglot.validity._blocks import moved, table_blocks

__all__ = ["Tables"]

_NO_ID = "there is no column 'id', so rows were numbered in file order within language, system and condition"
_SIDE_BY_SIDE = f"{_NO_ID}: row n of each file is taken to answer the same prompt"


@dataclass(frozen=True, slots=True)
class Tables:
    """One table, or several that are read as one.

    Attributes:
        systems: the files by the system that their rows are of where no column says it; None: the reader's default.
        options: how columns are read.
        rename: from our names of columns to the file's.
        quotes: whether ``"`` quotes in CSV and TSV.
        told: is told of each block, and how many rows of its file there are before it.
    """

    systems: Sequence[tuple[Path, str | None]]
    options: ReadOptions
    rename: Mapping[str, str]
    quotes: bool
    told: Callable[[Segments, int], None]
    _numbered: dict[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])
    _hashes: list[np.ndarray[tuple[int], np.dtype[np.uint64]]] = field(
        default_factory=list[np.ndarray[tuple[int], np.dtype[np.uint64]]]
    )

    def blocks(self) -> Iterator[tuple[Path, Iterator[pl.DataFrame]]]:
        """Each file with its rows in blocks, which have to be taken before the next file is.

        Raises:
            InputError: what :func:`equiglot.table.read_segments` refuses, with the row in the file. That two rows have
                one key is found after the last block, from eight bytes kept of each row.
        """
        for path, system in self.systems:
            yield path, self._of_file(path, system)
        values, counts = np.unique(np.concatenate([np.zeros(0, np.uint64), *self._hashes]), return_counts=True)
        if (counts > 1).any():
            self._check_unique(pl.Series(values[counts > 1]))

    def _of_file(self, path: Path, system: str | None) -> Iterator[pl.DataFrame]:
        no_id = f"{path.name}: {_NO_ID if len(self.systems) == 1 else _SIDE_BY_SIDE}"
        for before, segments, has_id in self._segments(path, system):
            self.told(segments if has_id else segments.noted(no_id), before)
            if has_id:
                self._hashes.append(segments.frame.select(KEY).hash_rows().to_numpy())
            yield segments.frame if has_id else _numbered(segments.frame, self._numbered)

    def _segments(self, path: Path, system: str | None) -> Iterator[tuple[int, Segments, bool]]:
        """Each block with the number of rows before it, and whether its rows have ids of their own."""
        return _segments(path, system, self.options, self.rename, self.quotes)

    def _check_unique(self, suspects: pl.Series) -> None:
        """Of rows whose keys hash alike, whether two have one key."""
        first: dict[tuple[str | None, ...], tuple[Path, int]] = {}
        for path, system in self.systems:
            for before, segments, has_id in self._segments(path, system):
                keys = segments.frame.select(KEY)
                for row in keys.hash_rows().is_in(suspects.implode()).arg_true() if has_id else ():
                    _compare(first, keys.row(row), path, before + row + 1)


def _segments(
    path: Path, system: str | None, options: ReadOptions, rename: Mapping[str, str], quotes: bool
) -> Iterator[tuple[int, Segments, bool]]:
    for before, block in table_blocks(path, quotes=quotes):
        raw = name_columns(block, rename, ["language"] if options.get("language") else [], [])
        if "target" not in raw.frame.columns:
            have = ", ".join(raw.frame.columns)
            fix = f"name it with --map target=YOUR_COLUMN; the columns are {have}"
            raise InputError("there is no column of answers", fix=fix, path=path)
        if system is not None and "system" not in raw.frame.columns:
            raw = replace(raw, frame=raw.frame.with_columns(pl.lit(system).alias("system")))
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


def _compare(
    first: dict[tuple[str | None, ...], tuple[Path, int]], key: tuple[str | None, ...], path: Path, number: int
) -> None:
    """Note where a key was first, and refuse it elsewhere."""
    place, other = first.setdefault(key, (path, number))
    if (place, other) == (path, number):
        return
    rows = f"rows {other} and {number}" if place == path else f"row {other} of {place.name} and row {number} here"
    raise InputError(
        f"{rows} have the same {', '.join(KEY)} ({', '.join(map(str, key))})",
        fix="give each row an id of its own, or a column that tells them apart (system, condition, script)",
        path=path,
        row=number,
    )
