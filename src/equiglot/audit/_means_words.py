"""The means of native cells in words, each with its n and interval, and people's beside them."""

from __future__ import annotations

from equiglot.audit._words import bracketed, cell_name, counted, listed, number, span
from equiglot.audit.verdicts import Evidence, Rule, is_clear
from equiglot.stats import Estimate

__all__ = ["all_means", "coarse", "ends", "look_alike", "two_means"]

_MOST_MEANS = 6


def ends(evidence: Evidence) -> tuple[tuple[str, Estimate], tuple[str, Estimate]]:
    """The native cells of the highest and of the lowest mean; there has to be one."""
    by_mean = sorted(evidence.means.items(), key=lambda item: (item[1].value or 0.0, item[0]))
    return by_mean[-1], by_mean[0]


def look_alike(evidence: Evidence) -> bool:
    """Whether the highest and the lowest mean are the same to the digits that a sentence shows."""
    high, low = ends(evidence)
    return _shown(high[1]) == _shown(low[1])


def two_means(metric: str, high: tuple[str, Estimate], low: tuple[str, Estimate]) -> str:
    """Two cells' means: ``comet is 0.834 for Tamil (ta-Taml) and 0.798 for Hindi (hi-Deva) [95% CI ...; n = 60 each]``.

    One number stands for both where they show the same digits.
    """
    above, below = _shown(high[1]), _shown(low[1])
    names = [name if name.startswith("the ") else cell_name(name) for name in (high[0], low[0])]
    both = f"{above} for both {names[0]} and {names[1]}"
    said = both if above == below else f"{above} for {names[0]} and {below} for {names[1]}"
    return f"{metric} is {said} {bracketed([high[1], low[1]])}"


def all_means(evidence: Evidence, rule: Rule) -> str:
    """Every cell's mean, the highest first, and which of the ends is ahead by the metric and by people."""
    by_mean = sorted(evidence.means.items(), key=lambda item: (-(item[1].value or 0.0), item[0]))
    shown = by_mean[:_MOST_MEANS]
    cells = [f"{cell_name(cell)} {_shown(mean)}{span(mean)}, n = {mean.n:,}" for cell, mean in shown]
    people = [evidence.people.get(cell) for cell, _ in shown]
    beside = ", ".join("–" if mean is None else _shown(mean) for mean in people)
    human = f" ({evidence.raters}: {beside})" if any(people) else ""
    more = f"; and {len(by_mean) - len(shown)} more" if len(by_mean) > len(shown) else ""
    lead = "Mean" if len(cells) == 1 else "Means"
    return f"{_ahead(evidence, rule)}{lead}, with 95% intervals: {'; '.join(cells)}{more}{human}."


def _ahead(evidence: Evidence, rule: Rule) -> str:
    """Who is better translated, where the highest and the lowest cell differ clearly in both scores."""
    (high, _), (low, _) = ends(evidence)
    gap = next((gap for gap in evidence.gaps if set(gap.names) == {high, low}), None)
    if gap is None or gap.metric.value is None or gap.human.value is None:
        return ""
    if (
        is_clear(gap, "gap_metric", rule)
        and is_clear(gap, "gap_human", rule)
        and gap.metric.value * gap.human.value > 0
    ):
        better, worse = gap.names if gap.metric.value > 0 else gap.names[::-1]
        return f"{cell_name(better)} is better than {cell_name(worse)} by {evidence.metric} and by {evidence.raters}. "
    return ""


def coarse(evidence: Evidence, rule: Rule) -> str:
    """That a map fitted on so few scores is too coarse, as a sentence; empty where there are enough."""
    few = [(cell, mean.n) for cell, mean in evidence.means.items() if mean.n < rule.min_rows]
    if not few:
        return ""
    rows = [f"{cell_name(cell)} has {n:,}" for cell, n in few]
    return f"With fewer than {counted(rule.min_rows, 'score')} ({listed(rows)}) such a map is too coarse to be used."


def _shown(mean: Estimate) -> str:
    return "–" if mean.value is None else number(mean.value)
