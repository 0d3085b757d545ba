"""Measures, result tables, signatures and error lines."""

from __future__ import annotations

import math

import pytest

from equiglot.errors import InputError
from equiglot.measures import RESULT_COLUMNS, Interval, Measure, result_table, signature


def test_nan_is_not_a_value():
    with pytest.raises(ValueError, match="NaN"):
        Measure("tp", math.nan, unit="ratio", direction="neutral", n=3)


def test_a_result_table_has_its_keys_first_and_all_columns_even_when_empty():
    assert result_table([]).columns == list(RESULT_COLUMNS)
    measure = Measure("tp", 1.5, unit="ratio", direction="neutral", n=2, interval=Interval(1, 2, method="bootstrap"))
    table = result_table([({"language": "hi"}, measure), ({"language": "ta", "script": "Taml"}, measure)])
    assert table.columns == ["language", "script", *RESULT_COLUMNS]
    assert table["script"].to_list() == [None, "Taml"]
    assert {name: table.schema[name] for name in RESULT_COLUMNS} == RESULT_COLUMNS


def test_a_signature_cannot_be_forged_by_a_value():
    assert signature(metric="a|v:9\nb").startswith("metric:a/v:9 b|v:")


def test_an_error_is_one_line_whatever_the_text():
    assert "\n" not in str(InputError("bad\nvalue", fix="mend\r\nit", path="a\nb", row=2))
