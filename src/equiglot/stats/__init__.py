"""Plain statistics: correlation, resampling, tests for dependent correlations, analysis of variance.

Numbers in, frozen results out; nothing here knows what the numbers mean. A statistic that the data can't give is None
with a reason; NaN and infinities are refused, because a missing value has to be left out (and counted) by the caller.
"""

from equiglot.stats.anova import Anova, WelchAnova, anova, welch_anova
from equiglot.stats.bootstrap import (
    SpearmanDifference,
    StandardizedGap,
    bootstrap_gaps,
    bootstrap_mean,
    bootstrap_spearman,
    bootstrap_spearman_difference,
)
from equiglot.stats.correlation import average_ranks, pearson, spearman
from equiglot.stats.dependent import meng, steiger, williams
from equiglot.stats.estimate import Estimate, Significance
from equiglot.stats.mean import paired_t, proportion
from equiglot.stats.multiple import holm
from equiglot.stats.permutation import perm_both

__all__ = [
    "Anova",
    "Estimate",
    "Significance",
    "SpearmanDifference",
    "StandardizedGap",
    "WelchAnova",
    "anova",
    "average_ranks",
    "bootstrap_gaps",
    "bootstrap_mean",
    "bootstrap_spearman",
    "bootstrap_spearman_difference",
    "holm",
    "meng",
    "paired_t",
    "pearson",
    "perm_both",
    "proportion",
    "spearman",
    "steiger",
    "welch_anova",
    "williams",
]
