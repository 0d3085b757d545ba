"""What each character is to a check: eight flags a code point, in one table per set of expected scripts.

A text is looked up once; everything else is asked of the flags. A character belongs to every script of its
Script_Extensions, so that what neighbouring scripts share is at home in each of them.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from equiglot.text._characters import character_table, looked_up, script_extensions

__all__ = [
    "ALONE",
    "DAMAGED",
    "DIGIT",
    "FOREIGN",
    "INVISIBLE",
    "SPACE",
    "VISIBLE",
    "WORD",
    "Flags",
    "extending",
    "flags_of",
    "snapped",
]

FOREIGN = 1 << 0
"""A letter, or a combining mark with a script of its own, in none of the expected scripts."""
DIGIT = 1 << 1
"""A decimal digit that belongs to other scripts than the expected ones, such as a Devanagari one in Latin."""
INVISIBLE = 1 << 2
"""Shows nothing and is no white space: ZWJ, ZWSP, BOM, bidi marks, variation selectors, the blank Braille pattern."""
DAMAGED = 1 << 3
"""The replacement character, a control other than tab and line ends, a noncharacter."""
SPACE = 1 << 4
"""White space, as ``str.split`` has it."""
ALONE = 1 << 5
"""Of a script that is written without spaces between words; each such character counts as a word."""
WORD = 1 << 6
"""A letter, mark or number: what is left of a word without its punctuation."""
VISIBLE = 1 << 7
"""Neither white space nor invisible nor a control: there is text."""

_WITHOUT_SPACES = {
    *("Hani", "Hira", "Kana", "Bopo", "Yiii", "Tang", "Nshu", "Kits"),
    *("Thai", "Laoo", "Khmr", "Mymr", "Lana", "Talu", "Tale", "Tavt", "Tibt", "Java", "Bali"),
}

Flags = NDArray[np.uint8]
"""The flags of each character of a text."""


def flags_of(piece: str, expected: frozenset[str]) -> Flags:
    """The flags of each character of a piece of text, where these scripts are expected."""
    return looked_up(piece, _table(expected))


@lru_cache(maxsize=64)
def _table(expected: frozenset[str]) -> Flags:
    """The flags of every code point."""
    characters = character_table()
    own = np.ones(256, dtype=bool)
    own[0] = False
    for script in expected:
        if script in characters.scripts:
            own[characters.index(script)] = False
    foreign = own[characters.written]
    for points, scripts in _shared():
        if scripts & expected:
            foreign[points] = False
    table = _fixed().copy()
    table[foreign] |= FOREIGN
    digits = [point for point, scripts in _digits() if not scripts & (expected | {"Zyyy"})]
    table[digits] |= DIGIT
    return table


@lru_cache(maxsize=1)
def _fixed() -> Flags:
    """The flags that are the same whatever script is expected."""
    table = np.zeros(0x110000, dtype=np.uint8)
    space = _matching(r"\s|[\x1c-\x1f]")
    control = _matching(r"\p{Cc}") & ~space
    invisible = _matching(r"[\p{Default_Ignorable_Code_Point}\u2800]")
    table[space] |= SPACE
    table[invisible] |= INVISIBLE
    table[control | _matching(r"[\ufffd\p{Noncharacter_Code_Point}]")] |= DAMAGED
    table[_matching(r"[\p{L}\p{M}\p{N}]") & ~invisible] |= WORD
    table[~(space | invisible | control)] |= VISIBLE
    characters = character_table()
    without = [characters.index(script) for script in _WITHOUT_SPACES]
    table[np.isin(characters.written, without)] |= ALONE
    return table


@lru_cache(maxsize=1)
def _shared() -> list[tuple[slice, frozenset[str]]]:
    """Code points that several scripts use, and which."""
    from fontTools.unicodedata import ScriptExtensions

    ends = [*ScriptExtensions.RANGES[1:], 0x110000]
    ranges = zip(ScriptExtensions.RANGES, ends, ScriptExtensions.VALUES, strict=True)
    return [(slice(first, end), frozenset(scripts)) for first, end, scripts in ranges if scripts]


@lru_cache(maxsize=1)
def _digits() -> list[tuple[int, frozenset[str]]]:
    """Every decimal digit and the scripts that use it."""
    return [(int(point), script_extensions(chr(point))) for point in np.flatnonzero(_matching(r"\p{Nd}"))]


@lru_cache(maxsize=1)
def extending() -> NDArray[np.bool_]:
    """Which code points belong to the grapheme of the character before them."""
    return _matching(r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]")


def snapped(text: str, start: int, end: int) -> tuple[int, int]:
    """The borders of the graphemes that a span lies in.

    >>> snapped("ki\u0901t", 2, 3)
    (1, 3)
    """
    extends = extending()
    while start and extends[ord(text[start])]:
        start -= 1
    while end < len(text) and extends[ord(text[end])]:
        end += 1
    return start, end


def _matching(pattern: str) -> NDArray[np.bool_]:
    """Which code points match; surrogates, which are no characters, match nothing."""
    import regex

    found = np.zeros(0x110000, dtype=bool)
    runs = regex.compile(f"(?:{pattern})+", flags=regex.VERSION1)
    for first, end in ((0, 0xD800), (0xE000, 0x110000)):
        every = np.arange(first, end, dtype="<u4").tobytes().decode("utf-32-le")
        for match in runs.finditer(every):
            found[first + match.start() : first + match.end()] = True
    return found
