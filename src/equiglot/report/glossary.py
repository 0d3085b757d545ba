"""The words of the trade, each in a line, for readers who meet them here first."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from equiglot.report._numbers import typeset

__all__ = ["glossary"]


@cache
def _entries() -> list[tuple[str, re.Pattern[str], str]]:
    entries: list[list[str]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return [(term, re.compile(pattern), typeset(meaning)) for term, pattern, meaning in entries]


def glossary(text: str) -> list[tuple[str, str]]:
    """The terms that occur in a text, with what they mean.

    >>> [term for term, _ in glossary("cells differ, p = 0.01 (Holm)")]
    ['cell', 'Holm']
    """
    return [(term, meaning) for term, pattern, meaning in _entries() if pattern.search(text)]
