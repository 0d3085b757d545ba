"""Fill strata with rows, each row once: scarce strata first, pairs of language and system in turn, no false shortage.

Which rows go where is a bipartite matching with capacities. A greedy pass keeps the balance; where it leaves a stratum
short, augmenting paths over strata move rows until no more places can be filled (Ford and Fulkerson), so the number of
rows chosen is the largest there is.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Sequence

__all__ = ["fill"]


def fill(
    candidates: Sequence[Sequence[int]], wanted: Sequence[int], cells: Sequence[Hashable], prompts: Sequence[Hashable]
) -> list[list[int]]:
    """Which rows each stratum gets.

    Args:
        candidates: per stratum, the rows it may have, in random order.
        wanted: per stratum, how many it wants.
        cells: per row, what to balance over.
        prompts: per row, what to repeat as seldom as can be.

    >>> fill([[0, 1], [0]], [1, 1], "ab", "xy")
    [[1], [0]]
    """
    chosen: list[list[int]] = [[] for _ in candidates]
    taken: set[int] = set()
    overall: Counter[Hashable] = Counter()
    seen: set[Hashable] = set()
    for stratum in sorted(range(len(candidates)), key=lambda s: len(candidates[s]) / max(wanted[s], 1)):
        inside: Counter[Hashable] = Counter()
        left: dict[Hashable, list[int]] = {}
        for row in candidates[stratum]:
            if row not in taken:
                left.setdefault(cells[row], []).append(row)
        while left and len(chosen[stratum]) < wanted[stratum]:
            cell = min(left, key=lambda c: (inside[c], overall[c]))
            row = next((row for row in left[cell] if prompts[row] not in seen), left[cell][0])
            left[cell].remove(row)
            if not left[cell]:
                del left[cell]
            chosen[stratum].append(row)
            taken.add(row)
            seen.add(prompts[row])
            inside[cell] += 1
            overall[cell] += 1
    for stratum in range(len(candidates)):
        while len(chosen[stratum]) < wanted[stratum] and _augment(stratum, candidates, chosen):
            pass
    return chosen


def _augment(short: int, candidates: Sequence[Sequence[int]], chosen: list[list[int]]) -> bool:
    """One more row for a stratum, by moving rows along a shortest path to a stratum that has a row to spare."""
    taken = {row for rows in chosen for row in rows}
    came_from: dict[int, tuple[int, int]] = {}  # stratum: who takes which of its rows
    queue, reached = deque([short]), {short}
    while queue:
        stratum = queue.popleft()
        may_have = set(candidates[stratum])
        spare = next((row for row in candidates[stratum] if row not in taken), None)
        if spare is not None:
            _move(stratum, spare, came_from, chosen)
            return True
        for other in range(len(candidates)):
            movable = next((row for row in chosen[other] if row in may_have), None)
            if other not in reached and movable is not None:
                reached.add(other)
                came_from[other] = (stratum, movable)
                queue.append(other)
    return False


def _move(stratum: int, row: int, came_from: dict[int, tuple[int, int]], chosen: list[list[int]]) -> None:
    """Give ``row`` to ``stratum``, and the row that it gives up to the one before it, back to where the path began."""
    while True:
        chosen[stratum].append(row)
        if stratum not in came_from:
            return
        taker, given = came_from[stratum]
        chosen[stratum].remove(given)
        stratum, row = taker, given
