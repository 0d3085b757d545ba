"""What was found in an answer: its kind, where, and why."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields

__all__ = ["Finding", "from_json", "shortened", "to_json"]

_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    Attributes:
        kind: of :data:`equiglot.validity.KINDS`.
        start, end: where in the target, in code points, on the borders of graphemes; ``target[start:end]``.
        script: ISO 15924 code of what spilled, else None.
        text: what stands there, its middle left out where it is longer than 100 code points.
        count: characters that spilled, times that something is repeated, digits, invisible characters, tokens.
        reason: why it was found, in words.
    """

    kind: str
    start: int
    end: int
    script: str | None
    text: str
    count: int
    reason: str


_FIELDS = tuple(field.name for field in fields(Finding))
_TYPES: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("kind", "text", "reason"), str), **dict.fromkeys(("start", "end", "count"), int),
    "script": (str, type(None)),
}  # fmt: skip


def shortened(text: str) -> str:
    """A text as a finding quotes it.

    >>> shortened("na" * 100) == "na" * 25 + "…" + "na" * 24
    True
    """
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]}…{text[-(half - 2) :]}"


def to_json(findings: Iterable[Finding]) -> str:
    """The findings of one answer as a JSON list.

    >>> to_json([])
    '[]'
    """
    return json.dumps([{name: getattr(finding, name) for name in _FIELDS} for finding in findings], ensure_ascii=False)


def from_json(text: str) -> list[Finding]:
    """The findings that :func:`to_json` wrote.

    Raises:
        ValueError, TypeError, RecursionError: it did not write this.
    """
    found = [Finding(**entry) for entry in json.loads(text)]
    if not all(isinstance(getattr(finding, name), kind) for finding in found for name, kind in _TYPES.items()):
        raise TypeError("a finding is of texts and whole numbers")
    return found
