"""Bytes by key in one SQLite file, for results that can be made again.

A store is one file per *identity*: everything that changes a result and is not the key itself. Two processes may use it
at once (WAL), and what was put is safe from a kill; a damaged file is renamed ``*.damaged`` and begun anew. One that
can't be read or written (a full disk, no right to) is an :class:`~equiglot.errors.InputError`, and keeps what it has.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from equiglot.engine._database import is_damage, open_database, set_aside, unusable

__all__ = ["Store"]

_LOOK_UP_AT_ONCE = 500
_TABLES = (
    "CREATE TABLE IF NOT EXISTS identity (json TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID",
)
_Answer = TypeVar("_Answer")


class Store:
    """Bytes by key, under one identity.

    Args:
        folder: where the files of all identities lie; made when needed.
        identity: what the results were made with; its digest is the file's name.

    >>> import tempfile
    >>> store = Store(Path(tempfile.mkdtemp()), {"made with": "care"})
    >>> store.put([(b"a", b"1")])
    >>> store.get([b"a", b"b"])
    {b'a': b'1'}
    """

    def __init__(self, folder: Path, identity: Mapping[str, object]) -> None:
        self._identity = json.dumps(identity, sort_keys=True)
        self.path = folder / f"{blake2b(self._identity.encode(), digest_size=12).hexdigest()}.sqlite"
        try:
            self._database = self._open()
        except sqlite3.OperationalError as error:
            raise unusable(self.path, error) from error

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The results that are known, by key."""
        return self._mended(lambda: self._look_up(keys))

    def put(self, results: Iterable[tuple[bytes, bytes]]) -> None:
        """Store results by key; a later one of the same key replaces the earlier."""
        rows = list(results)
        self._mended(lambda: self._write(rows))

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _open(self) -> sqlite3.Connection:
        database = open_database(self.path, _TABLES)
        with database:
            database.execute("INSERT OR IGNORE INTO identity VALUES (?)", (self._identity,))
        return database

    def _mended(self, work: Callable[[], _Answer]) -> _Answer:
        """The work's answer; where the file turns out damaged it is set aside, and the work done on a new one."""
        try:
            try:
                return work()
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
            self._database.close()
            set_aside(self.path)
            self._database = self._open()
            return work()
        except sqlite3.OperationalError as error:
            raise unusable(self.path, error) from error

    def _look_up(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _LOOK_UP_AT_ONCE):
            part = keys[start : start + _LOOK_UP_AT_ONCE]
            marks = ",".join("?" * len(part))
            found |= self._database.execute(f"SELECT key, value FROM scores WHERE key IN ({marks})", part)
        return found

    def _write(self, rows: Sequence[tuple[bytes, bytes]]) -> None:
        with self._database:
            self._database.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)
