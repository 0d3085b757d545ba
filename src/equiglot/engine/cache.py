"""Results on disk, found again by content.

A cache is one SQLite file per *identity*: everything that changes a value (weights, tokeniser, prefix, dtype, policy,
version of the computation) and is not the item itself. Two processes may use it at once (WAL), and what was put is
safe from a kill; a damaged file is renamed ``*.damaged`` and begun anew. A key is a 16-byte BLAKE2b digest of the item,
a value a few float64.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from equiglot.engine._database import is_damage, open_database, set_aside

__all__ = ["Cache", "Item"]

Item = str | tuple[str, ...]
"""What is scored: a text, or several that are scored together (a target and its reference)."""

_LOOK_UP_AT_ONCE = 500
_TABLES = (
    "CREATE TABLE IF NOT EXISTS identity (json TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID",
)


def _key(item: Item) -> bytes:
    parts = (item,) if isinstance(item, str) else item
    digest = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()


class Cache:
    """Values by item, under one identity.

    Args:
        folder: where the files of all identities lie; made when needed.
        identity: everything but the item that changes a value; part of the file's name.
        width: how many float64 a value has.

    >>> import tempfile
    >>> cache = Cache(Path(tempfile.mkdtemp()), {"metric": "length"}, width=1)
    >>> cache.put(["ab"], np.array([[2.0]]))
    >>> cache.get(["ab", "abc"])[0].tolist(), cache.get(["ab", "abc"])[1].tolist()
    ([[2.0], [nan]], [True, False])
    """

    def __init__(self, folder: Path, identity: Mapping[str, str], width: int) -> None:
        self.width = width
        self.identity = dict(sorted(identity.items()))
        text = json.dumps({**self.identity, "width": width}, sort_keys=True)
        self.path = folder / f"{blake2b(text.encode(), digest_size=12).hexdigest()}.sqlite"
        self._text = text
        self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        database = open_database(self.path, _TABLES)
        with database:
            database.execute("INSERT OR IGNORE INTO identity VALUES (?)", (self._text,))
        return database

    def _begin_anew(self, error: sqlite3.DatabaseError) -> None:
        """Set a file aside that turned out damaged; any other error is raised."""
        if not is_damage(error):
            raise error
        self._db.close()
        set_aside(self.path)
        self._db = self._open()

    def get(self, items: Sequence[Item]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Values, shape (items, width) with NaN where there is none, and which items were found."""
        try:
            return self._look_up(items)
        except sqlite3.DatabaseError as error:
            self._begin_anew(error)
            return self._look_up(items)

    def _look_up(self, items: Sequence[Item]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        values = np.full((len(items), self.width), np.nan)
        found = np.zeros(len(items), dtype=bool)
        keys = [_key(item) for item in items]
        for start in range(0, len(keys), _LOOK_UP_AT_ONCE):
            part = keys[start : start + _LOOK_UP_AT_ONCE]
            marks = ",".join("?" * len(part))
            stored = dict(self._db.execute(f"SELECT key, value FROM scores WHERE key IN ({marks})", part))
            for i, key in enumerate(part, start):
                if key in stored:
                    values[i] = np.frombuffer(stored[key], dtype="<f8")
                    found[i] = True
        return values, found

    def put(self, items: Sequence[Item], values: NDArray[np.float64]) -> None:
        """Store values, shape (items, width); a later value of the same item replaces the earlier."""
        rows = [(_key(item), value.astype("<f8").tobytes()) for item, value in zip(items, values, strict=True)]
        try:
            self._write(rows)
        except sqlite3.DatabaseError as error:
            self._begin_anew(error)
            self._write(rows)

    def _write(self, rows: Sequence[tuple[bytes, bytes]]) -> None:
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        self._db.close()
