"""Comma- and tab-separated files whose quotes and carriage returns stand in any place, read field by field.

The rules are those of :mod:`equiglot.table._delimited`; this reader is some ten times slower than the usual
one.
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from equiglot.errors import InputError

__all__ = ["read_irregular"]

_QUOTED = re.compile(r'"((?:[^"]+|"")*+)"')
_LINE_END = re.compile(r"\r?(?:\n|\Z)")
_FIX = "double a quote inside a quoted field, or add --no-quotes (quotes=False) where quotes are text"


def read_irregular(text: str, path: Path, *, separator: str, quotes: bool) -> pl.DataFrame:
    """The rows, the header first, with every column as text.

    Raises:
        InputError: a quote that is not closed or has text after it; a row with more or fewer fields than the
            header.
    """
    bare = re.compile(rf"[^\n{re.escape(separator)}]*+")
    rows: list[list[str | None]] = []
    fields: list[str | None] = []
    at, end = 0, len(text)
    while at < end:
        if quotes and text.startswith('"', at):
            match = _QUOTED.match(text, at)
            if match is None:
                raise InputError("a quote is not closed", fix=_FIX, path=path, row=len(rows) or None)
            fields.append(match[1].replace('""', '"'))
            at = match.end()
        else:
            match = bare.match(text, at)
            assert match is not None
            at = match.end()
            at_line_end = at == end or text[at] == "\n"
            fields.append((match[0].removesuffix("\r") if at_line_end else match[0]) or None)
        if text.startswith(separator, at):
            at += 1
            if at == end:
                fields.append(None)
            continue
        line_end = _LINE_END.match(text, at)
        if line_end is None:
            raise InputError("text follows a closing quote", fix=_FIX, path=path, row=len(rows) or None)
        at = line_end.end()
        rows.append(fields)
        _check_length(rows, path)
        fields = []
    if fields:
        rows.append(fields)
        _check_length(rows, path)
    names = [f"column_{i}" for i in range(len(rows[0]))]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def _check_length(rows: list[list[str | None]], path: Path) -> None:
    if len(rows[-1]) != len(rows[0]):
        raise InputError(
            f"this row has {len(rows[-1])} fields and the header has {len(rows[0])}",
            fix="put text that holds a separator or a line end in double quotes",
            path=path,
            row=len(rows) - 1,
        )
