"""What an endpoint said of a text, on disk, for as long as the model behind it is the same.

No hash of the weights can be had from an endpoint, so the model is known by what it says of a fixed prompt: where that
has changed, a store of its own is begun.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from hashlib import blake2b
from itertools import count
from pathlib import Path

from equiglot.engine import Store
from equiglot.likelihood.engines._cost import Cost

__all__ = ["Kept"]

_MARK = b"the fixed prompt"
_SAME = 0.2
"""Nats by which two log-probs of one model may differ: another batch, 16 bits."""


class Kept:
    """Costs by text.

    Args:
        folder: where the files lie.
        identity: endpoint, model and policy.
        mark: what the endpoint says of the fixed prompt.
    """

    def __init__(self, folder: Path, identity: Mapping[str, object], mark: Sequence[float]) -> None:
        for seen in count():
            self._store = Store(folder, {**identity, "model seen": seen})
            stored = self._store.get([_MARK]).get(_MARK)
            if stored is None:
                self._store.put([(_MARK, json.dumps(list(mark)).encode())])
                return
            before: list[float] = json.loads(stored)
            if len(before) == len(mark) and all(abs(a - b) <= _SAME for a, b in zip(before, mark, strict=True)):
                return
            self._store.close()

    def get(self, texts: Sequence[str]) -> dict[str, Cost]:
        """The costs that are known."""
        keys = {_key(text): text for text in texts}
        return {keys[key]: Cost(*json.loads(value)) for key, value in self._store.get(list(keys)).items()}

    def put(self, text: str, cost: Cost) -> None:
        """Keep a cost; it is safe when this returns."""
        self._store.put([(_key(text), json.dumps(astuple(cost)).encode())])

    def close(self) -> None:
        """Close the file."""
        self._store.close()


def _key(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()
