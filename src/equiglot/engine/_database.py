"""An SQLite file of stored results, begun anew where what is there is damaged: it can all be computed again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from equiglot.errors import InputError

__all__ = ["is_damage", "open_database", "set_aside", "unusable"]

_FIX = "set EQUIGLOT_CACHE to a folder that can be written"


def open_database(path: Path, tables: Sequence[str]) -> sqlite3.Connection:
    """The file, with its folder and tables made where they are not there; a damaged one is set aside first.

    Raises:
        InputError: the folder can't be made, or the file not be opened or written to.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return _opened(path, tables)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            set_aside(path)
            return _opened(path, tables)
    except OSError as error:
        problem = f"the cache folder cannot be written ({error.strerror or error})"
        raise InputError(problem, path=path.parent, fix=_FIX) from error
    except sqlite3.Error as error:
        raise unusable(path, error) from error


def unusable(path: Path, error: sqlite3.Error) -> InputError:
    """What to tell of a file that can't be opened, read or written, as on a full disk."""
    return InputError(f"the cache cannot be used ({error})", path=path, fix=f"free space on its disk, or {_FIX}")


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is no database or a broken one; locks, rights and misuse have classes of their own."""
    return type(error) is sqlite3.DatabaseError


def set_aside(path: Path) -> None:
    """Rename a damaged file to ``*.damaged``; its journal is of no use to the new one."""
    path.replace(path.with_name(f"{path.name}.damaged"))
    for end in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).unlink()


def _opened(path: Path, tables: Sequence[str]) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=60)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        with database:
            for table in tables:
                database.execute(table)
    except sqlite3.Error:
        database.close()
        raise
    return database
