"""Several caches read and written as one, so that a sum is found whether or not ranks were asked for with it.

A value is split over files: sums in one, what only some requests want in others. A request names the files it needs;
an item is there if all of them have it, and what is computed goes to all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from equiglot.engine import Cache
from equiglot.engine.cache import Item

__all__ = ["JoinedCache"]


class JoinedCache(Cache):
    """Caches side by side: a value's first columns lie in the first, and so on.

    Args:
        folder: where the files lie.
        identity: as :class:`~equiglot.engine.Cache` takes it, without ``measure``.
        measures: what each cache holds, and how many numbers that is.
    """

    def __init__(self, folder: Path, identity: Mapping[str, str], measures: Mapping[str, int]) -> None:
        self.width = sum(measures.values())
        self._parts = [
            Cache(folder, {"measure": measure, **identity}, width=width) for measure, width in measures.items()
        ]
        self._ends = np.cumsum([part.width for part in self._parts])[:-1]

    def get(self, items: Sequence[Item]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Values, shape (items, width), and which items every cache has."""
        got = [part.get(items) for part in self._parts]
        return np.hstack([values for values, _ in got]), np.logical_and.reduce([found for _, found in got])

    def put(self, items: Sequence[Item], values: NDArray[np.float64]) -> None:
        """Store each cache's own columns."""
        for part, columns in zip(self._parts, np.split(values, self._ends, axis=1), strict=True):
            part.put(items, columns)

    def close(self) -> None:
        """Close the files."""
        for part in self._parts:
            part.close()
