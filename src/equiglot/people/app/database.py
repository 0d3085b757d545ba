"""Where ratings are kept: a SQLite file, or PostgreSQL by its URL.

SQLite runs in WAL mode with ``synchronous=FULL``: a save is on disk before it is acknowledged, and readers don't wait
for writers. A transaction that writes takes the lock when it begins (``BEGIN IMMEDIATE``), so that it waits its turn
instead of failing halfway.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from getpass import getuser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from equiglot.errors import InputError
from equiglot.people.app.schema import METADATA, study

__all__ = ["Database"]

_DRIVERS = ("psycopg", "pg8000", "psycopg2")
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=20000")
_CONNECTIONS = 40
"""As many as the server has threads."""


class Database:
    """One open database."""

    def __init__(self, place: str | Path) -> None:
        """Open a database, and make a SQLite file where there is none.

        Args:
            place: the path of a SQLite file, or a URL such as ``postgresql://user@host/name``.

        Raises:
            InputError: it can't be opened; a URL that isn't one; no driver for it.
        """
        self.name = _named(place)
        self.engine = _engine(place)
        try:
            with self.engine.connect():
                pass
        except DBAPIError as error:
            raise self._unusable(error) from None

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """A connection for reading."""
        with self.engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """A transaction for writing; what it did is kept once it has ended without an error."""
        with self.engine.connect().execution_options(equiglot_writes=True) as connection, connection.begin():
            yield connection

    def has_study(self) -> bool:
        """Whether a study was made in this database.

        Raises:
            InputError: the database holds something else.
        """
        try:
            if not inspect(self.engine).has_table(study.name):
                return False
            with self.reading() as connection:
                return connection.execute(select(study.c.id)).first() is not None
        except DBAPIError as error:
            raise self._unusable(error) from None

    def make_tables(self, connection: Connection) -> None:
        """Make the tables of a study."""
        METADATA.create_all(connection)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def _unusable(self, error: DBAPIError) -> InputError:
        said = " ".join(str(error.orig).split())[:160]
        return InputError(f"the database can't be used ({said})", fix="name another with --database", path=self.name)


def _named(place: str | Path) -> str:
    """The place without its password."""
    return make_url(str(place)).render_as_string() if "://" in str(place) else str(place)


def _engine(place: str | Path) -> Engine:
    url = _url(place)
    try:
        if url.get_backend_name() == "sqlite":
            return _sqlite(url)
        return create_engine(url, pool_size=_CONNECTIONS, max_overflow=0, pool_pre_ping=True)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        fix = "install one: pip install pg8000, or psycopg"
        raise InputError(f"there is no driver for this database ({error})", fix=fix, path=_named(place)) from None


def _url(place: str | Path) -> URL:
    if "://" not in str(place):
        return URL.create("sqlite", database=str(place))
    try:
        url = make_url(str(place))
    except (ArgumentError, ValueError):
        fix = "write e.g. postgresql://user:password@host/name"
        raise InputError("this is not the URL of a database", fix=fix) from None
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise InputError(f"'{url.drivername}' is not supported", fix="use a SQLite file or postgresql://")
    if url.drivername == "postgresql":
        driver = next((name for name in _DRIVERS if find_spec(name)), _DRIVERS[0])
        url = url.set(drivername=f"postgresql+{driver}")
        if driver == "pg8000" and not url.username:  # which, unlike libpq, takes nobody for granted
            url = url.set(username=os.environ.get("PGUSER") or getuser())
        return url
    return url


def _sqlite(url: URL) -> Engine:
    folder = Path(url.database or "").parent
    if not folder.is_dir():
        raise InputError("there is no such folder", fix="make it first", path=folder)
    engine = create_engine(url, pool_size=_CONNECTIONS, max_overflow=0)

    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin below, not when the driver thinks it best
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("equiglot_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine
