"""Agreement of a score with people over all cells pooled (Spearman, segment level).

Pooled rho is what suffers when cells lie in different ranges: within a cell the order may be good, and yet a good
translation of one cell stands below a poor one of another. It rises when the ranges are put on one axis (paper 1: from
0.300 to 0.399 with COMET-QN) while no order within a cell changes. It keeps the metric's own sign: a metric that is
better when lower agrees with people where rho is negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from equiglot.audit._measures import measured
from equiglot.audit._rows import NATIVE, ROMANIZED
from equiglot.audit._sampling import Sampling
from equiglot.measures import Direction, Measure, result_table

__all__ = ["pooled_agreement", "pooled_table"]


def pooled_agreement(
    frame: pl.DataFrame,
    column: str,
    human: str = "human",
    *,
    direction: Direction = "higher",
    seed: int = 0,
    resamples: int = 1000,
    signature: str = "",
) -> Measure:
    """Spearman's rho of two columns over all rows that have both, with a 95% bootstrap interval.

    Args:
        frame: the rows to pool, of any number of cells.
        column: the score.
        human: people's scores, larger is better.
        direction: which way the score is better; the measure's direction, as a larger rho is better only for a score
            of which more is better.
        seed, resamples: of the interval.
        signature: to be put on the measure.

    >>> frame = pl.DataFrame({"comet": [60.0, 70.0, 80.0, None], "human": [10.0, 20.0, 15.0, 25.0]})
    >>> measure = pooled_agreement(frame, "comet")
    >>> measure.value, measure.n, measure.n_failed
    (0.5, 3, 1)
    """
    both = frame.select(pl.col(column).alias("score"), pl.col(human).alias("human")).drop_nulls()
    return measured(
        "rho_pooled",
        Sampling(seed, resamples).rho(both["score"], both["human"]),
        unit="rho",
        direction=direction,
        n_failed=frame.height - both.height,
        signature=signature,
    )


def pooled_table(frame: pl.DataFrame, direction: Direction, sampling: Sampling, signature: str) -> pl.DataFrame:
    """Pooled agreement of ``score`` with ``human`` over the native rows, the romanised rows, and both together."""
    parts = {name: frame.filter(pl.col("condition") == name) for name in (NATIVE, ROMANIZED)}
    parts = {name: part for name, part in parts.items() if part.height}
    if len(parts) == 2:
        parts["native + romanized"] = pl.concat(parts.values())

    def rows() -> Iterator[tuple[dict[str, Any], Measure]]:
        for name, part in parts.items():
            measure = pooled_agreement(
                part,
                "score",
                direction=direction,
                seed=sampling.seed,
                resamples=sampling.resamples,
                signature=signature,
            )
            yield {"condition": name}, measure

    return result_table(rows())
