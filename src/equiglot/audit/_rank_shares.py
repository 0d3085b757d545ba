"""What the ranks of languages x models follow: the model (its vocabulary, say) or the language.

rank_share_model, rank_share_language    eta^2 = SS_between / SS_total of the ranks, grouped by either; 0 to 1
languages_worse, languages_better        in how many languages every step to a larger model (by number) ranks worse,
                                         better; only where models are numbers, such as vocabulary sizes
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from equiglot.audit._language_means import CellMeans, ranked
from equiglot.audit.scores import is_number
from equiglot.measures import Measure, result_table
from equiglot.stats import anova

__all__ = ["mean_ranks_table", "shares_table"]


def shares_table(metrics: list[CellMeans], signature: str) -> pl.DataFrame:
    """Per metric, the shares and the counts of languages that follow the model's size; key ``metric``."""

    def rows() -> Iterator[tuple[dict[str, Any], Measure]]:
        for found in metrics:
            keys = {"metric": found.info.name}
            _, models, grid = found.grid(ranked(found.means, found.info))
            for name, groups in (("rank_share_model", grid.T), ("rank_share_language", grid)):
                share = anova([group[np.isfinite(group)] for group in groups])
                reason = share.eta2.reason if share.eta2.value is None else None
                yield keys, Measure(name, share.eta2.value, "share", "neutral", share.n, 0, None, reason, signature)
            whole = grid[np.isfinite(grid).all(axis=1)]
            steps = np.diff(whole, axis=1)
            sized = len(models) > 1 and all(map(is_number, models)) and len(whole) > 0
            for name, held in (
                ("languages_worse", (steps > 0).all(axis=1)),
                ("languages_better", (steps < 0).all(axis=1)),
            ):
                value = float(held.sum()) if sized else None
                reason = None if sized else "models are no numbers that could be put in order, or there is one"
                yield keys, Measure(name, value, "languages", "neutral", len(whole), 0, None, reason, signature)

    return result_table(rows())


def mean_ranks_table(metrics: list[CellMeans], signature: str) -> pl.DataFrame:
    """The mean rank of every language and of every model; keys ``metric``, ``language``, ``model`` (one is null)."""

    def rows() -> Iterator[tuple[dict[str, Any], Measure]]:
        for found in metrics:
            languages, models, grid = found.grid(ranked(found.means, found.info))
            for kind, names, groups in (("language", languages, grid), ("model", models, grid.T)):
                for name, group in zip(names, groups, strict=True):
                    own = group[np.isfinite(group)]
                    value = float(own.mean()) if own.size else None
                    keys = {"metric": found.info.name, "language": None, "model": None, kind: name}
                    reason = None if own.size else "no rank"
                    yield keys, Measure("mean_rank", value, "rank", "lower", own.size, 0, None, reason, signature)

    return result_table(rows())
