"""The three pairwise accuracies against plain loops written from their papers, and mt-metrics-eval's test values."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiglot.stats import calibrated_accuracy, pair_accuracy, pair_agreement, soft_pair_accuracy, tie_threshold

_cell = st.one_of(st.none(), st.integers(0, 4))


@st.composite
def _tables(draw, cell=_cell):
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    cells = st.lists(st.lists(cell, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    return tuple(np.array(draw(cells), dtype=float) for _ in range(2))


def _accuracy_at(x, y, epsilon):
    """Deutsch et al. 2023, equation 7, with pairs tied in the metric where they differ by at most epsilon."""
    shares = []
    for a, b in zip(x.T, y.T, strict=True):
        kept = [(p, q) for p, q in zip(a, b, strict=True) if not np.isnan(p + q)]
        pairs = list(itertools.combinations(kept, 2))
        right = 0
        for (p, q), (r, s) in pairs:
            tied = abs(p - r) <= epsilon
            right += (q == s) if tied else (q != s and (p > r) == (q > s))
        if pairs:
            shares.append(right / len(pairs))
    return np.mean(shares) if shares else np.nan


def _best(x, y):
    gaps = {abs(p - q) for column in x.T for p, q in itertools.combinations(column, 2)}
    candidates = sorted({0.0} | {g for g in gaps if not np.isnan(g)})
    accuracies = [_accuracy_at(x, y, epsilon) for epsilon in candidates]
    return max(accuracies), candidates[int(np.argmax(np.round(accuracies, 10)))]


@given(_tables())
def test_calibration_equals_trying_every_threshold(tables):
    x, y = tables
    value, _ = _best(x, y)
    assert calibrated_accuracy(x, y) == pytest.approx(value, abs=1e-9, nan_ok=True)
    if not np.isnan(value):
        assert _accuracy_at(x, y, float(tie_threshold(x, y))) == pytest.approx(value, abs=1e-9)


@settings(max_examples=50)
@given(_tables(st.integers(0, 4)))
def test_the_smallest_of_equally_good_thresholds_is_taken(tables):
    x, y = tables
    if x.shape[0] > 1:
        assert tie_threshold(x, y) == _best(x, y)[1]


def test_values_that_mt_metrics_eval_tests_against():
    """From its tau_optimization_test.py and stats_test.py; rows there are columns here."""
    metric, human = np.array([[0.0, 2, 6, 8]]).T, np.array([[1.0, 2, 3, 4]]).T
    assert calibrated_accuracy(metric, human) == pytest.approx(1)
    assert tie_threshold(metric, human) == 0
    human = np.array([[1.0, 1, 1, 4]]).T
    assert calibrated_accuracy(metric, human) == pytest.approx(4 / 6)
    assert tie_threshold(metric, human) == 4
    none = np.nan
    metric = np.array([[0, 5, 2, 3, 2], [none, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1], [none] * 5])
    human = np.array([[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, none, 3, 2], [none] * 5])
    assert calibrated_accuracy(metric.T, human.T) == pytest.approx(0.4916666666666668)
    assert tie_threshold(metric.T, human.T) == 1
    metric, human = np.array([[2.0, 1, 1.5, 5, 3]]).T, np.array([[1.0, 2, 2, 3, 4]]).T
    assert calibrated_accuracy(metric, human) == pytest.approx(0.7)
    agree, pairs = pair_agreement(np.array([[1.0, 1, 2, 1, 2]]).T, np.array([[1.0, 2, 3, 3, 4]]).T)
    assert (int(agree), int(pairs)) == (5, 10)


@given(_tables())
def test_pair_accuracy_equals_counting(tables):
    x, y = tables
    ok = ~np.isnan(x + y)
    means = [
        (row_x[keep].mean(), row_y[keep].mean()) for row_x, row_y, keep in zip(x, y, ok, strict=True) if keep.any()
    ]

    def sign(value):
        return 0 if abs(value) < 1e-9 else np.sign(value)

    agree = [sign(a[0] - b[0]) == sign(a[1] - b[1]) for a, b in itertools.combinations(means, 2)]
    assert pair_accuracy(x, y) == pytest.approx(np.mean(agree) if agree else np.nan, nan_ok=True)
    assert pair_agreement(x, y)[1] == len(agree)


def _soft(x, y, seed, permutations):
    """Thompson et al. 2024, section 3, one permutation and one pair at a time, drawn as mt-metrics-eval draws."""
    complete = ~np.isnan(x + y).any(axis=0)
    x, y = x[:, complete], y[:, complete]
    draws = np.random.default_rng(seed).random(size=(permutations, x.shape[1]), dtype=np.float32)
    gaps = []
    for i, j in itertools.combinations(range(len(x)), 2):
        p = []
        for scores in (x, y):
            reached = 0
            for line in draws:
                kept = [(a, b) if u > 0.5 else (b, a) for a, b, u in zip(scores[i], scores[j], line, strict=True)]
                reached += sum(a - b for a, b in kept) >= scores[i].sum() - scores[j].sum() - 1e-9
            p.append(reached / permutations)
        gaps.append(abs(p[0] - p[1]))
    return 1 - np.mean(gaps)


def test_soft_accuracy_equals_a_plain_loop():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 6, size=(4, 9)).astype(float)
    x = y + rng.normal(size=y.shape)
    x[2, 5] = np.nan
    assert soft_pair_accuracy(x, y, seed=4, permutations=80) == pytest.approx(_soft(x, y, 4, 80), abs=1e-12)


def test_soft_accuracy_laws():
    rng = np.random.default_rng(2)
    y = rng.normal(size=(5, 30)) + np.arange(5)[:, None]
    assert soft_pair_accuracy(y, y) == 1
    assert soft_pair_accuracy(3 * y - 1, y) == 1, "unit and origin don't matter"
    assert soft_pair_accuracy(-y, y) < 0.2
    noise = rng.normal(size=y.shape)
    assert 0 <= soft_pair_accuracy(noise, y) <= 1
    stacked = soft_pair_accuracy(np.stack([y, noise]), y)
    assert stacked.tolist() == [1.0, float(soft_pair_accuracy(noise, y))]


def test_soft_accuracys_p_equals_full_enumeration():
    """With four items there are 16 swaps; 1 - |p_x - p_y| over all of them."""
    x, y = np.array([[3.0, 1, 4, 1], [2.0, 2, 1, 0]]), np.array([[5.0, 5, 5, 4], [5.0, 4, 5, 5]])

    def p(scores):
        gap = scores[0] - scores[1]
        return np.mean([np.array(signs) @ gap >= gap.sum() - 1e-12 for signs in itertools.product([-1, 1], repeat=4)])

    found = soft_pair_accuracy(x, y, permutations=40_000)
    assert found == pytest.approx(1 - abs(p(x) - p(y)), abs=0.01)


def test_nothing_to_compare_is_nan():
    one, empty = np.array([[1.0, 2.0]]), np.full((3, 2), np.nan)
    for accuracy in (pair_accuracy, calibrated_accuracy, soft_pair_accuracy, tie_threshold):
        assert np.isnan(accuracy(one, one))
        assert np.isnan(accuracy(empty, empty))
