"""Lines and isotonic steps: what they are fitted to do, on any scores, and that they never reverse an order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.normalize.maps import Line, Steps

SCORES = st.lists(st.floats(-1e3, 1e3).map(lambda x: round(x, 3)), min_size=2, max_size=30).map(np.array)


def slow_isotonic(scores: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """The min-max formula (Barlow et al. 1972): at each score, max over starts of min over ends of the mean between."""
    unique = np.unique(scores)
    means = [targets[(scores >= a) & (scores <= b)].mean() if a <= b else 0.0 for a in unique for b in unique]
    grid = np.array(means).reshape(unique.size, unique.size)
    return np.array([max(min(grid[i, j:]) for i in range(j + 1)) for j in range(unique.size)])


@given(SCORES, SCORES)
def test_a_shift_gives_the_mean_and_keeps_differences(scores: np.ndarray, reference: np.ndarray) -> None:
    mapped = Line.shift(scores, reference)(scores)
    assert mapped.mean() == pytest.approx(reference.mean(), abs=1e-9)
    np.testing.assert_allclose(np.diff(mapped), np.diff(scores), atol=1e-9)


@given(SCORES, SCORES)
def test_an_affine_map_gives_the_mean_and_the_sd(scores: np.ndarray, reference: np.ndarray) -> None:
    line = Line.affine(scores, reference)
    assert line.slope > 0
    assert line(scores).mean() == pytest.approx(reference.mean(), abs=1e-6)
    if np.ptp(scores) > 1e-2 and np.ptp(reference) > 1e-2:
        assert line(scores).std(ddof=1) == pytest.approx(reference.std(ddof=1), rel=1e-6)


def test_an_affine_map_of_what_has_no_spread_is_a_shift() -> None:
    flat, spread = np.full(3, 5.0), np.array([1.0, 3.0])
    assert Line.affine(flat, spread) == Line.shift(flat, spread) == Line(1.0, -3.0)
    assert Line.affine(spread, flat) == Line(1.0, 3.0)


@given(st.lists(st.tuples(st.integers(0, 8), st.floats(-100, 100)), min_size=1, max_size=25))
def test_isotonic_regression_is_that_of_its_definition(rows: list[tuple[int, float]]) -> None:
    scores, targets = (np.array(side, dtype=float) for side in zip(*rows, strict=True))
    steps = Steps.isotonic(scores, targets)
    np.testing.assert_allclose(steps.values, slow_isotonic(scores, targets), atol=1e-9)


def test_isotonic_regression_agrees_with_scikit_learn() -> None:
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng(3)
    scores = rng.normal(size=400).round(1)
    targets, new = scores + rng.normal(size=400), np.linspace(-5, 5, 200)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(scores, targets)
    np.testing.assert_allclose(Steps.isotonic(scores, targets)(new), theirs.predict(new), atol=1e-9)


@given(SCORES, SCORES)
def test_no_map_reverses_an_order(scores: np.ndarray, reference: np.ndarray) -> None:
    new = np.sort(np.r_[scores, reference])
    targets = np.resize(reference, scores.size)
    for mapping in (Line.shift(scores, reference), Line.affine(scores, reference), Steps.isotonic(scores, targets)):
        assert (np.diff(mapping(new)) >= -1e-9).all()


@given(SCORES, SCORES)
def test_the_order_of_rows_does_not_matter(scores: np.ndarray, reference: np.ndarray) -> None:
    assert Line.affine(scores[::-1], reference[::-1]) == Line.affine(scores, reference)
