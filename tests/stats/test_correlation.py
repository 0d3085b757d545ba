"""Pearson and Spearman against SciPy, and the laws they obey."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from equiglot.stats import average_ranks, holm, paired_t, pearson, proportion, spearman

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


@pytest.mark.parametrize("correlation", [pearson, spearman])
@pytest.mark.parametrize(
    ("x", "y"), [([], []), ([1], [2]), ([1, 2], [2, 1]), ([5, 5, 5], [1, 2, 3]), ([1, 2, 3], [0, 0, 0])]
)
def test_no_correlation_is_none(correlation, x, y):
    assert correlation(x, y) is None


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_missing_values_are_refused(bad):
    with pytest.raises(ValueError, match="leave missing values out"):
        spearman([1, 2, bad], [1, 2, 3])


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
