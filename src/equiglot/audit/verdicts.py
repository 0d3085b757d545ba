"""The two faults, judged apart (paper 1): P1, cells lie in different ranges; P2, the order within a script is worse.

A fault is claimed only where it is both more than chance and large enough to matter, and its absence only where the
interval rules out anything that large; everything between is "can't tell". :class:`Rule` holds the thresholds.

=========== ================================================================================================
P1          *May scores of different cells be compared?* Two pieces of evidence:
            (a) the shift under romanisation, content and people's scores held fixed, in SD of the native scores;
            (b) eta^2 of native scores by cell, beside that of people's scores.
 "no"       (a) in some language: the interval leaves out 0, Holm-adjusted p of the paired t < alpha, and the shift
            is at least ``min_delta`` SD; or (b): p < alpha, eta^2 at least ``min_eta2``, and its interval lies
            wholly above that of people's scores. Without people's scores (b) never says "no".
 "yes"      every shift's interval lies within ``min_delta`` SD of 0, and the upper end of eta^2 is below ``min_eta2``
            for the metric and for people. With one language only (a) counts; with no romanised rows (b) needs
            people's scores; of a score that was mapped onto one range (``norm:qn``) only (a) is asked.
----------- ------------------------------------------------------------------------------------------------
P2          *Does the metric order translations within each script as well?* The drop of agreement with people.
 "no"       in some language: the interval leaves out 0, Holm-adjusted p of Williams' test < alpha, and the drop is at
            least ``min_drop``.
 "yes"      in every language the upper end of the drop's interval is below ``min_drop``, and there was agreement of at
            least ``min_drop`` in native script to lose.
=========== ================================================================================================

Williams' test is the field's usual one and, unlike a permutation test, its p has no floor for Holm's correction to lift
over alpha; the other three stand in the table of languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from equiglot.audit._languages import LanguagePair
from equiglot.audit._ranges import Ranges

__all__ = ["P1", "P2", "Answer", "Evidence", "Finding", "Rule", "Verdict", "judge_drop", "judge_ranges", "judge_shift"]

Answer = Literal["yes", "no", "can't tell"]
Finding = Literal["fault", "fine", "unclear"]

P1 = "May scores of different cells be compared?"
P2 = "Does the metric order translations within each script as well?"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One fault's answer in words.

    Attributes:
        fault: ``P1`` or ``P2``.
        question: what was asked; "no" means that the fault is there.
        answer: ``yes``, ``no`` or ``can't tell``.
        sentence: why, with the numbers.
        fix: what to do about it; empty where nothing is to be done.
    """

    fault: Literal["P1", "P2"]
    question: str
    answer: Answer
    sentence: str
    fix: str


@dataclass(frozen=True, slots=True)
class Rule:
    """When a difference counts.

    Attributes:
        alpha: below which a Holm-adjusted p counts.
        min_delta: smallest shift that matters, in SD of the native scores (0.2 is Cohen's "small").
        min_eta2: smallest share of variance between cells that matters (0.02 lies between Cohen's "small", 0.01, and
            "medium", 0.06).
        min_drop: smallest fall of Spearman's rho that matters (0.1 is Cohen's "small" for correlations).
        min_rows: fewer rows than this, per language or cell, settle nothing: bootstrap intervals are then too narrow.
    """

    alpha: float = 0.05
    min_delta: float = 0.2
    min_eta2: float = 0.02
    min_drop: float = 0.1
    min_rows: int = 30

    def __str__(self) -> str:
        return (
            f"Decision rule: a shift counts from {self.min_delta:g} SD of the native scores, a share of variance from "
            f"eta^2 = {self.min_eta2:g}, a drop of agreement from {self.min_drop:g}, each only with an interval that "
            f"leaves out 0 and a Holm-adjusted p below {self.alpha:g}; 'yes' needs intervals that rule out anything "
            f'that large, everything between is "can\'t tell", and so is anything on fewer than {self.min_rows} rows.'
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the verdicts rest on."""

    metric: str
    pairs: Sequence[LanguagePair]
    ranges: Sequence[Ranges]
    rated: bool
    cells: int
    matched: str
    """Whether all native cells hold the same segments, in words."""
    means: Mapping[str, float] = field(default_factory=dict[str, float])
    """The mean score of each native cell that has one."""
    raters: str = "people"
    """Who gave the scores that the metric is judged by."""
    mapped: bool = False
    """Whether the score has been mapped onto one range, cell by cell."""

    def native(self, scored: str) -> Ranges | None:
        """The analysis of native scores by cell."""
        wanted = ("native", "cell", scored)
        return next((r for r in self.ranges if (r.condition, r.grouping, r.scored) == wanted), None)


def judge_shift(pair: LanguagePair, rule: Rule) -> Finding:
    """P1 (a) for one language."""
    delta, sd, p = pair.delta, pair.sd_native, pair.adjusted["delta"]
    if delta.value is None or delta.interval is None or not sd or delta.n < rule.min_rows:
        return "unclear"
    low, high, bar = delta.interval.low, delta.interval.high, rule.min_delta * sd
    # A shift that is the same in every row has no spread to test, and needs no test.
    certain = p < rule.alpha if p is not None else low == high
    if certain and abs(delta.value) >= bar and (low > 0 or high < 0):
        return "fault"
    return "fine" if -bar < low and high < bar else "unclear"


def judge_ranges(metric: Ranges | None, people: Ranges | None, rule: Rule) -> Finding | None:
    """P1 (b); None where there is only one cell to look at."""
    if metric is None or metric.equal.groups < 2:
        return None
    share, p = metric.equal.eta2, metric.equal.p
    if share.value is None or share.interval is None or p is None:
        return "unclear"
    if metric.equal.n < rule.min_rows * metric.equal.groups:
        return "unclear"
    truth = None if people is None else people.equal.eta2.interval
    if truth and p < rule.alpha and share.value >= rule.min_eta2 and share.interval.low > truth.high:
        return "fault"
    small = share.interval.high < rule.min_eta2
    return "fine" if small and (people is None or (truth is not None and truth.high < rule.min_eta2)) else "unclear"


def judge_drop(pair: LanguagePair, rule: Rule) -> Finding:
    """P2 for one language."""
    before, drop, p = pair.agreement.first, pair.agreement.difference, pair.adjusted["williams"]
    if drop.value is None or drop.interval is None or before.value is None or drop.n < rule.min_rows:
        return "unclear"
    if p is not None and p < rule.alpha and drop.value >= rule.min_drop and drop.interval.low > 0:
        return "fault"
    return "fine" if drop.interval.high < rule.min_drop <= before.value else "unclear"
