"""What the endpoint answered, on disk, so that no prompt is asked and paid for twice.

One SQLite file (WAL). Every answer is committed when it comes, so a killed run loses only what was under way. What is
kept is what the model wrote, not what was read from it: a better reader needs no new answers.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

from equiglot.engine._database import open_database, unusable

__all__ = ["Reply", "ReplyStore", "request_key"]

_TABLE = "CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, value TEXT) WITHOUT ROWID"
_LOOK_UP_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Reply:
    """What the endpoint sent for one prompt.

    Attributes:
        text: as the model wrote it.
        finish_reason: ``stop``, ``length`` where it was cut, or the endpoint's own word.
        output_tokens: as the endpoint counts them; None where it does not say.
        refusal: what the endpoint says of a refusal, in its field of that name.
    """

    text: str
    finish_reason: str | None = None
    output_tokens: int | None = None
    refusal: str | None = None


def request_key(base_url: str, request: Mapping[str, object], sample: str | None) -> bytes:
    """The key of a request: all that changes its answer.

    ``sample`` tells apart equal requests that are to have an answer each.
    """
    text = json.dumps([base_url, request, sample], sort_keys=True)
    return blake2b(text.encode(), digest_size=16).digest()


class ReplyStore:
    """Replies by key, in ``answers.sqlite`` of a folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "answers.sqlite"
        self._database = open_database(self._path, [_TABLE])

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Reply]:
        """The replies that are known."""
        known: dict[bytes, Reply] = {}
        for start in range(0, len(keys), _LOOK_UP_AT_ONCE):
            part = keys[start : start + _LOOK_UP_AT_ONCE]
            marks = ",".join("?" * len(part))
            for key, value in self._database.execute(f"SELECT key, value FROM replies WHERE key IN ({marks})", part):
                known[key] = Reply(**json.loads(value))
        return known

    def put(self, key: bytes, reply: Reply) -> None:
        """Keep a reply; it is safe when this returns.

        Raises:
            InputError: it can't be written, as on a full disk.
        """
        row = key, json.dumps(asdict(reply))
        try:
            with self._database:
                self._database.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", row)
        except sqlite3.OperationalError as error:
            raise unusable(self._path, error) from error

    def close(self) -> None:
        """Close the file."""
        self._database.close()
