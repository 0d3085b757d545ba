"""What a romaniser left behind: letters and vowel signs of other scripts in text that should be Latin.

ITRANS keeps Tamil NNNA (1,318 of 1,400 IndicMT segments), the Malayalam chillus and candra-o; a metric or a
tokeniser then sees neither script. Counted are letters (L*) and combining marks (M*, a vowel sign left behind
is residue too) that have a Script of their own other than Latin, by that Script; digits and punctuation are
not. Unit: characters.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np

from equiglot.text._characters import character_table, chunks, code_points, looked_up
from equiglot.text._texts import Texts, as_list

__all__ = ["Residue", "residual_letters"]


@dataclass(frozen=True, slots=True)
class Residue:
    """Letters that are not Latin, and where they are.

    Attributes:
        letters: how many.
        rows: how many texts hold at least one.
        n: how many texts there are (missing ones left out).
        characters: which, with their numbers, the most frequent first.
    """

    letters: int
    rows: int
    n: int
    characters: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        """In words, the three most frequent characters named."""
        if not self.letters:
            return f"no non-Latin letter left in {self.n:,} texts"
        named = ", ".join(f"{_name(character)} ({times:,})" for character, times in self.characters[:3])
        more = f" and {len(self.characters) - 3} more kinds" if len(self.characters) > 3 else ""
        return f"{self.letters:,} non-Latin letters left in {self.rows:,} of {self.n:,} texts: {named}{more}"


def residual_letters(texts: Texts) -> Residue:
    """Count the letters and vowel signs of scripts other than Latin.

    >>> left = residual_letters(["tamiழ்", "ok", None])
    >>> left.letters, left.rows, left.n
    (2, 1, 2)
    >>> print(left)
    2 non-Latin letters left in 1 of 2 texts: U+0BB4 TAMIL LETTER LLLA (1), U+0BCD TAMIL SIGN VIRAMA (1)
    """
    present: list[object] = [text for text in as_list(texts) if text is not None]
    table = character_table()
    native = table.written.copy()
    native[native == table.index("Latn")] = 0
    found: list[np.ndarray[tuple[int], np.dtype[np.uint32]]] = []
    hit = np.zeros(len(present), dtype=bool)
    for first, piece, starts in chunks(present):
        at = np.flatnonzero(looked_up(piece, native) != 0)
        if len(at):
            found.append(code_points(piece)[at])
        hit[first + np.searchsorted(starts, at, side="right") - 1] = True
    points, times = np.unique(np.concatenate(found) if found else np.empty(0, np.uint32), return_counts=True)
    order = np.argsort(-times, kind="stable")
    characters = tuple((chr(points[i]), int(times[i])) for i in order)
    return Residue(int(times.sum()), int(hit.sum()), len(present), characters)


def _name(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
