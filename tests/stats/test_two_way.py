"""Correlations of tables, boot-both and PERM-BOTH against plain loops, full enumeration and published values."""

from __future__ import annotations

import itertools
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.stats import boot_both, pair_accuracy, perm_both_tables, table_correlation, two_way

SCIPY = {"pearson": scipy_stats.pearsonr, "spearman": scipy_stats.spearmanr, "kendall": scipy_stats.kendalltau}
_cell = st.one_of(st.none(), st.integers(0, 4))


@st.composite
def _tables(draw):
    rows, columns = draw(st.integers(2, 5)), draw(st.integers(2, 7))
    cells = st.lists(st.lists(_cell, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    return tuple(np.array(draw(cells), dtype=float) for _ in range(2))


def _one(x, y, kind):
    ok = ~np.isnan(x + y)
    x, y = x[ok], y[ok]
    return SCIPY[kind](x, y).statistic if x.size > 1 and np.ptp(x) > 0 and np.ptp(y) > 0 else np.nan


def _plain(x, y, kind, along):
    """Group by group, by SciPy."""
    if along == "all":
        return _one(x.ravel(), y.ravel(), kind)
    if along == "means":
        ok = ~np.isnan(x + y)
        means = [[row[keep].mean() if keep.any() else np.nan for row, keep in zip(v, ok, strict=True)] for v in (x, y)]
        return _one(np.array(means[0]), np.array(means[1]), kind)
    values = [_one(a, b, kind) for a, b in (zip(x, y, strict=True) if along == "rows" else zip(x.T, y.T, strict=True))]
    defined = [v for v in values if not np.isnan(v)]
    return np.mean(defined) if defined else np.nan


@pytest.mark.parametrize("along", ["all", "rows", "columns", "means"])
@pytest.mark.parametrize("kind", SCIPY)
@settings(max_examples=40)
@given(tables=_tables())
def test_every_grouping_equals_scipy_group_by_group(kind, along, tables):
    found = table_correlation(*tables, kind=kind, along=along)
    # Means of whole numbers over different counts may differ by rounding where they are equal.
    if along == "means" and not np.isnan(found) and abs(found - _plain(*tables, kind, along)) > 1e-8:
        means = two_way.row_means(*tables)
        assert min(np.diff(np.sort(m[~np.isnan(m)])).min() for m in means) < 1e-12
        return
    assert found == pytest.approx(_plain(*tables, kind, along), abs=1e-8, nan_ok=True)


@pytest.mark.parametrize("kind", SCIPY)
@pytest.mark.parametrize("rows", [11, 12, 13, 20])
def test_columns_of_few_and_of_many_rows(kind, rows):
    rng = np.random.default_rng(rows)
    x, y = rng.integers(0, 6, size=(2, rows, 15)).astype(float)
    x[rng.random(x.shape) < 0.3] = np.nan
    found = table_correlation(x, y, kind=kind, along="columns")
    assert found == pytest.approx(_plain(x, y, kind, "columns"), abs=1e-12)


def test_values_that_mt_metrics_eval_tests_against():
    """Two systems with three items each, from the tests of google-research/mt-metrics-eval (stats_test.py)."""
    human, metric = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([[2.0, 1, 4], [3, 3, 7]])
    expected = {"pearson": (0.776, 0.760, 1.0), "kendall": (0.552, 0.575, 1.0)}
    for kind, values in expected.items():
        for along, value in zip(("all", "rows", "columns"), values, strict=True):
            assert table_correlation(metric, human, kind=kind, along=along) == pytest.approx(value, abs=5e-4)
    missing = np.array([[1.0, np.nan, 3], [4, 5, 6]])
    both = np.corrcoef([1, 3, 4, 5, 6], [2, 4, 3, 5, 6])[0, 1]
    assert table_correlation(np.array([[2.0, 1, 4], [3, 5, 6]]), missing) == pytest.approx(both)


def test_stacked_tables_equal_one_at_a_time():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 5, size=(2, 6, 4, 5)).astype(float)
    x[rng.random(x.shape) < 0.2] = np.nan
    for kind, along in itertools.product(SCIPY, ("all", "rows", "columns", "means")):
        stacked = table_correlation(x, y, kind=kind, along=along)
        single = [float(table_correlation(a, b, kind=kind, along=along)) for a, b in zip(x, y, strict=True)]
        assert stacked == pytest.approx(single, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("draw", ["both", "columns"])
def test_boot_both_equals_a_plain_loop(draw, monkeypatch):
    rng = np.random.default_rng(3)
    y = rng.normal(size=(5, 12))
    x = y + rng.normal(size=y.shape)
    x[0, 3] = np.nan
    statistic = partial(table_correlation, kind="kendall", along="columns")
    found = boot_both(x, y, statistic, draw=draw, seed=8, resamples=60)
    draws = np.random.default_rng(8)
    rows, columns = draws.integers(0, 5, size=(60, 5)), draws.integers(0, 12, size=(60, 12))
    if draw == "columns":
        rows[:] = np.arange(5)
    values = [_plain(x[r][:, c], y[r][:, c], "kendall", "columns") for r, c in zip(rows, columns, strict=True)]
    assert (found.low, found.high) == pytest.approx(np.nanquantile(values, [0.025, 0.975]).tolist(), abs=1e-9)
    assert ("rows and columns" in found.method) == (draw == "both")
    with pytest.raises(ValueError, match="at least 1"):
        boot_both(x, y, statistic, resamples=0)


def test_boot_both_covers_the_truth_and_columns_alone_do_not():
    """Rows and columns drawn from a model in which rows differ: r of cells is 0.5 in the population of rows."""
    rng = np.random.default_rng(6)
    hits = {"both": 0, "columns": 0}
    for seed in range(120):
        # Human and metric: row effects with correlation 0.5, columns and noise alike.
        parts = [
            rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], size=shape).transpose(2, 0, 1)
            for shape in ((25, 1), (1, 25), (25, 25))
        ]
        x, y = sum(np.broadcast_to(part, (2, 25, 25)) for part in parts)
        for draw in hits:
            found = boot_both(x, y, table_correlation, draw=draw, seed=seed, resamples=120)
            hits[draw] += found.low <= 0.5 <= found.high
    assert 0.88 <= hits["both"] / 120 <= 0.99
    assert hits["columns"] < hits["both"], "with rows held fixed the interval is too narrow for other rows"


