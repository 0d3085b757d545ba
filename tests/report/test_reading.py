"""Result tables as readers see them: values with intervals, dashes with reasons, rows in order."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.measures import Interval, Measure, result_table
from equiglot.report import reading_table, report_table
from equiglot.report._numbers import decimals_for, shown_interval, shown_number, superscript

Keys = dict[str, str | None]


def cell(language: str = "ta", script: str = "Taml", condition: str = "native", **more: str | None) -> Keys:
    return {"language": language, "script": script, "condition": condition, **more}


def measure(name: str, value: float | None, unit: str = "ratio", n: int = 9, **more: object) -> Measure:
    low_high = more.pop("ends", None)
    interval = Interval(*low_high) if low_high else None  # type: ignore[misc]
    return Measure(name, value, unit, "neutral", n, interval=interval, **more)  # type: ignore[arg-type]


def test_values_stand_with_their_intervals_and_units() -> None:
    table = result_table(
        [
            (cell(), measure("rho_native", 0.42, "rho", ends=(0.38, 0.46))),
            (cell(), measure("mean_native", 84.876, "points", ends=(84.1, 85.2))),
            (cell(), measure("delta", -7.15, "points")),
            (cell(), measure("p_williams_holm", 1e-12, "p")),
        ]
    )
    assert reading_table(table).rows(named=True) == [
        {
            "Language": "Tamil (ta-Taml)",
            "Condition": "native",
            "rho native": "0.420 [0.380, 0.460]",
            "Mean native (points)": "84.88 [84.10, 85.20]",
            "Shift (points)": "−7.15",
            "p (Williams, Holm)": "<0.001",
            "n": "9",
        }
    ]


def test_a_null_is_a_dash_and_says_why_once() -> None:
    why = {"reason": "no romanised rows"}
    table = result_table(
        [
            (cell(), measure("tp", 1.2)),
            (cell("hi", "Deva"), measure("tp", None, n=0, **why)),
            (cell(), measure("fertility", None, n=0, reason="no words")),
            (cell("hi", "Deva"), measure("fertility", None, n=0, **why)),
            (cell("mr", "Deva"), measure("fertility", 2.0)),
        ]
    )
    read = report_table("t", "T", table)
    assert read.frame["TP"].to_list() == ["–¹", "", "1.200"]
    assert read.frame["Fertility"].to_list() == ["–¹", "2.000", "–²"]
    assert read.footnotes == ("¹ no romanised rows", "² no words")
    assert read.frame["n"].to_list() == ["0", "9", "9"]


def test_a_measure_that_no_row_has_is_named_below_and_gets_no_column() -> None:
    why = {"n": 0, "reason": "no romanised rows"}
    rows = [(cell(), measure("tp", 1.2)), *((cell(), measure(name, None, **why)) for name in ("lp", "tax"))]
    read = report_table("t", "T", result_table(rows), explain=True)
    assert read.frame.columns == ["Language", "Condition", "TP", "n"]
    assert read.footnotes[0] == "Not shown, as no row has a value: LP, Tax (no romanised rows)."
    assert not any(note.startswith(("LP:", "Tax:")) for note in read.footnotes)
    assert read.data is not None
    assert set(read.data["measure"]) == {"tp", "lp", "tax"}


def test_where_no_measure_has_a_value_all_are_dashes() -> None:
    read = report_table("t", "T", result_table([(cell(), measure("tp", None, n=0, reason="no sources"))]))
    assert read.frame["TP"].to_list() == ["–¹"]
    assert read.footnotes == ("¹ no sources",)


def test_a_unit_that_says_nothing_is_left_out() -> None:
    rows = [
        (cell(), measure(name, 1.0, unit)) for name, unit in (("mean", "score"), ("comet", "score"), ("zing", "Zing"))
    ]
    assert reading_table(result_table(rows)).columns == ["Language", "Condition", "Mean", "comet", "zing", "n"]


def test_a_measure_that_does_not_apply_leaves_its_cell_empty() -> None:
    table = result_table([(cell(), measure("tp", 1.2)), (cell("hi", "Deva"), measure("fertility", 2.0))])
    assert reading_table(table).select("TP", "Fertility").rows() == [("", "2.000"), ("1.200", "")]


def test_what_was_left_out_is_said_with_its_row() -> None:
    table = result_table([(cell(), measure("tp", 1.2, n_failed=3, reason="3 left out: target is empty"))])
    assert report_table("t", "T", table).footnotes == ("Tamil (ta-Taml): 3 left out: target is empty.",)


def test_what_every_row_leaves_out_is_said_of_every_row() -> None:
    rows = [(cell(tag), measure("tp", 1.2, n_failed=3, reason="3 left out")) for tag in ("ta", "hi")]
    assert report_table("t", "T", result_table(rows)).footnotes == ("Every row: 3 left out.",)


def test_many_reasons_are_cut_short() -> None:
    rows = [(cell(f"q{a}"), measure("tp", 1.0, n_failed=1, reason=f"row {a}")) for a in "abcdefghijk"]
    notes = report_table("t", "T", result_table(rows)).footnotes
    assert len(notes) == 9
    assert notes[-1] == "3 more reasons are in the data file."


def test_rows_stand_by_language_native_first_whatever_their_order() -> None:
    conditions = ["romanized/native", "romanized", "native", "our own"]
    rows = [(cell(lang, "Latn", c), measure("tp", 1.0)) for c in conditions for lang in ("ta", "hi")]
    read = reading_table(result_table(rows))
    assert read["Condition"].to_list() == ["native", "romanised", "romanised vs native", "our own"] * 2
    assert read["Language"].to_list() == ["Hindi (hi-Latn)"] * 4 + ["Tamil (ta-Latn)"] * 4


def test_keys_that_tell_nothing_apart_are_left_out() -> None:
    one = result_table([(cell(tokenizer="xlmr"), measure("tp", 1.0)), (cell(tokenizer=None), measure("mattr", 0.8))])
    assert reading_table(one).columns == ["Language", "Condition", "TP", "MATTR", "n"]
    assert reading_table(one).height == 1
    rows = [(cell(tokenizer=tokenizer), measure("tp", 1.0)) for tokenizer in ("xlmr", "gemma")]
    assert reading_table(result_table(rows))["Tokeniser"].to_list() == ["xlmr", "gemma"]
    pairs = result_table([(cell(condition="romanized/native"), measure("lp", 1.5))])
    assert reading_table(pairs).columns == ["Language", "LP", "n"]


def test_the_same_measure_twice_keeps_the_first_that_has_a_value() -> None:
    rows = [(cell(), measure("lp", v, n=0 if v is None else 9, reason=None if v else "no")) for v in (None, 1.5, 2.5)]
    assert reading_table(result_table(rows))["LP"].to_list() == ["1.500"]


def test_measures_are_chosen_and_ordered_on_request() -> None:
    table = result_table([(cell(), measure(name, 0.5)) for name in ("p5", "tp", "fertility")])
    assert reading_table(table).columns == ["Language", "Condition", "TP", "Fertility", "n"]
    chosen = reading_table(table, measures=["fertility", "p5", "none"])
    assert chosen.columns == ["Language", "Condition", "Fertility", "5th percentile", "n"]


def test_an_unknown_measure_goes_by_its_name_and_unit() -> None:
    table = result_table(
        [(cell(), measure("zing", 3.0, "furlongs")), (cell(), measure("TP", 1.0, "")), (cell(), measure("tp", 2.0))]
    )
    assert reading_table(table).columns == ["Language", "Condition", "zing (furlongs)", "TP", "TP 2", "n"]


def test_cells_are_named_that_are_held_against_each_other() -> None:
    against: list[Keys] = [
        {"language": "hi", "script": "Deva", "other_language": "ta", "other_script": "Taml"},
        {"language": "ta", "script": "Taml", "other_language": None, "other_script": None},
    ]
    one = result_table([(against[0], measure("gap_excess", 0.5, "SD within cells"))])
    assert reading_table(one).row(0) == ("Hindi (hi-Deva)", "Tamil (ta-Taml)", "+0.50", "9")
    both = result_table([(keys, measure("gap_excess", 0.5)) for keys in against])
    assert reading_table(both)["Against"].to_list() == ["Tamil (ta-Taml)", "the mean of the others"]


def test_notes_explain_measures_on_request() -> None:
    table = result_table([(cell(), measure("tp", 1.0))])
    assert "1 is parity" in report_table("t", "T", table, explain=True).footnotes[0]


def test_a_table_without_rows_or_languages() -> None:
    assert reading_table(result_table([])).is_empty()
    pooled = result_table([({"condition": "native + romanized"}, measure("rho_pooled", 0.3, "rho"))])
    assert reading_table(pooled).rows() == [("both", "0.300", "9")]


def test_data_keep_every_digit() -> None:
    value = 1.2345678901234567
    read = report_table("t", "T", result_table([(cell(), measure("tp", value))]))
    assert read.data is not None
    assert read.data["value"].to_list() == [value]


@given(st.floats(-1e9, 1e9), st.integers(0, 4), st.booleans())
def test_a_shown_number_is_the_number_to_its_decimals(value: float, decimals: int, signed: bool) -> None:
    text = shown_number(value, decimals, signed=signed)
    assert "-" not in text
    back = float(text.replace("−", "-").replace(",", ""))
    assert math.isclose(back, value, abs_tol=0.5 * 10**-decimals * 1.0001, rel_tol=1e-12)
    assert back != 0 or not text.startswith(("+", "−"))


@pytest.mark.parametrize(
    ("values", "unit", "decimals"),
    [([0.59], "rho", 3), ([12.3, 1], "ratio", 2), ([123.0], "F", 1), ([1e4], "F", 0), ([5.5], "%", 2), ([40], "%", 1),
     ([84.0], "points", 2), ([1.0], "tokens", 0), ([], "ratio", 3)],
)  # fmt: skip
def test_decimals_fit_unit_and_size(values: list[float], unit: str, decimals: int) -> None:
    assert decimals_for(values, unit) == decimals


def test_small_pieces() -> None:
    assert shown_interval(None, 1.0, 2) == ""
    assert superscript(103) == "¹⁰³"
    assert shown_number(0.0009, 3, unit="p") == "<0.001"
    assert shown_number(0.001, 3, unit="p") == "0.001"


def test_frame_of_texts_only(profile: pl.DataFrame) -> None:
    read = reading_table(profile)
    assert set(read.schema.dtypes()) == {pl.String}
    assert read.height == 6
