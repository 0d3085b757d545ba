"""Romanised texts on disk, found again by content: for uroman alone, which takes milliseconds a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from equiglot.engine import Store

__all__ = ["TextCache"]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _key(text: str) -> bytes:
    return blake2b(_bytes(text), digest_size=16).digest()


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
        self._store = Store(folder, identity)

    def get(self, texts: Sequence[str]) -> dict[str, str]:
        """The results that are known, by text."""
        by_key = {_key(text): text for text in texts}
        known = self._store.get(list(by_key))
        return {by_key[key]: value.decode("utf-8", "surrogatepass") for key, value in known.items()}

    def put(self, results: Mapping[str, str]) -> None:
        """Store results by text; a later one of the same text replaces the earlier."""
        self._store.put((_key(text), _bytes(result)) for text, result in results.items())

    def close(self) -> None:
        """Close the file."""
        self._store.close()
