"""The tables of one rating study, the same in SQLite and PostgreSQL.

A *page* is one item as one rater sees it, at a position of that rater's own order; everything that the rater says of it
hangs on (rater, position). ``revision`` counts its saves: a save names the revision that it was made on, and one made
on another is refused.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, ForeignKeyConstraint, Integer, MetaData, String, Table, Text

__all__ = ["METADATA", "items", "pages", "raters", "ratings", "spans", "study"]

METADATA = MetaData()

study = Table(
    "study",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("items_digest", String(64), nullable=False),
    Column("rubric", Text, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("organizer_hash", String(64), nullable=False),
)

raters = Table(
    "raters",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("token_hash", String(64), nullable=False),
    Column("words", String(35), nullable=False),
)

items = Table(
    "items",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("segment", Text, nullable=False),
    Column("language", String(35), nullable=False),
    Column("script", String(4)),
    Column("system", Text, nullable=False),
    Column("source", Text),
    Column("target", Text, nullable=False),
    Column("attention", Boolean, nullable=False),
)

pages = Table(
    "pages",
    METADATA,
    Column("rater", Integer, ForeignKey("raters.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("item", Integer, ForeignKey("items.id"), nullable=False),
    Column("repeat", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("last_save", String(64)),
    Column("done", Boolean, nullable=False),
    Column("skipped", Text),
    Column("note", Text, nullable=False),
    Column("seconds", Float, nullable=False),
)

_PAGE = (("rater", "position"), ("pages.rater", "pages.position"))

ratings = Table(
    "ratings",
    METADATA,
    Column("rater", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("dimension", String(64), primary_key=True),
    Column("rating", Integer, nullable=False),
    ForeignKeyConstraint(*_PAGE),
)

spans = Table(
    "spans",
    METADATA,
    Column("rater", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("start", Integer),
    Column("end", Integer),
    Column("category", String(64), nullable=False),
    Column("severity", String(64), nullable=False),
    ForeignKeyConstraint(*_PAGE),
)
