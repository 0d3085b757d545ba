"""How every interval and permutation p of an audit is made: one seed, said once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from equiglot.stats import (
    Estimate,
    Significance,
    SpearmanDifference,
    StandardizedGap,
    bootstrap_gaps,
    bootstrap_mean,
    bootstrap_spearman,
    bootstrap_spearman_difference,
    perm_both,
)

__all__ = ["Sampling"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """Seed, resamples of the bootstrap, permutations, and the level of intervals."""

    seed: int = 0
    resamples: int = 1000
    permutations: int = 1000
    level: float = 0.95

    def mean(self, values: pl.Series) -> Estimate:
        """The mean of values without nulls."""
        return bootstrap_mean(values.to_numpy(), seed=self.seed, resamples=self.resamples, level=self.level)

    def gaps(
        self, groups: Sequence[tuple[pl.Series, pl.Series]], contrasts: Sequence[Sequence[float]]
    ) -> list[StandardizedGap]:
        """Standardised gaps between groups in two scores of the same rows."""
        data = [(one.to_numpy(), two.to_numpy()) for one, two in groups]
        return bootstrap_gaps(data, contrasts, seed=self.seed, resamples=self.resamples, level=self.level)

    def rho(self, x: pl.Series, y: pl.Series) -> Estimate:
        """Spearman's rho."""
        return bootstrap_spearman(
            x.to_numpy(), y.to_numpy(), seed=self.seed, resamples=self.resamples, level=self.level
        )

    def rho_difference(self, first: pl.Series, second: pl.Series, shared: pl.Series) -> SpearmanDifference:
        """Two rhos with a shared series, and first minus second."""
        return bootstrap_spearman_difference(
            first.to_numpy(),
            second.to_numpy(),
            shared.to_numpy(),
            seed=self.seed,
            resamples=self.resamples,
            level=self.level,
        )

    def swap_test(self, first: pl.Series, second: pl.Series, shared: pl.Series) -> Significance:
        """PERM-BOTH of the two rhos."""
        return perm_both(
            first.to_numpy(), second.to_numpy(), shared.to_numpy(), seed=self.seed, permutations=self.permutations
        )
