r"""Comma- and tab-separated files, by the rules of RFC 4180.

A row ends at ``\n`` or ``\r\n`` outside quotes; no other character ends one (U+2028, NEL, VT, FS, FF and a lone
``\r`` are text). A field that begins with ``"`` ends at the next ``"`` that is not doubled; a ``"`` anywhere
else in an unquoted field is text. Nothing is stripped. An empty field is missing (null), and ``""`` is an empty
text.

Rows of unequal length are an error. Polars reads the fields but fills short rows up, so the shape of the rows
is checked first, on the positions of separators, line ends and quotes. Where quotes stand inside unquoted
fields (``5" pipe``), which it gets wrong, or a ``\r`` ends a field, which it drops, a slower reader takes over.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.table._files import BOM_NOTE, utf8_text
from equiglot.table._irregular import read_irregular
from equiglot.table._raw import Raw

__all__ = ["read_delimited"]

_LF, _CR, _QUOTE = b'\n\r"'

_SEPARATORS = {b";": "';'", b"\t": "tabs", b",": "commas", b"|": "'|'"}
"""What else than expected may separate fields, and how it is called; the likeliest first."""
_RENAME = {b"\t": "name it .tsv", b",": "name it .csv"}
_LOOKED_AT, _LINES_LOOKED_AT = 1 << 16, 20
"""Bytes and lines that a separator is looked for in."""

Positions = NDArray[np.int64]


def read_delimited(data: bytes, path: Path, *, separator: str, quotes: bool = True) -> Raw:
    """The rows of a CSV or TSV file, every column as text.

    Args:
        data: the file's bytes.
        path: the file, for errors and notes.
        separator: one ASCII character.
        quotes: whether ``"`` quotes; otherwise it is text like any other character.

    Raises:
        InputError: bad UTF-8; a row with more or fewer fields than the header; a quote that is not closed or
            has text after it; two columns of one name; no rows.
    """
    sep = ord(separator)
    marked = utf8_text(data, path, lambda body, offset: _place(body, offset, sep, quotes))[1]
    body = _without_blank_end(data[3:] if marked else data, sep)
    if re.fullmatch(rb"[\r\n]*", body):
        raise InputError("the file is empty", fix="name a file that has rows", path=path)
    if b"\0" in _first_line(body):
        raise InputError("the header holds NUL", fix="the file looks like UTF-16: save it as UTF-8", path=path)
    _check_separator(body, path, separator)
    notes = [BOM_NOTE] if marked else []
    shape = _shape(body, sep, quotes)
    rows = None
    if shape is not None:
        _check_shape(body, shape, path, separator)
        notes += _mixed_line_ends(body, shape)
        rows = _read_fast(body, shape, separator, quotes)
    if rows is None:
        rows = read_irregular(body.decode(), path, separator=separator, quotes=quotes)
    frame, more = _with_header(rows, path)
    lines = None if shape is None else _lines(body, shape)
    return Raw(frame, path.name, path, (*notes, *more, *_unusual_text(body, frame)), lines=lines)


def _read_fast(body: bytes, shape: _Shape, separator: str, quotes: bool) -> pl.DataFrame | None:
    """The rows as Polars reads them, or None where it would change a field or finds other rows."""
    if f"\r{separator}".encode() in body:  # Polars drops such a \r, as if it were part of a line end
        return None
    quote = '"' if quotes else None
    try:
        rows = pl.read_csv(body, has_header=False, separator=separator, quote_char=quote, infer_schema=False)
    except pl.exceptions.PolarsError:
        return None
    return rows if rows.shape == (shape.ends.size, shape.fields[0]) else None


class _Shape(NamedTuple):
    """Where rows end (the last one perhaps at the end of the data), and how many fields each has."""

    ends: Positions
    fields: Positions


def _shape(body: bytes, sep: int, quotes: bool) -> _Shape | None:
    """The shape of the rows, or None where a quote is neither at the end of a field nor doubled inside one."""
    codes = np.frombuffer(body, np.uint8)
    marks = _marks(body, quotes)
    if marks.size % 2 or not _are_regular(codes, marks, sep):
        return None
    ends = _outside(np.flatnonzero(codes == _LF), marks)
    if not ends.size or ends[-1] != len(body) - 1:
        ends = np.append(ends, len(body))
    separators = _outside(np.flatnonzero(codes == sep), marks)
    return _Shape(ends, np.diff(np.searchsorted(separators, ends), prepend=0) + 1)


def _marks(body: bytes, quotes: bool) -> Positions:
    if not quotes or b'"' not in body:
        return np.empty(0, np.int64)
    return np.flatnonzero(np.frombuffer(body, np.uint8) == _QUOTE)


def _outside(positions: Positions, marks: Positions) -> Positions:
    """Those that an even number of quotes stands before."""
    return positions[np.searchsorted(marks, positions) % 2 == 0] if marks.size else positions


def _are_regular(codes: NDArray[np.uint8], marks: Positions, sep: int) -> bool:
    if not marks.size:
        return True
    opening, closing = marks[0::2], marks[1::2]
    padded = np.concatenate([codes, np.full(3, _LF, np.uint8)])
    before, after, then = padded[opening - 1], padded[closing + 1], padded[closing + 2]
    doubled = opening[1:] == closing[: opening.size - 1] + 1
    starts = (before == sep) | (before == _LF)  # before the first character stands padded[-1], a line end
    starts[1:] |= doubled
    stops = (after == sep) | (after == _LF) | ((after == _CR) & (then == _LF))
    stops[: doubled.size] |= doubled
    return bool(starts.all() and stops.all())


def _place(body: bytes, offset: int, sep: int, quotes: bool) -> tuple[int | None, str | None]:
    """The row and column of a byte; the row is None in the header, and both are where quotes leave it open."""
    codes = np.frombuffer(body[:offset], np.uint8)
    marks = _marks(body[:offset], quotes)
    closed = np.append(marks, offset) if marks.size % 2 else marks
    if not _are_regular(codes, closed, sep):
        return None, None
    ends = _outside(np.flatnonzero(codes == _LF), marks)
    if not ends.size:
        return None, None
    column = int(np.count_nonzero(_outside(np.flatnonzero(codes == sep), marks) > ends[-1]))
    header = body[: ends[0]].rstrip(b"\r").split(bytes([sep]))
    name = header[column].strip(b'"').decode("utf-8", "replace") if column < len(header) else None
    return int(ends.size), name


def _lines(body: bytes, shape: _Shape) -> Positions:
    """The line on which each row after the header begins: more than one may lie inside quotes."""
    feeds = np.flatnonzero(np.frombuffer(body, np.uint8) == _LF)
    return np.searchsorted(feeds, shape.ends[:-1] + 1) + 1


def _check_separator(body: bytes, path: Path, separator: str) -> None:
    """Raise :class:`InputError` where a header of one column, and the lines after it, hold another separator."""
    first, *others = body[:_LOOKED_AT].split(b"\n")
    if separator.encode() in first:
        return
    others = [line for line in others[:_LINES_LOOKED_AT] if line.strip(b"\r")]
    for other, name in _SEPARATORS.items():
        parts = first.count(other)
        if parts and other != separator.encode() and others and all(line.count(other) >= parts for line in others):
            raise InputError(
                f"it looks separated by {name}, not by {_SEPARATORS[separator.encode()]}",
                fix=_RENAME.get(other, "save it with tabs as .tsv, or with commas as .csv"),
                path=path,
            )


def _first_line(body: bytes) -> bytes:
    end = body.find(b"\n")
    return body if end < 0 else body[:end]


def _without_blank_end(body: bytes, sep: int) -> bytes:
    """Without blank lines at the end; but where there is one column, each is a row whose value is missing."""
    if sep not in _first_line(body):
        return body
    end = len(body)
    while end and body[end - 1] == _LF:
        before = end - (2 if body[end - 2 : end - 1] == b"\r" else 1)
        if not before or body[before - 1] != _LF:
            break
        end = before
    return body[:end]


def _check_shape(body: bytes, shape: _Shape, path: Path, separator: str) -> None:
    header = int(shape.fields[0])
    wrong = np.flatnonzero(shape.fields != header)
    if wrong.size:
        row = int(wrong[0])
        if not body[int(shape.ends[row - 1]) + 1 : int(shape.ends[row])].strip(b"\r"):
            raise InputError("the line is empty", fix="take it out", path=path, row=row)
        raise InputError(
            f"this row has {shape.fields[row]} fields and the header has {header}",
            fix=f"put text that holds a {'tab' if separator == chr(9) else separator} or a line end in double quotes",
            path=path,
            row=row,
        )
    if len(shape.ends) == 1 and b"\r" in body.rstrip(b"\r\n"):
        raise InputError("its lines end in \\r alone", fix="save it with line ends \\n", path=path)


def _mixed_line_ends(body: bytes, shape: _Shape) -> list[str]:
    ended = shape.ends[shape.ends < len(body)]
    returns = int(np.count_nonzero(np.frombuffer(body, np.uint8)[ended - 1] == _CR))
    if not 0 < returns < ended.size:
        return []
    return [f"{returns} of {ended.size} lines end in \\r\\n and the others in \\n; the \\r is not taken as text"]


def _with_header(rows: pl.DataFrame, path: Path) -> tuple[pl.DataFrame, list[str]]:
    header = [name or "" for name in rows.row(0)]
    for name, count in Counter(header).items():
        if count > 1:
            problem = f"{count} columns are named '{name}'" if name else f"{count} columns have no name"
            raise InputError(problem, fix="give each column a name of its own", path=path)
    if rows.height == 1:
        raise InputError("there is a header and no row", fix="name a file that has rows", path=path)
    frame = rows.slice(1)
    frame.columns = header
    if "" not in header:
        return frame, []
    return frame.drop(""), [f"column {header.index('') + 1}, which has no name, was left out"]


def _unusual_text(body: bytes, frame: pl.DataFrame) -> list[str]:
    """Notes on what often comes from a file that is not what it seems: a stray quote swallows rows."""
    notes: list[str] = []
    suspects = {"line ends": ("\n", body.count(b"\n") > frame.height + 1), "NUL": ("\0", b"\0" in body)}
    for what, (character, there) in suspects.items():
        if there:
            holds = frame.select(pl.any_horizontal(pl.all().str.contains(character, literal=True)))
            rows = holds.to_series().fill_null(False).arg_true()
            if rows.len():
                notes.append(
                    f"text with {what} in it was kept as it is in {rows.len()} rows, first in row {rows[0] + 1}"
                )
    return notes
