"""Rank correlations with their tests: against every permutation, SciPy and a published value."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.stats import EXACT_ROWS, kendall_test, spearman, spearman_test

few = st.integers(3, 6).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 4), min_size=n, max_size=n) for _ in range(2)))
)
distinct = st.integers(3, 5).flatmap(lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n))))


def slow_p(x, y, statistic):
    """The share of all orders of y that are at least as far from 0."""
    seen = abs(statistic(x, y))
    far = [abs(statistic(x, order)) >= seen - 1e-12 for order in permutations(y)]
    return sum(far) / len(far)


@given(few)
def test_exact_spearman_is_the_share_of_permutations_ties_included(pair):
    x, y = pair
    test = spearman_test(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert test.value.value is None
        assert test.value.reason
        assert test.best.p is None
    else:
        assert test.exact.p == pytest.approx(slow_p(x, y, spearman))


@given(distinct)
def test_exact_kendall_is_the_share_of_permutations(pair):
    x, y = (list(part) for part in pair)
    test = kendall_test(x, y)
    assert test.value.value == pytest.approx(scipy_stats.kendalltau(x, y).statistic)
    assert test.exact.p == pytest.approx(slow_p(x, y, lambda a, b: scipy_stats.kendalltau(a, b).statistic))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=40))
def test_approximations_are_scipys(rows):
    x, y = ([row[i] for row in rows] for i in (0, 1))
    if len(set(x)) == 1 or len(set(y)) == 1:
        return
    rho, tau = spearman_test(x, y), kendall_test(x, y)
    known = scipy_stats.kendalltau(x, y, method="asymptotic")
    assert tau.value.value == pytest.approx(known.statistic, abs=1e-12)
    assert tau.approximate.p == pytest.approx(known.pvalue, rel=1e-9)
    if abs(rho.value.value) < 1:
        assert rho.approximate.p == pytest.approx(scipy_stats.spearmanr(x, y).pvalue, rel=1e-9)
    if len(set(x)) < len(x) or len(set(y)) < len(y):
        assert tau.exact.p is None


@given(distinct)
def test_neither_the_order_of_rows_nor_of_the_two_sides_matters(pair):
    x, y = (np.array(part) for part in pair)
    turned = spearman_test(y[::-1], x[::-1])
    assert turned.exact.p == spearman_test(x, y).exact.p
    assert kendall_test(y[::-1], x[::-1]).exact.p == kendall_test(x, y).exact.p


def test_ten_points_as_r_would_have_them_exactly():
    # |rho| = 0.8061 at n = 10: 0.0072 by all 3,628,800 permutations; the t approximation gives 0.0049.
    x = np.arange(10)
    y = np.array([0, 2, 1, 3, 5, 4, 9, 6, 8, 7])[::-1]
    test = spearman_test(x, y)
    assert test.exact.p > test.approximate.p
    assert test.best is test.exact


def test_many_rows_have_no_exact_test_and_say_so():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, EXACT_ROWS + 1))
    for test in (spearman_test(x, y), kendall_test(x, y)):
        assert test.exact.p is None
        assert str(EXACT_ROWS) in test.exact.reason
        assert test.best is test.approximate


def test_whole_agreement_has_an_exact_p_and_no_interval():
    test = spearman_test([1, 2, 3, 4], [2, 4, 6, 8])
    assert test.value.value == 1.0
    assert test.value.interval is None
    assert test.approximate.p is None
    assert test.best.p == pytest.approx(2 / 24)


@given(st.lists(st.integers(0, 3), min_size=3, max_size=6).filter(lambda x: len(set(x)) > 1), st.sampled_from([1, -1]))
def test_whole_agreement_with_ties_is_the_share_of_permutations(x, sign):
    y = [sign * value for value in x]
    assert spearman_test(x, y).exact.p == pytest.approx(slow_p(x, y, spearman))


def test_whole_agreement_of_many_rows_has_an_exact_p():
    test = spearman_test(range(14), range(14, 0, -1))
    assert test.value.value == -1.0
    assert test.best.p == pytest.approx(2 / math.factorial(14))
    assert spearman_test(range(500), range(500)).exact.neg_log10_p == pytest.approx(
        -math.log10(2) + sum(map(math.log10, range(1, 501)))
    )


@pytest.mark.parametrize("rho", [0.0, 0.4, 0.8])
def test_the_interval_covers(rho):
    """95% of samples of a bivariate normal, give or take."""
    rng = np.random.default_rng(1)
    pearson = 2 * np.sin(rho * np.pi / 6)
    held = 0
    for _ in range(300):
        x = rng.normal(size=40)
        y = pearson * x + np.sqrt(1 - pearson**2) * rng.normal(size=40)
        interval = spearman_test(x, y).value.interval
        held += interval.low <= rho <= interval.high
    assert 0.90 <= held / 300 <= 0.99
