"""What a measured value is: never a bare number.

A :class:`Measure` carries its value with unit, direction, n, what was left out, interval and signature. Commands and
stages return many of them as a *result table*: a tidy frame with one row per measure, the key columns first and then
:data:`RESULT_COLUMNS`. A value that cannot be had is null and says why; it is never 0.

A *signature* (:func:`signature`) is one line in sacrebleu's manner that names everything that changes the number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from equiglot._version import __version__

__all__ = ["RESULT_COLUMNS", "Direction", "Interval", "Measure", "MeasureInfo", "result_table", "signature"]

Direction = Literal["higher", "lower", "neutral"]
"""Which way is better: ``higher``, ``lower``, or ``neutral`` where neither is (a count, a ratio ideal at 1)."""

RESULT_COLUMNS: dict[str, pl.DataType] = {
    "measure": pl.String(),
    "value": pl.Float64(),
    "unit": pl.String(),
    "direction": pl.String(),
    "n": pl.Int64(),
    "n_failed": pl.Int64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "level": pl.Float64(),
    "method": pl.String(),
    "reason": pl.String(),
    "signature": pl.String(),
}
"""The columns of every result table, after its key columns."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: its ends in the unit of the value, its level, and how it was made."""

    low: float
    high: float
    level: float = 0.95
    method: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured value.

    ``value`` is None when it could not be had, and then ``reason`` says why. ``n`` is the number of rows that the value
    rests on and ``n_failed`` the number that should have counted but could not be scored.

    >>> Measure("tp", 1.388, unit="ratio", direction="neutral", n=1400).value
    1.388
    >>> Measure("tp", None, unit="ratio", direction="neutral", n=0)
    Traceback (most recent call last):
    ...
    ValueError: measure 'tp' has no value and no reason
    """

    name: str
    value: float | None
    unit: str
    direction: Direction
    n: int
    n_failed: int = 0
    interval: Interval | None = None
    reason: str | None = None
    signature: str = ""

    def __post_init__(self) -> None:
        if self.value is not None and math.isnan(self.value):
            raise ValueError(f"measure {self.name!r} is NaN; give None and a reason")
        if self.value is None and not self.reason:
            raise ValueError(f"measure {self.name!r} has no value and no reason")

    def row(self) -> dict[str, Any]:
        """This measure as one row of a result table, without keys."""
        interval = self.interval
        return {
            "measure": self.name,
            "value": self.value,
            "unit": self.unit,
            "direction": self.direction,
            "n": self.n,
            "n_failed": self.n_failed,
            "low": interval.low if interval else None,
            "high": interval.high if interval else None,
            "level": interval.level if interval else None,
            "method": interval.method if interval else None,
            "reason": self.reason,
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """What is known of a score column: its unit, which way is better, and the signature it was made under."""

    name: str
    unit: str
    direction: Direction
    signature: str


def result_table(rows: Iterable[tuple[Mapping[str, Any], Measure]]) -> pl.DataFrame:
    """Measures with their keys as a tidy frame: the key columns first, then :data:`RESULT_COLUMNS`.

    >>> tp = Measure("tp", 1.388, unit="ratio", direction="neutral", n=1400)
    >>> result_table([({"language": "gu"}, tp)]).columns[:3]
    ['language', 'measure', 'value']
    """
    pairs = list(rows)
    keys = list(dict.fromkeys(key for keys, _ in pairs for key in keys))
    records = [{**{k: mapping.get(k) for k in keys}, **measure.row()} for mapping, measure in pairs]
    frame = pl.DataFrame(records, infer_schema_length=None) if records else pl.DataFrame()
    types = RESULT_COLUMNS.items()
    return frame.with_columns(
        *(pl.col(c).cast(t) if c in frame.columns else pl.lit(None, t).alias(c) for c, t in types)
    ).select([*keys, *RESULT_COLUMNS])


def signature(**parts: object) -> str:
    """Everything that changes a number, as ``key:value`` pairs joined by ``|``, the version last.

    >>> signature(metric="chrf", case="mixed").rsplit("|", 1)[0]
    'metric:chrf|case:mixed'
    """
    cleaned = {k: str(v).replace("|", "/").replace("\n", " ") for k, v in parts.items() if v is not None}
    return "|".join(f"{k}:{v}" for k, v in {**cleaned, "v": __version__}.items())
