"""Score every unique item once, look the known ones up, keep the rest as they are made.

The order in which items are computed (largest first, so that a block's are alike and the time left is known early) is
not the order in which they come back: values return in the order asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.cache import Cache, Item
from equiglot.engine.progress import Progress, silent

__all__ = ["score_once"]

Compute = Callable[[Sequence[Item]], NDArray[np.float64]]


def _length(item: Item) -> int:
    return len(item) if isinstance(item, str) else sum(map(len, item))


def score_once(
    items: Sequence[Item],
    compute: Compute,
    *,
    width: int = 1,
    block: int = 256,
    size: Callable[[Item], int] | None = None,
    cache: Cache | None = None,
    what: str = "scoring",
    progress: Progress = silent,
) -> NDArray[np.float64]:
    """Values of shape (items, width), in the order of ``items``.

    ``compute`` gets up to ``block`` unique items, similar in length, and returns their values, shape (len, width). With
    ``size`` it gets items, similar in size, of up to ``block`` in all, but one at least. Each block is stored before
    the next is begun, so a killed run loses one block at most.

    >>> score_once(["b", "aa", "b"], lambda texts: np.array([[len(t)] for t in texts], dtype=float)).ravel().tolist()
    [1.0, 2.0, 1.0]
    """
    unique = sorted(
        dict.fromkeys(items),
        key=lambda item: (-(size or _length)(item), item if isinstance(item, str) else "".join(item)),
    )
    if cache is None:
        values, found = np.full((len(unique), width), np.nan), np.zeros(len(unique), dtype=bool)
    else:
        values, found = cache.get(unique)
    missing = np.flatnonzero(~found)
    progress(what, len(unique) - len(missing), len(unique))
    done = len(unique) - len(missing)
    for rows in _blocks(missing, [1 if size is None else size(unique[row]) for row in missing], block):
        part = [unique[row] for row in rows]
        values[rows] = computed = compute(part)
        if cache is not None:
            cache.put(part, computed)
        done += len(rows)
        progress(what, done, len(unique))
    place = {item: i for i, item in enumerate(unique)}
    return values[[place[item] for item in items]] if items else values


def _blocks(rows: NDArray[np.int64], sizes: Sequence[int], most: int) -> Iterator[NDArray[np.int64]]:
    """Rows in turn, as many at a time as ``most`` has room for, but one at least."""
    start = total = 0
    for at, size in enumerate(sizes):
        if at > start and total + size > most:
            yield rows[start:at]
            start, total = at, 0
        total += size
    if start < len(rows):
        yield rows[start:]
