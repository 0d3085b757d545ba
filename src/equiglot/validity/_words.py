"""Words of many texts at once, as numbers: where they are, and a hash of each.

A word is a piece of ``text.split()``, in simple case folding (one character to one, so that offsets stay). In
scripts written without spaces between words every character is a word. A *bare* word is a run of letters, marks and
numbers: a word without its punctuation.

The hash of a word is the sum of its characters times powers of an odd number, modulo 2^64, which the prefix sums of a
whole piece of text give for all its words at once. Equal words have equal hashes. Different ones may too, so what
hashes suggest is always looked at again, word by word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equiglot.text._characters import code_points
from equiglot.validity._classes import ALONE, SPACE, WORD, Flags

__all__ = ["Piece", "Spans", "bare_words", "fold", "hashes", "pieces", "words"]

Integers = NDArray[np.int64]
Hashes = NDArray[np.uint64]

_AT_ONCE = 1 << 18
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)


class Piece(NamedTuple):
    """Some texts joined: the first one's row, the text, and where each begins in it."""

    first: int
    text: str
    starts: Integers


def pieces(texts: Sequence[str]) -> Iterator[Piece]:
    """The texts in pieces of about 262,144 code points, so that arrays stay small; no text is ever divided."""
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    ends = np.cumsum(lengths)
    first = 0
    while first < len(texts):
        before = int(ends[first - 1]) if first else 0
        stop = max(first + 1, int(np.searchsorted(ends, before + _AT_ONCE, side="right")))
        yield Piece(first, "".join(texts[first:stop]), ends[first:stop] - lengths[first:stop] - before)
        first = stop


class Spans(NamedTuple):
    """Where words begin and end."""

    starts: Integers
    ends: Integers


def words(flags: Flags, starts: Integers) -> Spans:
    """The words of joined texts; none goes from one text into the next."""
    return _spans((flags & SPACE) == 0, flags, starts)


def bare_words(flags: Flags, starts: Integers) -> Spans:
    """The bare words of joined texts."""
    return _spans((flags & WORD) != 0, flags, starts)


def _spans(inside: NDArray[np.bool_], flags: Flags, starts: Integers) -> Spans:
    n = len(inside)
    if not n:
        return Spans(np.empty(0, np.int64), np.empty(0, np.int64))
    cut = np.zeros(n + 1, dtype=bool)  # a border before this character, whatever it is
    cut[0] = cut[n] = True
    cut[starts] = True
    alone = (flags & ALONE) != 0
    cut[:-1] |= alone
    cut[1:] |= alone
    begins, ends = inside.copy(), inside.copy()
    begins[1:] &= cut[1:-1] | ~inside[:-1]
    ends[:-1] &= cut[1:-1] | ~inside[1:]
    return Spans(np.flatnonzero(begins), np.flatnonzero(ends) + 1)


@lru_cache(maxsize=1)
def _folded() -> NDArray[np.uint32]:
    """The simple case folding of every code point; a folding to several characters is none of those."""
    table = np.arange(0x110000, dtype=np.uint32)
    for point in range(0x1F000):  # no cased character lies beyond
        folded = chr(point).casefold()
        if len(folded) != 1:
            folded = chr(point).lower()
        if len(folded) == 1:
            table[point] = ord(folded)
    return table


def fold(text: str) -> str:
    """A text in simple case folding, as long as it was.

    >>> fold("Straße Ω")
    'straße ω'
    """
    return text.lower() if text.isascii() else _points(text).tobytes().decode("utf-32-le", "surrogatepass")


def _points(text: str) -> NDArray[np.uint32]:
    """The folded code points of a text."""
    if text.isascii():
        return np.frombuffer(text.lower().encode(), dtype=np.uint8).astype(np.uint32)
    return _folded().take(code_points(text))


def hashes(text: str, *spans: Spans) -> list[Hashes]:
    """The hash of every word, for each way of cutting the text into words."""
    terms = _points(text).astype(np.uint64)
    powers, inverse = _powers(1 << max(18, len(terms).bit_length()))
    terms += np.uint64(1)  # NUL counts too
    terms *= powers[: len(terms)]
    sums = np.zeros(len(terms) + 1, dtype=np.uint64)
    np.cumsum(terms, out=sums[1:])
    return [(sums[ends] - sums[starts]) * inverse[starts] for starts, ends in spans]


@lru_cache(maxsize=2)
def _powers(n: int) -> tuple[Hashes, Hashes]:
    def of(base: int) -> Hashes:
        powers = np.full(n, base, dtype=np.uint64)
        powers[0] = 1
        return np.cumprod(powers)

    return of(_BASE), of(_INVERSE)
