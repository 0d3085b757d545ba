"""In which order each rater sees which items, and which of them twice.

Orders are random per rater. Repeated items (for a rater's agreement with themselves) are shown first in the first third
of the order and again in the last, so that at least a third of the others lies between. Attention checks lie
anywhere but at the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["PlannedPage", "plan_pages"]


class PlannedPage(NamedTuple):
    """One page of one rater: the item, and whether it is shown for the second time."""

    item: int
    repeat: bool


def plan_pages(
    items: Sequence[int], checks: Sequence[int], *, repeats: int, seed: Sequence[int]
) -> tuple[PlannedPage, ...]:
    """One rater's pages in order.

    Args:
        items: each shown once.
        checks: attention checks, each shown once.
        repeats: how many items are shown twice; at most a third of them are.
        seed: of the rater's order.

    >>> plan_pages([7], [], repeats=0, seed=[0, 1])
    (PlannedPage(item=7, repeat=False),)
    """
    random = np.random.default_rng(list(seed))
    order = [PlannedPage(items[i], False) for i in random.permutation(len(items))]
    third = len(order) // 3
    again = random.permutation(third)[: min(repeats, third)]
    last = order[len(order) - third :]
    for i in again:
        last.insert(int(random.integers(len(last) + 1)), PlannedPage(order[int(i)].item, True))
    order[len(order) - third :] = last
    for check in checks:
        order.insert(int(random.integers(min(1, len(order)), len(order) + 1)), PlannedPage(check, False))
    return tuple(order)
