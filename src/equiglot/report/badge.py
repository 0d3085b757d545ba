"""A badge: one line of coloured fields that a page or a paper can show, as SVG.

Widths are those of the bundled font, so that the text fits wherever the badge is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from equiglot.report.theme import LIGHT

__all__ = ["badge_svg"]

_HEIGHT, _SIZE, _PAD = 28, 13, 10
_FILLS = {"yes": LIGHT["parity"], "no": LIGHT["paradox"], "can't tell": LIGHT["burden"]}


def badge_svg(title: str, fields: Sequence[tuple[str, str]]) -> str:
    """A dark field with the title, then one field per (text, answer).

    Args:
        title: what the badge is of.
        fields: a text and its answer, ``yes``, ``no`` or ``can't tell``, which colours the field; any other answer
            leaves it plain.

    >>> svg = badge_svg("comet", [("P1 ranges differ", "no"), ("tok xlmr@0b44", "")])
    >>> svg.startswith("<svg "), "P1 ranges differ" in svg
    (True, True)
    """
    parts: list[str] = []
    at = 0
    for i, (text, answer) in enumerate([(title, ""), *fields]):
        width = round(_width(text)) + 2 * _PAD
        fill, ink = (LIGHT["ink"], LIGHT["paper"]) if i == 0 else (_FILLS.get(answer, LIGHT["paper"]), LIGHT["ink"])
        parts.append(f'<rect x="{at}" width="{width}" height="{_HEIGHT}" fill="{fill}"/>')
        parts.append(f'<text x="{at + _PAD}" y="{_HEIGHT / 2 + _SIZE * 0.36:.1f}" fill="{ink}">{escape(text)}</text>')
        at += width
        parts.append(f'<rect x="{at - 1}" width="1" height="{_HEIGHT}" fill="{LIGHT["ink"]}"/>')
    frame = (
        f'<rect x="0.5" y="0.5" width="{at - 1}" height="{_HEIGHT - 1}" fill="none" '
        f'stroke="{LIGHT["ink"]}" stroke-width="1"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{at}" height="{_HEIGHT}" viewBox="0 0 {at} {_HEIGHT}" '
        f'font-family="Noto Sans, sans-serif" font-size="{_SIZE}">{"".join(parts)}{frame}</svg>'
    )


def _width(text: str) -> float:
    """In pixels; a character that the font lacks is taken to be an em wide."""
    per_em, widths = _widths()
    return sum(widths.get(ord(character), per_em) for character in text) * _SIZE / per_em


@cache
def _widths() -> tuple[int, dict[int, int]]:
    """Units per em of the bundled Latin font, and the advance of each character."""
    from fontTools.ttLib import TTFont

    with TTFont(Path(__file__).parent / "fonts" / "NotoSans-Regular.ttf", lazy=True) as font:
        glyphs = font.getBestCmap() or {}
        advances = font["hmtx"].metrics
        head: Any = font["head"]
        return head.unitsPerEm, {code: advances[name][0] for code, name in glyphs.items()}
