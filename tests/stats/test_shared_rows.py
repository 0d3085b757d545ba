"""Means of columns over shared rows, resampled together, and means over repetitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.stats import quantile_interval, resampled_means, t_interval


def slow(values, present, seed, resamples):
    """One resample at a time."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(values), size=(resamples, len(values)))
    out = np.full((resamples, values.shape[1]), np.nan)
    for line, rows in enumerate(drawn):
        for column in range(values.shape[1]):
            own = [values[row, column] for row in rows if present[row, column]]
            out[line, column] = np.mean(own) if own else np.nan
    return out


@given(st.integers(1, 9), st.integers(1, 3), st.integers(0, 99))
def test_it_is_the_plain_bootstrap_of_each_column(rows, columns, seed):
    rng = np.random.default_rng(seed)
    values, present = rng.normal(size=(rows, columns)), rng.random((rows, columns)) < 0.7
    values = np.where(present, values, 1e300)  # what is not there must not be looked at
    found = resampled_means(values, present, seed=seed, resamples=20)
    np.testing.assert_allclose(found, slow(values, present, seed, 20), rtol=1e-12, atol=1e-14)


def test_columns_share_the_draw():
    values = np.random.default_rng(0).normal(size=(50, 1)) + np.array([[0.0, 3.0]])
    drawn = resampled_means(values, np.ones(values.shape, dtype=bool), resamples=200)
    np.testing.assert_allclose(drawn[:, 1] - drawn[:, 0], 3.0)


def test_an_interval_needs_a_value_in_every_resample():
    assert quantile_interval(np.array([1.0, np.nan])) is None
    assert quantile_interval(np.array([])) is None


@given(st.lists(st.integers(-(10**6), 10**6).map(lambda x: x / 64), min_size=2, max_size=20))
def test_t_interval_is_scipys(values):
    found = t_interval(values)
    if len(set(values)) == 1:
        assert found.interval.low == found.interval.high == found.value == values[0]
        return
    mean, error = np.mean(values), scipy_stats.sem(values)
    low, high = scipy_stats.t.interval(0.95, len(values) - 1, loc=mean, scale=error)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("values", [[], [3.0]])
def test_t_interval_of_too_few_says_why(values):
    found = t_interval(values)
    assert found.interval is None
    assert found.reason
