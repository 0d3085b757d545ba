"""Open the study that a command means, or make it where there is none yet."""

from __future__ import annotations

from pathlib import Path

from equiglot.errors import InputError
from equiglot.people.app.database import Database
from equiglot.people.app.made_with import check_made_with
from equiglot.people.app.roster import read_roster
from equiglot.people.app.study import Links, Study, create_study, items_digest, open_study, renew_links
from equiglot.people.rubric import Rubric
from equiglot.table import Segments

__all__ = ["open_existing", "open_or_create"]


def open_existing(place: str | Path) -> Study:
    """The study kept in a place.

    Raises:
        InputError: there is none; no file is made.
    """
    if "://" not in str(place) and not Path(place).is_file():
        raise InputError("there is no such file", fix="name the database with --database", path=place)
    return open_study(Database(place))


def open_or_create(
    place: str | Path,
    items: Segments | None,
    raters: str | None,
    rubric: Rubric | None,
    *,
    default_rubric: Rubric,
    renew: bool = False,
    seed: int | None = None,
    repeats: int | None = None,
    checks: int | None = None,
) -> tuple[Study, Links | None]:
    """The study kept in a place, or a new one there, and the links that were made.

    Args:
        place: the path of a SQLite file, or a URL of PostgreSQL.
        items: what is rated; may be left out where the study is there.
        raters: as :func:`read_roster` reads them; needed for a new study alone.
        rubric: what raters are asked.
        default_rubric: of a new study, where no rubric is named.
        renew: make new links for a study that is there.
        seed, repeats, checks: see :func:`create_study`; 0 where None.

    What is given must be what the study was made with, where one is there.

    Raises:
        InputError: a new study without items or raters; another study is in that place.
    """
    database = Database(place)
    if database.has_study():
        study = open_study(database)
        if items is not None and items_digest(items) != study.items_digest:
            fix = "name another with --database"
            raise InputError("this database holds a study of other items", fix=fix, path=database.name)
        check_made_with(study, raters=raters, rubric=rubric, seed=seed, repeats=repeats, checks=checks)
        return study, renew_links(study) if renew else None
    if items is None or raters is None:
        missing = "items, and a study needs some" if items is None else "raters, and a new study needs some"
        raise InputError(f"there are no {missing}", fix="give --items FILE and --raters N", path=database.name)
    languages = sorted(set(items.frame["language"]))
    roster = read_roster(raters, languages)
    return create_study(
        database, items, rubric or default_rubric, roster, seed=seed or 0, repeats=repeats or 0, checks=checks or 0
    )
