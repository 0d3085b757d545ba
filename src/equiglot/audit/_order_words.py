"""Agreement with people in native script, cell by cell, in words."""

from __future__ import annotations

from equiglot.audit._native_order import NativeOrder, OrderGap
from equiglot.audit._words import bracketed, cell_name, holm_p, listed, two_digits
from equiglot.audit.verdicts import Evidence, Rule, judge_orders

__all__ = ["native_order_headline", "native_order_words"]


def native_order_words(evidence: Evidence, rule: Rule) -> str:
    """What native rows alone say of order, and whether languages differ in it; empty where no two can be compared."""
    told = [order for order in evidence.orders if order.rho.value is not None]
    if len(told) < 2:
        return ""
    gap = judge_orders(evidence, rule)
    if evidence.pairs:
        return "" if gap is None else f"In native script agreement differs between languages: {_gap_words(gap)}."
    by_rho = sorted(told, key=lambda order: -(order.rho.value or 0.0))
    said = f"In native script agreement with {evidence.raters} (Spearman's rho) is {listed(list(map(_one, by_rho)))}."
    if gap is None:
        return f"{said} No two languages differ clearly in it."
    return (
        f"{said} It is lower in {_gap_words(gap)}, so the metric agrees less with {evidence.raters} in "
        f"{cell_name(gap.worse.cell)}; {_cause(evidence, gap)}."
    )


def native_order_headline(evidence: Evidence, rule: Rule) -> str:
    """The same in a sentence of the headline, where languages differ clearly and nothing was romanised."""
    gap = judge_orders(evidence, rule)
    if gap is None or evidence.pairs:
        return ""
    better, worse = ((cell_name(order.cell), _short(order)) for order in (gap.better, gap.worse))
    return (
        f"It agrees less with {evidence.raters} in {worse[0]}, rho {worse[1]}, than in {better[0]}, rho {better[1]}; "
        f"{_cause(evidence, gap)}."
    )


def _cause(evidence: Evidence, gap: OrderGap) -> str:
    if gap.better.cell.rpartition("-")[2] == gap.worse.cell.rpartition("-")[2]:
        return "both are in one script, so script is not the cause"
    if gap.worse.cell in evidence.romanizable or gap.better.cell in evidence.romanizable:
        return "whether script or language is the cause, only romanised rows can tell"
    return "whether script or language is the cause can't be told"


def _gap_words(gap: OrderGap) -> str:
    values = [two_digits(order.rho.value or 0.0) for order in (gap.worse, gap.better)]
    return (
        f"{cell_name(gap.worse.cell)} ({values[0]}) than in {cell_name(gap.better.cell)} ({values[1]}) by more than "
        f"chance (Fisher's z for independent correlations, {holm_p(gap.p)})"
    )


def _one(order: NativeOrder) -> str:
    assert order.rho.value is not None
    return f"{_short(order)} in {cell_name(order.cell)}"


def _short(order: NativeOrder) -> str:
    assert order.rho.value is not None
    return f"{two_digits(order.rho.value)} {bracketed([order.rho], 'two_digits')}"
