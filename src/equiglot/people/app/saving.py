"""One save of one page: what a rater's browser may send, and how it is kept.

A save replaces all that was said of the page. It names the revision that it was made on and carries a random name of
its own: sent again because its acknowledgement was lost, it is recognised and changes nothing; made on an older state
(another device, or a recorded request sent anew), it is refused. Once a save is acknowledged it is on disk.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, and_, delete, insert, select, update

from equiglot.people.app import schema
from equiglot.people.app.spans import Span, snapped
from equiglot.people.rubric import Rubric

__all__ = ["SKIP_REASONS", "ConflictError", "Save", "SaveError", "keep_save", "read_save"]

SKIP_REASONS = ("cannot_judge", "unreadable", "harmful", "other")

_LONGEST_NOTE = 4000
_MOST_SPANS = 200
_LONGEST_TIME = 7 * 24 * 3600.0
_NAME = re.compile(r"[A-Za-z0-9_-]{16,64}")
_KEYS = {"revision", "save", "ratings", "spans", "note", "skipped", "seconds", "finished"}


class SaveError(ValueError):
    """A save that can't be one: it was not made by the page."""


class ConflictError(Exception):
    """A save made on another state of the page than the one that is kept."""


@dataclass(frozen=True, slots=True)
class Save:
    """All that a rater says of a page."""

    revision: int
    name: str
    ratings: dict[str, int]
    spans: tuple[Span, ...]
    note: str
    skipped: str | None
    seconds: float
    finished: bool

    def done(self, rubric: Rubric) -> bool:
        """Whether nothing is left to say: skipped, every scale rated, or the marking of spans declared finished."""
        if rubric.task == "spans":
            return self.skipped is not None or self.finished
        return self.skipped is not None or len(self.ratings) == len(rubric.dimensions)


def read_save(data: Any, rubric: Rubric) -> Save:
    """The save in a JSON document.

    Raises:
        SaveError: anything but what the page sends.
    """
    if not isinstance(data, dict) or set(cast("dict[str, Any]", data)) != _KEYS:
        raise SaveError("not a save")
    found = cast("dict[str, Any]", data)
    name, seconds, skipped = found["save"], found["seconds"], found["skipped"]
    _need(isinstance(name, str) and bool(_NAME.fullmatch(name)), "save")
    _need(not isinstance(seconds, bool) and isinstance(seconds, int | float) and math.isfinite(seconds), "seconds")
    _need(0 <= seconds <= _LONGEST_TIME, "seconds")
    _need(skipped is None or skipped in SKIP_REASONS, "skipped")
    _need(isinstance(found["finished"], bool), "finished")
    return Save(
        revision=_whole(found["revision"], 0, 2**31 - 2, "revision"),
        name=name,
        ratings=_ratings(found["ratings"], rubric),
        spans=_spans(found["spans"], rubric),
        note=_text(found["note"]),
        skipped=skipped,
        seconds=float(seconds),
        finished=found["finished"],
    )


def keep_save(connection: Connection, rubric: Rubric, rater: int, position: int, save: Save) -> int:
    """Keep a save, and return the page's new revision (or the present one, where this save was kept before).

    Raises:
        ConflictError: it was made on another state of the page.
        SaveError: a span lies outside the text.
    """
    pages = schema.pages
    here = and_(pages.c.rater == rater, pages.c.position == position)
    state = {
        "revision": save.revision + 1,
        "last_save": save.name,
        "done": save.done(rubric),
        "skipped": save.skipped,
        "note": save.note,
        "seconds": save.seconds,
    }
    changed = connection.execute(update(pages).where(here, pages.c.revision == save.revision).values(state))
    if changed.rowcount == 0:
        kept = connection.execute(select(pages.c.revision, pages.c.last_save).where(here)).one()
        if kept.last_save == save.name:
            return kept.revision
        raise ConflictError
    key = {"rater": rater, "position": position}
    ratings = [{**key, "dimension": name, "rating": value} for name, value in save.ratings.items()]
    _replace(connection, schema.ratings, rater, position, ratings)
    if rubric.task == "spans":
        item = select(schema.items.c.target).join(pages, pages.c.item == schema.items.c.id).where(here)
        text = connection.execute(item).scalar_one()
        rows = [{**key, "number": i, **_placed(span, text)} for i, span in enumerate(save.spans, 1)]
        _replace(connection, schema.spans, rater, position, rows)
    return save.revision + 1


def _replace(connection: Connection, table: Any, rater: int, position: int, rows: list[dict[str, Any]]) -> None:
    connection.execute(delete(table).where(table.c.rater == rater, table.c.position == position))
    if rows:
        connection.execute(insert(table), rows)


def _placed(span: Span, text: str) -> dict[str, Any]:
    start, end = span.start, span.end
    if start is not None and end is not None:
        _need(end <= len(text), "spans")
        start, end = snapped(text, start, end)
    return {"start": start, "end": end, "category": span.category, "severity": span.severity}


def _ratings(data: Any, rubric: Rubric) -> dict[str, int]:
    scales = {dimension.name: dimension for dimension in rubric.dimensions}
    _need(isinstance(data, dict), "ratings")
    for name, value in data.items():
        _need(name in scales, "ratings")
        _whole(value, scales[name].low, scales[name].high, "ratings")
    return data


def _spans(data: Any, rubric: Rubric) -> tuple[Span, ...]:
    _need(isinstance(data, list) and len(data) <= (_MOST_SPANS if rubric.task == "spans" else 0), "spans")
    return tuple(_span(one, rubric) for one in data)


def _span(data: Any, rubric: Rubric) -> Span:
    _need(isinstance(data, dict) and set(data) == {"start", "end", "category", "severity"}, "spans")
    _need(data["category"] in [category.name for category in rubric.categories], "spans")
    _need(data["severity"] in [severity.name for severity in rubric.severities], "spans")
    start, end = data["start"], data["end"]
    if start is not None or end is not None:
        _whole(start, 0, 2**31 - 1, "spans")
        _whole(end, 1, 2**31 - 1, "spans")
        _need(start < end, "spans")
    return Span(start, end, data["category"], data["severity"])


def _text(value: Any) -> str:
    _need(isinstance(value, str) and len(value) <= _LONGEST_NOTE and "\0" not in value, "note")
    _need(not any("\ud800" <= character <= "\udfff" for character in value), "note")
    return value


def _whole(value: Any, low: int, high: int, what: str) -> Any:
    _need(type(value) is int and low <= value <= high, what)
    return value


def _need(good: bool, what: str) -> None:
    if not good:
        raise SaveError(f"{what} is not what the page sends")
