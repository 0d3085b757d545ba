"""Scores as tables of systems x items, one per cell: the form in which metrics are held against people.

Scores of a metric that is better when lower are turned round, so that larger is better in every table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.audit._words import counted, listed
from equiglot.errors import InputError
from equiglot.table import CELL, Segments

__all__ = ["PLACE", "Tables", "read_tables"]

PLACE: tuple[str, ...] = (*CELL, "condition")
"""What one set of tables has in common."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tables:
    """One language, script and condition.

    Attributes:
        place: the values of :data:`PLACE`.
        systems: the rows of every table, sorted.
        rows: rows of the segment table.
        human: people's scores, systems x items, NaN where there is none.
        scores: by metric, the same of its scores, larger is better.
    """

    place: dict[str, str]
    systems: tuple[str, ...]
    rows: int
    human: Array
    scores: dict[str, Array]

    def lacking(self, metric: str) -> int:
        """The rows that lack the metric's score or a person's."""
        return self.rows - int((~np.isnan(self.human + self.scores[metric])).sum())

    def shared_items(self) -> int:
        """The items that people rated for at least two systems."""
        return int(((~np.isnan(self.human)).sum(axis=0) > 1).sum())


def read_tables(
    segments: Segments, metrics: Sequence[str], human: str, item: str, *, sample: int | None = None, seed: int = 0
) -> tuple[list[Tables], tuple[str, ...]]:
    """One set of tables per cell with people's scores, and notes.

    ``sample`` is how many of a cell's rated items are drawn at most, by ``seed``: the same ones in cells that have the
    same; None takes all.

    Raises:
        InputError: no such column or measure, a value that is no finite number, no person's score at all, two rows of
            one system for one item.
    """
    segments.require(human, why="has people's scores")
    if item not in segments.frame.columns:
        have = ", ".join(segments.frame.columns)
        raise InputError(f"no column '{item}'; the columns are {have}", fix="name the column that systems share")
    directions = {metric: segments.info(metric).direction for metric in metrics}
    frame = segments.frame.select(
        *PLACE,
        "system",
        pl.col(item).alias("item"),
        _finite(segments.frame, human).alias("human"),
        *(_finite(segments.frame, m) * (-1 if d == "lower" else 1) for m, d in directions.items()),
    )
    notes = [*_notes(frame, item), *_oriented(directions)]
    frame = frame.drop_nulls([*CELL, "system", "item"])
    found: list[Tables] = []
    taken, rated = 0, 0
    for key, part in frame.sort(*PLACE, nulls_last=True).group_by(PLACE, maintain_order=True):
        place = dict(zip(PLACE, map(str, key), strict=True))
        if part["human"].count():
            drawn, n_taken, n_rated = _drawn(part, sample, seed)
            taken, rated = taken + n_taken, rated + n_rated
            found.append(_tables(place, drawn.sort("system", "item"), metrics, item))
        else:
            notes.append(f"No person's score in {' '.join(place.values())}: left out.")
    if taken < rated:
        notes.append(f"At most {sample:,} items of each cell were drawn, with seed {seed}: {taken:,} of {rated:,}.")
    return found, tuple(notes)


def _drawn(part: pl.DataFrame, sample: int | None, seed: int) -> tuple[pl.DataFrame, int, int]:
    """The rows of the items that are taken, how many items these are, and how many there are; all have been rated."""
    items = part.filter(pl.col("human").is_not_null())["item"].unique().sort()
    if sample is None or len(items) <= sample:
        return part, len(items), len(items)
    own = items[np.sort(np.random.default_rng(seed).choice(len(items), sample, replace=False))]
    return part.filter(pl.col("item").is_in(own.implode())), sample, len(items)


def _notes(frame: pl.DataFrame, item: str) -> list[str]:
    needed = {"a language": "language", "a script": "script", "a system": "system", f"'{item}'": "item"}
    missing = {name: frame[column].null_count() for name, column in needed.items()}
    return [f"{counted(n, 'row')} without {name} are left out." for name, n in missing.items() if n]


def _oriented(directions: dict[str, str]) -> list[str]:
    turned = [metric for metric, direction in directions.items() if direction == "lower"]
    neutral = [metric for metric, direction in directions.items() if direction == "neutral"]
    return [
        *([f"{listed(turned)}: better when lower, so turned round; a positive value is agreement."] if turned else []),
        *([f"{listed(neutral)}: neither way is better, judged as if more were."] if neutral else []),
    ]


def _tables(place: dict[str, str], part: pl.DataFrame, metrics: Sequence[str], item: str) -> Tables:
    twice = part.filter(pl.struct("system", "item").is_duplicated()).head(1)
    if twice.height:
        where = f"system '{twice['system'][0]}', {item} '{twice['item'][0]}', {' '.join(place.values())}"
        fix = "keep one row per system and item, or name the column that tells items apart"
        raise InputError(f"two rows of one system for one item ({where})", fix=fix)
    systems, row = np.unique(part["system"].cast(pl.String).to_numpy(), return_inverse=True)
    items, column = np.unique(part["item"].cast(pl.String).to_numpy(), return_inverse=True)

    def table(name: str) -> Array:
        values = np.full((systems.size, items.size), np.nan)
        values[row, column] = part[name].fill_null(float("nan")).to_numpy()
        return values

    scores = {metric: table(metric) for metric in metrics}
    return Tables(place, tuple(map(str, systems)), part.height, table("human"), scores)


def _finite(frame: pl.DataFrame, column: str) -> pl.Expr:
    """A column of numbers; the first that is none is named."""
    values = frame[column]
    if not values.dtype.is_numeric():
        raise InputError(f"the values are {values.dtype}, not numbers", column=column, fix="give numbers or null")
    bad = (~values.cast(pl.Float64).is_finite()).fill_null(False).arg_true()
    if len(bad):
        row = int(bad[0])
        raise InputError(
            f"the value is {values[row]}", row=row + 1, column=column, fix="make it null where it is missing"
        )
    return pl.col(column).cast(pl.Float64)
