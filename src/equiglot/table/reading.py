"""Read a segment table from a file or a data frame."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import Any, Unpack, get_args

import polars as pl

from equiglot.errors import InputError
from equiglot.measures import Direction, MeasureInfo
from equiglot.table._arrange import ReadOptions, arrange
from equiglot.table._delimited import read_delimited
from equiglot.table._files import format_suffix, read_bytes
from equiglot.table._json import read_json, read_json_lines
from equiglot.table._raw import Raw
from equiglot.table.segments import Segments

__all__ = ["METADATA_KEY", "ReadOptions", "from_frame", "read_raw", "read_segments"]

METADATA_KEY = "equiglot"
"""Where a Parquet file's metadata holds what is known of the measures, and the notes, as JSON."""


def read_segments(path: str | Path, *, quotes: bool = True, **options: Unpack[ReadOptions]) -> Segments:
    r"""The segment table in a file: .csv, .tsv, .jsonl (.ndjson), .json (a list of objects) or .parquet.

    All but Parquet may be gzipped (``.csv.gz``). Text is read as it is: UTF-8, neither stripped nor normalised.
    In CSV and TSV an empty cell is missing (null), and ``""`` is an empty text. Whatever is assumed is in the
    table's notes.

    Args:
        path: the file.
        quotes: CSV and TSV: whether ``"`` quotes, by RFC 4180, or is text like any other character.
        rename: from a name of the table (or of a known metric) to the file's column, e.g. ``{"target":
            "translation"}``. Without it, names in common use are found (``segment_id``, ``src``, ``hyp``,
            ``lang``, ...).
        language, script, system, condition: one value for all rows, where the file has no such column. A file
            needs a language; without a system all rows are of one; without a condition, rows in Latin of a
            language usually written otherwise are ``romanized`` and the others ``native``.
        human: the column of the person's score, larger is better.
        measures: columns that are scores, and which way is better; known metrics (COMET, chrF, TER, ...) are
            found by name.
        script_of: what tells the script of texts, used for rows that neither a column nor the language's tag
            gives one: the majority decides for a whole language and condition. Without it, such rows have no
            script.

    Raises:
        InputError: a file that cannot be read; no column for the language; an unknown language or script; a
            number where text should be; text, NaN or infinity where a score should be; two rows with one key.
            It names file, row (from 1, the header is none) and column.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "scores.tsv"
    >>> _ = path.write_text("id\tlang\tscript\thyp\tchrF\n7\thin\tDeva\tनमस्ते\t61.5\n", "utf-8")
    >>> segments = read_segments(path)
    >>> segments.frame.row(0)
    ('7', 'hi', 'Deva', 'native', 'system', 'नमस्ते', 61.5)
    >>> segments.measures["chrF"].direction
    'higher'
    """
    raw = read_raw(path, quotes=quotes)
    try:
        return arrange(raw, options)
    except InputError as error:
        raise error.located(Path(path)) from error


def read_raw(path: str | Path, *, quotes: bool = True) -> Raw:
    """The columns of a file under their own names, in any of the formats of :func:`read_segments`.

    Raises:
        InputError: a file that can't be read.
    """
    path = Path(path)
    if path.is_dir():
        raise InputError("this is a folder", fix="name a file in it", path=path)
    reader = _READERS.get(format_suffix(path))
    if reader is None:
        known = ", ".join(_READERS)
        raise InputError(f"'{path.suffix}' is not a format of tables", fix=f"use one of {known}", path=path)
    return reader(path, quotes)


def from_frame(frame: Any, **options: Unpack[ReadOptions]) -> Segments:
    """The segment table in a Polars, pandas or Arrow frame, or any other that narwhals reads.

    The options are those of :func:`read_segments`. In pandas, NaN is how a column of numbers says that a value
    is missing, so there it is read as missing; in other frames NaN in a score is an error.

    Raises:
        InputError: as :func:`read_segments`.

    >>> from_frame(pl.DataFrame({"target": ["Hallo"]}), language="de", script="Latn").frame.row(0)
    ('1', 'de', 'Latn', 'native', 'system', 'Hallo')
    """
    import narwhals as nw

    try:
        native: Any = nw.from_native(frame)
        eager: nw.DataFrame[Any] = native.collect() if isinstance(native, nw.LazyFrame) else native
        data = eager.to_polars()
    except (TypeError, ValueError, nw.exceptions.NarwhalsError) as error:
        fix = "give a Polars, pandas or Arrow frame with one type in each column"
        raise InputError(f"this is not a frame that can be read ({error})", fix=fix) from error
    return arrange(Raw(data, "frame"), options)


def _csv(path: Path, quotes: bool) -> Raw:
    return read_delimited(read_bytes(path), path, separator=",", quotes=quotes)


def _tsv(path: Path, quotes: bool) -> Raw:
    return read_delimited(read_bytes(path), path, separator="\t", quotes=quotes)


def _json_lines(path: Path, _quotes: bool) -> Raw:
    return read_json_lines(read_bytes(path), path)


def _json(path: Path, _quotes: bool) -> Raw:
    return read_json(read_bytes(path), path)


def _parquet(path: Path, _quotes: bool) -> Raw:
    from io import BytesIO

    data = BytesIO(read_bytes(path))
    try:
        frame = pl.read_parquet(data)
        data.seek(0)
        metadata = pl.read_parquet_metadata(data)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"this is not Parquet ({error})", fix="write the file again", path=path) from error
    try:
        told, measures = _told(metadata.get(METADATA_KEY, "{}"))
    except (ValueError, TypeError, RecursionError) as error:
        fix = "write the file again with equiglot, or strip its metadata"
        raise InputError("the file's equiglot metadata is damaged", fix=fix, path=path) from error
    return Raw(frame, path.name, path, told=told, measures=measures)


def _told(text: str) -> tuple[tuple[str, ...], dict[str, MeasureInfo]]:
    """The notes and measures in a file's metadata.

    Raises:
        ValueError, TypeError, RecursionError: it is not what :func:`equiglot.table.write_segments` writes.
    """
    known: Any = json.loads(text)
    if not isinstance(known, dict):
        raise TypeError("it is an object")
    notes, measures = known.get("notes", []), known.get("measures", {})
    json.dumps(known, ensure_ascii=False).encode()  # an unpaired surrogate would fail later, where it is shown
    if not isinstance(notes, list) or not isinstance(measures, dict):
        raise TypeError("notes are a list and measures an object")
    infos = {name: MeasureInfo(**info) for name, info in measures.items()}
    if any(name != info.name for name, info in infos.items()):
        raise ValueError("a measure stands under another name than its own")
    said = [*notes, *(value for info in infos.values() for value in astuple(info))]
    if not all(isinstance(value, str) for value in said):
        raise TypeError("all that is told is text")
    if any(info.direction not in get_args(Direction) for info in infos.values()):
        raise ValueError("no such direction")
    return tuple(notes), infos


_READERS: dict[str, Callable[[Path, bool], Raw]] = {
    ".parquet": _parquet,
    ".csv": _csv,
    ".tsv": _tsv,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".json": _json,
}
