"""The table itself."""

from __future__ import annotations

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table import Segments, fill_scripts

TABLE = Segments(pl.DataFrame({"id": ["1", "2"], "target": ["x", None], "reference": [None, None]}))
INFO = MeasureInfo("chrf", "score", "higher", "metric:chrf")


def test_a_measure_is_added_and_made_anew() -> None:
    made = TABLE.with_measure(INFO, [1, float("nan")], [None, "empty"])
    assert made.frame["chrf"].to_list() == [1.0, None]
    assert made.frame["chrf_reason"].to_list() == [None, "empty"]
    again = made.with_measure(INFO, [1, 2])
    assert "chrf_reason" not in again.frame.columns
    assert "chrf" not in TABLE.frame.columns


def test_a_measure_has_a_value_and_a_reason_for_each_row() -> None:
    with pytest.raises(ValueError, match="1 entries for 2 rows"):
        TABLE.with_measure(INFO, [1.0])
    with pytest.raises(ValueError, match="1 entries for 2 rows"):
        TABLE.with_measure(INFO, [1.0, None], ["why"])


def test_notes_are_said_once() -> None:
    assert TABLE.noted("a", "b").noted("a").notes == ("a", "b")


def test_what_is_required_is_there() -> None:
    TABLE.require("target", why="is scored")
    with pytest.raises(InputError, match="no column 'source', which is scored"):
        TABLE.require("source", why="is scored")
    with pytest.raises(InputError, match="every value of this column"):
        TABLE.require("reference", why="is scored")
    with pytest.raises(InputError, match=r"no measure 'chrf' in the table \(measures: none\)"):
        TABLE.info("chrf")


def test_scripts_are_filled_only_where_unknown() -> None:
    frame = pl.DataFrame(
        {
            "language": ["hi", "hi", "ta"],
            "condition": ["native", "romanized", "native"],
            "script": [None, None, "Taml"],
            "target": ["x", "y", "z"],
        }
    )
    made = fill_scripts(Segments(frame), lambda texts, _languages: texts.replace_strict(["x", "y"], ["Deva", "Latn"]))
    assert made.frame["script"].to_list() == ["Deva", "Latn", "Taml"]
    assert made.frame.columns == frame.columns
    assert fill_scripts(made, None) is made


def test_a_language_without_a_usual_script_needs_one() -> None:
    frame = pl.DataFrame({"language": ["qaa"], "condition": ["native"], "script": pl.Series([None], dtype=pl.String)})
    with pytest.raises(InputError, match="no text shows which script 'qaa' is in"):
        fill_scripts(Segments(frame), None)
