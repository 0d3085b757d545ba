"""What a study was made with, held against what is asked of it when it is opened again.

All but the seed and the rubric is read off the raters' own pages, so that it is known of every study.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select

from equiglot.errors import InputError
from equiglot.people.app import schema
from equiglot.people.app.roster import Rater, read_roster
from equiglot.people.app.study import Study
from equiglot.people.rubric import Rubric

__all__ = ["check_made_with"]

_NAMED = 4
"""Raters that an error names."""


def check_made_with(
    study: Study,
    *,
    raters: str | None = None,
    rubric: Rubric | None = None,
    seed: int | None = None,
    repeats: int | None = None,
    checks: int | None = None,
) -> None:
    """Raise where something is asked that the study was not made with; what is None is not asked.

    Raises:
        InputError: the study has something else, which can't be changed.
    """
    if rubric is not None and rubric != study.rubric:
        raise _other(study, f"another rubric ({study.rubric.name})")
    pages, items = schema.pages, schema.items
    with study.database.reading() as connection:
        per_rater = select(func.count()).where(pages.c.repeat).group_by(pages.c.rater)
        made = {
            "--seed": connection.execute(select(schema.study.c.seed)).scalar_one(),
            "--repeats": max(connection.execute(per_rater).scalars(), default=0),
            "--checks": connection.execute(select(func.count()).where(items.c.attention)).scalar_one(),
        }
        own = select(schema.raters.c.name, items.c.language).distinct().where(~items.c.attention)
        joined = own.join(pages, pages.c.rater == schema.raters.c.id).join(items, pages.c.item == items.c.id)
        rated = connection.execute(joined.order_by(schema.raters.c.name, items.c.language)).all()
    for option, wanted in (("--seed", seed), ("--repeats", repeats), ("--checks", checks)):
        if wanted is not None and wanted != made[option]:
            raise _other(study, f"{option} {made[option]}, not {wanted}")
    if raters is not None:
        there = [Rater(name, tuple(tag for who, tag in rated if who == name)) for name in dict(rated)]
        asked = read_roster(raters, sorted({tag for _, tag in rated}))
        if _languages(asked) != _languages(there):
            raise _other(study, f"the raters {_listed(there)}, not {_listed(asked)}")


def _languages(roster: Sequence[Rater]) -> dict[str, set[str]]:
    return {rater.name: set(rater.languages) for rater in roster}


def _listed(roster: Sequence[Rater]) -> str:
    """As ``--raters`` takes them, the first few."""
    named = ",".join(f"{rater.name}:{'+'.join(rater.languages)}" for rater in roster[:_NAMED])
    return named if len(roster) <= _NAMED else f"{named} and {len(roster) - _NAMED} more"


def _other(study: Study, made_with: str) -> InputError:
    fix = "leave that out to go on with it, or make another study with another --database"
    return InputError(f"this database holds a study made with {made_with}", fix=fix, path=study.database.name)
