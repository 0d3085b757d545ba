"""Pearson, Spearman and Kendall against SciPy and plain counting, and the laws they obey."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from equiglot.stats import average_ranks, correlation, holm, kendall, paired_t, pearson, proportion, spearman

# Few distinct values, so that ties are the rule rather than the exception.
_tied = st.integers(-4, 4)
_pairs = st.lists(st.tuples(_tied, _tied), min_size=3, max_size=40)


def _columns(pairs):
    x, y = (np.array(c, dtype=float) for c in zip(*pairs, strict=True))
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    return x, y


@given(_pairs)
def test_spearman_and_pearson_equal_scipy(pairs):
    x, y = _columns(pairs)
    assert spearman(x, y) == pytest.approx(scipy_stats.spearmanr(x, y).statistic, abs=1e-12)
    assert pearson(x, y) == pytest.approx(scipy_stats.pearsonr(x, y).statistic, abs=1e-12)


@given(_pairs)
def test_kendall_equals_scipy_and_counting_of_pairs(pairs):
    x, y = _columns(pairs)
    assert kendall(x, y) == pytest.approx(scipy_stats.kendalltau(x, y).statistic, abs=1e-12)
    signs = [(np.sign(a - b), np.sign(c - d)) for (a, c), (b, d) in itertools.combinations(zip(x, y, strict=True), 2)]
    one, two = np.array(signs).T
    assert kendall(x, y) == pytest.approx((one * two).sum() / np.sqrt((one**2).sum() * (two**2).sum()), abs=1e-12)


@pytest.mark.parametrize("n", [1000, 4097])
def test_kendall_of_many_rows(n):
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    y = np.round(x + rng.normal(size=n), 1)
    assert kendall(x, y) == pytest.approx(scipy_stats.kendalltau(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize("kind", ["spearman", "kendall"])
@given(pairs=_pairs)
def test_laws_of_rank_correlations(kind, pairs):
    x, y = _columns(pairs)
    r = correlation(x, y, kind)
    assert correlation(y, x, kind) == r
    assert correlation(np.exp(x) + 7, y**3, kind) == r, "increasing maps change nothing"
    assert correlation(-x, y, kind) == pytest.approx(-r, abs=1e-15)
    assert correlation(x, x, kind) == 1.0
    assert -1 <= r <= 1


@given(st.lists(_tied, max_size=30))
def test_average_ranks_equal_scipy(values):
    assert average_ranks(values).tolist() == scipy_stats.rankdata(values).tolist()


@given(_pairs, st.randoms(use_true_random=False))
def test_laws_of_spearman(pairs, random):
    x, y = _columns(pairs)
    rho = spearman(x, y)
    assert spearman(y, x) == rho
    assert spearman(np.exp(x) + 7, y**3) == rho, "increasing maps change nothing"
    assert spearman(-x, y) == -rho
    assert spearman(x, x) == 1.0
    random.shuffle(pairs)
    assert spearman(*_columns(pairs)) == rho, "the order of rows changes nothing"


@pytest.mark.parametrize("scale", [1e-200, 1e-5, 1.0, 1e200])
def test_pearson_holds_at_any_scale(scale):
    x = np.array([1.0, 2.0, 4.0, 3.0])
    assert pearson(x * scale, [1, 2, 3, 5]) == pytest.approx(scipy_stats.pearsonr(x, [1, 2, 3, 5]).statistic)


@pytest.mark.parametrize("correlate", [pearson, spearman, kendall])
@pytest.mark.parametrize(
    ("x", "y"), [([], []), ([1], [2]), ([1, 2], [2, 1]), ([5, 5, 5], [1, 2, 3]), ([1, 2, 3], [0, 0, 0])]
)
def test_no_correlation_is_none(correlate, x, y):
    assert correlate(x, y) is None


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_missing_values_are_refused(bad):
    for correlate in (pearson, spearman, kendall):
        with pytest.raises(ValueError, match="leave missing values out"):
            correlate([1, 2, bad], [1, 2, 3])


def test_lengths_must_agree():
    with pytest.raises(ValueError, match=r"x 2, y 3"):
        spearman([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="dimensions"):
        spearman([[1, 2]], [[1, 2]])


def _holm_by_definition(p):
    """Hypothesis i falls at level a when every one with p no larger falls: the largest (m - j + 1) p_j among those."""
    m, ranked = len(p), sorted(p)
    return [min(1.0, max((m - j) * q for j, q in enumerate(ranked) if q <= value)) for value in p]


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_equals_its_definition_and_keeps_order(p):
    adjusted = holm(p)
    assert adjusted == pytest.approx(_holm_by_definition(p), abs=1e-12)
    assert all(a >= value for a, value in zip(adjusted, p, strict=True))
    assert [a for a in holm([None, *p, None]) if a is not None] == adjusted, "an unmade test is no member of the family"


@pytest.mark.parametrize("p", [[0.01, 0.04, 0.03, 0.03], [0.9, 0.0, 0.5], [0.2]])
def test_holm_equals_statsmodels(p):
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_holm_refuses_what_is_no_probability():
    with pytest.raises(ValueError, match="outside"):
        holm([0.5, 1.5])


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=30))
def test_paired_t_equals_scipy(values):
    assume(len(set(values)) > 1)
    ours, theirs = paired_t(values), scipy_stats.ttest_1samp(values, 0)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-9)
    assert ours.p == pytest.approx(theirs.pvalue, abs=1e-10)


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0]])
def test_paired_t_without_spread(values):
    result = paired_t(values)
    assert result.p is None
    assert result.reason


@given(st.integers(1, 200), st.data())
def test_wilson_equals_statsmodels(n, data):
    successes = data.draw(st.integers(0, n))
    ours = proportion(successes, n)
    low, high = proportion_confint(successes, n, method="wilson")
    assert (ours.interval.low, ours.interval.high) == pytest.approx((low, high), abs=1e-9)
    assert ours.interval.low <= ours.value <= ours.interval.high
    assert proportion(0, 0).value is None


@pytest.mark.parametrize("unit", [5e-324, 1e-200, 1e200])
def test_paired_t_does_not_depend_on_the_unit(unit):
    values = np.array([1.0, 2.0, 3.0, 5.0])
    assert paired_t(values * unit).p == pytest.approx(paired_t(values).p)
