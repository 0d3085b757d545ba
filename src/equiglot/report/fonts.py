"""The fonts that come with equiglot: registered for charts, and embedded in the page as far as it uses them.

A page embeds only the characters that occur in it, as WOFF, under a ``unicode-range`` of just those characters, so that
a report stays small and looks the same where the reader has no font for a script.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from io import BytesIO
from pathlib import Path

__all__ = ["FAMILIES", "FOLDER", "font_faces", "register_fonts"]

FOLDER = Path(__file__).parent / "fonts"
"""Where they lie."""

_LATIN = "Noto Sans"


@cache
def _files() -> dict[str, Path]:
    """Family names to files, Latin first."""
    paths = sorted(FOLDER.glob("*.ttf"))
    names = [f"Noto Sans {p.stem.removeprefix('NotoSans').removesuffix('-Regular')}".strip() for p in paths]
    return dict(zip(names, paths, strict=True))


FAMILIES = tuple(_files())
"""The bundled families, in the order in which a style sheet should name them."""


@cache
def _characters(family: str) -> frozenset[int]:
    from fontTools.ttLib import TTFont

    with TTFont(_files()[family], lazy=True) as font:
        return frozenset(font.getBestCmap() or ())


@cache
def register_fonts() -> None:
    """Make the fonts known to the chart renderer of this process."""
    import vl_convert

    vl_convert.register_font_directory(str(FOLDER))


def font_faces(text: str, *, latin: str = "") -> str:
    """``@font-face`` rules for what the bundled fonts have of a text, as CSS.

    Args:
        text: all text of the page; characters of scripts other than Latin are embedded.
        latin: text to be set in the Latin font, i.e. that of charts, whose layout was made with its widths.
    """
    rules: list[str] = []
    for family in FAMILIES:
        if family == _LATIN:
            wanted = set(map(ord, latin)) & _characters(family)
        else:
            wanted = (set(map(ord, text)) & _characters(family)) - _characters(_LATIN)
            wanted = wanted if wanted & _own(family) else set[int]()
        if wanted:
            rules.append(_face(family, frozenset(wanted)))
    return "\n".join(rules)


@cache
def _own(family: str) -> frozenset[int]:
    """What no other family has: joiners, dandas and the like belong to several and call for no font by themselves."""
    others = frozenset[int]().union(*(_characters(other) for other in FAMILIES if other != family))
    return _characters(family) - others


def _face(family: str, characters: frozenset[int]) -> str:
    ranges = ",".join(f"U+{c:X}" for c in sorted(characters))
    data = b64encode(_subset(_files()[family], characters)).decode("ascii")
    source = f"url(data:font/woff;base64,{data}) format('woff')"
    return f"@font-face{{font-family:'{family}';src:{source};unicode-range:{ranges};font-display:swap}}"


def _subset(path: Path, characters: frozenset[int]) -> bytes:
    from fontTools import subset

    options = subset.Options(layout_features=["*"], recalc_timestamp=False, flavor="woff", hinting=False)
    with subset.load_font(path, options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=characters)
        subsetter.subset(font)
        buffer = BytesIO()
        subset.save_font(font, buffer, options)
    return buffer.getvalue()
