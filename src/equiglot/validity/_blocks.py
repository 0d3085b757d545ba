r"""Files read in blocks of rows, so that a file of any size takes the same memory.

Blocks are cut at the ends of rows and read by the readers of :mod:`equiglot.table`, whose rules hold: in CSV a line end
inside quotes ends no row. A ``"`` inside an unquoted field leaves open where rows end; from such a block on, the rest
of a file is read at once. A block of JSON Lines has the columns of the whole file, which is read through for them first
where it has more than one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table._delimited import read_delimited
from equiglot.table._files import format_suffix, read_bytes
from equiglot.table._json import read_json, read_json_lines
from equiglot.table._raw import Raw
from equiglot.table.reading import METADATA_KEY
from equiglot.validity.filecheck import FileFacts, line_blocks

__all__ = ["is_text_table", "line_texts", "moved", "rows_of", "table_blocks"]

_ROWS = 1 << 12
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_LINES = (".jsonl", ".ndjson")
_SUFFIXES = (".parquet", *_SEPARATORS, *_LINES, ".json")


def is_text_table(path: Path) -> bool:
    """Whether a table is a text file, which can have faults of its own.

    Raises:
        InputError: the suffix is no table's.
    """
    suffix = format_suffix(path)
    if suffix not in _SUFFIXES:
        fix = f"use one of {', '.join(_SUFFIXES)}, or give lines of text with -t"
        raise InputError(f"'{path.suffix}' is not a format of tables", fix=fix, path=path)
    return suffix != ".parquet"


def table_blocks(path: Path, *, quotes: bool = True) -> Iterator[tuple[int, Raw]]:
    """The rows of a table in blocks, each with the number of rows before it.

    Raises:
        InputError: what the table's reader refuses, with the row in the file.
    """
    suffix = format_suffix(path)
    if suffix == ".parquet":
        blocks = _parquet(path)
    elif suffix in _SEPARATORS:
        blocks = _delimited(path, _SEPARATORS[suffix], quotes)
    elif suffix in _LINES:
        blocks = _json_lines(path)
    else:
        blocks = _parts(read_json(read_bytes(path), path))
    before = 0
    while True:
        try:
            raw = next(blocks, None)
        except InputError as error:
            raise moved(error, before) from error
        if raw is None:
            return
        yield before, raw
        before += raw.frame.height


def moved(error: InputError, rows: int) -> InputError:
    """An error of a block as one of the file."""
    row = None if error.row is None else error.row + rows
    return InputError(error.problem, fix=error.fix, path=error.path, row=row, column=error.column)


def _types(path: Path) -> dict[str, set[pl.DataType]]:
    """The columns of a JSON Lines file and their types in its blocks; nothing where there is one block only."""
    if not any(islice(line_blocks(path), 1, None)):
        return {}
    types: dict[str, set[pl.DataType]] = {}
    with suppress(InputError):  # said where the block is read, with its row
        for block in line_blocks(path):
            if block.strip():
                for name, dtype in read_json_lines(block, path).frame.schema.items():
                    types.setdefault(name, set()).add(dtype)
    return types


def _typed(frame: pl.DataFrame, types: Mapping[str, set[pl.DataType]]) -> pl.DataFrame:
    """A block with the columns of its file: null where it lacks one, of the type that other blocks show."""
    columns: list[pl.Series] = []
    for name in dict.fromkeys((*types, *frame.columns)):
        column = frame[name] if name in frame.columns else pl.Series(name, [None] * frame.height, pl.Null)
        found = types.get(name, set()) - {pl.Null()}
        numbers = found == {pl.Int64(), pl.Float64()}
        columns.append(column.cast(pl.Float64() if numbers else found.pop()) if numbers or len(found) == 1 else column)
    return pl.DataFrame(columns)


def _parts(raw: Raw) -> Iterator[Raw]:
    for frame in raw.frame.iter_slices(_ROWS):
        yield replace(raw, frame=frame)


def _json_lines(path: Path) -> Iterator[Raw]:
    empty = True
    types = _types(path)
    for block in line_blocks(path):
        if block.strip():
            empty = False
            raw = read_json_lines(block, path)
            yield replace(raw, frame=_typed(raw.frame, types)) if types else raw
    if empty:
        read_json_lines(b"\n", path)  # says that there are no rows


def _parquet(path: Path) -> Iterator[Raw]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        read_bytes(path)  # says what is there instead
    try:
        with pq.ParquetFile(path, buffer_size=1 << 20) as file:  # else a whole row group is read at once
            told, measures = _told(file.metadata.metadata or {}, path)
            for group in range(file.num_row_groups):  # of all groups at once, the reader keeps what it has read
                for batch in file.iter_batches(batch_size=_ROWS, row_groups=[group]):
                    frame = pl.DataFrame(pa.Table.from_batches([batch]))
                    yield Raw(frame, path.name, path, told=told, measures=measures)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"this is not Parquet ({error})", fix="write the file again", path=path) from error


def rows_of(path: Path) -> int:
    """The number of rows of a Parquet file; 0 where it can't be read, which reading it will say."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_metadata(path).num_rows
    except (pa.ArrowException, OSError):
        return 0


