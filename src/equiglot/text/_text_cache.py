"""Romanised texts on disk, found again by content.

The engine's cache holds numbers; this one holds texts, for uroman alone, which takes milliseconds a sentence.
One SQLite file per identity (romaniser, its version, language), safe with two processes (WAL) and after a
kill.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from equiglot.engine._database import open_database

__all__ = ["TextCache"]

_LOOK_UP_AT_ONCE = 500
_TABLE = "CREATE TABLE IF NOT EXISTS texts (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class TextCache:
    """Texts by text, under one identity.

    Args:
        folder: where the files of all identities lie.
        identity: everything but the text that changes the result.

    >>> import tempfile
    >>> cache = TextCache(Path(tempfile.mkdtemp()), {"scheme": "upper"})
    >>> cache.put({"a": "A"})
    >>> cache.get(["a", "b"])
    {'a': 'A'}
    """

    def __init__(self, folder: Path, identity: Mapping[str, str]) -> None:
        name = blake2b(json.dumps(identity, sort_keys=True).encode(), digest_size=12).hexdigest()
        self._database = open_database(folder / f"{name}.sqlite", [_TABLE])

    def get(self, texts: Sequence[str]) -> dict[str, str]:
        """The results that are known, by text."""
        known: dict[str, str] = {}
        for start in range(0, len(texts), _LOOK_UP_AT_ONCE):
            keys = {self._key(text): text for text in texts[start : start + _LOOK_UP_AT_ONCE]}
            marks = ",".join("?" * len(keys))
            for key, value in self._database.execute(
                f"SELECT key, value FROM texts WHERE key IN ({marks})", list(keys)
            ):
                known[keys[key]] = value.decode("utf-8", "surrogatepass")
        return known

    def put(self, results: Mapping[str, str]) -> None:
        """Store results by text; a later one of the same text replaces the earlier."""
        rows = [(self._key(text), _bytes(result)) for text, result in results.items()]
        with self._database:
            self._database.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @staticmethod
    def _key(text: str) -> bytes:
        return blake2b(_bytes(text), digest_size=16).digest()
