"""What pages show: who holds a token, one page of a rater, and an overview of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from equiglot.people.app import schema
from equiglot.people.app.spans import Span
from equiglot.people.app.tokens import matches, split_token

__all__ = ["Page", "PageState", "RaterRow", "find_rater", "is_organizer", "load_overview", "load_page"]


@dataclass(frozen=True, slots=True)
class RaterRow:
    """A rater who showed their token, and the language in which they read labels."""

    id: int
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page as its rater sees it; nothing in it tells the system or the item's id.

    Attributes:
        position, count, n_done: which page of how many, and how many are done.
        tag: the language tag of the answer, e.g. ``hi-Latn``.
        prompt, answer: the texts.
        attention: whether it is an attention check, which has a text of its own.
        ratings, spans, note, skipped, seconds, revision, done: what was said of it so far.
    """

    position: int
    count: int
    n_done: int
    tag: str
    prompt: str | None
    answer: str
    attention: bool
    ratings: dict[str, int]
    spans: tuple[Span, ...]
    note: str
    skipped: str | None
    seconds: float
    revision: int
    done: bool


@dataclass(frozen=True, slots=True)
class PageState:
    """A page in the overview."""

    position: int
    done: bool
    skipped: bool


def find_rater(connection: Connection, token: str) -> RaterRow | None:
    """The rater whose token this is."""
    number, secret = split_token(token)
    row = connection.execute(select(schema.raters).where(schema.raters.c.id == number)).first()
    if not matches(secret, row.token_hash if row else None) or row is None:
        return None
    return RaterRow(row.id, row.name, row.words)


def is_organizer(connection: Connection, secret: str) -> bool:
    """Whether this is the organiser's secret."""
    return matches(secret, connection.execute(select(schema.study.c.organizer_hash)).scalar())


def load_overview(connection: Connection, rater: int) -> list[PageState]:
    """All pages of a rater, in order."""
    pages = schema.pages
    rows = connection.execute(
        select(pages.c.position, pages.c.done, pages.c.skipped).where(pages.c.rater == rater).order_by(pages.c.position)
    )
    return [PageState(row.position, row.done, row.skipped is not None) for row in rows]


def load_page(connection: Connection, rater: int, position: int) -> Page | None:
    """One page of a rater; None where there is no such page."""
    pages, items = schema.pages, schema.items
    found = select(pages, items.c.language, items.c.script, items.c.source, items.c.target, items.c.attention)
    here = (pages.c.rater == rater, pages.c.position == position)
    row = connection.execute(found.join(items, pages.c.item == items.c.id).where(*here)).first()
    if row is None:
        return None
    count = connection.execute(select(func.count()).where(pages.c.rater == rater)).scalar_one()
    n_done = connection.execute(select(func.count()).where(pages.c.rater == rater, pages.c.done)).scalar_one()
    return Page(
        position=position,
        count=count,
        n_done=n_done,
        tag=f"{row.language}-{row.script}" if row.script else row.language,
        prompt=row.source,
        answer=row.target,
        attention=row.attention,
        ratings=dict(_said(connection, schema.ratings, ("dimension", "rating"), rater, position)),
        spans=tuple(Span(*span) for span in _said(connection, schema.spans, _SPAN, rater, position)),
        note=row.note,
        skipped=row.skipped,
        seconds=row.seconds,
        revision=row.revision,
        done=row.done,
    )


_SPAN = ("start", "end", "category", "severity")


def _said(connection: Connection, table: Any, columns: tuple[str, ...], rater: int, position: int) -> list[Any]:
    wanted = select(*(table.c[column] for column in columns))
    rows = connection.execute(
        wanted.where(table.c.rater == rater, table.c.position == position).order_by(*table.primary_key.columns)
    )
    return [tuple(row) for row in rows]
