"""Write a segment table to a file.

Parquet keeps everything: what is known of the measures and the notes are in the file's metadata, under
``equiglot``, and :func:`equiglot.table.read_segments` finds them there. CSV, TSV and JSON Lines keep the rows
alone: read again, a measure whose name is a known metric's is one that was brought (its making is no longer known),
and any other is a column like the rest. In CSV and TSV the texts of a list stand in one cell, joined by "; ", and any
other nested value as JSON.

A file is written beside its place and moved there when it is whole, so a stop leaves the old one as it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import polars as pl

from equiglot.errors import InputError
from equiglot.table.reading import METADATA_KEY
from equiglot.table.segments import Segments

__all__ = ["as_cells", "require_cells", "require_folder", "require_place", "write_segments", "write_table"]

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_SUFFIXES = (".parquet", *_SEPARATORS, ".jsonl", ".ndjson")


def write_segments(segments: Segments, path: str | Path) -> None:
    r"""Write a table as .parquet, or its rows alone as .csv, .tsv, .jsonl or .ndjson.

    In CSV and TSV a missing value is an empty cell and an empty text is ``""``; text may hold any character.

    Raises:
        InputError: another suffix; no such folder; a column of bytes, but for Parquet.

    >>> import tempfile
    >>> from equiglot.table import from_frame, read_segments
    >>> path = Path(tempfile.mkdtemp()) / "scores.parquet"
    >>> write_segments(from_frame(pl.DataFrame({"target": [""], "ter": [0.5]}), language="de", script="Latn"), path)
    >>> read_segments(path).measures["ter"].signature.split("|")[:2]
    ['metric:ter', 'origin:brought']
    """
    known = {
        "measures": {name: asdict(info) for name, info in segments.measures.items()},
        "notes": list(segments.notes),
    }
    _write(segments.frame, Path(path), {METADATA_KEY: json.dumps(known, ensure_ascii=False)})


def write_table(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a result table, or any other frame, in one of the formats of :func:`write_segments`.

    Raises:
        InputError: as :func:`write_segments`.
    """
    _write(frame, Path(path), {})


def require_place(path: Path, suffixes: Sequence[str] = _SUFFIXES, *, what: str = "tables") -> None:
    """Say before the work, not after it, that a file can't be written there.

    Args:
        path: the file.
        suffixes: those of the formats that it may be written in.
        what: is written, in words.

    Raises:
        InputError: a folder, another suffix, no such folder to write into, or one without the right to.
    """
    if path.is_dir():
        raise InputError("this is a folder", fix=f"name a file in it, ending in {suffixes[0]}", path=path)
    if path.suffix.lower() not in suffixes:
        fix = f"use one of {', '.join(suffixes)}"
        raise InputError(f"'{path.suffix}' is not a format that {what} are written in", fix=fix, path=path)
    if not path.parent.is_dir():
        raise InputError("there is no such folder", fix="make it first", path=path.parent)
    if not os.access(path.parent, os.W_OK):
        raise InputError("the folder can't be written to", fix="name another one", path=path.parent)


def require_folder(folder: Path) -> None:
    """Say before the work, not after it, that results can't be written into a folder, which may be yet to be made."""
    there = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        what = "can't be written to" if there.is_dir() else "is a file"
        raise InputError(f"the results can't go there, for {there} {what}", path=folder, fix="name another folder")


def require_cells(frame: pl.DataFrame, path: Path) -> None:
    """Say before the work that a column can't be written in a file's format: bytes, but in Parquet.

    Raises:
        InputError: there is such a column.
    """
    if path.suffix.lower() == ".parquet":
        return
    for column, dtype in frame.schema.items():
        if _holds_bytes(dtype):
            problem = f"a column of bytes can't be written as '{path.suffix}'"
            raise InputError(problem, fix="write Parquet, or leave the column out", path=path, column=column)


def as_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """The columns as CSV and TSV hold them: a list of texts joined by "; ", any other nested value as JSON.

    >>> as_cells(pl.DataFrame({"kinds": [["empty", "copy"], []], "at": [[1, 2], None]})).rows()
    [('empty; copy', '[1, 2]'), ('', None)]
    """
    nested = [column for column in frame.get_columns() if column.dtype.is_nested()]
    return frame.with_columns(map(_as_cell, nested))


def _as_cell(column: pl.Series) -> pl.Series:
    if column.dtype == pl.List(pl.String):
        return column.list.join("; ")
    texts = [None if v is None else json.dumps(v, ensure_ascii=False, default=str) for v in column.to_list()]
    return pl.Series(column.name, texts, dtype=pl.String)


def _holds_bytes(dtype: object) -> bool:
    if isinstance(dtype, pl.Struct):
        return any(_holds_bytes(field.dtype) for field in dtype.fields)
    if isinstance(dtype, pl.List | pl.Array):
        return _holds_bytes(dtype.inner)
    return isinstance(dtype, pl.Binary | pl.Object)


def _write(frame: pl.DataFrame, path: Path, metadata: dict[str, str]) -> None:
    require_place(path)
    require_cells(frame, path)
    suffix = path.suffix.lower()
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            if suffix in _SEPARATORS:
                as_cells(frame).write_csv(file, separator=_SEPARATORS[suffix])
            elif suffix == ".parquet":
                frame.write_parquet(file, metadata=metadata)
            else:
                frame.write_ndjson(file)
        unfinished.replace(path)
    except OSError as error:
        problem = error.strerror or "the file cannot be written"
        raise InputError(problem, fix="name a file that can be written", path=path) from error
    except pl.exceptions.PolarsError as error:
        problem = f"a column has no place in this format ({' '.join(str(error).split())})"
        raise InputError(problem, fix="write Parquet", path=path) from error
    finally:
        unfinished.unlink(missing_ok=True)
