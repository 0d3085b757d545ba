"""ANOVA against SciPy, statsmodels and paper 1's table 8; logarithms of tails against mpmath."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.oneway import anova_oneway

from equiglot.stats import anova, welch_anova
from equiglot.stats._tails import f_tail, t_two_sided, z_two_sided

_groups = st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=15), min_size=2, max_size=5)


def _spread(groups):
    return all(len(set(g)) > 1 for g in groups)


@given(_groups)
def test_equals_scipy_and_statsmodels(groups):
    assume(_spread(groups))
    ours, theirs = anova(groups), scipy_stats.f_oneway(*groups)
    assert ours.f == pytest.approx(theirs.statistic, rel=1e-8, abs=1e-8)
    # Where the means are equal SciPy's sum of squares may come out just below 0, and its p as NaN.
    assert ours.p == pytest.approx(theirs.pvalue if theirs.statistic >= 0 else 1.0, abs=1e-8)
    everything = np.concatenate(groups)
    between = sum(len(g) * (np.mean(g) - everything.mean()) ** 2 for g in groups)
    assert ours.eta2.value == pytest.approx(between / ((everything - everything.mean()) ** 2).sum(), abs=1e-10)

    welch, reference = welch_anova(groups), anova_oneway(groups, use_var="unequal", welch_correction=True)
    assert welch.f == pytest.approx(reference.statistic, rel=1e-8, abs=1e-8)
    assert welch.p == pytest.approx(reference.pvalue, abs=1e-8)
    assert welch.df_within == pytest.approx(reference.df_denom, rel=1e-8)


@given(_groups, st.integers(-1000, 1000), st.sampled_from([-3.0, 0.5, 8.0]))
def test_shares_do_not_depend_on_unit_or_origin(groups, shift, scale):
    assume(_spread(groups))
    ours, moved = anova(groups), anova([np.array(g) * scale + shift for g in groups])
    assert moved.eta2.value == pytest.approx(ours.eta2.value, abs=1e-9)
    assert moved.f == pytest.approx(ours.f, rel=1e-7, abs=1e-9)
    assert anova(groups[::-1]).f == pytest.approx(ours.f, rel=1e-9, abs=1e-12)
    assert ours.omega2 <= ours.eta2.value
    assert 0 <= ours.eta2.interval.low <= ours.eta2.interval.high < 1


@given(_groups)
def test_the_interval_inverts_the_noncentral_f(groups):
    assume(_spread(groups))
    ours = anova(groups)
    for end, tail in ((ours.eta2.interval.low, 0.975), (ours.eta2.interval.high, 0.025)):
        if end > 0:
            noncentrality = ours.n * end / (1 - end)
            below = scipy_stats.ncf.cdf(ours.f, ours.df_between, ours.df_within, noncentrality)
            assert below == pytest.approx(tail, abs=1e-6)


def test_the_interval_covers_the_truth():
    """1,000 samples of three groups of 40 with means -d, 0, d: eta^2 = s / (1 + s), s the variance of the means."""
    rng = np.random.default_rng(8)
    means = np.array([-0.4, 0.0, 0.4])
    truth = means.var() / (1 + means.var())
    intervals = [anova([rng.normal(m, 1, 40) for m in means]).eta2.interval for _ in range(1000)]
    assert 0.93 < np.mean([i.low <= truth <= i.high for i in intervals]) < 0.97


def test_omega2_and_its_interval_by_another_route():
    """omega^2 through F, (k - 1)(F - 1) / ((k - 1)(F - 1) + N); the interval covers the same population share."""
    rng = np.random.default_rng(12)
    means = np.array([-0.4, 0.0, 0.4])
    truth = means.var() / (1 + means.var())
    found = [anova([rng.normal(m, 1, 25) for m in means]) for _ in range(600)]
    for result in found[:50]:
        lead = result.df_between * (result.f - 1)
        assert result.omega2 == pytest.approx(lead / (lead + result.n), abs=1e-12)
    assert np.mean([result.omega2 for result in found]) == pytest.approx(truth, abs=0.01), "nearly unbiased"
    assert np.mean([result.eta2.value for result in found]) > truth + 0.02
    covered = [result.omega2_interval.low <= truth <= result.omega2_interval.high for result in found]
    assert 0.93 < np.mean(covered) < 0.97


def test_a_worked_example():
    """The example that Wikipedia's article on the F-test works by hand: SSB = 84, SSW = 68, F(2, 15) = 9.26."""
    groups = [[6, 8, 4, 5, 3, 4], [8, 12, 9, 11, 6, 8], [13, 9, 11, 8, 7, 12]]
    result = anova(groups)
    assert (result.df_between, result.df_within) == (2, 15)
    assert result.f == pytest.approx((84 / 2) / (68 / 15))
    assert result.eta2.value == pytest.approx(84 / 152)
    assert result.omega2 == pytest.approx((84 - 2 * 68 / 15) / (152 + 68 / 15))


