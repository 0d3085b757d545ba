"""Which languages that stand next to each other in the order of sentence NLL can be told apart.

On the texts that two languages share (same id and system) each has its sum; the paired t test asks whether their mean
difference may be 0, and Holm corrects for all pairs of neighbours. The intervals of the languages' own means overlap
long before that: sentences that are long in one language are long in the other, which pairing takes out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from equiglot.likelihood.by_language import language_order
from equiglot.measures import Interval
from equiglot.stats import holm, t_interval
from equiglot.table import Segments

__all__ = ["Neighbours", "neighbours"]

_ROUNDING = 1e-5
"""Sums in float32 are no closer to each other than this, relative to the largest."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two languages next to each other in an order.

    Attributes:
        first, second: the easier and the harder one.
        n: texts that both have.
        difference: mean of the second's sum less the first's, in nats; None where fewer than 2 are shared.
        interval: of it, by Student's t.
        p: paired t test, two-sided; ``adjusted`` by Holm over all neighbours.
        reason: why there is no test.
    """

    first: str
    second: str
    n: int
    difference: float | None = None
    interval: Interval | None = None
    p: float | None = None
    adjusted: float | None = None
    reason: str | None = None

    def apart(self, alpha: float = 0.05) -> bool | None:
        """Whether the two can be told apart; None where that could not be asked."""
        return None if self.adjusted is None else self.adjusted < alpha


def neighbours(segments: Segments, table: pl.DataFrame, *, level: float = 0.95) -> list[Neighbours]:
    """Each language with the next one in the order of mean sentence NLL; none where a language is in two scripts.

    Args:
        segments: with ``sent_nll``.
        table: from :func:`~equiglot.likelihood.likelihood_profile` of them; rows of another condition than its first
            are left out.
        level: of the intervals.
    """
    condition = table["condition"][0]
    table = table.filter(pl.col("value").is_not_null(), measure="sent_nll", condition=condition)
    if table.height < 2 or not table["language"].is_unique().all():
        return []
    order = language_order(table, "sent_nll")
    frame = segments.frame.filter(condition=condition).drop_nulls("sent_nll")
    sums = {name: frame.filter(language=name).select("id", "system", "sent_nll") for name in order}
    pairs = [_compared(one, other, sums[one], sums[other], level) for one, other in pairwise(order)]
    adjusted = holm([pair.p for pair in pairs])
    return [replace(pair, adjusted=value) for pair, value in zip(pairs, adjusted, strict=True)]


def _compared(one: str, other: str, first: pl.DataFrame, second: pl.DataFrame, level: float) -> Neighbours:
    from scipy.stats import ttest_1samp

    shared = first.join(second, on=["id", "system"], suffix="_other").sort("id", "system")
    own, others = (shared[name].to_numpy() for name in ("sent_nll", "sent_nll_other"))
    differences = others - own
    n = len(differences)
    if n < 2:
        return Neighbours(one, other, n, reason=f"they share {'one text' if n else 'no text'}; at least 2 are needed")
    mean = float(differences.mean())
    if np.abs(differences).max() <= _ROUNDING * np.abs(own).max():
        return Neighbours(one, other, n, mean, reason="they differ by rounding only")
    if differences.min() == differences.max():
        return Neighbours(one, other, n, mean, reason="every difference is the same, so there is nothing to test")
    test: Any = ttest_1samp(differences, 0.0)
    return Neighbours(one, other, n, mean, t_interval(differences, level=level).interval, float(test.pvalue))
