"""Williams, Steiger and Meng against the values that their papers print, and PERM-BOTH against full enumeration."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.stats import meng, perm_both, permutation, spearman, steiger, williams

_TESTS = {"williams": williams, "steiger": steiger, "meng": meng}
_CASES = json.loads(Path(__file__).with_name("dependent_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", _CASES, ids=lambda c: f"{c['test']} {c['r_first']} {c['r_second']} {c['r_between']}")
def test_published_values(case):
    result = _TESTS[case["test"]](case["r_first"], case["r_second"], case["r_between"], case["n"])
    assert round(result.statistic, case["digits"]) == case["statistic"]
    if "p" in case:
        assert round(result.p, 4) == case["p"]
    if "p_one_sided" in case:
        assert round(result.p / 2, 3) == case["p_one_sided"]
    assert result.neg_log10_p == pytest.approx(-np.log10(result.p))


@given(st.integers(0, 10_000), st.integers(5, 60))
def test_the_three_agree_with_their_other_forms(seed, n):
    """Williams through the determinant, Steiger through Dunn and Clark's covariance at equal r, p through SciPy."""
    data = np.random.default_rng(seed).normal(size=(3, n))
    r = np.corrcoef(data)
    r1, r2, r12 = r[0, 2], r[1, 2], r[0, 1]
    mean = (r1 + r2) / 2
    t = williams(r1, r2, r12, n)
    below = 2 * np.linalg.det(r) / (n - 3) + mean**2 * (1 - r12) ** 3 / (n - 1)
    assert t.statistic == pytest.approx((r1 - r2) * np.sqrt((1 + r12) / below), rel=1e-8)
    assert t.p == pytest.approx(2 * scipy_stats.t.sf(abs(t.statistic), n - 3), rel=1e-8)

    psi = r12 * (1 - 2 * mean**2) - 0.5 * mean * mean * (1 - 2 * mean**2 - r12**2)
    expected = (np.arctanh(r1) - np.arctanh(r2)) * np.sqrt(n - 3) / np.sqrt(2 - 2 * psi / (1 - mean**2) ** 2)
    z = steiger(r1, r2, r12, n)
    assert z.statistic == pytest.approx(expected, rel=1e-8)
    assert z.p == pytest.approx(2 * scipy_stats.norm.sf(abs(z.statistic)), rel=1e-8)


@pytest.mark.parametrize("test", _TESTS.values(), ids=_TESTS)
@given(r=st.tuples(*[st.floats(-0.95, 0.95)] * 3), n=st.integers(4, 500))
def test_laws(test, r, n):
    r1, r2, r12 = r
    result, swapped, flipped = test(r1, r2, r12, n), test(r2, r1, r12, n), test(-r1, -r2, r12, n)
    if result.p is None:
        assert result.reason
        return
    assert 0 <= result.p <= 1
    assert swapped.statistic == pytest.approx(-result.statistic, abs=1e-9)
    assert flipped.p == pytest.approx(result.p, abs=1e-9), "the sign of the shared series does not matter"
    assert result.p == 1 if r1 == r2 else result.p <= 1


@pytest.mark.parametrize("test", _TESTS.values(), ids=_TESTS)
def test_degenerate(test):
    for r1, r2, r12, n in [(0.5, 0.2, 0.3, 3), (0.5, 0.5, 1.0, 50)]:
        result = test(r1, r2, r12, n)
        assert result.p is result.statistic is None
        assert result.reason
    with pytest.raises(ValueError, match="outside"):
        test(1.5, 0, 0, 10)


def test_fisher_needs_r_below_one():
    assert steiger(1.0, 0.5, 0.5, 20).reason == meng(1.0, 0.5, 0.5, 20).reason
    assert "infinite" in meng(1.0, 0.5, 0.5, 20).reason


