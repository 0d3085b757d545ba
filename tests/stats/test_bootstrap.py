"""The vectorised bootstrap against a plain loop over the same draws, its laws and its coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.stats import _resampling, bootstrap_mean, bootstrap_spearman, bootstrap_spearman_difference

_tied = st.integers(-3, 3)


def _loop_rhos(shared, others, seed, resamples):
    """Every resample drawn and ranked on its own, rows in the order that the library documents."""
    order = np.lexsort((*reversed(others), shared))
    shared, others = shared[order], [o[order] for o in others]
    rng = np.random.default_rng(seed)
    for _ in range(resamples):
        drawn = rng.integers(0, shared.size, size=shared.size)
        yield [
            scipy_stats.spearmanr(o[drawn], shared[drawn]).statistic
            if np.ptp(o[drawn]) > 0 and np.ptp(shared[drawn]) > 0
            else np.nan
            for o in others
        ]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(_tied, _tied, _tied), min_size=3, max_size=25), st.integers(0, 5))
def test_intervals_equal_those_of_a_plain_loop(rows, seed):
    one, two, shared = (np.array(c, dtype=float) for c in zip(*rows, strict=True))
    result = bootstrap_spearman_difference(one, two, shared, seed=seed, resamples=40)
    rhos = np.array(list(_loop_rhos(shared, [one, two], seed, 40)))
    drawn = {"first": rhos[:, 0], "second": rhos[:, 1], "difference": rhos[:, 0] - rhos[:, 1]}
    for name, values in drawn.items():
        estimate = getattr(result, name)
        if estimate.value is None:
            assert estimate.reason
            assert estimate.interval is None
            continue
        expected = np.quantile(values[~np.isnan(values)], [0.025, 0.975])
        assert (estimate.interval.low, estimate.interval.high) == pytest.approx(expected.tolist(), abs=1e-10)
        undefined = int(np.isnan(values).sum())
        assert (f"{undefined} of them undefined" in estimate.interval.method) == bool(undefined)


def test_one_pair_equals_the_difference_with_itself():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=50), rng.normal(size=50)
    single = bootstrap_spearman(x, y, resamples=200)
    double = bootstrap_spearman_difference(x, x, y, resamples=200)
    assert single == double.first == double.second
    assert (double.difference.value, double.difference.interval.low, double.difference.interval.high) == (0, 0, 0)


def test_mean_equals_a_plain_loop():
    values = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
    rng = np.random.default_rng(9)
    means = [np.sort(values)[rng.integers(0, 5, size=5)].mean() for _ in range(100)]
    result = bootstrap_mean(values, seed=9, resamples=100, level=0.9)
    assert result.value == pytest.approx(2.8)
    assert (result.interval.low, result.interval.high) == pytest.approx(np.quantile(means, [0.05, 0.95]).tolist())
    assert result.interval.level == 0.9


def test_neither_row_order_nor_block_size_matters(monkeypatch):
    rng = np.random.default_rng(1)
    rows = np.round(rng.normal(size=(3, 60)), 1)
    before = bootstrap_spearman_difference(*rows, resamples=150), bootstrap_mean(rows[0], resamples=150)
    rows = rows[:, rng.permutation(60)]
    assert (bootstrap_spearman_difference(*rows, resamples=150), bootstrap_mean(rows[0], resamples=150)) == before
    monkeypatch.setattr(_resampling, "BLOCK", 500)
    assert (bootstrap_spearman_difference(*rows, resamples=150), bootstrap_mean(rows[0], resamples=150)) == before
    other = bootstrap_spearman_difference(*rows, resamples=150, seed=1)
    assert other.first.value == before[0].first.value
    assert other.first.interval != before[0].first.interval


@given(st.lists(st.tuples(_tied, _tied), min_size=3, max_size=20))
def test_increasing_maps_change_nothing(rows):
    x, y = (np.array(c, dtype=float) for c in zip(*rows, strict=True))
    assert bootstrap_spearman(x, y, resamples=20) == bootstrap_spearman(np.exp(x), y * 5 + 1, resamples=20)


@pytest.mark.parametrize(("x", "y"), [([], []), ([1], [1]), ([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3])])
def test_degenerate_rho_has_a_reason(x, y):
    for estimate in (bootstrap_spearman(x, y), bootstrap_spearman_difference(x, x, y).difference):
        assert estimate.value is None
        assert estimate.interval is None
        assert estimate.reason
        assert estimate.n == len(x)


def test_one_side_may_be_degenerate_alone():
    result = bootstrap_spearman_difference([1, 2, 3, 5], [7, 7, 7, 7], [1, 2, 4, 3])
    assert result.first.value == pytest.approx(0.8)
    assert result.second.value is result.difference.value is None
    assert result.difference.reason == result.second.reason


def test_degenerate_mean_has_a_reason():
    assert bootstrap_mean([]).value is None
    assert bootstrap_mean([4.0]).value == 4.0
    assert bootstrap_mean([4.0]).interval is None
    assert "at least 2" in bootstrap_mean([4.0]).reason
    with pytest.raises(ValueError, match="index 1"):
        bootstrap_mean([1.0, float("nan")])
    with pytest.raises(ValueError, match="at least 1"):
        bootstrap_mean([1.0, 2.0], resamples=0)


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    """300 samples of 80 from a normal with r = 0.5, whose Spearman is (6 / pi) asin(r / 2); 95% intervals."""
    rng = np.random.default_rng(11)
    truth = 6 / np.pi * np.arcsin(0.25)
    hits = np.zeros(3)
    for seed in range(300):
        shared = rng.normal(size=80)
        one, two = (0.5 * shared + np.sqrt(0.75) * rng.normal(size=80) for _ in range(2))
        result = bootstrap_spearman_difference(one, two, shared, seed=seed, resamples=200)
        hits += [
            result.first.interval.low <= truth <= result.first.interval.high,
            result.difference.interval.low <= 0 <= result.difference.interval.high,
            (mean := bootstrap_mean(one, seed=seed, resamples=200).interval).low <= 0 <= mean.high,
        ]
    assert (hits / 300 > 0.91).all()
    assert (hits / 300 < 0.98).all()
