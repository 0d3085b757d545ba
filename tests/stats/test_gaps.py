"""Standardised gaps between groups against a plain loop over the same draws, their laws and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.stats import bootstrap_gaps

PAIRS = [(1.0, -1.0, 0.0), (1.0, 0.0, -1.0), (0.0, 1.0, -1.0)]
_rows = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=9)


def _gap(groups, contrast, side):
    """The definition, by NumPy's own mean and variance."""
    sd = np.sqrt(sum(g[side].var() * g[side].size for g in groups) / (sum(g[0].size for g in groups) - len(groups)))
    gap = sum(c * g[side].mean() for c, g in zip(contrast, groups, strict=True))
    return gap / sd if sd > 0 else np.nan


@settings(max_examples=25, deadline=None)
@given(st.lists(_rows, min_size=3, max_size=3), st.integers(0, 5))
def test_gaps_equal_those_of_a_plain_loop(made, seed):
    groups = [np.array(rows, dtype=float).T for rows in made]
    found = bootstrap_gaps([tuple(g) for g in groups], PAIRS, seed=seed, resamples=20)
    seeds = np.random.SeedSequence(seed).generate_state(3)
    draws = [
        (g[:, np.lexsort((g[1], g[0]))], np.random.default_rng(int(s)).integers(0, g.shape[1], size=(20, g.shape[1])))
        for g, s in zip(groups, seeds, strict=True)
    ]
    for contrast, gap in zip(PAIRS, found, strict=True):
        values = np.array([
            [_gap([g[:, drawn[r]] for g, drawn in draws], contrast, side) for side in (0, 1)] for r in range(20)
        ])  # fmt: skip
        each = ((gap.first, values[:, 0]), (gap.second, values[:, 1]), (gap.excess, values[:, 0] - values[:, 1]))
        direct = [_gap(groups, contrast, side) for side in (0, 1)]
        for (estimate, drawn), value in zip(each, (*direct, direct[0] - direct[1]), strict=True):
            if estimate.value is None:
                assert estimate.reason
                continue
            assert estimate.value == pytest.approx(value, abs=1e-9)
            kept = drawn[~np.isnan(drawn)]
            if estimate.interval:
                ends = np.quantile(kept, [0.025, 0.975])
                assert (estimate.interval.low, estimate.interval.high) == pytest.approx(tuple(ends), abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.floats(0.01, 100), st.floats(-1e6, 1e6), st.integers(0, 1000))
def test_neither_scale_origin_nor_row_order_matters(scale, origin, seed):
    rng = np.random.default_rng(seed)
    groups = [rng.normal(i / 2, 1, size=(2, 12)) for i in range(3)]
    plain = bootstrap_gaps([tuple(g) for g in groups], PAIRS, resamples=50)
    shuffled = [g[:, rng.permutation(12)] for g in groups]
    assert bootstrap_gaps([tuple(g) for g in shuffled], PAIRS, resamples=50) == plain
    moved = bootstrap_gaps([(g[0] * scale + origin, g[1]) for g in groups], PAIRS, resamples=50)
    for one, two in zip(plain, moved, strict=True):
        for name in ("first", "second", "excess"):
            before, after = getattr(one, name), getattr(two, name)
            assert after.value == pytest.approx(before.value, abs=1e-4)
            assert after.interval.low == pytest.approx(before.interval.low, abs=1e-4)


def test_gaps_of_two_groups_are_cohens_d_and_add_up():
    rng = np.random.default_rng(2)
    groups = [rng.normal(i, 1 + i, size=(2, 40)) for i in range(3)]
    two = bootstrap_gaps([tuple(g) for g in groups[:2]], [(1, -1)])[0]
    t = scipy_stats.ttest_ind(groups[0][0], groups[1][0]).statistic
    assert two.first.value == pytest.approx(t * np.sqrt(2 / 40))
    first, whole, second = (gap.first.value for gap in bootstrap_gaps([tuple(g) for g in groups], PAIRS))
    assert first + second == pytest.approx(whole)


def test_intervals_cover_and_the_test_rejects_as_often_as_it_says():
    rng = np.random.default_rng(0)
    covered = rejected = 0
    for seed in range(200):
        people = [rng.normal(size=60), rng.normal(0.8, 1, size=60)]
        groups = [(0.8 * p + 0.6 * rng.normal(size=60), p) for p in people]
        gap = bootstrap_gaps(groups, [(1, -1)], seed=seed, resamples=200)[0]
        # A gap of 0.8 SD, of which the first score keeps 0.64 of its SD of 1.
        covered += gap.excess.interval.low <= 0.16 <= gap.excess.interval.high
        same = bootstrap_gaps([(rng.normal(size=60), rng.normal(size=60)) for _ in range(2)], [(1, -1)], resamples=200)
        rejected += same[0].tests[2].p < 0.05
    assert 180 <= covered <= 198
    assert 2 <= rejected <= 22


def test_groups_are_drawn_independently():
    """Equal groups drawn by one stream would move together, and their gap would seem certain."""
    values = np.arange(50.0)
    gap = bootstrap_gaps([(values, values), (values, values)], [(1, -1)])[0]
    assert gap.first.value == 0.0
    assert gap.first.interval.high - gap.first.interval.low > 0.5
    assert gap.excess.interval.high == gap.excess.interval.low == 0.0
    assert gap.tests[2].p is None
    assert "no spread" in gap.tests[2].reason


def test_what_has_no_spread_or_no_rows_has_a_reason():
    flat = bootstrap_gaps([([1.0, 1.0], [1.0, 2.0]), ([1.0, 1.0], [1.0, 2.0])], [(1, -1)])[0]
    assert flat.first.value is None
    assert flat.excess.value is None
    assert "the same" in flat.first.reason
    assert flat.second.value == 0.0
    for groups in ([([], []), ([1.0], [1.0])], [([1.0], [1.0]), ([2.0], [1.0])]):
        gap = bootstrap_gaps(groups, [(1, -1)])[0]
        assert gap.excess.value is None
        assert "too few rows" in gap.excess.reason
    assert bootstrap_gaps([], []) == []


@pytest.mark.parametrize("unit", [5e-324, 1e-200, 1e200])
def test_a_gap_does_not_depend_on_the_unit_however_small_or_large(unit):
    one, two = np.array([1.0, 2.0, 3.0, 4.0]), np.array([5.0, 6.0, 7.0, 9.0])
    gap, scaled = (
        bootstrap_gaps([(one * u, one), (two * u, two)], [(-1, 1)], resamples=50)[0].first for u in (1.0, unit)
    )
    ends = [(found.value, found.interval.low, found.interval.high) for found in (gap, scaled)]
    assert ends[1] == pytest.approx(ends[0])