def test_perm_both_approaches_full_enumeration():
    rng = np.random.default_rng(2)
    shared = rng.normal(size=(3, 3))
    first, second = shared + 0.4 * rng.normal(size=(3, 3)), 30 * rng.normal(size=(3, 3))
    one, two = scipy_stats.zscore(first, axis=None), scipy_stats.zscore(second, axis=None)

    def gap(mask):
        return float(
            table_correlation(np.where(mask, two, one), shared) - table_correlation(np.where(mask, one, two), shared)
        )

    masks = (np.array(mask).reshape(3, 3) for mask in itertools.product([False, True], repeat=9))
    observed = gap(np.zeros((3, 3), dtype=bool))
    exact = np.mean([gap(mask) >= observed - 1e-12 for mask in masks])
    found = perm_both_tables(first, second, shared, table_correlation, permutations=20_000)
    assert found.p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4)
    assert found.statistic == pytest.approx(
        _plain(first, shared, "pearson", "all") - _plain(second, shared, "pearson", "all")
    )


def test_perm_both_laws(monkeypatch):
    rng = np.random.default_rng(5)
    shared, noise = rng.normal(size=(4, 10)), rng.normal(size=(2, 4, 10))
    first, second = shared + noise[0], shared + noise[1]
    first[1, 1] = np.nan
    found = perm_both_tables(first, second, shared, table_correlation, permutations=300)
    assert found.n == 39
    assert perm_both_tables(9 * first - 4, second / 7, shared, table_correlation, permutations=300).p == found.p
    assert perm_both_tables(first, first, shared, table_correlation, permutations=50).p == 1
    monkeypatch.setattr(two_way, "_BLOCK", 100)
    assert perm_both_tables(first, second, shared, table_correlation, permutations=300).n == 39
    flat = perm_both_tables(np.ones((4, 10)), second, shared, table_correlation)
    assert flat.p is None
    assert flat.reason
    empty = perm_both_tables(np.full((4, 10), np.nan), second, shared, table_correlation)
    assert empty.n == 0
    assert empty.reason


def test_perm_boths_size_is_right_under_the_null():
    rng = np.random.default_rng(9)
    rejected = {"segment": 0, "system": 0}
    for seed in range(300):
        shared, noise = rng.normal(size=(5, 20)), rng.normal(size=(2, 5, 20))
        for name, statistic in (("segment", table_correlation), ("system", pair_accuracy)):
            found = perm_both_tables(
                shared + noise[0], shared + noise[1], shared, statistic, seed=seed, permutations=99
            )
            rejected[name] += found.p <= 0.05
    assert 0.02 < rejected["segment"] / 300 < 0.09
    assert rejected["system"] / 300 < 0.09, "a coarse statistic may reject less often"
