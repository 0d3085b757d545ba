"""Numbers as readers see them: as many decimals as a column can use, a true minus sign, no value for none."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["decimals_for", "shown_interval", "shown_number", "superscript", "typeset"]

_WHOLE = {
    "bytes",
    "characters",
    "degrees of freedom",
    "groups",
    "segments",
    "tokens",
    "words",
}
_FIXED = {"points": 2, "per 1,000 tokens": 1}
_POWER_OF_TEN = re.compile(r"\b10\^(-?)(\d+)")
_SQUARE = re.compile(r"\b(eta|omega)\^2")
_MINUS = re.compile(r"(?<![\w.^-])-(?=\d)")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def decimals_for(values: Iterable[float], unit: str) -> int:
    """How many decimals a column of numbers gets: by its unit, else by its largest number, three or four digits in all.

    >>> decimals_for([1.388, 2.3], "ratio"), decimals_for([1830.7], "F"), decimals_for([12], "tokens")
    (3, 0, 0)
    """
    if unit in _WHOLE:
        return 0
    if unit in _FIXED:
        return _FIXED[unit]
    largest = max((abs(value) for value in values), default=0.0)
    if unit == "%":
        return 1 if largest >= 10 else 2
    return 3 if largest < 10 else 2 if largest < 100 else 1 if largest < 1000 else 0


def shown_number(value: float, decimals: int, *, unit: str = "", signed: bool = False) -> str:
    """A number with thousands separated; a p-value below 0.001 says just that.

    >>> shown_number(-14.006, 2), shown_number(0.5, 3, signed=True), shown_number(1e-9, 3, unit="p")
    ('−14.01', '+0.500', '<0.001')
    """
    if unit == "p" and value < 0.001:
        return "<0.001"
    text = f"{value:{'+' if signed else ''},.{decimals}f}"
    zero = f"{0:.{decimals}f}"
    return zero if text in (f"-{zero}", f"+{zero}") else text.replace("-", "−")


def shown_interval(low: float | None, high: float | None, decimals: int) -> str:
    """An interval in brackets, or nothing.

    >>> shown_interval(0.31, 0.4, 2), shown_interval(None, None, 2)
    (' [0.31, 0.40]', '')
    """
    if low is None or high is None:
        return ""
    return f" [{shown_number(low, decimals)}, {shown_number(high, decimals)}]"


def superscript(number: int) -> str:
    """A footnote's mark.

    >>> superscript(12)
    '¹²'
    """
    return str(number).translate(_SUPERSCRIPTS)


def typeset(text: str) -> str:
    """Prose with its plain-text mathematics as print has it.

    >>> typeset("eta^2 = 0.2, p < 10^-21, a shift of -3.1")
    'η² = 0.2, p < 10⁻²¹, a shift of −3.1'
    """
    text = _POWER_OF_TEN.sub(lambda power: f"10{'⁻' if power[1] else ''}{superscript(int(power[2]))}", text)
    text = _SQUARE.sub(lambda square: {"eta": "η²", "omega": "ω²"}[square[1]], text)
    return _MINUS.sub("−", text)
