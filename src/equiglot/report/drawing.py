"""Charts as files and as part of a page: SVG and PNG, without a browser and without a network."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

from equiglot.report.fonts import register_fonts
from equiglot.report.theme import CHART_CONFIG, theme_color

__all__ = ["inline_svg", "to_png", "to_svg"]

_SVG = "http://www.w3.org/2000/svg"
_COLORED = ("fill", "stroke")
_NUMBERS = {"decimal": ".", "thousands": ",", "grouping": [3], "currency": ["", ""], "minus": "-"}
"""How numbers are written: with a hyphen for minus, because the bundled Latin font has no U+2212."""


def to_svg(chart: Any) -> str:
    """An Altair chart as a self-contained SVG document, in the light theme."""
    import altair as alt
    import vl_convert

    register_fonts()
    known = vl_convert.get_vegalite_versions()
    ours = alt.SCHEMA_VERSION.removeprefix("v").rpartition(".")[0]
    spec = {**chart.to_dict(), "config": CHART_CONFIG}
    version = ours if ours in known else known[-1]
    return vl_convert.vegalite_to_svg(spec, vl_version=version, format_locale=_NUMBERS)


def to_png(svg: str) -> bytes:
    """An SVG document as PNG, twice its size."""
    import vl_convert

    register_fonts()
    return vl_convert.svg_to_png(svg, scale=2)


def inline_svg(svg: str, *, name: str, alt: str) -> str:
    """An SVG document as an element of a page: one image with a text, in the page's colours, with ids of its own.

    Args:
        svg: as :func:`to_svg` makes it.
        name: unique on the page; goes before every id.
        alt: what the chart shows.
    """
    root = ET.fromstring(svg)
    width = root.get("width", "")
    for element in root.iter():
        for key in [k for k in element.attrib if k.startswith("aria-") or k in ("role", "class", "tabindex")]:
            del element.attrib[key]
        for key in _COLORED:
            if key in element.attrib:
                element.set(key, theme_color(element.attrib[key]))
        for key, value in element.attrib.items():
            element.set(key, re.sub(r"url\(#", f"url(#{name}-", value))
        if "id" in element.attrib:
            element.set("id", f"{name}-{element.attrib['id']}")
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.set("role", "img")
    root.set("aria-label", alt)
    root.set("style", f"max-width:{width}px")
    return _bare(ET.tostring(root, encoding="unicode"))


def _bare(text: str) -> str:
    """Without namespace prefixes, which HTML does not know."""
    prefixes = re.findall(rf'xmlns:(\w+)="{re.escape(_SVG)}"', text)
    for prefix in prefixes:
        text = text.replace(f"<{prefix}:", "<").replace(f"</{prefix}:", "</").replace(f" xmlns:{prefix}=", " xmlns=")
    return text
