"""LP, EP, Tax, EP% and the zones: the papers' values, and laws."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.likelihood import romanization_tax, zone

_ABOVE_0 = st.floats(1e-3, 1e3)


def test_gujarati_of_paper_1() -> None:
    """METHODS, section 3: TP 1.388 -> 1.599, IP 0.438 -> 0.289."""
    tax = romanization_tax(1.388, 1.599, 0.438, 0.289)
    assert round(tax.lp, 2) == 1.15
    assert round(tax.ep, 2) == 1.52
    assert round(tax.tax, 2) == 1.75
    assert round(tax.ep_pct or 0, 1) == 74.6


@given(_ABOVE_0, _ABOVE_0, _ABOVE_0, _ABOVE_0)
def test_laws(tp_native: float, tp_romanized: float, ip_native: float, ip_romanized: float) -> None:
    tax = romanization_tax(tp_native, tp_romanized, ip_native, ip_romanized)
    assert tax.tax == pytest.approx(tax.lp * tax.ep)
    back = romanization_tax(tp_romanized, tp_native, ip_romanized, ip_native)
    assert back.tax == pytest.approx(1 / tax.tax)
    if tax.ep_pct is not None and abs(math.log(tax.tax)) > 1e-6:
        assert tax.ep_pct == pytest.approx(100 * math.log(tax.ep) / math.log(tax.tax), rel=1e-4)


def test_no_tax_has_no_parts() -> None:
    assert romanization_tax(1.0, 1.0, 0.5, 0.5).ep_pct is None
    assert romanization_tax(1.0, 2.0, 1.0, 2.0).ep_pct is None


@pytest.mark.parametrize(
    ("ipi", "expected"),
    [(0.0, "parity"), (0.349, "parity"), (0.35, "burden"), (0.70, "burden"), (0.701, "paradox"), (3.0, "paradox")],
)
def test_zones(ipi: float, expected: str) -> None:
    assert zone(ipi) == expected


def test_boundaries_are_arguments() -> None:
    assert zone(0.5, burden=0.6, paradox=0.9) == "parity"
    with pytest.raises(ValueError, match="not in order"):
        zone(0.5, burden=0.9, paradox=0.6)