def test_sizes_are_right_under_the_null():
    """Equal correlations: each test rejects about 5% of 400 samples at 5%; with a real gap, most."""
    rng = np.random.default_rng(5)
    rejected = dict.fromkeys((*_TESTS, "perm"), 0)
    powerful = dict(rejected)
    for seed in range(400):
        shared, noise = rng.normal(size=60), rng.normal(size=(2, 60))
        for counts, second in ((rejected, shared + noise[1]), (powerful, 0.1 * shared + noise[1])):
            one, two = shared + noise[0], second
            rhos = spearman(one, shared), spearman(two, shared), spearman(one, two)
            for name, test in _TESTS.items():
                counts[name] += test(*rhos, 60).p < 0.05
            counts["perm"] += perm_both(one, np.exp(two), shared, seed=seed, permutations=99).p <= 0.05
    assert all(0.02 < c / 400 < 0.09 for c in rejected.values()), rejected
    assert all(c / 400 > 0.9 for c in powerful.values()), powerful


def _enumerated(one, two, shared):
    """The exact p over all 2^n swaps, each ranked by SciPy."""
    one, two = scipy_stats.rankdata(one), scipy_stats.rankdata(two)

    def gap(mask):
        return spearman(np.where(mask, two, one), shared) - spearman(np.where(mask, one, two), shared)

    observed = abs(gap(np.zeros(len(one), dtype=bool)))
    gaps = [abs(gap(np.array(mask))) for mask in itertools.product([False, True], repeat=len(one))]
    return np.mean([g >= observed - 1e-12 for g in gaps])


@pytest.mark.parametrize("seed", range(4))
def test_perm_both_approaches_full_enumeration(seed):
    rng = np.random.default_rng(seed)
    shared = rng.integers(0, 6, size=8).astype(float)
    one, two = shared + rng.normal(size=8), 100 * rng.normal(size=8)
    exact = _enumerated(one, two, shared)
    result = perm_both(one, two, shared, seed=seed, permutations=20_000)
    assert result.p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4)
    assert result.statistic == pytest.approx(spearman(one, shared) - spearman(two, shared), abs=1e-12)


def test_perm_both_equals_a_plain_loop():
    rng = np.random.default_rng(2)
    shared = np.round(rng.normal(size=30), 1)
    one, two = np.round(shared + rng.normal(size=30), 1), np.round(rng.normal(size=30), 1)
    result = perm_both(one, two, shared, seed=7, permutations=60)
    ranks = scipy_stats.rankdata(one), scipy_stats.rankdata(two)
    order = np.lexsort((ranks[1], ranks[0], shared))
    first, second, common = ranks[0][order], ranks[1][order], shared[order]
    draws, extreme = np.random.default_rng(7), 0
    for _ in range(60):
        mask = draws.integers(0, 2, size=30).astype(bool)
        a, b = np.where(mask, second, first), np.where(mask, first, second)
        gap = scipy_stats.spearmanr(a, common).statistic - scipy_stats.spearmanr(b, common).statistic
        extreme += abs(gap) >= abs(result.statistic) - 1e-12
    assert result.p == (1 + extreme) / 61


def test_perm_both_laws(monkeypatch):
    rng = np.random.default_rng(4)
    one, two, shared = rng.normal(size=(3, 40))
    result = perm_both(one, two, shared, permutations=200)
    order = rng.permutation(40)
    assert perm_both(one[order], two[order], shared[order], permutations=200) == result, "row order does not matter"
    assert perm_both(np.exp(one), two * 9 - 4, shared**3, permutations=200) == result, "nor does any increasing map"
    assert perm_both(two, one, shared, permutations=200).statistic == -result.statistic
    monkeypatch.setattr(permutation, "_BLOCK", 333)
    assert perm_both(one, two, shared, permutations=200) == result, "nor does the block size"
    assert "200 permutations, seed 0" in result.method


def test_perm_both_degenerate():
    assert perm_both([1, 2], [2, 1], [1, 2]).reason.startswith("2 rows")
    assert perm_both([1, 1, 1], [1, 2, 3], [1, 2, 3]).p is None
    assert perm_both([1, 2, 3], [10, 20, 30], [1, 2, 3], permutations=50).p == 1
    with pytest.raises(ValueError, match="at least 1"):
        perm_both([1, 2, 3], [1, 2, 3], [1, 2, 3], permutations=0)
