"""Plain statistics: correlation, resampling, tests for dependent correlations, analysis of variance.

Numbers in, frozen results out; nothing here knows what the numbers mean. A statistic that the data can't give is None
with a reason; NaN and infinities are refused, because a missing value has to be left out (and counted) by the caller.
"""

from equiglot.stats.analytic import analytic_correlation
from equiglot.stats.anova import Anova, WelchAnova, anova, welch_anova
from equiglot.stats.bootstrap import (
    SpearmanDifference,
    bootstrap_correlation,
    bootstrap_mean,
    bootstrap_spearman,
    bootstrap_spearman_difference,
)
from equiglot.stats.clustered import clustered_means, sign_flip, smallest_p
from equiglot.stats.clusters import assign_clusters
from equiglot.stats.correlation import CorrelationKind, average_ranks, correlation, kendall, pearson, spearman
from equiglot.stats.dependent import meng, steiger, williams
from equiglot.stats.estimate import Estimate, Significance
from equiglot.stats.gaps import StandardizedGap, bootstrap_gaps
from equiglot.stats.independent import independent_rhos
from equiglot.stats.mean import paired_t, percent, proportion
from equiglot.stats.multiple import holm
from equiglot.stats.pair_accuracy import (
    calibrated_accuracy,
    pair_accuracy,
    pair_agreement,
    soft_pair_accuracy,
    tie_threshold,
)
from equiglot.stats.permutation import perm_both
from equiglot.stats.rank_tests import EXACT_ROWS, RankTest, kendall_test, spearman_test
from equiglot.stats.shared_rows import quantile_interval, resampled_means, t_interval
from equiglot.stats.two_way import Along, TableStatistic, boot_both, perm_both_tables, table_correlation

__all__ = [
    "EXACT_ROWS",
    "Along",
    "Anova",
    "CorrelationKind",
    "Estimate",
    "RankTest",
    "Significance",
    "SpearmanDifference",
    "StandardizedGap",
    "TableStatistic",
    "WelchAnova",
    "analytic_correlation",
    "anova",
    "assign_clusters",
    "average_ranks",
    "boot_both",
    "bootstrap_correlation",
    "bootstrap_gaps",
    "bootstrap_mean",
    "bootstrap_spearman",
    "bootstrap_spearman_difference",
    "calibrated_accuracy",
    "clustered_means",
    "correlation",
    "holm",
    "independent_rhos",
    "kendall",
    "kendall_test",
    "meng",
    "pair_accuracy",
    "pair_agreement",
    "paired_t",
    "pearson",
    "percent",
    "perm_both",
    "perm_both_tables",
    "proportion",
    "quantile_interval",
    "resampled_means",
    "sign_flip",
    "smallest_p",
    "soft_pair_accuracy",
    "spearman",
    "spearman_test",
    "steiger",
    "t_interval",
    "table_correlation",
    "tie_threshold",
    "welch_anova",
    "williams",
]
