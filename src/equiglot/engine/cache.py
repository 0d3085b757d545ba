"""Numbers on disk, found again by content.

A cache is a :class:`~equiglot.engine.store.Store` per *identity*: everything that changes a value (weights, tokeniser,
prefix, dtype, policy, version of the computation) and is not the item itself. A key is a 16-byte BLAKE2b digest of the
item, a value a few float64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.store import Store

__all__ = ["Cache", "Item"]

Item = str | tuple[str, ...]
"""What is scored: a text, or several that are scored together (a target and its reference)."""


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
        self._store = Store(folder, {**identity, "width": width})

    @property
    def path(self) -> Path:
        """The file."""
        return self._store.path

    def get(self, items: Sequence[Item]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Values, shape (items, width) with NaN where there is none, and which items were found."""
        values = np.full((len(items), self.width), np.nan)
        keys = [_key(item) for item in items]
        stored = self._store.get(keys)
        found = np.array([key in stored for key in keys], dtype=bool)
        for i in np.flatnonzero(found):
            values[i] = np.frombuffer(stored[keys[i]], dtype="<f8")
        return values, found

    def put(self, items: Sequence[Item], values: NDArray[np.float64]) -> None:
        """Store values, shape (items, width); a later value of the same item replaces the earlier."""
        pairs = zip(items, values, strict=True)
        self._store.put((_key(item), value.astype("<f8").tobytes()) for item, value in pairs)

    def close(self) -> None:
        """Close the file."""
        self._store.close()