def test_table_8_of_paper_1_compares_two_groups():
    """At N = 7,000, F = 2,080.8 with eta^2 = 22.9% and F = 108.3 with p = 3.5e-25 hold together only for df 1, 6998."""
    for f, eta2 in ((2080.8, 0.229), (108.3, 0.015)):
        assert f / (f + 6998) == pytest.approx(eta2, abs=5e-4)
    p, neg_log10_p = f_tail(108.3, 1, 6998)
    assert p == pytest.approx(3.5e-25, rel=0.02)
    assert neg_log10_p == pytest.approx(-math.log10(p))
    p, neg_log10_p = f_tail(2080.8, 1, 6998)
    assert p < 1e-99
    assert neg_log10_p > 99


def test_large_offsets_cost_no_digits():
    groups = [[1.0, 2.0, 3.0], [2.0, 3.0, 5.0]]
    assert anova([np.array(g) + 2.0**40 for g in groups]).f == pytest.approx(anova(groups).f, rel=1e-9)


@pytest.mark.parametrize(
    ("groups", "eta2"),
    [
        ([], None),
        ([[], []], None),
        ([[1, 2, 3]], None),
        ([[1, 2, 3], []], None),
        ([[1], [2]], None),
        ([[5, 5], [5, 5]], None),
        ([[1, 1], [2, 2]], 1.0),
    ],
)
def test_degenerate_groups_have_a_reason(groups, eta2):
    for result in (anova(groups), welch_anova(groups)):
        assert result.f is result.p is None
        assert result.reason
    assert anova(groups).eta2.value == eta2
    assert anova(groups).eta2.interval is None


def test_nan_is_refused():
    with pytest.raises(ValueError, match="group 1"):
        anova([[1, 2], [float("nan"), 3]])


@pytest.mark.parametrize(
    ("f", "df1", "df2"), [(0.0, 3, 9), (1.0, 2, 10), (7.5, 4, 200), (300, 4, 500), (2080.8, 1, 6998)]
)
def test_f_tail_keeps_its_logarithm(f, df1, df2):
    mpmath = pytest.importorskip("mpmath")
    mpmath.mp.dps = 40
    exact = mpmath.betainc(df2 / 2, df1 / 2, 0, mpmath.mpf(df2) / (df2 + mpmath.mpf(df1) * f), regularized=True)
    p, neg_log10_p = f_tail(f, df1, df2)
    assert p == pytest.approx(float(exact), rel=1e-9)
    assert neg_log10_p == pytest.approx(float(-mpmath.log10(exact)), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("f", [500.0, 2000.0, 1e5])
@pytest.mark.parametrize("df1", [1, 4, 40])
@pytest.mark.parametrize("df2", [400, 7000, 1_000_000])
def test_underflowing_tails_are_continuous(f, df1, df2):
    """Where p underflows its logarithm still falls smoothly with F: checked against the derivative of ln p."""
    step = f * 1e-4
    below, above = f_tail(f, df1, df2)[1], f_tail(f + step, df1, df2)[1]
    assert math.isfinite(below)
    assert above > below
    log_density = scipy_stats.f.logpdf(f, df1, df2) / math.log(10)
    # d(-log10 p)/dF = pdf / (p ln 10), so p = pdf * step / (ln 10 * change).
    assert -below == pytest.approx(log_density + math.log10(step / (above - below) / math.log(10)), rel=1e-3, abs=0.01)


@pytest.mark.parametrize("x", [0.0, 0.5, 3.0, 12.0])
def test_t_and_z_tails(x):
    assert z_two_sided(x)[0] == pytest.approx(2 * scipy_stats.norm.sf(x), rel=1e-12)
    assert t_two_sided(-x, 17)[0] == pytest.approx(2 * scipy_stats.t.sf(x, 17), rel=1e-9)
    assert z_two_sided(x)[1] == pytest.approx(-math.log10(2 * scipy_stats.norm.sf(x)), abs=1e-9)


def test_z_tail_underflows_gracefully():
    p, neg_log10_p = z_two_sided(60.0)
    assert p == 0.0
    assert neg_log10_p == pytest.approx(-(scipy_stats.norm.logsf(60.0) + math.log(2)) / math.log(10))


@pytest.mark.parametrize("unit", [5e-324, 1e-200, 1e200])
def test_f_does_not_depend_on_the_unit_however_small_or_large(unit):
    groups = [np.array(own) for own in ([1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [5.0, 6.0, 7.0])]
    scaled = [own * unit for own in groups]
    assert (anova(scaled).f, welch_anova(scaled).f) == pytest.approx((anova(groups).f, welch_anova(groups).f))
