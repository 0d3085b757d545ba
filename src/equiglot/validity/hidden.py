"""Characters that show nothing, and those that stand where text was damaged.

Invisible characters that do their work are not reported: a joiner or non-joiner after a letter that is not Latin or
inside an emoji, a variation selector or tag after something visible, a zero-width space in a script that is written
without spaces. All others are: ZWSP, BOM, bidi marks, soft hyphens, joiners among Latin letters.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from equiglot.validity._classes import DAMAGED, Flags, snapped
from equiglot.validity.findings import Finding

if TYPE_CHECKING:
    import regex

__all__ = ["find_damage", "find_invisible"]

_MOST_KINDS = 5


def find_invisible(text: str) -> Finding | None:
    """The invisible characters of an answer that do no work, as one finding."""
    at = [match.start(1) for match in _pattern().finditer(text) if match[1]]
    return _finding("invisible", text, at, "that shows nothing", "that show nothing")


def find_damage(text: str, flags: Flags) -> Finding | None:
    """The replacement and control characters of an answer, as one finding."""
    at: list[int] = np.flatnonzero(flags & DAMAGED).tolist()
    return _finding("damaged", text, at, "that is no text", "that are no text")


@lru_cache(maxsize=1)
def _pattern() -> regex.Pattern[str]:
    import regex

    return regex.compile(
        r"""
          (?<=[\p{L}\p{M}--[\p{Latin}\u200c\u200d]][\u200c\u200d]?)[\u200c\u200d]     # Indic and Arabic joining
        | (?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d              # emoji
        | (?<=[\S--\p{Default_Ignorable_Code_Point}])[\ufe00-\ufe0f\U000e0100-\U000e01ef]
        | (?<=\U0001f3f4)[\U000e0020-\U000e007f]+
        | (?<=[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Javanese}\p{Balinese}])\u200b
        | [\u115f\u1160](?=\p{Hangul})
        | ([\p{Default_Ignorable_Code_Point}\u2800])
        """,
        flags=regex.VERSION1 | regex.VERBOSE,
    )


def _finding(kind: str, text: str, at: list[int], one: str, several: str) -> Finding | None:
    if not at:
        return None
    kinds = Counter(text[i] for i in at).most_common()
    named = ", ".join(f"{_name(character)} ({times:,})" for character, times in kinds[:_MOST_KINDS])
    more = f" and {len(kinds) - _MOST_KINDS} more kinds" if len(kinds) > _MOST_KINDS else ""
    reason = f"{len(at):,} " + (f"character {one}" if len(at) == 1 else f"characters {several}")
    start, end = snapped(text, at[0], at[-1] + 1)
    return Finding(kind, start, end, None, named + more, len(at), f"{reason}, first at {at[0]:,}")


def _name(character: str) -> str:
    import unicodedata

    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
