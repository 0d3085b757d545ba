"""What n rows buy: intervals that shrink with n, hold what they promise, and are those of the method asked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.normalize import calibration_sizes
from equiglot.table import Segments

Scored = Callable[..., Segments]


@pytest.fixture
def large(scored: Scored) -> Segments:
    rng = np.random.default_rng(5)
    return scored(
        {
            ("ta", "Taml", "native"): rng.normal(80, 5, 600).tolist(),
            ("ta", "Latn", "romanized"): rng.normal(60, 9, 600).tolist(),
        }
    )


def widths(table: pl.DataFrame, script: str = "Latn") -> list[float]:
    own = table.filter(measure="half_width_sd", script=script, percentile="50%").sort("rows")
    return own["value"].to_list()


@pytest.mark.parametrize("method", ["qn", "affine", "shift", "isotonic"])
def test_intervals_shrink_as_the_root_of_n(large: Segments, method: str) -> None:
    found = calibration_sizes(large, "comet", method, sizes=(50, 200, 800), resamples=300)  # type: ignore[arg-type]
    first, second, third = widths(found.table)
    if method != "isotonic":
        assert first / second == pytest.approx(2, rel=0.3)
        assert second / third == pytest.approx(2, rel=0.3)
    assert first > second > third


def test_a_shift_has_the_width_that_theory_gives(large: Segments) -> None:
    """Var(mean_ref - mean_cell) = (sd_ref^2 + sd_cell^2) / n, for cells drawn independently."""
    found = calibration_sizes(large, "comet", "shift", sizes=(100,), resamples=2000)
    sds = [large.frame.filter(script=s)["comet"].std() for s in ("Taml", "Latn")]
    expected = 1.96 * np.sqrt((sds[0] ** 2 + sds[1] ** 2) / 100)  # type: ignore[operator]
    own = found.table.filter(measure="half_width", script="Latn", percentile="50%")["value"].item()
    assert own == pytest.approx(expected, rel=0.06)
    needed = found.table.filter(measure="n_needed", script="Latn", percentile="50%")["value"].item()
    assert needed == pytest.approx((1.96 / (0.1 * sds[0])) ** 2 * (sds[0] ** 2 + sds[1] ** 2), rel=0.12)  # type: ignore[operator]


def test_identity_is_known_exactly(large: Segments) -> None:
    found = calibration_sizes(large, "comet", "identity", sizes=(30,), resamples=100)
    assert set(found.table.filter(measure="half_width")["value"]) == {0.0}


def test_the_value_is_that_of_the_whole_table_and_lies_in_its_interval(large: Segments) -> None:
    table = calibration_sizes(large, "comet", sizes=(300,), resamples=200).table.filter(measure="mapped")
    assert ((table["low"] <= table["value"]) & (table["value"] <= table["high"])).all()


def test_seeds_and_row_order(large: Segments) -> None:
    shuffled = Segments(large.frame.sample(fraction=1.0, shuffle=True, seed=2), large.measures)
    one, two = (calibration_sizes(t, "comet", sizes=(30,), resamples=100).table for t in (large, shuffled))
    assert one.equals(two)
    other = calibration_sizes(large, "comet", sizes=(30,), resamples=100, seed=1).table
    assert not one.equals(other)


def test_constant_scores_have_no_sd_to_be_told_in(scored: Scored) -> None:
    found = calibration_sizes(scored({("ta", "Taml", "native"): [5.0] * 40}), "comet", sizes=(30,), resamples=100)
    assert found.table.filter(measure="half_width_sd")["value"].null_count() == 3
    assert "can't be told" in found.headline


def test_a_size_below_two_is_refused(large: Segments) -> None:
    with pytest.raises(InputError, match="at least 2 rows"):
        calibration_sizes(large, "comet", sizes=(1, 30))


def test_more_rows_than_can_be_drawn_are_refused(large: Segments) -> None:
    with pytest.raises(InputError, match="more than can be drawn"):
        calibration_sizes(large, "comet", sizes=(30, 10**20))
