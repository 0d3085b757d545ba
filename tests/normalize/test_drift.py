"""Drift: the same numbers as SciPy's test, silent on the rows of the fit, loud on rows that lie elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp

from equiglot.normalize import CellDistribution, fit_correction
from equiglot.normalize.drift import drifts
from equiglot.table import Segments

Scored = Callable[..., Segments]
VALUES = st.lists(st.integers(-5, 5).map(float), min_size=2, max_size=40).map(np.array)
CELL = ("ta", "Taml")


@given(VALUES, VALUES)
def test_distance_and_p_are_those_of_scipy(fitted: np.ndarray, new: np.ndarray) -> None:
    (drift,) = drifts({CELL: CellDistribution.of(fitted)}, {CELL: new})
    theirs = ks_2samp(fitted, new, method="asymp")
    assert drift.statistic == pytest.approx(theirs.statistic, abs=1e-12)
    assert drift.p == pytest.approx(theirs.pvalue, abs=1e-8)


def test_large_samples_agree_with_scipy_too() -> None:
    rng = np.random.default_rng(0)
    fitted, new = rng.normal(size=1400).round(2), rng.normal(0.2, 1, size=300).round(2)
    (drift,) = drifts({CELL: CellDistribution.of(fitted)}, {CELL: new})
    theirs = ks_2samp(fitted, new, method="asymp")
    assert (drift.statistic, drift.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-8)


def test_the_rows_of_the_fit_do_not_drift(table: Segments) -> None:
    fitted = fit_correction(table, "comet")
    assert {drift.statistic for drift in fitted.drift(table)} == {0.0}
    assert not any("do not follow" in note for note in fitted.transform(table).notes)


def test_rows_that_lie_elsewhere_are_named_with_their_numbers(scored: Scored) -> None:
    rng = np.random.default_rng(1)
    fit = scored(
        {
            ("ta", "Taml", "native"): rng.normal(80, 5, 300).tolist(),
            ("gu", "Gujr", "native"): rng.normal(80, 5, 300).tolist(),
        }
    )
    new = scored(
        {
            ("ta", "Taml", "native"): rng.normal(90, 5, 100).tolist(),
            ("gu", "Gujr", "native"): rng.normal(80, 5, 100).tolist(),
        }
    )
    fitted = fit_correction(fit, "comet", "affine")
    drift = {d.cell[0]: d for d in fitted.drift(new)}
    assert drift["ta"].drifted
    assert not drift["gu"].drifted
    assert drift["ta"].outside > 0
    (note,) = [note for note in fitted.transform(new).notes if "do not follow" in note]
    assert "ta-Taml (D = " in note
    assert "n = 100 against 300" in note
    assert "gu-Gujr" not in note


def test_few_new_rows_are_not_enough_to_claim_drift(scored: Scored) -> None:
    rng = np.random.default_rng(2)
    fit = scored({("ta", "Taml", "native"): rng.normal(80, 5, 300).tolist()})
    assert not any(
        d.drifted for d in fit_correction(fit, "comet").drift(scored({("ta", "Taml", "native"): [84.0, 86.0]}))
    )
