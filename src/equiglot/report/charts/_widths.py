"""How wide a label will be drawn: the sum of its characters' advances in the bundled Latin font, without kerning."""

from __future__ import annotations

from functools import cache
from typing import Any

from equiglot.report.fonts import FOLDER
from equiglot.report.theme import CHART_CONFIG

__all__ = ["label_width"]

_FILE = FOLDER / "NotoSans-Regular.ttf"


@cache
def label_width(text: str) -> float:
    """The pixels that an axis label takes.

    >>> round(label_width("Hindi (hi-Deva)"))
    83
    """
    advances, unit = _advances()
    return CHART_CONFIG["axis"]["labelFontSize"] / unit * sum(advances.get(ord(c), unit // 2) for c in text)


@cache
def _advances() -> tuple[dict[int, int], int]:
    """The advance of each character, in the font's units, and how many of these an em has."""
    from fontTools.ttLib import TTFont

    with TTFont(_FILE, lazy=True) as font:
        widths: Any = font["hmtx"]
        head: Any = font["head"]
        return {code: widths[glyph][0] for code, glyph in (font.getBestCmap() or {}).items()}, head.unitsPerEm
