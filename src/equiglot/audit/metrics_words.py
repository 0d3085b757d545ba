"""The answer of the meta-evaluation in words: which metric comes first, by how much, and whether that is certain."""

from __future__ import annotations

import polars as pl

from equiglot.audit._words import counted, listed
from equiglot.audit.metrics_tables import PLACE

__all__ = ["headline"]

_ASKED = {
    "acc_eq": "Within items (acc_eq: which of two translations of the same text is better, metric ties calibrated)",
    "soft_accuracy": "Between systems (soft pairwise accuracy)",
}


def headline(agreement: pl.DataFrame, clusters: pl.DataFrame, raters: str, alpha: float) -> str:
    """A sentence for each of the two accuracies, the segment's first."""
    said = [
        _sentence(asked, agreement.filter(measure=name), clusters.filter(statistic=name), raters, alpha)
        for name, asked in _ASKED.items()
    ]
    known = [sentence for sentence in said if sentence]
    return " ".join(known) or f"Nothing shows how metrics agree with {raters}: see the reasons in the table."


def _sentence(asked: str, own: pl.DataFrame, clusters: pl.DataFrame, raters: str, alpha: float) -> str | None:
    own = own.drop_nulls("value")
    if not own.height:
        return None
    mean = own.filter(pl.col("language").is_null())
    shown = (mean if mean.height else own).sort("value", "metric", descending=[True, False])
    best, value = shown["metric"][0], shown["value"][0]
    others = [f"{metric} {score:.3f}" for metric, score in shown.select("metric", "value").iter_rows()][1:]
    cells = clusters.select(PLACE).n_unique()
    average = f" on average over {counted(cells, 'cell')}" if mean.height else _interval(shown)
    alike = shown.filter(value=value)["metric"].to_list()
    sentence = f"{asked}, {best} agrees best with {raters}: {value:.3f}{average}"
    if len(alike) > 1:
        rest = f" ({listed(others[len(alike) - 1 :])})" if len(others) >= len(alike) else ""
        return f"{asked}, {listed(alike)} agree alike with {raters}: {value:.3f}{average}{rest}."
    if not others:
        return f"{asked}, {best} agrees with {raters} in {value:.3f} of pairs{average}."
    return f"{sentence} ({listed(others)}). {_certainty(best, clusters, cells, alpha)}"


def _interval(shown: pl.DataFrame) -> str:
    low, high, level = (shown[column][0] for column in ("low", "high", "level"))
    return "" if low is None else f" ({level:.0%} CI {low:.3f} to {high:.3f})"


def _certainty(best: str, clusters: pl.DataFrame, cells: int, alpha: float) -> str:
    """In how many cells the metric is in the first cluster, and alone there."""
    first = clusters.filter(cluster=1)
    places = first.filter(metric=best).select(PLACE)
    alone = first.join(places, on=PLACE, nulls_equal=True).group_by(PLACE).len().filter(len=1).height
    if cells == 1:
        if not places.height:
            return "A test puts it below the first cluster."
        return (
            f"No other metric is in its cluster (PERM-BOTH, {alpha:g})."
            if alone
            else f"A permutation test can't tell it from the next (PERM-BOTH, {alpha:g})."
        )
    where = f"all {cells}" if places.height == cells else f"{places.height} of {cells}"
    by_itself = f"alone there in {alone}" if alone else "alone there in none"
    return f"It is in the first cluster in {where} cells, {by_itself} (PERM-BOTH, {alpha:g})."
