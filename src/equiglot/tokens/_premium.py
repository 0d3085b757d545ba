"""What languages pay for the same content where there is no source: each against the one that takes fewest tokens.

    token_premium(cell) = tokens of the cell / tokens of the cheapest cell, totals over the segments that all cells have

A segment is shared where every native cell has one row of its id and system, with text. Petrov et al. (2023) divide by
English; a table without sources has no English, so the cheapest language stands in. Ids that equiglot itself counted
out by place in the file say nothing of content, and are not taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from equiglot.stats import Estimate
from equiglot.table import CELL, IDS_NUMBERED, Segments
from equiglot.tokens._ratio import bootstrap_ratio

__all__ = ["Premium", "has_own_ids", "shared_premiums"]

_SEGMENT = ("id", "system")


@dataclass(frozen=True, slots=True)
class Premium:
    """A native cell's premium over the cheapest, which is called by its name."""

    language: str
    script: str
    estimate: Estimate
    against: str


def has_own_ids(segments: Segments) -> bool:
    """Whether ids came with the table."""
    return not any(IDS_NUMBERED in note for note in segments.notes)


def shared_premiums(rows: pl.DataFrame, *, seed: int, resamples: int) -> Iterator[Premium]:
    """The premiums of native cells; nothing where there are fewer than two, or they share no segment.

    Args:
        rows: of the native condition, with text: KEY and ``_tokens``, the count of each row.
        seed, resamples: of the bootstrap, which draws segments.
    """
    places = rows.select(CELL).unique().sort(CELL).rows()
    if len(places) < 2 or rows.select(*_SEGMENT, *CELL).is_duplicated().any():
        return
    everywhere = rows.group_by(_SEGMENT).len().filter(pl.col("len") == len(places)).select(_SEGMENT)
    shared = rows.join(everywhere, on=_SEGMENT, how="semi").sort(_SEGMENT)
    if not shared.height:
        return
    tokens = {place: shared.filter(language=place[0], script=place[1])["_tokens"].to_numpy() for place in places}
    cheapest = min(places, key=lambda place: float(tokens[place].sum()))
    for place in places:
        if place == cheapest:
            reason = "the others are held against it"
            estimate = Estimate(1.0, None, len(tokens[place]), reason)
        else:
            estimate = bootstrap_ratio(tokens[place], tokens[cheapest], seed=seed, resamples=resamples)
        yield Premium(place[0], place[1], estimate, "-".join(cheapest))
