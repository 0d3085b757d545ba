"""A small scored table: native and romanised cells with ties, a null, and a metric whose making is named."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from equiglot.measures import Direction, MeasureInfo
from equiglot.table import Segments


def _scored(
    cells: dict[tuple[str, str, str], list[float | None]],
    *,
    direction: Direction = "higher",
    signature: str = "metric:comet|model:wmt22|v:0.1.0",
) -> Segments:
    """Segments with ``comet`` from (language, script, condition) to scores."""
    rows = [
        (str(i), language, script, condition, "system", score)
        for (language, script, condition), scores in cells.items()
        for i, score in enumerate(scores)
    ]
    frame = pl.DataFrame(rows, schema=["id", "language", "script", "condition", "system", "comet"], orient="row").cast(
        {"comet": pl.Float64}
    )
    return Segments(frame, {"comet": MeasureInfo("comet", "points", direction, signature)})


@pytest.fixture(scope="session")
def scored() -> Callable[..., Segments]:
    """Makes a table; a fixture because test folders are no packages."""
    return _scored


@pytest.fixture
def table() -> Segments:
    rng = np.random.default_rng(7)
    draws = {
        ("gu", "Gujr", "native"): rng.normal(85, 6, 40),
        ("ta", "Taml", "native"): rng.normal(80, 9, 50).round(0),
        ("gu", "Latn", "romanized"): rng.normal(70, 5, 40),
        ("ta", "Latn", "romanized"): rng.normal(66, 4, 50).round(0),
    }
    return _scored({cell: values.tolist() for cell, values in draws.items()})
