"""Addresses in a text: what stands in them is in no language's script."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["web_spans"]

_STOP = r"\s<>\"'“”‘’«»()\[\]{}，。、；：！？）（」「』『】【》《।॥"
_DOMAINS = "com|org|net|edu|gov|info|app|dev|ai|io|in|co|uk|de|fr|ru|cn|jp|kr|br|me|tv"

_WEB = re.compile(
    rf"""
      \b[a-z][a-z0-9+.-]*://[^{_STOP}]+                                        # https://...
    | \bwww\.[^{_STOP}]+
    | [a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+                               # someone@example.org
    | \b(?:[a-z0-9-]+\.)+(?:{_DOMAINS})(?![a-z0-9-])(?:/[^{_STOP}]*)?          # example.com/page
    """,
    re.VERBOSE | re.IGNORECASE,
)


def web_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where addresses of pages and of mail stand.

    >>> list(web_spans("see https://hi.wikipedia.org/wiki/भारत, or ask me@example.org."))
    [(4, 38), (47, 61)]
    """
    if "." not in text and "://" not in text:
        return
    for match in _WEB.finditer(text):
        yield match.start(), match.end() - _trailing(match[0])


def _trailing(address: str) -> int:
    """Punctuation at the end of an address, which belongs to the sentence."""
    return len(address) - len(address.rstrip(".,;:!?"))
