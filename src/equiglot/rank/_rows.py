"""Which rows count, and what an invalid one scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table import Segments
from equiglot.validity import Policy, brought, validate

__all__ = ["GROUP", "VALID", "Board", "boards", "invalid_score", "with_validity"]

GROUP = ("language", "script", "condition")
"""What a table of systems is made for, besides all of them together."""

VALID = "valid"
"""The metric that every table has: 1 where an answer is valid, 0 where not."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Board:
    """Systems on the same items under one metric.

    Attributes:
        keys: language, script and condition; empty for all of them together.
        systems: by name.
        scores: (items, systems); an invalid row has the score that invalid rows get.
        valid: (items, systems), whether the row is valid.
        segment: which segment each item is of, from 0; items of one segment are drawn together.
        left_out: items that not every system has, or has a score for.
        rows: all rows of each system, whether or not the others have the item.
        invalid: those of them that are invalid.
    """

    keys: Mapping[str, str]
    systems: tuple[str, ...]
    scores: Matrix
    valid: NDArray[np.bool_]
    segment: NDArray[np.int64]
    left_out: int
    rows: tuple[int, ...]
    invalid: tuple[int, ...]

    def by_segment(self, values: Matrix) -> Matrix:
        """Sums of (items, systems) over each segment's items."""
        sums = np.zeros((int(self.segment.max(initial=-1)) + 1, values.shape[1]))
        np.add.at(sums, self.segment, values)
        return sums


def with_validity(segments: Segments, policy: Policy | None = None) -> Segments:
    """The table with a column ``valid``: its own, or what the failure-aware policy finds.

    Raises:
        InputError: a ``valid`` that is neither yes nor no somewhere; a policy for a table that has been judged.
    """
    if "valid" not in segments.frame.columns:
        return validate(segments, policy=policy)
    if policy is not None:
        fix = "leave the policy out, or remove the column 'valid'"
        raise segments.error("these rows have been validated already", fix=fix, column="valid")
    return brought(segments)


def invalid_score(info: MeasureInfo, given: Mapping[str, float]) -> float:
    """What an invalid row scores: 0 (paper 3), unless the caller says otherwise.

    Raises:
        InputError: of a metric that is better when smaller 0 is the best score, so the caller has to say; a score
            for what counts valid answers.
    """
    if info.name == VALID and given.get(VALID, 0.0):
        raise InputError(f"'{VALID}' counts valid answers, so an invalid one scores 0", fix="leave its score out")
    if info.name in given:
        return given[info.name]
    if info.direction == "higher":
        return 0.0
    why = "is better when smaller, so 0 would reward failures" if info.direction == "lower" else "has no better end"
    raise InputError(f"'{info.name}' {why}", fix=f"say what an invalid row scores: --invalid-score {info.name}=WORST")


def boards(segments: Segments, metric: str, worst: float) -> list[Board]:
    """One board per language, script and condition, and first that of all together where there are several."""
    frame = segments.frame.select(
        "id",
        *GROUP,
        "system",
        "valid",
        pl.when("valid").then(pl.col(metric).cast(pl.Float64)).otherwise(worst).alias("score"),
    )
    each = [_board(part, dict(zip(GROUP, map(str, keys), strict=True))) for keys, part in _groups(frame)]
    return each if len(each) == 1 else [_board(frame, {}), *each]


def _groups(frame: pl.DataFrame) -> list[tuple[tuple[object, ...], pl.DataFrame]]:
    return sorted(frame.partition_by(*GROUP, as_dict=True).items(), key=lambda pair: tuple(map(str, pair[0])))


def _board(frame: pl.DataFrame, keys: Mapping[str, str]) -> Board:
    systems = tuple(sorted(frame["system"].unique().to_list()))
    item = ["id", *GROUP]
    # Systems go by number: their names may be those of other columns, or read as patterns.
    places = {system: str(place) for place, system in enumerate(systems)}
    numbered = frame.with_columns(pl.col("system").replace_strict(places, return_dtype=pl.String))
    columns = list(places.values())
    counts = {s: (n, bad) for s, n, bad in frame.group_by("system").agg(pl.len(), (~pl.col("valid")).sum()).iter_rows()}
    scores, valid = (numbered.pivot("system", index=item, values=of).sort(item) for of in ("score", "valid"))
    whole = scores.select(pl.all_horizontal(pl.col(columns).is_not_null())).to_series()
    kept = scores.filter(whole)
    _, segment = np.unique(kept["id"].to_numpy(), return_inverse=True) if kept.height else ([], np.zeros(0, np.int64))
    return Board(
        keys=keys,
        systems=systems,
        scores=kept.select(columns).to_numpy().astype(np.float64).reshape(kept.height, len(systems)),
        valid=valid.filter(whole).select(columns).to_numpy().astype(bool).reshape(kept.height, len(systems)),
        segment=np.asarray(segment, dtype=np.int64),
        left_out=scores.height - kept.height,
        rows=tuple(counts[system][0] for system in systems),
        invalid=tuple(counts[system][1] for system in systems),
    )
