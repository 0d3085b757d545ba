"""COMET-QN on arrays: the laws, against a plain slow reference, and the paper's worked example."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from equiglot.errors import InputError
from equiglot.normalize import quantile_normalize

SCORES = st.one_of(st.integers(-5, 5).map(float), st.floats(-1e6, 1e6), st.floats(-1e-300, 1e-300))
ROWS = st.lists(st.tuples(st.integers(0, 3), SCORES), min_size=1, max_size=40)
REFERENCE = st.lists(SCORES, min_size=1, max_size=40)


def columns(rows: list[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([score for _, score in rows]), np.array([cell for cell, _ in rows])


def quantile(reference: list[float], position: Fraction) -> float:
    """Weibull's rule in exact arithmetic: the r-th of m at r / (m + 1), linear between, clamped outside."""
    ordered, place = sorted(reference), position * (len(reference) + 1)
    r = min(max(int(place), 1), len(ordered))
    if r == len(ordered) or place < 1:
        return ordered[r - 1]
    low, high = Fraction(ordered[r - 1]), Fraction(ordered[r])
    return float(low + (place - r) * (high - low))


def slow(rows: list[tuple[int, float]], reference: list[float]) -> list[float]:
    values: list[float] = []
    for cell, score in rows:
        own = [s for c, s in rows if c == cell]
        rank = Fraction(sum(s < score for s in own)) + Fraction(sum(s == score for s in own) + 1, 2)
        values.append(quantile(reference, rank / (len(own) + 1)))
    return values


@given(ROWS, REFERENCE)
def test_agrees_with_exact_arithmetic(rows: list[tuple[int, float]], reference: list[float]) -> None:
    mapped = quantile_normalize(*columns(rows), np.array(reference))
    size = max(map(abs, reference))
    np.testing.assert_allclose(mapped, slow(rows, reference), rtol=0, atol=1e-12 * size)


@given(ROWS, REFERENCE)
def test_order_inside_a_cell_never_reverses_and_ties_stay_ties(
    rows: list[tuple[int, float]], reference: list[float]
) -> None:
    scores, cells = columns(rows)
    mapped = quantile_normalize(scores, cells, np.array(reference))
    for cell in set(cells.tolist()):
        own = sorted(zip(scores[cells == cell].tolist(), mapped[cells == cell].tolist(), strict=True))
        for (score, value), (next_score, next_value) in pairwise(own):
            assert value <= next_value
            assert score != next_score or value == next_value


@given(ROWS, st.lists(st.integers(-1000, 1000).map(float), min_size=40, max_size=60, unique=True))
def test_distinct_scores_stay_distinct_where_the_reference_does(
    rows: list[tuple[int, float]], reference: list[float]
) -> None:
    scores, cells = columns(rows)
    mapped = quantile_normalize(scores, cells, np.array(reference))
    for cell in set(cells.tolist()):  # no cell is larger than the reference, so that nothing is clamped
        assert np.unique(mapped[cells == cell]).size == np.unique(scores[cells == cell]).size


@given(st.lists(SCORES, min_size=1, max_size=60))
def test_reference_mapped_through_itself_is_itself(scores: list[float]) -> None:
    column = np.array(scores)
    mapped = quantile_normalize(column, np.zeros(len(scores), dtype=int), column)
    np.testing.assert_array_equal(mapped, column)


@given(st.integers(1, 12), st.integers(1, 4), REFERENCE, st.integers(0, 2**32).map(Random))
def test_equal_sized_cells_without_ties_end_with_equal_means(
    n: int, n_cells: int, reference: list[float], random: Random
) -> None:
    scores = np.array(random.sample(range(1000), n * n_cells), dtype=float)
    mapped = quantile_normalize(scores, np.repeat(np.arange(n_cells), n), np.array(reference)).reshape(n_cells, n)
    assert len({tuple(sorted(cell)) for cell in mapped.tolist()}) == 1


@given(ROWS, REFERENCE, st.integers(0, 2**32).map(Random))
def test_row_order_and_cell_names_do_not_matter(
    rows: list[tuple[int, float]], reference: list[float], random: Random
) -> None:
    shuffled = random.sample(range(len(rows)), len(rows))
    names = dict(zip(range(4), random.sample(range(-100_000, 100_000, 997), 4), strict=True))
    scores, cells = columns(rows)
    mapped = quantile_normalize(scores, cells, np.array(reference))
    renamed = np.array([names[c] for c in cells.tolist()])[shuffled]
    random.shuffle(reference)
    np.testing.assert_array_equal(quantile_normalize(scores[shuffled], renamed, np.array(reference)), mapped[shuffled])


def test_positions_of_table_15() -> None:
    raw = np.array([78.14, 71.07, 80.33, 76.41, 78.24])
    reference = np.arange(1.0, 600.0)  # stands at 1/600 .. 599/600, so the value says the position
    mapped = quantile_normalize(raw, np.zeros(5, dtype=int), reference)
    np.testing.assert_allclose(np.sort(mapped) / 600, np.arange(1, 6) / 6, rtol=1e-15)
    np.testing.assert_allclose(np.sort(mapped) / 600, [0.167, 0.333, 0.500, 0.667, 0.833], atol=0.0005)
    np.testing.assert_array_equal(np.argsort(mapped), np.argsort(raw))
    printed = np.array([68.21, 77.27, 83.14, 87.58, 91.48])
    np.testing.assert_array_equal(np.sort(quantile_normalize(raw, np.zeros(5, dtype=int), printed)), printed)


def test_agrees_with_the_quantile_rule_that_numpy_calls_weibull() -> None:
    rng = np.random.default_rng(1)
    scores, reference = rng.normal(size=500).round(1), rng.normal(size=333)
    expected = np.quantile(reference, rankdata(scores) / 501, method="weibull")
    np.testing.assert_allclose(quantile_normalize(scores, np.zeros(500, dtype=int), reference), expected, atol=1e-12)


def test_one_row_takes_the_median() -> None:
    assert quantile_normalize(np.array([3.0]), np.array([9]), np.array([1.0, 2.0, 4.0])).tolist() == [2.0]


def test_a_constant_cell_takes_the_median() -> None:
    mapped = quantile_normalize(np.full(4, 50.0), np.zeros(4, dtype=int), np.array([1.0, 2.0, 3.0]))
    assert mapped.tolist() == [2.0] * 4


def test_no_rows() -> None:
    assert quantile_normalize(np.array([]), np.array([], dtype=int), np.array([1.0])).size == 0


def test_more_cells_than_sixteen_bits_hold() -> None:
    n = 70_000
    mapped = quantile_normalize(np.arange(float(n)), np.arange(n) * 3, np.array([1.0, 2.0, 3.0]))
    assert (mapped == 2.0).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e301])
def test_what_is_no_usable_number_is_refused_with_its_row(bad: float) -> None:
    with pytest.raises(InputError, match=r"row 2: the score is"):
        quantile_normalize(np.array([1.0, bad]), np.array([0, 0]), np.array([1.0]))
    with pytest.raises(InputError, match=r"row 1: the reference score is"):
        quantile_normalize(np.array([1.0]), np.array([0]), np.array([bad]))


def test_no_reference_and_wrong_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="no reference score"):
        quantile_normalize(np.array([1.0]), np.array([0]), np.array([]))
    with pytest.raises(InputError, match="one cell for each score"):
        quantile_normalize(np.array([1.0]), np.array([0, 1]), np.array([1.0]))