def _told(metadata: dict[bytes, bytes], path: Path) -> tuple[tuple[str, ...], dict[str, MeasureInfo]]:
    """The notes and measures that equiglot wrote into a file."""
    try:
        known = json.loads(metadata.get(METADATA_KEY.encode(), b"{}"))
        infos = {name: MeasureInfo(**info) for name, info in known.get("measures", {}).items()}
        return tuple(known.get("notes", ())), infos
    except (ValueError, TypeError, AttributeError) as error:
        fix = "write the file again with equiglot, or strip its metadata"
        raise InputError("the file's equiglot metadata is damaged", fix=fix, path=path) from error


def _delimited(path: Path, separator: str, quotes: bool) -> Iterator[Raw]:
    sep = separator.encode()
    header, rest = b"", b""
    regular, empty = True, True
    for block in line_blocks(path):
        data = rest + block
        if not header:
            data = data.removeprefix(b"\xef\xbb\xbf")
            ends = _row_ends(data, quotes)
            header = data[: int(ends[0]) + 1] if len(ends) else b""
            data = data[len(header) :]
        regular = regular and bool(header) and _are_regular(data, sep, quotes)
        cut = _cut(data, quotes) if regular else 0
        if cut:
            empty = False
            yield read_delimited(header + data[:cut], path, separator=separator, quotes=quotes)
        rest = data[cut:]
        if not header:
            rest = data
    if rest or empty or not regular:  # without a row, the reader says so
        yield read_delimited(header + rest, path, separator=separator, quotes=quotes)


def _cut(data: bytes, quotes: bool) -> int:
    """Where the last whole row ends that no blank line follows; a blank line belongs to what comes after it."""
    ends = _row_ends(data, quotes)
    # The last row stays behind: whether what follows the data is another row is not known yet.
    for end in ends[-2::-1].tolist():
        if end and data[end - 1 : end + 1] != b"\n\n" and data[end - 2 : end + 1] != b"\n\r\n":
            return end + 1
    return 0


def _row_ends(data: bytes, quotes: bool) -> NDArray[np.int64]:
    r"""The ``\n`` that an even number of quotes stands before."""
    codes = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(codes == ord("\n"))
    if not quotes or b'"' not in data:
        return ends
    marks = np.flatnonzero(codes == ord('"'))
    return ends[np.searchsorted(marks, ends) % 2 == 0]


def _are_regular(data: bytes, sep: bytes, quotes: bool) -> bool:
    """Whether every quote opens a field, closes one, or is doubled inside one; the last field may be open."""
    if not quotes or b'"' not in data:
        return True
    codes = np.concatenate([np.frombuffer(data, np.uint8), np.frombuffer(b"\n\n", np.uint8)])
    marks = np.flatnonzero(codes == ord('"'))
    border = np.isin(codes, list(b"\n" + sep))
    opening, closing = marks[::2], marks[1::2]
    doubled = opening[1:] == closing[: len(opening) - 1] + 1
    opens = border[opening - 1]  # before the first character stands a line end
    opens[1:] |= doubled
    closes = border[closing + 1] | ((codes[closing + 1] == ord("\r")) & (codes[closing + 2] == ord("\n")))
    closes[: len(doubled)] |= doubled
    return bool(opens.all() and closes.all())


def line_texts(path: Path, facts: FileFacts) -> Iterator[str]:
    r"""The lines of a file as :func:`equiglot.table.read_lines` has them: one ``\r`` is dropped where all have it."""
    every_return = 0 < facts.returns == facts.lines - (not facts.ended)
    marked = facts.marked
    for block in line_blocks(path):
        lines = (block.removeprefix(b"\xef\xbb\xbf") if marked else block).decode().split("\n")
        marked = False
        unended = lines.pop()
        yield from (line[:-1] for line in lines) if every_return else lines
        if unended:
            yield unended
