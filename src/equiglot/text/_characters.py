"""Unicode's properties of every code point, expanded once per process into arrays.

Scripts and Script_Extensions come from fontTools' copy of the Unicode Character Database
(:data:`UNICODE_VERSION`); general categories come from the ``regex`` module, which follows the same Unicode
version, because Python's own tables are years older (3.11 has Unicode 14) and would call a newly encoded
letter unassigned.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from equiglot.text._texts import checked

__all__ = [
    "UNICODE_VERSION",
    "CharacterTable",
    "character_table",
    "chunks",
    "code_points",
    "looked_up",
    "script_extensions",
]

_CODE_POINTS = 0x110000
_UNDECIDED = frozenset({"Zyyy", "Zinh", "Zzzz"})
"""Common, Inherited and Unknown: they never say which script a text is in."""


def _unicode_version() -> str:
    """The version in the head of fontTools' data file, read without importing it (that takes 0.1 s)."""
    spec = importlib.util.find_spec("fontTools")
    folders = spec.submodule_search_locations if spec else None
    if folders:
        data = Path(folders[0], "unicodedata", "Scripts.py")
        if data.is_file():
            with data.open(encoding="utf-8") as file:
                found = re.search(r"Scripts-(\d+\.\d+\.\d+)\.txt", file.read(2000))
            if found:
                return found[1]
    return "unknown"


UNICODE_VERSION = _unicode_version()
"""The version of Unicode that scripts are taken from, e.g. ``18.0.0``."""


@dataclass(frozen=True, slots=True)
class CharacterTable:
    """Properties by code point; each array has 0x110000 entries.

    Attributes:
        scripts: ISO 15924 codes by index; index 0 stands for "decides nothing", Latin is 1.
        letter: index of the script of a visible letter (general category L*, a script of its own), else 0.
        written: as ``letter``, and combining marks (M*) too where they have a script of their own.
    """

    scripts: tuple[str, ...]
    letter: NDArray[np.uint8]
    written: NDArray[np.uint8]

    def index(self, script: str) -> int:
        """The index of a script."""
        return self.scripts.index(script)


@lru_cache(maxsize=1)
def character_table() -> CharacterTable:
    """The table, built at the first call (about 0.05 s)."""
    from fontTools.unicodedata import Scripts

    names = ("", "Latn", *sorted(set(Scripts.VALUES) - _UNDECIDED - {"Latn"}))
    index = {name: i for i, name in enumerate(names)}
    of_range = np.array([index.get(name, 0) for name in Scripts.VALUES], dtype=np.uint8)
    script = np.repeat(of_range, np.diff([*Scripts.RANGES, _CODE_POINTS]))
    # A Hangul filler is category Lo and shows nothing: a default-ignorable character is no visible letter.
    letters = _having(r"[\p{L}--\p{Default_Ignorable_Code_Point}]+")
    marks = _having(r"[\p{M}--\p{Default_Ignorable_Code_Point}]+")
    return CharacterTable(names, script * letters, script * (letters | marks))


def _having(pattern: str) -> NDArray[np.bool_]:
    """Which code points match; ``pattern`` is that of a run, so that there are hundreds of matches, not a million."""
    import regex

    matches = np.zeros(_CODE_POINTS, dtype=bool)
    for first, last in ((0, 0xD800), (0xE000, _CODE_POINTS)):  # all but surrogates, which have no script
        every = np.arange(first, last, dtype="<u4").tobytes().decode("utf-32-le")
        for match in regex.finditer(pattern, every, flags=regex.VERSION1):
            matches[first + match.start() : first + match.end()] = True
    return matches


def code_points(text: str) -> NDArray[np.uint32]:
    """The code points of a text, lone surrogates as they are.

    >>> [hex(point) for point in code_points("aक")]
    ['0x61', '0x915']
    """
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def script_extensions(character: str) -> frozenset[str]:
    """The scripts that a character is used in (Unicode's Script_Extensions), as ISO 15924 codes.

    The danda is Common by Script and belongs to Devanagari and its neighbours by Script_Extensions, so a rule
    on foreign characters that goes by Script alone takes it for foreign, or for everybody's.

    >>> "Deva" in script_extensions("।"), sorted(script_extensions("क")), sorted(script_extensions("!"))
    (True, ['Deva'], ['Zyyy'])
    """
    from fontTools import unicodedata

    return frozenset(unicodedata.script_extension(character))


CHUNK = 1 << 18
"""Code points taken at once: enough that NumPy's cost per call vanishes, few enough to stay in cache."""

_TEXTS = 1 << 13
"""Texts at once, for the same reason where they are short."""

_LOOKED_UP = 1 << 15
"""Code points looked up at once: NumPy wants indices of 8 bytes, which are to stay in the nearest cache."""


def chunks(texts: list[object]) -> Iterator[tuple[int, str, NDArray[np.int64]]]:
    """Texts joined into pieces of at most :data:`CHUNK` code points, so that memory is bounded; None counts as empty.

    Yields (row of the first text, the joined piece, where each of its texts starts in it). A text longer than
    a chunk comes in several pieces, each with the same row. Each text is checked and joined while it is in the
    processor's cache, which matters more than anything else here.

    Raises:
        InputError: a value that is not text.
    """
    for first in range(0, len(texts), _TEXTS):
        some = checked(texts[first : first + _TEXTS], first)
        rows = [text or "" for text in some] if None in some else cast("list[str]", some)
        lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        ends = np.cumsum(lengths)
        row = 0
        while row < len(rows):
            done = int(ends[row - 1]) if row else 0
            if lengths[row] > CHUNK:
                for at in range(0, len(rows[row]), CHUNK):
                    yield first + row, rows[row][at : at + CHUNK], np.zeros(1, dtype=np.int64)
                row += 1
            else:
                stop = int(np.searchsorted(ends, done + CHUNK, side="right"))
                yield first + row, "".join(rows[row:stop]), ends[row:stop] - lengths[row:stop] - done
                row = stop


def looked_up(piece: str, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The value of each character of a piece of text, from a table of one value per code point."""
    utf16 = piece.encode("utf-16-le", "surrogatepass")
    if len(utf16) != 2 * len(piece):  # a character beyond U+FFFF takes two units
        return values.take(code_points(piece))
    points = np.frombuffer(utf16, dtype="<u2")
    found = np.empty(len(points), dtype=np.uint8)
    index = np.empty(min(_LOOKED_UP, len(points)), dtype=np.intp)
    for at in range(0, len(points), _LOOKED_UP):
        these = points[at : at + _LOOKED_UP]
        index[: len(these)] = these
        # "clip" spares a check: no unit of 16 bits lies outside the table.
        values.take(index[: len(these)], mode="clip", out=found[at : at + _LOOKED_UP])
    return found
