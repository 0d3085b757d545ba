"""The romanisation tax: what romanised text costs over native text, in tokens and in information.

    LP = TP_rom / TP_nat        EP = IP_nat / IP_rom        Tax = LP x EP        EP% = 100 ln EP / ln Tax

of the means over segments (paper 1, section 5 and table 11; METHODS, section 3). LP above 1: more tokens when
romanised. EP above 1: the model also knows romanised text less well. EP% is how much of the tax, on a log scale, is the
model's and not the tokeniser's; it is undefined where there is no tax, and can leave 0..100 where LP or EP is below 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

__all__ = ["Tax", "romanization_tax", "zone"]

Zone = Literal["parity", "burden", "paradox"]


@dataclass(frozen=True, slots=True)
class Tax:
    """The four numbers; ``ep_pct`` in per cent, None where Tax is 1 and has no parts."""

    lp: float
    ep: float
    tax: float
    ep_pct: float | None


def romanization_tax(tp_native: float, tp_romanized: float, ip_native: float, ip_romanized: float) -> Tax:
    """LP, EP, Tax and EP% from four means, all above 0.

    >>> gujarati = romanization_tax(1.388, 1.599, 0.438, 0.289)
    >>> round(gujarati.lp, 2), round(gujarati.ep, 2), round(gujarati.tax, 2), round(gujarati.ep_pct, 1)
    (1.15, 1.52, 1.75, 74.6)
    """
    lp, ep = tp_romanized / tp_native, ip_native / ip_romanized
    tax = lp * ep
    # As a sum of logarithms, so that LP = 1 / EP gives exactly no tax.
    whole = math.log(lp) + math.log(ep)
    return Tax(lp, ep, tax, None if whole == 0 else 100 * math.log(ep) / whole)


def zone(ipi: float, *, burden: float = 0.35, paradox: float = 0.70) -> Zone:
    """Paper 1's zone of IPI = |mean IP - 1|: ``parity`` below ``burden``, ``paradox`` above ``paradox``.

    >>> zone(0.2), zone(0.35), zone(0.70), zone(0.71)
    ('parity', 'burden', 'burden', 'paradox')
    """
    if not 0 <= burden <= paradox:
        raise ValueError(f"the boundaries {burden} and {paradox} are not in order")
    if ipi < burden:
        return "parity"
    return "paradox" if ipi > paradox else "burden"
