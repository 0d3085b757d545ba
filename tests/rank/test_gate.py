"""A gate passes, fails, and refuses what can't be asked."""

from __future__ import annotations

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.rank import Limits, check, rank_systems
from equiglot.table import Segments

INFO = MeasureInfo("m", "share", "higher", "metric:m|origin:brought")


def ranking(score, invalid=0, systems=("a",), info=INFO):
    rows = [
        {"id": str(i), "language": "hi", "script": "Latn", "condition": "romanized", "system": system,
         "target": "x", "m": score - 0.1 * k, "valid": i >= invalid}
        for i in range(10) for k, system in enumerate(systems)
    ]  # fmt: skip
    return rank_systems(Segments(pl.DataFrame(rows), {"m": info}), ["m"], resamples=100, permutations=100)


def passed(*arguments, **options):
    return [found.passed for found in check(*arguments, **options)]


def test_a_share_of_invalid_answers():
    assert passed(ranking(0.5, invalid=1), Limits(max_invalid=0.1)) == [True]
    assert passed(ranking(0.5, invalid=2), Limits(max_invalid=0.1)) == [False]


def test_a_drop_against_a_baseline():
    before = ranking(0.8)
    assert passed(ranking(0.75), Limits(max_drop=0.05), baseline=before) == [True]
    assert passed(ranking(0.7), Limits(max_drop=0.05), baseline=before) == [False]
    # One invalid answer in ten costs a tenth of the mean.
    assert passed(ranking(0.8, invalid=1), Limits(max_drop=0.05), baseline=before) == [False]


def test_a_rank():
    two = ranking(0.8, systems=("a", "b"))
    assert passed(two, Limits(max_rank=1), system="a") == [True]
    assert passed(two, Limits(max_rank=1), system="b") == [False]
    with pytest.raises(InputError, match="a rank is of one system"):
        check(two, Limits(max_rank=1))


def test_another_baseline_system_is_not_taken_for_this_one():
    two = ranking(0.8, systems=("b", "c"))
    (found,) = check(ranking(0.8), Limits(max_drop=0.05), baseline=two)
    assert not found.passed
    assert found.value is None


def test_a_baseline_that_was_made_otherwise_is_refused():
    other = ranking(0.8, info=MeasureInfo("m", "share", "higher", "metric:m|case:lower"))
    with pytest.raises(InputError, match="made differently"):
        check(ranking(0.8), Limits(max_drop=0.05), baseline=other)


def test_a_language_that_is_gone_fails():
    def of(*languages):
        rows = [
            {"id": str(i), "language": language, "script": "Latn", "condition": "romanized", "system": "a",
             "target": "x", "m": 0.8, "valid": True}
            for i in range(10) for language in languages
        ]  # fmt: skip
        return rank_systems(Segments(pl.DataFrame(rows), {"m": INFO}), ["m"], resamples=100, permutations=100)

    same, gone = check(of("hi"), Limits(max_drop=0.1), baseline=of("hi", "te"))
    assert (same.passed, gone.passed, gone.value) == (True, False, None)
    assert gone.sentence == "te-Latn, romanized: m was in the baseline, and is not in the table now"
    assert passed(of("hi", "te"), Limits(max_drop=0.1), baseline=of("hi", "te")) == [True] * 3


@pytest.mark.parametrize("limit", [float("nan"), float("inf")])
def test_a_limit_is_a_number(limit):
    with pytest.raises(InputError, match="--max-drop"):
        Limits(max_drop=limit)


def test_a_baseline_that_is_not_looked_at_is_refused():
    with pytest.raises(InputError, match="no drop from it is asked"):
        check(ranking(0.5), Limits(max_invalid=0.1), baseline=ranking(0.5))


@pytest.mark.parametrize(
    ("limits", "options", "problem"),
    [
        (Limits(), {}, "nothing is asked"),
        (Limits(max_invalid=0.1), {"system": "z"}, "no system 'z'"),
        (Limits(max_drop=0.1), {}, "needs|measured from a baseline"),
    ],
)
def test_what_cannot_be_asked(limits, options, problem):
    with pytest.raises(InputError, match=problem):
        check(ranking(0.5), limits, **options)
