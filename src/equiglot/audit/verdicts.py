"""The two faults, judged apart (paper 1): P1, cells lie in different ranges; P2, the order within a script is worse.

A cell is a language in a script. A fault is claimed only where it is both more than chance and large enough to matter,
and its absence only where the interval rules out anything that large; everything between is "can't tell". :class:`Rule`
holds the thresholds.

=========== ================================================================================================
P1          *May scores of different languages and scripts be compared?* Two pieces of evidence:
            (a) the shift under romanisation, content and people's scores held fixed, in SD of the native scores;
            (b) where people scored too, the excess of the metric's gap between two native cells over people's gap
            (:mod:`equiglot.audit._gaps`; signed, in SD within cells); where nobody did, eta^2 of native scores.
 "no"       (a) in some language: the interval leaves out 0, Holm-adjusted p of the paired t < alpha, and the shift
            is at least ``min_delta`` SD; or (b) in some comparison: the excess's interval leaves out 0, its
            Holm-adjusted p < alpha, it is at least ``min_gap`` SD, and more than noise may explain. Without
            people's scores (b) never says "no".
 "yes"      (a) every shift's interval lies within ``min_delta`` SD of 0, and (b) every excess's interval within
            ``min_gap`` SD, or, without people's scores, eta^2's upper end is below ``min_eta2``. With one native
            cell only (a) counts; with no romanised rows (b) needs people's scores; of a score that was mapped onto
            one range (``norm:qn``) only (a) is asked, and (b) never says "no".
----------- ------------------------------------------------------------------------------------------------
P2          *Does the metric order translations equally well in every script?* The drop of agreement with people.
 "no"       in some language: the interval leaves out 0, Holm-adjusted p of Williams' test < alpha, and the drop is at
            least ``min_drop``.
 "yes"      in every language the upper end of the drop's interval is below ``min_drop``, and there was agreement of at
            least ``min_drop`` in native script to lose.
            Where nothing was romanised P2 can't be told, but what native cells show is said with it: cells whose
            rhos with people differ by at least ``min_drop`` with Holm-adjusted p < alpha (Fisher's z for
            independent correlations, :mod:`equiglot.audit._native_order`). That the metric orders one language
            worse does not say whether its script is the cause, so it moves no verdict.
=========== ================================================================================================

A comparison of native cells counts where both have ``min_rows`` rated rows, so "yes" takes that many in every cell. A
gap beyond the bar *contradicts* people where both gaps are clear (Holm-adjusted p < alpha) and point opposite ways,
else it *exaggerates* or *understates* theirs, unless noise alone may explain it. Gaps in SD shrink with a score's
noise, so a metric much noisier or less noisy than people shows some excess without any fault of range; the bar of
0.3 SD leaves room for that, and an excess that the correlation within cells allows (:attr:`CellGap.may_be_noise`) is
no fault either, but unclear. eta^2, the paper's statistic, stands beside the gaps as evidence: it has no direction,
and so can't say whether people agree.

Williams' test is the field's usual one and, unlike a permutation test, its p has no floor for Holm's correction to lift
over alpha; the other three stand in the table of languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from equiglot.audit._gaps import CellGap
from equiglot.audit._languages import LanguagePair
from equiglot.audit._native_order import NativeOrder, OrderGap, compare_orders
from equiglot.audit._ranges import Ranges
from equiglot.stats import Estimate

__all__ = [
    "P1",
    "P2",
    "Answer",
    "Evidence",
    "Finding",
    "Outcome",
    "Rule",
    "Verdict",
    "is_clear",
    "judge_drop",
    "judge_gap",
    "judge_native",
    "judge_orders",
    "judge_shift",
]

Answer = Literal["yes", "no", "can't tell"]
Finding = Literal["fault", "fine", "unclear"]
Outcome = Literal["contradicts", "exaggerates", "understates", "noisy", "agrees", "unclear"]

P1 = "May scores of different languages and scripts be compared?"
P2 = "Does the metric order translations equally well in every script?"


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
        min_gap: smallest excess of a gap between languages over people's gap that matters, in SD within a cell.
        min_eta2: smallest share of variance between cells that matters (0.02 lies between Cohen's "small", 0.01, and
            "medium", 0.06); it decides only where there are no people's scores.
        min_drop: smallest fall of Spearman's rho that matters (0.1 is Cohen's "small" for correlations).
        min_rows: fewer rows than this, per language or cell, settle nothing: bootstrap intervals are then too narrow.
    """

    alpha: float = 0.05
    min_delta: float = 0.2
    min_gap: float = 0.3
    min_eta2: float = 0.02
    min_drop: float = 0.1
    min_rows: int = 30

    def __str__(self) -> str:
        return (
            f"Decision rule: a shift counts from {self.min_delta:g} SD of the native scores, a gap between languages "
            f"from {self.min_gap:g} SD more or less than in people's scores, a share of variance from eta^2 = "
            f"{self.min_eta2:g}, a drop of agreement from {self.min_drop:g}, each only with an interval that leaves "
            f"out 0 and a Holm-adjusted p below {self.alpha:g}; 'yes' needs intervals that rule out anything that "
            f'large, everything between is "can\'t tell", and so is anything on fewer than {self.min_rows} rows.'
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the verdicts rest on."""

    metric: str
    pairs: Sequence[LanguagePair]
    ranges: Sequence[Ranges]
    gaps: Sequence[CellGap]
    """Native cells compared in the metric and in people's scores; empty where nobody scored, or there is one cell."""
    rated: bool
    cells: int
    content: str
    """Whether all native cells hold the same segments, in words."""
    means: Mapping[str, Estimate] = field(default_factory=dict[str, Estimate])
    """The mean score of each native cell that has one, by the cell's name (``ta-Taml``)."""
    people: Mapping[str, Estimate] = field(default_factory=dict[str, Estimate])
    """The mean of people's scores of each native cell that has one."""
    orders: Sequence[NativeOrder] = ()
    """The agreement with people in each native cell."""
    raters: str = "people"
    """Who gave the scores that the metric is judged by."""
    mapped: bool = False
    """Whether the score has been mapped onto one range, cell by cell."""
    normalized: str | None = None
    """Where the reader has the scores mapped already, in words."""

    @property
    def names(self) -> list[str]:
        """Every cell that may be named."""
        return [*self.means, *(pair.cell for pair in self.pairs)]

    @property
    def romanizable(self) -> list[str]:
        """The native cells that are not in Latin script and have no romanised rows yet."""
        paired = {pair.cell for pair in self.pairs}
        return [cell for cell in self.means if not cell.endswith("-Latn") and cell not in paired]

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


def judge_native(evidence: Evidence, rule: Rule) -> Finding | None:
    """P1 (b); None where there is only one native cell to look at."""
    if not evidence.rated:
        return _judge_unrated(evidence.native(evidence.metric), rule)
    if not evidence.gaps:
        return None
    outcomes = {judge_gap(gap, rule) for gap in evidence.gaps}
    if outcomes == {"agrees"}:
        return "fine"
    return "unclear" if outcomes <= {"agrees", "noisy", "unclear"} or evidence.mapped else "fault"


def judge_gap(gap: CellGap, rule: Rule) -> Outcome:
    """How one comparison of native cells in the metric stands to that in people's scores."""
    metric, human, excess, p = gap.metric.value, gap.human.value, gap.excess, gap.adjusted["gap_excess"]
    if metric is None or human is None or excess.value is None or excess.interval is None:
        return "unclear"
    low, high = excess.interval.low, excess.interval.high
    if p is not None and p < rule.alpha and abs(excess.value) >= rule.min_gap and (low > 0 or high < 0):
        if metric * human < 0 and is_clear(gap, "gap_metric", rule) and is_clear(gap, "gap_human", rule):
            return "contradicts"
        if gap.may_be_noise:
            return "noisy"
        return "exaggerates" if abs(metric) > abs(human) else "understates"
    return "agrees" if -rule.min_gap < low and high < rule.min_gap else "unclear"


def is_clear(gap: CellGap, name: str, rule: Rule) -> bool:
    """Whether a gap is more than chance: ``gap_metric``, ``gap_human`` or ``gap_excess``."""
    interval = {"gap_metric": gap.metric, "gap_human": gap.human, "gap_excess": gap.excess}[name].interval
    p = gap.adjusted[name]
    return p is not None and p < rule.alpha and interval is not None and (interval.low > 0 or interval.high < 0)


def _judge_unrated(metric: Ranges | None, rule: Rule) -> Finding | None:
    """Scores alone: ranges may be seen to be alike, but a difference may be one of quality."""
    if metric is None or metric.equal.groups < 2:
        return None
    share = metric.equal.eta2
    if share.interval is None or min(metric.sizes) < rule.min_rows:
        return "unclear"
    return "fine" if share.interval.high < rule.min_eta2 else "unclear"


def judge_drop(pair: LanguagePair, rule: Rule) -> Finding:
    """P2 for one language."""
    before, drop, p = pair.agreement.first, pair.agreement.difference, pair.adjusted["williams"]
    if drop.value is None or drop.interval is None or before.value is None or drop.n < rule.min_rows:
        return "unclear"
    if p is not None and p < rule.alpha and drop.value >= rule.min_drop and drop.interval.low > 0:
        return "fault"
    return "fine" if drop.interval.high < rule.min_drop <= before.value else "unclear"


def judge_orders(evidence: Evidence, rule: Rule) -> OrderGap | None:
    """The widest difference of agreement between native cells that is more than chance and large enough to matter."""
    gaps = compare_orders(evidence.orders, rule.min_rows)
    clear = [gap for gap in gaps if gap.p < rule.alpha and gap.size >= rule.min_drop]
    return max(clear, key=lambda gap: gap.size, default=None)
