"""A validated table says the same when it is read again, from any format."""

from __future__ import annotations

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.table import Segments, read_segments
from equiglot.validity import brought, failure_summary, validate_files

ROWS = [("It is raining", "It is raining"), ("Where is it", "yeh कहाँ hai"), ("Say it", ""), ("Fine", "theek hai")]


@pytest.fixture
def table(tmp_path):
    frame = pl.DataFrame(ROWS, schema=["source", "target"], orient="row")
    path = tmp_path / "in.jsonl"
    frame.with_columns(language=pl.lit("hi-Latn"), id=pl.int_range(pl.len())).write_ndjson(path)
    return path


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".tsv", ".jsonl"])
def test_types_come_back(table, tmp_path, suffix):
    validate_files([table], tmp_path / f"out{suffix}")
    frame = brought(read_segments(tmp_path / f"out{suffix}")).frame
    assert frame["valid"].to_list() == [False, False, False, True]
    assert frame["failures"].to_list() == [["copy"], ["spillage"], ["empty"], []]
    assert frame["remarks"].to_list() == [[]] * 4


def test_words_say_yes_and_no():
    words = ["yes", "No", " TRUE ", "false", "1", "0", "y", "n"]
    frame = pl.DataFrame({"valid": words})
    assert brought(Segments(frame)).frame["valid"].to_list() == [True, False] * 4
    assert brought(Segments(pl.DataFrame({"valid": [1.0, 0.0]}))).frame["valid"].to_list() == [True, False]


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"valid": ["yes", None]}, "row 2, column 'valid': a missing value is neither yes nor no"),
        ({"valid": ["yes", "perhaps"]}, "row 2, column 'valid': 'perhaps' is neither"),
        ({"valid": [[True], [False]]}, "column 'valid': this is not a column of yes and no"),
        ({"failures": [1, 2]}, "column 'failures': this is not a column of kinds"),
        ({"failure_details": [1, 2]}, "column 'failure_details': this is not a column of findings"),
        ({"failure_details": ["[]", "nonsense"]}, "row 2, column 'failure_details': this is no list of findings"),
        ({"failure_details": ["[]", '[{"kind": "copy"}]']}, "row 2, column 'failure_details'"),
        ({"failure_details": ["[]", "3"]}, "row 2, column 'failure_details'"),
        (
            {"failure_details": [
                "[]",
                '[{"kind":"copy","start":"a","end":1,"script":null,"text":"","count":1,"reason":""}]',
            ]},
            "row 2, column 'failure_details'",
        ),
    ],
)  # fmt: skip
def test_what_validation_did_not_write_is_one_line(columns, says):
    with pytest.raises(InputError) as caught:
        brought(Segments(pl.DataFrame(columns)))
    assert says in str(caught.value)


def test_a_summary_needs_the_columns_of_validation():
    frame = pl.DataFrame({"valid": [True], "failure_details": ["[]"]})
    with pytest.raises(InputError, match="not validated"):
        failure_summary(brought(Segments(frame)))
