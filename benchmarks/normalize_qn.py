"""COMET-QN on ten million rows in fifty cells, beside one np.argsort of the same column, in one run.

python benchmarks/normalize_qn.py [ROWS] [CELLS]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
import polars as pl

from equiglot.measures import MeasureInfo
from equiglot.normalize import QuantileNormalizer, quantile_normalize
from equiglot.table import Segments


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest of several runs."""
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def main(rows: int = 10_000_000, n_cells: int = 50) -> None:
    rng = np.random.default_rng(0)
    cells = rng.integers(0, n_cells, rows)
    exact = rng.normal(75, 12, rows)
    print(f"{rows:,} rows, {n_cells} cells, NumPy {np.__version__}; seconds, best of 3")
    for name, scores in {"float64": exact, "two decimals (tied)": exact.round(2)}.items():
        reference = scores[cells < n_cells // 2]
        sort = best_of(3, lambda scores=scores: np.argsort(scores))
        core = best_of(3, lambda s=scores, r=reference: quantile_normalize(s, cells, r))
        print(f"{name:20} np.argsort {sort:6.2f}   quantile_normalize {core:6.2f}   {core / sort:.2f} times")
    frame = pl.DataFrame({"language": cells.astype(str), "comet": exact}).with_columns(
        script=pl.lit("Latn"), condition=pl.lit("native"), id=pl.lit("1"), system=pl.lit("a")
    )
    table = Segments(frame, {"comet": MeasureInfo("comet", "points", "higher", "metric:comet")})
    normalizer = QuantileNormalizer.fit(table, "comet")
    print(f"whole table          fit {best_of(1, lambda: QuantileNormalizer.fit(table, 'comet')):6.2f}", end="")
    print(f"   transform {best_of(1, lambda: normalizer.transform(table)):6.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
