"""Tables and scores put together, and what must not be."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table import Segments, concat, from_frame, join_measures, join_scores

COMET = MeasureInfo("comet", "score", "higher", "metric:comet|v:1")


def table(language: str = "hi", systems: str = "aabb") -> Segments:
    frame = pl.DataFrame({"system": list(systems), "target": [str(i) for i in range(len(systems))]})
    return from_frame(frame, language=language, script="Deva", condition="native")


def test_concat_keeps_rows_columns_and_notes() -> None:
    one = table("hi").with_measure(COMET, [1, 2, 3, 4]).noted("one")
    made = concat([one, table("mr").noted("two")])
    assert made.frame["language"].to_list() == ["hi"] * 4 + ["mr"] * 4
    assert made.frame["comet"].to_list() == [1, 2, 3, 4, None, None, None, None]
    assert made.measures == {"comet": COMET}
    assert {"one", "two", "comet is missing in 4 rows, whose table has no such column"} <= set(made.notes)


@pytest.mark.parametrize("other", [{"signature": "metric:comet|v:2"}, {"unit": "percent"}, {"direction": "lower"}])
def test_scores_made_in_different_ways_are_never_put_together(other: dict[str, str]) -> None:
    one = table("hi").with_measure(COMET, [1, 2, 3, 4])
    two = table("mr").with_measure(replace(COMET, **other), [1, 2, 3, 4])
    with pytest.raises(InputError, match="never averaged or compared"):
        concat([one, two])
    with pytest.raises(InputError, match="never averaged or compared"):
        join_measures(one, two, on=["id", "system"])


def test_concat_refuses() -> None:
    with pytest.raises(InputError, match="rows 1 and 5 have the same"):
        concat([table(), table()])
    with pytest.raises(InputError, match="no table"):
        concat([])
    numbers = Segments(table("mr").frame.with_columns(target=pl.lit(1)))
    with pytest.raises(InputError, match="differ in a column's type"):
        concat([table(), numbers])


def test_scores_are_joined_in_the_order_of_each_system() -> None:
    made = join_scores(table(systems="abab"), {"b": [3, 4], "a": [1, None]}, COMET)
    assert made.frame["comet"].to_list() == [1, 3, None, 4]
    assert made.frame["comet_reason"].to_list() == [None, None, "no score was given for the row", None]
    assert made.measures == {"comet": COMET}


def test_a_system_goes_by_its_file_s_name() -> None:
    made = join_scores(table(), {"out/a.txt": [1, 2], "b.hyp": [3, 4]}, COMET)
    assert made.frame["comet"].to_list() == [1, 2, 3, 4]
    assert "the scores of 'out/a.txt' were taken for the system 'a'" in made.notes


def test_the_only_system_needs_no_name() -> None:
    made = join_scores(table(systems="aa"), {"hyp.txt": [1, 2]}, COMET)
    assert made.frame["comet"].to_list() == [1, 2]
    assert "the scores of 'hyp.txt' were taken for the system 'a'" in made.notes


def test_a_system_without_scores_is_told() -> None:
    made = join_scores(table(), {"b": [3, 4]}, COMET)
    assert made.frame["comet"].to_list() == [None, None, 3, 4]
    assert made.frame["comet_reason"].to_list()[:2] == ["no comet was given for the system"] * 2
    assert "no comet was given for the system 'a'" in made.notes


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"a": [1, 2], "b": [3]}, "column 'comet': there are 1 scores for the system 'b', which has 2 rows"),
        ({"a": [1, 2], "c": [3, 4]}, "there is no system 'c'; the systems are a, b"),
        ({"a": [1, 2], "x/a.txt": [3, 4]}, "two lists of scores are for the system 'a'"),
        ({"a": [1, float("nan")]}, "row 2, column 'comet': the value is NaN"),
    ],
)
def test_scores_that_do_not_fit(scores: dict[str, list[float | None]], expected: str) -> None:
    with pytest.raises(InputError) as caught:
        join_scores(table(), scores, COMET)
    assert expected in str(caught.value)


def test_measures_are_joined_on_the_key_and_not_on_order() -> None:
    scored = join_scores(table(), {"a": [1, None], "b": [3, 4]}, COMET)
    other = Segments(scored.frame.reverse(), scored.measures)
    made = join_measures(table(), other)
    assert made.frame.select(table().frame.columns).equals(table().frame)
    assert made.frame["comet"].to_list() == [1, None, 3, 4]
    assert made.frame["comet_reason"].to_list() == [None, "no score was given for the row", None, None]
    assert made.measures == {"comet": COMET}


def test_unknown_scripts_are_one_key() -> None:
    frame = table().frame.with_columns(script=pl.lit(None, pl.String))
    made = join_measures(Segments(frame), Segments(frame).with_measure(COMET, [1, 2, 3, 4]))
    assert made.frame["comet"].to_list() == [1, 2, 3, 4]


def test_rows_without_a_partner_are_told() -> None:
    other = table(systems="bbcc").with_measure(COMET, [1, 2, 3, 4])
    made = join_measures(table(systems="aabb"), other)
    assert made.frame["comet"].to_list() == [None, None, 1, 2]
    assert made.frame["comet_reason"][0] == "the row has no partner in the table that was joined"
    assert "2 of 4 rows have no partner in the table that was joined" in made.notes
    assert "2 of 4 rows of the table that was joined have no partner and were left out" in made.notes


def test_a_measure_that_both_have_is_filled_up() -> None:
    one = table().with_measure(COMET, [1, 2, None, None], [None, None, "not yet", "not yet"])
    other = table(systems="bb").with_measure(COMET, [3, None], [None, "empty"])
    made = join_measures(one, other)
    assert made.frame["comet"].to_list() == [1, 2, 3, None]
    assert made.frame["comet_reason"].to_list() == [None, None, None, "empty"]


def test_joins_that_cannot_be() -> None:
    other = table().with_measure(COMET, [1, 2, 3, 4])
    with pytest.raises(InputError, match="two rows of the other table have the same id"):
        join_measures(table(), other, on=["id"])
    with pytest.raises(InputError, match="no row of the other table"):
        join_measures(table("mr"), other)
    with pytest.raises(InputError, match="has no measures"):
        join_measures(table(), table())
    with pytest.raises(InputError, match="no column 'rater' to join on"):
        join_measures(table(), other, on=["rater"])
