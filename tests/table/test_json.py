"""JSON: types that don't agree, over many rows too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.table import _json, read_segments

VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec="utf-8"))
    | st.lists(st.text("ab"))
)
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1), min_size=1, max_size=9)
PATH = Path("a.jsonl")


@given(ROWS, st.integers(1, 4), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_values_come_back(rows: list[dict[str, Any]], at_once: int, end: str) -> None:
    """Whatever the size of blocks: values where the column has one type, else their text and the first that is none."""
    data = "".join(json.dumps(row) + end for row in rows).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_json, "_AT_ONCE", at_once)
        raw = _json.read_json_lines(data, PATH)
    assert raw.frame.height == len(rows)
    assert set(raw.frame.columns) == {key for row in rows for key in row}
    for column in raw.frame.columns:
        values = [row.get(column) for row in rows]
        types = {type(v) for v in values if v is not None}
        plain = len(types) < 2 or types == {int, float}
        small = all(abs(v) < 2**63 for v in values if type(v) is int)
        if column in raw.odd:
            row, shown = raw.odd[column]
            assert not isinstance(values[row - 1], str)
            assert all(v is None or isinstance(v, str) for v in values[: row - 1])
            assert shown == raw.frame[column][row - 1]
            assert raw.frame.schema[column] == pl.String
        elif plain and small and float not in types:
            assert raw.frame[column].to_list() == values
        if types == {str}:
            assert column not in raw.odd


def test_a_date_is_text() -> None:
    assert _json.read_json_lines(b'{"a":"2020-01-01"}', PATH).frame["a"].to_list() == ["2020-01-01"]


def test_a_list_of_objects() -> None:
    raw = _json.read_json('\ufeff[{"a": "\\ud83d\\ude00"}, {"b": 1}]'.encode(), PATH)
    assert raw.frame.rows() == [("😀", None), (None, 1)]
    assert raw.notes == ("the byte-order mark at its start was dropped",)


@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_a_key_that_is_no_text(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    rows = ['{"target": "a"}', '{"target": "a", "\\ud83d": 1}']
    path.write_text("\n".join(rows) if suffix == "jsonl" else f"[{','.join(rows)}]")
    with pytest.raises(InputError, match=r"the key '\\ud83d' holds an unpaired surrogate") as caught:
        read_segments(path)
    assert caught.value.row == 2
    str(caught.value).encode()


@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_json_that_is_too_deep(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_text('{"target": ' + "[" * 100_000)
    with pytest.raises(InputError, match="nested too deeply"):
        read_segments(path)
