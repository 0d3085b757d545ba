r"""JSON: a file of lines with one object each, or of one list of objects.

Read with Python's own parser, because faster ones turn a number among texts into text, a date into a time, an
unpaired surrogate (``"\ud83d"``) into NUL, or keep the first of two equal keys, and say nothing. Lines end at
``\n``; blank ones are skipped. A key that an object lacks is missing (null).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import polars as pl

from equiglot.errors import InputError
from equiglot.table._files import BOM_NOTE, utf8_text
from equiglot.table._raw import Raw

__all__ = ["read_json", "read_json_lines"]

_AT_ONCE = 50_000
_ONE_OBJECT = "write one JSON object per row"
_TOO_DEEP, _FLATTEN = "the JSON is nested too deeply", "keep to texts, numbers and lists of texts"


def read_json_lines(data: bytes, path: Path) -> Raw:
    """The rows of a JSON Lines file.

    Raises:
        InputError: bad UTF-8, a line that is not one object, an unpaired surrogate, or no rows.
    """
    text, marked = utf8_text(data, path, lambda body, offset: (body.count(b"\n", 0, offset) + 1, None))
    return _raw(_objects(text, path), path, marked)


def read_json(data: bytes, path: Path) -> Raw:
    """The rows of a JSON file that is one list of objects.

    Raises:
        InputError: bad UTF-8, not JSON, not a list of objects, an unpaired surrogate, or no rows.
    """
    text, marked = utf8_text(data, path, lambda _body, _offset: (None, None))
    try:
        rows = json.loads(text, object_pairs_hook=_once)
    except RecursionError as error:
        raise InputError(_TOO_DEEP, fix=_FLATTEN, path=path) from error
    except ValueError as error:
        fix = "write a list of objects; a file with one object per line is named .jsonl"
        raise InputError(f"this is not JSON ({error})", fix=fix, path=path) from error
    if not isinstance(rows, list):
        fix = "write a list of objects, one per row (orient='records' in pandas)"
        raise InputError("this is not a list of objects", fix=fix, path=path)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) or not row:
            raise InputError("this is not an object with values", fix=_ONE_OBJECT, path=path, row=number)
    return _raw(iter(rows), path, marked)


def _objects(text: str, path: Path) -> Iterator[dict[str, Any]]:
    decode = json.JSONDecoder(object_pairs_hook=_once).decode  # json.loads would make one for every line
    number, start = 0, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line, start = text[start:end], end + 1
        if not line.strip():
            continue
        number += 1
        try:
            row = decode(line)
        except RecursionError as error:
            raise InputError(_TOO_DEEP, fix=_FLATTEN, path=path, row=number) from error
        except ValueError as error:
            raise InputError(f"this is not JSON ({error})", fix=_ONE_OBJECT, path=path, row=number) from error
        if not isinstance(row, dict) or not row:
            raise InputError("this is not an object with values", fix=_ONE_OBJECT, path=path, row=number)
        yield row


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return made


def _raw(rows: Iterator[dict[str, Any]], path: Path, marked: bool) -> Raw:
    parts: list[pl.DataFrame] = []
    odd: dict[str, tuple[int, str]] = {}
    seen = 0
    while part := list(islice(rows, _AT_ONCE)):
        columns = dict.fromkeys(chain.from_iterable(part))
        for name in columns:
            if not _is_unicode(name):
                row = next(i for i, values in enumerate(part, seen + 1) if name in values)
                problem = f"the key {name!a} holds an unpaired surrogate, which is no character"
                raise InputError(problem, fix="write the key as UTF-8", path=path, row=row)
        parts.append(pl.DataFrame([_series(name, _values(part, name), seen, odd, path) for name in columns]))
        seen += len(part)
    if not seen:
        raise InputError("there are no rows", fix="name a file that has rows", path=path)
    return Raw(_together(parts, odd), path.name, path, (BOM_NOTE,) if marked else (), odd=odd)


def _values(rows: list[dict[str, Any]], name: str) -> list[Any]:
    try:
        return list(map(itemgetter(name), rows))
    except KeyError:
        return [row.get(name) for row in rows]


def _series(name: str, values: list[Any], before: int, odd: dict[str, tuple[int, str]], path: Path) -> pl.Series:
    """A column of one type; where there are several, text, and ``odd`` has the first value that was none."""
    types = set(map(type, values)) - {type(None)}
    try:
        if not types:
            return pl.Series(name, values, dtype=pl.Null)
        if types == {str}:
            return pl.Series(name, values, dtype=pl.String)
        if types == {bool}:
            return pl.Series(name, values, dtype=pl.Boolean)
        if types == {int} and all(v is None or abs(v) < 2**63 for v in values):
            return pl.Series(name, values, dtype=pl.Int64)
        if types <= {int, float} and float in types:
            return pl.Series(name, [None if v is None else float(v) for v in values], dtype=pl.Float64)
        if types == {list} and all(type(v) is str for list_ in values if list_ for v in list_):
            return pl.Series(name, values, dtype=pl.List(pl.String))
        texts = [v if v is None or isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values]
        first = next(i for i, v in enumerate(values) if v is not None and not isinstance(v, str))
        odd.setdefault(name, (before + first + 1, texts[first] or ""))
        return pl.Series(name, texts, dtype=pl.String)
    except RecursionError as error:
        raise InputError(_TOO_DEEP, fix=_FLATTEN, path=path, column=name) from error
    except UnicodeEncodeError as error:
        row = next(i for i, v in enumerate(values) if not _is_unicode(v))
        raise InputError(
            "the text holds an unpaired surrogate, which is no character",
            fix="write the text as UTF-8, or take the character out",
            path=path,
            row=before + row + 1,
            column=name,
        ) from error


def _is_unicode(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _together(parts: list[pl.DataFrame], odd: dict[str, tuple[int, str]]) -> pl.DataFrame:
    """All parts, where a column that was text in one and something else in another is text."""
    types: dict[str, set[pl.DataType]] = {}
    for part in parts:
        for name, dtype in part.schema.items():
            types.setdefault(name, set()).add(dtype)
    mixed = [name for name, found in types.items() if not _agree(found - {pl.Null()})]
    start = 0
    for i, part in enumerate(parts):
        for name in mixed:
            if name in part.columns and part.schema[name] not in (pl.String(), pl.Null()):
                texts = _as_text(part[name])
                first = texts.is_not_null().arg_max() or 0
                row, value = start + first + 1, texts[first]
                if name not in odd or odd[name][0] > row:
                    odd[name] = (row, value)
                parts[i] = parts[i].with_columns(texts)
        start += part.height
    return pl.concat(parts, how="diagonal_relaxed")


def _agree(types: Iterable[pl.DataType]) -> bool:
    found = set(types)
    return len(found) < 2 or found <= {pl.Int64(), pl.Float64()}


def _as_text(column: pl.Series) -> pl.Series:
    if column.dtype.is_nested():
        texts = [None if v is None else json.dumps(v.to_list(), ensure_ascii=False) for v in column]
        return pl.Series(column.name, texts, dtype=pl.String)
    return column.cast(pl.String)
