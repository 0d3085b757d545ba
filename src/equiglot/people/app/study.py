"""A rating study: made once from items, a rubric and raters, then opened again and again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
from sqlalchemy import Connection, insert, select, update

from equiglot.errors import InputError
from equiglot.people.app import schema
from equiglot.people.app.database import Database
from equiglot.people.app.plan import plan_pages
from equiglot.people.app.roster import Rater
from equiglot.people.app.tokens import hashed, new_secret
from equiglot.people.rubric import Rubric
from equiglot.people.rubric_files import rubric_from_json
from equiglot.table import Segments

__all__ = ["Links", "Study", "create_study", "items_digest", "open_study", "renew_links"]

_VERSION = 1
_ITEM_KEY = ("id", "language", "system")


@dataclass(frozen=True, slots=True)
class Study:
    """An open study: where it is kept, and what raters are asked."""

    database: Database
    rubric: Rubric
    items_digest: str


@dataclass(frozen=True, slots=True)
class Links:
    """The secrets of a study, which nothing keeps: the organiser's, and by name each rater's token."""

    organizer: str
    raters: dict[str, str]


def create_study(
    database: Database,
    items: Segments,
    rubric: Rubric,
    roster: Sequence[Rater],
    *,
    seed: int = 0,
    repeats: int = 0,
    checks: int = 0,
) -> tuple[Study, Links]:
    """A new study in a database that has none.

    Args:
        database: where it is kept.
        items: with ``target``, and ``source`` where there is a prompt; one row per id, language and system.
        rubric: what raters are asked.
        roster: who rates which languages.
        seed: of the orders.
        repeats: how many items each rater sees twice.
        checks: how many attention checks each rater sees; with scales only.

    Raises:
        InputError: two rows with one id, language and system; rows without a target; more repeats than a third of a
            rater's items; checks in a task of spans.
    """
    frame = _rateable(items)
    _check_extras(frame, rubric, roster, repeats, checks)
    organizer, secrets = new_secret(), [new_secret() for _ in roster]
    digest = items_digest(items)
    with database.writing() as connection:
        database.make_tables(connection)
        study = {
            "id": 1,
            "version": _VERSION,
            "items_digest": digest,
            "rubric": json.dumps(rubric.to_dict(), ensure_ascii=False),
            "seed": seed,
            "organizer_hash": hashed(organizer),
        }
        connection.execute(insert(schema.study), [study])
        connection.execute(insert(schema.items), [*_item_rows(frame), *_check_rows(frame.height, checks)])
        people = [
            {"id": number, "name": rater.name, "token_hash": hashed(secret), "words": "en"}
            for number, (rater, secret) in enumerate(zip(roster, secrets, strict=True), 1)
        ]
        connection.execute(insert(schema.raters), people)
        for number, rater in enumerate(roster, 1):
            connection.execute(
                insert(schema.pages), _page_rows(frame, number, rater, seed=seed, repeats=repeats, checks=checks)
            )
    tokens = {rater.name: f"{i}.{secret}" for i, (rater, secret) in enumerate(zip(roster, secrets, strict=True), 1)}
    return Study(database, rubric, digest), Links(organizer, tokens)


def open_study(database: Database) -> Study:
    """The study in a database.

    Raises:
        InputError: there is none.
    """
    if not database.has_study():
        fix = "make one with equiglot rate --items FILE --raters N"
        raise InputError("there is no rating study in this database", fix=fix, path=database.name)
    with database.reading() as connection:
        row = connection.execute(select(schema.study)).one()
    return Study(database, rubric_from_json(row.rubric), row.items_digest)


def renew_links(study: Study) -> Links:
    """New links for everybody; the old ones stop working."""
    organizer = new_secret()
    with study.database.writing() as connection:
        connection.execute(update(schema.study).values(organizer_hash=hashed(organizer)))
        names = connection.execute(select(schema.raters.c.id, schema.raters.c.name).order_by(schema.raters.c.id)).all()
        return Links(organizer, {name: f"{number}.{_renewed(connection, number)}" for number, name in names})


def items_digest(items: Segments) -> str:
    """SHA-256 of what raters see: keys, prompts and answers, whatever the order of rows."""
    frame = _rateable(items)
    columns = [*_ITEM_KEY, "script", *(c for c in ("source", "target") if c in frame.columns)]
    rows = json.dumps(frame.select(columns).rows(), ensure_ascii=True)
    return hashlib.sha256(rows.encode("ascii")).hexdigest()


def _renewed(connection: Connection, rater: int) -> str:
    secret = new_secret()
    changed = update(schema.raters).where(schema.raters.c.id == rater).values(token_hash=hashed(secret))
    connection.execute(changed)
    return secret


def _rateable(items: Segments) -> pl.DataFrame:
    items.require("target", why="is what raters judge")
    frame = items.frame
    if frame["target"].null_count():
        row = (frame["target"].is_null().arg_max() or 0) + 1
        fix = "leave such rows out, or write an empty text where the system answered nothing"
        raise items.error("there is nothing to rate: the text is missing", fix=fix, row=row, column="target")
    twice = frame.select(_ITEM_KEY).is_duplicated()
    if twice.any():
        key = " ".join(map(str, frame.select(_ITEM_KEY).filter(twice).row(0)))
        fix = "rate one script and condition at a time, or give rows ids of their own"
        raise items.error(f"two rows have the same id, language and system ({key})", fix=fix)
    return frame.sort(_ITEM_KEY)


def _check_extras(frame: pl.DataFrame, rubric: Rubric, roster: Sequence[Rater], repeats: int, checks: int) -> None:
    if checks and rubric.task == "spans":
        raise InputError("attention checks need scales, and this rubric marks spans", fix="leave --checks out")
    fewest = min(frame.filter(pl.col("language").is_in(rater.languages)).height for rater in roster)
    if repeats > fewest // 3:
        fix = f"give {fewest // 3} at most"
        raise InputError(f"{repeats} repeated items are too many for {fewest} items", fix=fix)


def _item_rows(frame: pl.DataFrame) -> list[dict[str, object]]:
    source = pl.col("source") if "source" in frame.columns else pl.lit(None, pl.String).alias("source")
    columns = frame.select(pl.col("id").alias("segment"), "language", "script", "system", source, "target")
    return [{"id": i, "attention": False, **row} for i, row in enumerate(columns.iter_rows(named=True), 1)]


def _check_rows(n_items: int, checks: int) -> list[dict[str, object]]:
    row = {"language": "en", "script": "Latn", "system": "", "source": None, "target": "", "attention": True}
    return [{"id": n_items + i, "segment": f"check-{i}", **row} for i in range(1, checks + 1)]


def _page_rows(
    frame: pl.DataFrame, number: int, rater: Rater, *, seed: int, repeats: int, checks: int
) -> list[dict[str, object]]:
    own = [i for i, language in enumerate(frame["language"], 1) if language in rater.languages]
    attention = [frame.height + i for i in range(1, checks + 1)]
    plan = plan_pages(own, attention, repeats=repeats, seed=[seed, number])
    blank = {"revision": 0, "last_save": None, "done": False, "skipped": None, "note": "", "seconds": 0.0}
    return [
        {"rater": number, "position": position, "item": item, "repeat": repeat, **blank}
        for position, (item, repeat) in enumerate(plan, 1)
    ]
