"""Numbers and lists as they stand in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from equiglot.measures import Interval
from equiglot.stats import Estimate
from equiglot.table import language_name

__all__ = [
    "bracketed",
    "cell_name",
    "counted",
    "holm_p",
    "itemised",
    "listed",
    "number",
    "once",
    "p_value",
    "range_of",
    "scores_of",
    "share",
    "shift",
    "span",
    "two_digits",
    "valued",
]

_LONGEST_LIST = 6


def number(value: float) -> str:
    """A score with about three digits that tell something, whatever its scale.

    >>> [number(v) for v in (2080.8, 85.704, -7.154, 0.8571, 0.00042, 0)]
    ['2,081', '85.7', '-7.15', '0.857', '0.00042', '0']
    """
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}"
    if size >= 1:
        return f"{value:.2f}"
    return f"{value:.3f}" if size >= 0.001 else f"{value:.2g}"


def two_digits(value: float) -> str:
    """A correlation or another number without a unit, two digits, and never a negative zero.

    >>> two_digits(0.4149), two_digits(-0.001)
    ('0.41', '0.00')
    """
    return f"{round(value, 2) + 0.0:.2f}"


def shift(value: float) -> str:
    """A difference of scores, with its sign."""
    return ("+" if value > 0 else "") + number(value)


def share(value: float) -> str:
    """A share of variance, three digits."""
    return f"{value:.3f}"


def range_of(interval: Interval | None, digits: str = "number") -> str:
    """``95% CI 0.21 to 0.25``; says so where there is no interval."""
    if interval is None:
        return "no interval"
    shown = {"number": number, "two_digits": two_digits, "share": share}[digits]
    return f"{interval.level:.0%} CI {shown(interval.low)} to {shown(interval.high)}"


def span(estimate: Estimate) -> str:
    """A value's interval as tables have it, `` [0.81, 0.85]``; empty where there is none."""
    interval = estimate.interval
    return "" if interval is None else f" [{number(interval.low)}, {number(interval.high)}]"


def bracketed(estimates: Sequence[Estimate], digits: str = "number") -> str:
    """Intervals and n of one or several values that stand before it.

    >>> one, two = (Estimate(0.5, Interval(0.4, 0.6, 0.95, "bootstrap"), n) for n in (60, 58))
    >>> bracketed([one]), bracketed([one, two], "two_digits")
    ('[95% CI 0.400 to 0.600; n = 60]', '[95% CI 0.40 to 0.60 and 0.40 to 0.60; n = 60 and 58]')
    """
    shown = {"number": number, "two_digits": two_digits}[digits]
    intervals = [estimate.interval for estimate in estimates if estimate.interval]
    counts = [f"{estimate.n:,}" for estimate in estimates]
    each = " each" if len(counts) > 1 and len(set(counts)) == 1 else ""
    said = f"n = {counts[0] + each if len(set(counts)) == 1 else listed(counts)}"
    if len(intervals) == len(estimates):
        ends = " and ".join(f"{shown(interval.low)} to {shown(interval.high)}" for interval in intervals)
        said = f"{intervals[0].level:.0%} CI {ends}; {said}"
    return f"[{said}]"


def valued(estimate: Estimate) -> str:
    """A share of variance with its interval: ``eta^2 = 0.229 (95% CI 0.213 to 0.245)``."""
    assert estimate.value is not None
    return f"eta^2 = {share(estimate.value)} ({range_of(estimate.interval, 'share')})"


def p_value(p: float, neg_log10_p: float | None = None) -> str:
    """``p = 0.03``, or a power of ten below what anyone reads digit by digit.

    >>> p_value(0.0312), p_value(0.0, 397.3), p_value(2e-5)
    ('p = 0.031', 'p < 10^-397', 'p < 10^-4')
    """
    if p >= 0.001:
        return f"p = {p:.2g}"
    if neg_log10_p is None:
        import math

        neg_log10_p = -math.log10(p) if p > 0 else 300.0
    return f"p < 10^-{int(neg_log10_p)}"


def holm_p(p: float) -> str:
    """A p-value that was corrected: ``Holm-adjusted p = 0.03``."""
    return f"Holm-adjusted {p_value(p)}"


@cache
def cell_name(cell: str) -> str:
    """A cell as a sentence names it; the tag alone where the language has no English name.

    >>> cell_name("ta-Taml"), cell_name("qqx-Latn")
    ('Tamil (ta-Taml)', 'qqx-Latn')
    """
    language = cell.rpartition("-")[0]
    name = language_name(language)
    return cell if name == language else f"{name} ({cell})"


def once(text: str, cells: Iterable[str]) -> str:
    """The text with each cell's code at its first mention only, unless two cells share a language.

    >>> once("Tamil (ta-Taml) is above Hindi (hi-Deva); Tamil (ta-Taml) leads.", ["ta-Taml", "hi-Deva"])
    'Tamil (ta-Taml) is above Hindi (hi-Deva); Tamil leads.'
    """
    every = sorted(set(cells))
    short = [name.removesuffix(f" ({cell})") for cell, name in zip(every, map(cell_name, every), strict=True)]
    for cell, name in zip(every, short, strict=True):
        if short.count(name) == 1:
            first, found, rest = text.partition(cell_name(cell))
            text = first + found + rest.replace(cell_name(cell), name)
    return text


def scores_of(metric: str) -> str:
    """A metric's scores; one that is called so itself is not said twice.

    >>> scores_of("chrf"), scores_of("score"), scores_of("da_score")
    ('chrf scores', 'scores', 'da_score values')
    """
    name = metric.casefold().rstrip("s")
    if name == "score":
        return "scores"
    return f"{metric} values" if name.endswith("score") else f"{metric} scores"


def listed(items: Sequence[str]) -> str:
    """Items as prose; a long list is cut and says by how many.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    >>> listed(list("abcdefgh"))
    'a, b, c, d, e, f and 2 more'
    """
    if len(items) > _LONGEST_LIST:
        return f"{', '.join(items[:_LONGEST_LIST])} and {len(items) - _LONGEST_LIST} more"
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def itemised(items: Sequence[tuple[str, str]]) -> str:
    """Cells, each with what is said of it; a long list is cut as :func:`listed` cuts.

    >>> itemised([("ta-Taml", "+2 SD"), ("hi-Deva", "0 SD")])
    'Tamil (ta-Taml): +2 SD; Hindi (hi-Deva): 0 SD'
    """
    shown = [f"{cell_name(cell)}: {said}" for cell, said in items[:_LONGEST_LIST]]
    more = len(items) - len(shown)
    return "; ".join([*shown, *([f"and {more} more"] if more else [])])


def counted(count: int, one: str, many: str | None = None) -> str:
    """A count and its noun.

    >>> counted(1, "row"), counted(1400, "row")
    ('1 row', '1,400 rows')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
