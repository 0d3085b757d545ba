"""How well a score orders the translations of each native cell, and whether cells differ in that.

Agreement is Spearman's rho with people in native script, turned so that more is better also for a metric of which less
is better. Every two cells are compared by Fisher's z for independent correlations
(:mod:`equiglot.stats.independent`), Holm-corrected over the comparisons. A difference shows that the metric serves
languages unequally; whether script or language is the cause it can't show, for the two change together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from equiglot.audit._languages import LanguagePair, direction_sign
from equiglot.audit._rows import Rows
from equiglot.audit._sampling import Sampling
from equiglot.measures import Direction
from equiglot.stats import Estimate, holm, independent_rhos
from equiglot.table import CELL

__all__ = ["NativeOrder", "OrderGap", "compare_orders", "native_orders"]


@dataclass(frozen=True, slots=True)
class NativeOrder:
    """A native cell's agreement with people, more being better."""

    cell: str
    rho: Estimate


@dataclass(frozen=True, slots=True)
class OrderGap:
    """Two native cells, the one that is ordered better first, and the Holm-adjusted p of their difference."""

    better: NativeOrder
    worse: NativeOrder
    p: float

    @property
    def size(self) -> float:
        """The difference of the two rhos."""
        assert self.better.rho.value is not None
        assert self.worse.rho.value is not None
        return self.better.rho.value - self.worse.rho.value


def native_orders(
    rows: Rows, pairs: Sequence[LanguagePair], direction: Direction, sampling: Sampling
) -> list[NativeOrder]:
    """The agreement of every native cell that has rated rows; of a paired one that of its pairs, as P2 takes it."""
    if not rows.rated:
        return []
    orders = {pair.cell: pair.agreement.first for pair in pairs}
    sign = direction_sign(direction)
    for place, group in rows.native_and_rated().group_by(CELL, maintain_order=True):
        cell = "-".join(map(str, place))
        if cell not in orders:
            orders[cell] = sampling.rho(group["score"] * sign, group["human"])
    return [NativeOrder(cell, rho) for cell, rho in sorted(orders.items())]


def compare_orders(orders: Sequence[NativeOrder], min_rows: int) -> list[OrderGap]:
    """Every two cells of at least ``min_rows`` rated rows whose rhos can be tested."""
    ready = [order for order in orders if order.rho.value is not None and order.rho.n >= min_rows]
    by_rho = sorted(ready, key=lambda order: -(order.rho.value or 0.0))
    pairs = list(combinations(by_rho, 2))
    adjusted = holm([_p(*pair) for pair in pairs])
    return [OrderGap(*pair, p) for pair, p in zip(pairs, adjusted, strict=True) if p is not None]


def _p(one: NativeOrder, two: NativeOrder) -> float | None:
    assert one.rho.value is not None
    assert two.rho.value is not None
    return independent_rhos(one.rho.value, one.rho.n, two.rho.value, two.rho.n).p
