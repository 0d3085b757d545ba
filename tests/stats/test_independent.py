"""The test of two rhos of different rows: its formula, its laws, and how often it cries wolf."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.stats import independent_rhos, spearman

RHO = st.floats(-0.99, 0.99)
ROWS = st.integers(4, 5000)


@given(RHO, ROWS, RHO, ROWS)
def test_laws(one, n_one, two, n_two):
    test, swapped = independent_rhos(one, n_one, two, n_two), independent_rhos(two, n_two, one, n_one)
    se = np.sqrt((1 + one**2 / 2) / (n_one - 3) + (1 + two**2 / 2) / (n_two - 3))
    assert test.statistic == pytest.approx((np.arctanh(one) - np.arctanh(two)) / se)
    assert test.p == pytest.approx(2 * scipy_stats.norm.sf(abs(test.statistic)), rel=1e-8, abs=1e-300)
    assert swapped.statistic == pytest.approx(-test.statistic)
    assert (test.n, test.reason) == (n_one + n_two, None)


def test_equal_agreement_is_seldom_called_different():
    """Of 400 pairs of samples with one rho of 0.8 about one in twenty has p < 0.05."""
    rng = np.random.default_rng(0)

    def rho(n):
        x, noise = rng.normal(size=(2, n))
        return spearman(x, x + 0.7 * noise)

    called = sum(independent_rhos(rho(60), 60, rho(90), 90).p < 0.05 for _ in range(400))
    assert 8 <= called <= 34


def test_what_cannot_be_tested_says_why():
    assert "at least 4" in str(independent_rhos(0.5, 3, 0.5, 50).reason)
    assert "infinite" in str(independent_rhos(1.0, 30, 0.5, 50).reason)
    with pytest.raises(ValueError, match="outside"):
        independent_rhos(1.5, 30, 0.5, 50)
