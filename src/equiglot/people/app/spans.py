"""Error spans: offsets in code points, snapped to grapheme boundaries, and the score that they make.

A span that cuts a grapheme cluster (a vowel sign from its consonant, a joiner from its emoji) is widened to hold it
whole. The score is minus the sum of the severities' weights (MQM), so larger is better and 0 is no error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import regex

__all__ = ["Span", "snapped", "spans_score"]

_GRAPHEME = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class Span:
    """An error: where it lies, in code points from ``start`` to before ``end``, or None and None for no one place."""

    start: int | None
    end: int | None
    category: str
    severity: str


def snapped(text: str, start: int, end: int) -> tuple[int, int]:
    """The smallest run of whole graphemes that holds ``text[start:end]``.

    >>> snapped("कि", 1, 2), snapped("ab", 0, 1)
    ((0, 2), (0, 1))
    """
    low, high = start, end
    for grapheme in _GRAPHEME.finditer(text):
        if grapheme.start() < end and grapheme.end() > start:
            low, high = min(low, grapheme.start()), max(high, grapheme.end())
        elif grapheme.start() >= end:
            break
    return low, high


def spans_score(severities: Iterable[str], weights: Mapping[str, float]) -> float:
    """Minus the sum of what the errors weigh.

    >>> spans_score(["minor", "major"], {"minor": 1, "major": 5})
    -6.0
    """
    return 0.0 - sum(weights[severity] for severity in severities)
