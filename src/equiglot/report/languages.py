"""How languages and scripts are named to readers: in English, with the tag, and in charts also in their own words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from equiglot.table import language_name

__all__ = ["Endonym", "cell_label", "endonym"]


@dataclass(frozen=True, slots=True)
class Endonym:
    """A language's own name: as text, and shaped, as an SVG path at 1,000 units per em with the baseline at 0.

    Charts draw the path, because their renderer places the parts of an Indic syllable on top of each other.
    """

    name: str
    script: str
    width: int
    path: str


def endonym(language: str, script: str | None) -> Endonym | None:
    """A language's own name, where there is one in this script.

    >>> endonym("ta", "Taml").name, endonym("ta", "Latn")
    ('தமிழ்', None)
    """
    found = _endonyms().get(language)
    return found if found and found.script == script else None


@cache
def _endonyms() -> dict[str, Endonym]:
    text = Path(__file__).with_name("endonyms.json").read_text(encoding="utf-8")
    return {tag: Endonym(**entry) for tag, entry in json.loads(text).items()}


def cell_label(language: str | None, script: str | None) -> str:
    """A cell as tables and charts name it.

    >>> cell_label("ta", "Taml"), cell_label("ta", None), cell_label("qqx", "Latn")
    ('Tamil (ta-Taml)', 'Tamil (ta)', 'qqx-Latn')
    """
    if not language:
        return script or "–"
    tag = f"{language}-{script}" if script else language
    name = language_name(language)
    return tag if name == language else f"{name} ({tag})"
