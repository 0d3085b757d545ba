"""Tables as they come: odd names, words for numbers, one segment, any order of rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.rank import Ranking, rank_systems
from equiglot.report import rank_section
from equiglot.table import Segments

INFO = MeasureInfo("m", "share", "higher", "metric:m|origin:brought")


def table(n: int = 12, systems: tuple[str, ...] = ("a", "b"), **columns: pl.Expr) -> Segments:
    rng = np.random.default_rng(1)
    rows = [
        {"id": str(i), "language": language, "script": "Latn", "condition": "romanized", "system": system,
         "source": f"prompt {i}", "target": f"jawab {i} {'prompt' * (i % 3)}", "valid": i % 4 > 0, "m": rng.random(),
         "output_tokens": float(rng.integers(5, 50)), "category": f"c{i % 2}"}
        for i in range(n) for language in ("te", "hi") for system in systems
    ]  # fmt: skip
    return Segments(pl.DataFrame(rows).with_columns(**columns), {"m": INFO})


def ranked(segments: Segments) -> Ranking:
    return rank_systems(segments, ["m"], resamples=100, permutations=100)


TABLES = ("systems", "pairs", "failures", "copying", "usage", "categories")


def test_the_order_of_rows_changes_nothing() -> None:
    segments = table()
    one = ranked(segments)
    other = ranked(replace(segments, frame=segments.frame.sample(fraction=1, shuffle=True, seed=2)))
    assert one.headline == other.headline
    for name in TABLES:
        assert getattr(one, name).equals(getattr(other, name))


@pytest.mark.parametrize(
    "names", [("id", "language"), ("script", "condition"), ("^.*$", "*"), ("0", "1"), ("", "score")]
)
def test_a_system_may_have_any_name(names: tuple[str, str]) -> None:
    one, other = ranked(table()), ranked(table(systems=names))
    systems = [dict(zip("ab", names, strict=True))[name] for name in one.systems["system"]]
    values = one.systems.with_columns(pl.Series("system", systems)).sort("language", "system", "measure")["value"]
    assert values.to_list() == other.systems.sort("language", "system", "measure")["value"].to_list()


def test_one_segment_has_neither_an_interval_nor_a_test() -> None:
    found = ranked(Segments(table(n=2).frame.filter(pl.col("id") == "1"), {"m": INFO}))
    means = found.systems.filter(measure="mean_aware")
    assert means["value"].null_count() == means["low"].count() == 0
    assert set(means["reason"]) == {"one segment; an interval needs at least 2"}
    tests = found.pairs.filter(pl.col("measure").str.starts_with("p_"))
    assert tests["value"].count() == 0
    assert tests["reason"].null_count() == 0


def test_a_mean_of_too_few_valid_rows_says_why_it_has_no_interval() -> None:
    found = ranked(table(valid=pl.col("id") == "1"))
    means = found.systems.filter(measure="mean_valid")
    assert means["value"].null_count() == means["low"].count() == 0
    assert set(means["reason"]) == {"some resamples have no valid row, so there is no interval"}


def test_counts_may_be_text_and_missing() -> None:
    text = ranked(table(output_tokens=pl.col("output_tokens").cast(pl.String)))
    assert text.usage.equals(ranked(table()).usage)
    none = ranked(table(output_tokens=pl.lit(" "))).usage.filter(measure="tokens")
    assert none["value"].to_list() == [None, None]
    assert none["n_failed"].to_list() == [24, 24]
    looped = pl.when(pl.col("id") == "1").then(pl.lit("copy; degenerate")).otherwise(pl.lit(""))
    shares = ranked(table(failures=looped)).usage.filter(measure="degenerate")["value"].to_list()
    assert shares == pytest.approx([100 / 12] * 2)


def test_rows_without_a_category_are_one() -> None:
    found = ranked(table(category=pl.when(pl.col("id") != "1").then("category"))).categories
    assert found["category"].unique().sort().to_list() == ["(none)", "c0", "c1"]
    assert found["n"].sum() == 48


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("output_tokens", pl.lit("many"), "row 1, column 'output_tokens': 'many' is not a number"),
        ("output_tokens", pl.lit("inf"), "row 1, column 'output_tokens': 'inf' is not a number"),
        ("output_tokens", pl.concat_list("output_tokens"), "column 'output_tokens': this column is not of numbers"),
        ("category", pl.concat_list("category"), "column 'category': this is not a column of texts"),
        ("failure_details", pl.lit("nonsense"), "row 1, column 'failure_details'"),
        ("m", pl.lit(None), "column 'm'"),
    ],
)
def test_what_cannot_be_read_is_one_line(column: str, value: pl.Expr, says: str) -> None:
    segments = table(**{column: value})
    if column == "m":
        segments = replace(segments, measures={})
    with pytest.raises(InputError) as caught:
        ranked(segments)
    assert says in str(caught.value)


def test_a_ranking_without_a_mean_makes_a_section() -> None:
    nothing = ranked(table(id=pl.col("id") + pl.col("system")))
    assert "nothing can be ranked" in nothing.headline
    assert not [chart for chart in rank_section(nothing).charts if "leaderboard" in chart.name]
