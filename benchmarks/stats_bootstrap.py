"""Spearman over 7,000 rows with 1,000 resamples, beside a loop over SciPy's spearmanr, in CPU time of one process.

python benchmarks/stats_bootstrap.py [ROWS] [RESAMPLES]
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
from collections.abc import Callable
from time import process_time

import numpy as np
from scipy.stats import spearmanr

from equiglot.stats import bootstrap_correlation, bootstrap_spearman


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Seconds of CPU of the fastest of several runs."""
    times = []
    for _ in range(runs):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def loop(x: np.ndarray, y: np.ndarray, resamples: int) -> np.ndarray:
    """What one would write without the library."""
    rng = np.random.default_rng(0)
    rhos = np.empty(resamples)
    for i in range(resamples):
        drawn = rng.integers(0, x.size, size=x.size)
        rhos[i] = spearmanr(x[drawn], y[drawn]).statistic
    return np.quantile(rhos, [0.025, 0.975])


def main(rows: int = 7000, resamples: int = 1000) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=rows)
    y = x + rng.normal(size=rows)
    print(f"{rows:,} rows, {resamples:,} resamples, NumPy {np.__version__}; seconds of CPU")
    for name, one, two in (("no ties", x, y), ("ties, as people's scores have", x, np.round(2 * y))):
        theirs = best_of(3, lambda one=one, two=two: loop(one, two, resamples))
        ours = best_of(5, lambda one=one, two=two: bootstrap_spearman(one, two, resamples=resamples))
        print(f"{name:30} loop {theirs:6.2f}   bootstrap_spearman {ours:6.3f}   {theirs / ours:.1f} times as fast")
    for kind in ("pearson", "kendall"):
        ours = best_of(2, lambda kind=kind: bootstrap_correlation(x, y, kind=kind, resamples=resamples))
        print(f"{kind:30} bootstrap_correlation {ours:.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
