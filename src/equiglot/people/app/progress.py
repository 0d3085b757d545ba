"""How far raters are: for the organiser's page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import Connection, select

from equiglot.people.app import schema
from equiglot.people.rubric import Rubric

__all__ = ["RaterProgress", "load_progress"]


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """One rater's progress.

    Attributes:
        name: the rater.
        pages, done, skipped: counts; what is skipped is done too.
        seconds: median time of the pages that are done; None where none is.
        checks: attention checks passed of those rated, in words.
        repeats: ratings of repeated items equal to the first ones, in words.
    """

    name: str
    pages: int
    done: int
    skipped: int
    seconds: float | None
    checks: str
    repeats: str


def load_progress(connection: Connection, rubric: Rubric) -> list[RaterProgress]:
    """Every rater's progress, in the order in which they were named."""
    pages, items = schema.pages, schema.items
    names = connection.execute(select(schema.raters.c.id, schema.raters.c.name).order_by(schema.raters.c.id)).all()
    found = connection.execute(select(pages, items.c.attention).join(items, pages.c.item == items.c.id)).all()
    ratings: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    for row in connection.execute(select(schema.ratings)):
        ratings[row.rater, row.position][row.dimension] = row.rating
    return [_progress(name, [row for row in found if row.rater == rater], ratings, rubric) for rater, name in names]


def _progress(
    name: str, pages: Sequence[Any], ratings: dict[tuple[int, int], dict[str, int]], rubric: Rubric
) -> RaterProgress:
    done = [page for page in pages if page.done]
    lowest = {dimension.name: dimension.low for dimension in rubric.dimensions}
    checks = [ratings[page.rater, page.position] == lowest for page in done if page.attention and page.skipped is None]
    first = {page.item: ratings[page.rater, page.position] for page in pages if not page.repeat}
    equal = [
        first[page.item][dimension] == rating
        for page in pages
        if page.repeat
        for dimension, rating in ratings[page.rater, page.position].items()
        if dimension in first[page.item]
    ]
    return RaterProgress(
        name=name,
        pages=len(pages),
        done=len(done),
        skipped=sum(page.skipped is not None for page in pages),
        seconds=median(page.seconds for page in done) if done else None,
        checks=_share(checks),
        repeats=_share(equal),
    )


def _share(outcomes: list[bool]) -> str:
    return f"{sum(outcomes)} of {len(outcomes)}" if outcomes else "–"
