"""Colours and type of charts and page, light and dark.

Every colour has a role, and each role one value per theme. A chart is drawn once, in light; on the page its colours
become CSS variables, so that it follows the reader's theme. Native script is blue and filled, romanised is orange and
open: two hues of Okabe and Ito's palette, which colour-blind readers tell apart, and a fill, so that nothing rests on
colour alone.
"""

from __future__ import annotations

from typing import Any

__all__ = ["CHART_CONFIG", "LIGHT", "css_variables", "theme_color"]

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1c2127",
    "muted": "#59636e",
    "rule": "#d8dee4",
    "native": "#0072b2",
    "romanized": "#d55e00",
    "parity": "#e4f2e7",
    "burden": "#fbf1d4",
    "paradox": "#f9dfd9",
}
"""Roles and their colours on light paper; all differ, so that a colour says its role."""

_DARK = {
    "paper": "#15191e",
    "ink": "#e8ebee",
    "muted": "#a3acb6",
    "rule": "#39414a",
    "native": "#5ab4f0",
    "romanized": "#f59a5b",
    "parity": "#1d3526",
    "burden": "#3b331a",
    "paradox": "#452722",
}

_ROLES = {color: role for role, color in LIGHT.items()}

_FONT = "Noto Sans, sans-serif"

_AXIS = {
    "labelColor": LIGHT["ink"],
    "labelFontSize": 12,
    "titleColor": LIGHT["muted"],
    "titleFontSize": 12,
    "titleFontWeight": "normal",
    "titlePadding": 8,
    "gridColor": LIGHT["rule"],
    "domain": False,
    "ticks": False,
    "labelPadding": 6,
}

CHART_CONFIG: dict[str, Any] = {
    "font": _FONT,
    "background": LIGHT["paper"],
    "padding": 4,
    "view": {"stroke": None},
    "axis": _AXIS,
    "axisY": {"grid": False},
    "legend": {
        "orient": "top",
        "title": None,
        "labelColor": LIGHT["ink"],
        "labelFontSize": 12,
        "offset": 22,
        "symbolSize": 110,
        "symbolStrokeWidth": 1.5,
    },
    "title": {"color": LIGHT["ink"], "fontSize": 13, "fontWeight": "normal", "anchor": "start", "offset": 6},
    "text": {"color": LIGHT["ink"], "fontSize": 12},
}
"""Vega-Lite's configuration of every chart."""


def css_variables(*, dark: bool) -> str:
    """The colours of a theme as CSS custom properties.

    >>> css_variables(dark=False).split(";")[0]
    '--paper:#ffffff'
    """
    return ";".join(f"--{role}:{color}" for role, color in (_DARK if dark else LIGHT).items())


def theme_color(color: str) -> str:
    """A light colour as the variable of its role; any other colour as it is.

    >>> theme_color("#0072B2"), theme_color("none")
    ('var(--native,#0072b2)', 'none')
    """
    role = _ROLES.get(color.lower())
    return f"var(--{role},{color.lower()})" if role else color
