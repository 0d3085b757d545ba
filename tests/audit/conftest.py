"""Tables whose faults are known because they are made."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from equiglot.measures import MeasureInfo
from equiglot.table import Segments

LANGUAGES = {"hi": "Deva", "mr": "Deva", "ta": "Taml"}


def build(
    *,
    languages=LANGUAGES,
    n=300,
    shift=0.0,
    blur=2.0,
    offset=None,
    direction="higher",
    seed=0,
    conditions=("native", "romanized"),
    human=True,
    metric="chrf",
    quality=None,
    sources=True,
):
    """A table in which the same segments were translated into each language and scored in both conditions.

    Args:
        shift: added to every romanised score, in points (native SD is about 11); by language if a mapping.
        blur: SD of the noise that romanisation adds; large noise spoils the order. By language if a mapping.
        offset: added to a language's scores in both conditions.
        quality: added to a language's quality, in SD of quality, and so to its scores and to people's.
    """
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n)
    frames = []
    for language, script in languages.items():
        own = common + (quality or {}).get(language, 0.0)
        people = np.clip(np.round(18 + 3 * own + rng.normal(size=n)), 0, 25)
        native = 70 + 10 * own + rng.normal(scale=4, size=n) + (offset or {}).get(language, 0.0)
        moved, noise = (v.get(language, 0.0) if isinstance(v, dict) else v for v in (shift, blur))
        romanized = native + moved + rng.normal(scale=noise, size=n)
        for condition, scores in (("native", native), ("romanized", romanized)):
            if condition in conditions:
                frames.append(
                    pl.DataFrame(
                        {
                            "id": [f"s{i}" for i in range(n)],
                            "language": language,
                            "script": "Latn" if condition == "romanized" else script,
                            "condition": condition,
                            "system": "a",
                            "source": [f"source {i}" for i in range(n)],
                            "human": people,
                            metric: -scores if direction == "lower" else scores,
                        }
                    )
                )
    frame = pl.concat(frames)
    if not human:
        frame = frame.drop("human")
    if not sources:
        frame = frame.drop("source")
    return Segments(frame, {metric: MeasureInfo(metric, "points", direction, f"metric:{metric}|v:test")})


@pytest.fixture
def table():
    return build


def value_of(table: pl.DataFrame, measure: str, **keys):
    """The one value of a measure in a result table."""
    rows = table.filter(measure=measure, **keys)
    assert rows.height == 1, rows
    return rows.row(0, named=True)


@pytest.fixture
def row():
    return value_of
