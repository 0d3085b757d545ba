"""The vectorised bootstrap of rho gives what SciPy gives on the rows written out as often as they were drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from equiglot.normalize._resampling import interval_of, rho_draws, strata_counts

ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(-3, 3), st.integers(0, 3)), min_size=2, max_size=12)


@given(ROWS)
def test_every_draw_is_spearman_of_the_drawn_rows(rows: list[tuple[int, int, int]]) -> None:
    counts = np.array([[row[2] for row in rows]], dtype=float)
    drawn = np.repeat(np.arange(len(rows)), counts[0].astype(int))
    x, y = (np.array([row[i] for row in rows], dtype=float) for i in (0, 1))
    found = rho_draws([x, y], y, counts)[0]
    if len(drawn) < 2 or np.ptp(x[drawn]) == 0 or np.ptp(y[drawn]) == 0:
        assert np.isnan(found[0])
    else:
        assert found[0] == pytest.approx(spearmanr(x[drawn], y[drawn]).statistic, abs=1e-12)
        assert found[1] == pytest.approx(1.0, abs=1e-12)


def test_draws_stay_within_their_strata() -> None:
    counts = np.concatenate(list(strata_counts([3, 5], seed=0, resamples=200)))
    assert (counts[:, :3].sum(axis=1) == 3).all()
    assert (counts[:, 3:].sum(axis=1) == 5).all()
    assert counts.shape == (200, 8)
    np.testing.assert_allclose(counts.mean(axis=0), 1.0, atol=0.25)


def test_a_seed_gives_the_same_draws_and_another_seed_others() -> None:
    first, again, other = (next(strata_counts([9], seed=seed, resamples=5)) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_too_many_undefined_values_give_no_interval() -> None:
    values = np.arange(1000.0)
    assert interval_of(values).low == pytest.approx(24.975)  # type: ignore[union-attr]
    values[:20] = np.nan
    assert "20 of them undefined" in interval_of(values).method  # type: ignore[union-attr]
    values[:30] = np.nan
    assert interval_of(values) is None
