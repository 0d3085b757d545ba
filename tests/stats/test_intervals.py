"""Bootstrap and analytic intervals of the three correlations: plain loops, SciPy's own, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.stats import _left_out, _resampling, analytic_correlation, bootstrap_correlation, correlation

KINDS = ("pearson", "spearman", "kendall")
SCIPY = {"pearson": scipy_stats.pearsonr, "spearman": scipy_stats.spearmanr, "kendall": scipy_stats.kendalltau}
_tied = st.integers(-3, 3)
_rows = st.lists(st.tuples(_tied, _tied), min_size=4, max_size=20)


def _columns(rows):
    x, y = (np.array(c, dtype=float) for c in zip(*rows, strict=True))
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    return x, y


def _plain(x, y, kind):
    """The correlation of one sample by SciPy, NaN where a side is constant."""
    return SCIPY[kind](x, y).statistic if np.ptp(x) > 0 and np.ptp(y) > 0 else np.nan


def _loop(x, y, kind, seed, resamples):
    """Every resample on its own, rows in the order that the library documents."""
    order = np.lexsort((x, y))
    x, y, rng = x[order], y[order], np.random.default_rng(seed)
    drawn = [rng.integers(0, x.size, size=x.size) for _ in range(resamples)]
    return np.array([_plain(x[d], y[d], kind) for d in drawn])


def _bca(value, drawn, left_out, level=0.95):
    """Efron and Tibshirani 1993, equations 14.10, 14.14 and 14.15, with ties of the estimate counted half."""
    drawn, left_out = drawn[~np.isnan(drawn)], left_out[~np.isnan(left_out)]
    near = np.isclose(drawn, value, rtol=0, atol=1e-12)
    below = np.mean(np.where(near, 0.5, drawn < value))
    if below in (0, 1):
        return None
    z0 = scipy_stats.norm.ppf(below)
    d = left_out.mean() - left_out
    a = (d**3).sum() / (6 * (d**2).sum() ** 1.5) if (d**2).sum() > 0 else 0.0
    z = scipy_stats.norm.ppf([(1 - level) / 2, (1 + level) / 2])
    return np.quantile(drawn, scipy_stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(rows=_rows, seed=st.integers(0, 5))
def test_both_intervals_equal_a_plain_loop(kind, rows, seed):
    x, y = _columns(rows)
    drawn = _loop(x, y, kind, seed, 40)
    value = correlation(x, y, kind)
    percentile = bootstrap_correlation(x, y, kind=kind, seed=seed, resamples=40)
    assert percentile.value == value
    expected = np.quantile(drawn[~np.isnan(drawn)], [0.025, 0.975])
    assert (percentile.interval.low, percentile.interval.high) == pytest.approx(expected.tolist(), abs=1e-9)

    left_out = np.array([_plain(np.delete(x, i), np.delete(y, i), kind) for i in range(x.size)])
    bca = bootstrap_correlation(x, y, kind=kind, interval="bca", seed=seed, resamples=40)
    ends = _bca(value, drawn, left_out)
    if ends is None:
        assert bca.interval is None
        assert "one side" in bca.reason
    else:
        assert (bca.interval.low, bca.interval.high) == pytest.approx(ends.tolist(), abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@given(rows=_rows)
def test_leaving_each_row_out(kind, rows):
    x, y = _columns(rows)
    expected = [_plain(np.delete(x, i), np.delete(y, i), kind) for i in range(x.size)]
    assert _left_out.left_out(x, y, kind) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("kind", KINDS)
def test_bca_equals_scipys_to_monte_carlo_error(kind):
    rng = np.random.default_rng(4)
    x = rng.normal(size=40)
    y = x + 0.7 * rng.normal(size=40)
    ours = bootstrap_correlation(x, y, kind=kind, interval="bca", resamples=2000).interval
    theirs = scipy_stats.bootstrap(
        (x, y), lambda a, b: SCIPY[kind](a, b).statistic, paired=True, vectorized=False, n_resamples=2000, rng=1
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.03)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_neither_row_order_nor_block_size_matters(kind, interval, monkeypatch):
    rng = np.random.default_rng(1)
    x, y = np.round(rng.normal(size=(2, 50)), 1)
    before = bootstrap_correlation(x, y, kind=kind, interval=interval, resamples=120)
    order = rng.permutation(50)
    moved = bootstrap_correlation(x[order], y[order], kind=kind, interval=interval, resamples=120)
    assert (moved.interval.low, moved.interval.high) == pytest.approx((before.interval.low, before.interval.high))
    monkeypatch.setattr(_resampling, "BLOCK", 170)
    blocked = bootstrap_correlation(x, y, kind=kind, interval=interval, resamples=120)
    assert (blocked.interval.low, blocked.interval.high) == pytest.approx((before.interval.low, before.interval.high))


def test_pearsons_analytic_interval_equals_scipys():
    rng = np.random.default_rng(2)
    x = rng.normal(size=30)
    y = x + rng.normal(size=30)
    for level in (0.9, 0.95):
        ours = analytic_correlation(x, y, kind="pearson", level=level).interval
        theirs = scipy_stats.pearsonr(x, y).confidence_interval(level)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_rank_intervals_by_their_formulas():
    """Bonett and Wright 2000: z +- 1.96 sqrt((1 + r^2 / 2) / (n - 3)), and sqrt(.437 / (n - 4)) for tau."""
    x, y = np.arange(12.0), np.array([1.0, 0, 2, 4, 3, 6, 5, 9, 7, 8, 11, 10])
    for kind, error in (("spearman", lambda r: np.sqrt((1 + r**2 / 2) / 9)), ("kendall", lambda _: np.sqrt(0.437 / 8))):
        found = analytic_correlation(x, y, kind=kind)
        r = SCIPY[kind](x, y).statistic
        ends = np.tanh(np.arctanh(r) + scipy_stats.norm.ppf(0.975) * error(r) * np.array([-1, 1]))
        assert (found.interval.low, found.interval.high) == pytest.approx(ends.tolist(), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("x", "y"), [([], []), ([1, 2], [1, 2]), ([1, 1, 1, 1], [1, 2, 3, 4])])
def test_degenerate_has_a_reason(kind, x, y):
    for estimate in (
        bootstrap_correlation(x, y, kind=kind),
        bootstrap_correlation(x, y, kind=kind, interval="bca"),
        analytic_correlation(x, y, kind=kind),
    ):
        assert estimate.value is estimate.interval is None
        assert estimate.reason
        assert estimate.n == len(x)


@pytest.mark.parametrize("kind", KINDS)
def test_a_perfect_correlation_has_a_value_and_says_why_no_interval(kind):
    x = [1.0, 2.0, 4.0, 8.0, 16.0]
    assert "infinite" in analytic_correlation(x, x, kind=kind).reason
    assert bootstrap_correlation(x, x, kind=kind, resamples=50).interval.high == pytest.approx(1.0)
    few = analytic_correlation([1, 2, 3], [1, 3, 2], kind=kind)
    assert few.interval is None
    assert "at least" in few.reason


def test_intervals_cover_the_truth_as_often_as_they_say():
    """500 samples of 60 from a normal with r = 0.5; nominal 95% must hold the truth in 93 to 97% of them."""
    r, sims = 0.5, 500
    truth = {"pearson": r, "spearman": 6 / np.pi * np.arcsin(r / 2), "kendall": 2 / np.pi * np.arcsin(r)}
    rng = np.random.default_rng(1)
    hits = dict.fromkeys([(kind, how) for kind in KINDS for how in ("percentile", "bca", "analytic")], 0)
    for seed in range(sims):
        x = rng.normal(size=60)
        y = r * x + np.sqrt(1 - r * r) * rng.normal(size=60)
        for kind, how in hits:
            found = (
                analytic_correlation(x, y, kind=kind)
                if how == "analytic"
                else bootstrap_correlation(x, y, kind=kind, interval=how, seed=seed, resamples=250)
            ).interval
            hits[kind, how] += found.low <= truth[kind] <= found.high
    coverage = {name: count / sims for name, count in hits.items()}
    assert all(0.93 <= share <= 0.97 for share in coverage.values()), coverage
