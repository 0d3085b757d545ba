"""Colours of the pages: contrast AA (WCAG 2.2, 1.4.3 and 1.4.11), in light and in dark."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

CSS = files("equiglot.people.app").joinpath("static/app.css").read_text("utf-8")
THEMES = [dict(re.findall(r"--([\w-]+): (#\w+)", block)) for block in re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)]
TEXT = [
    ("ink", "paper"),
    ("ink", "panel"),
    ("ink", "chosen"),
    ("ink", "mark"),
    ("ink", "marks"),
    ("muted", "paper"),
    ("muted", "panel"),
    ("accent", "paper"),
    ("on-accent", "accent"),
    ("warn", "paper"),
]
EDGES = [("edge", "paper"), ("accent", "paper"), ("accent", "chosen")]


def luminance(color):
    digits = color[1:] if len(color) == 7 else "".join(c * 2 for c in color[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark"])
def test_contrast(theme):
    assert [pair for pair in TEXT if contrast(theme[pair[0]], theme[pair[1]]) < 4.5] == []
    assert [pair for pair in EDGES if contrast(theme[pair[0]], theme[pair[1]]) < 3] == []
