"""Which of many answers have to be looked at, found without looking at any: flags and hashes of whole pieces of text.

Screening never passes over an answer in which something would be found; it may let through one in which nothing is.
What it lets through is judged exactly, one answer at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equiglot.validity._classes import flags_of
from equiglot.validity._words import Hashes, Integers, Spans, bare_words, hashes, pieces, words
from equiglot.validity.copies import ONE_WORD_OF
from equiglot.validity.policy import Policy
from equiglot.validity.repetition import LONGEST_PHRASE

__all__ = ["Screened", "may_be_copies", "screened"]

Booleans = NDArray[np.bool_]

_KINDS = 128
_SPREAD = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """Of each text, how many words it has, and how many of each of 128 kinds."""

    counts: Integers
    kinds: NDArray[np.int32]

    @classmethod
    def empty(cls, n: int) -> _Vocabulary:
        return cls(np.zeros(n, dtype=np.int64), np.zeros((n, _KINDS), dtype=np.int32))


@dataclass(frozen=True, slots=True)
class Screened:
    """What is known of each text.

    Attributes:
        flags: all flags that any of its characters has.
        words, bare: its words, with and without their punctuation.
        repeats: whether it may repeat itself.
    """

    flags: NDArray[np.uint8]
    words: _Vocabulary
    bare: _Vocabulary
    repeats: Booleans


def screened(texts: Sequence[str], expected: frozenset[str], policy: Policy) -> Screened:
    """Screen texts in which these scripts are expected."""
    n = len(texts)
    found = Screened(np.zeros(n, np.uint8), _Vocabulary.empty(n), _Vocabulary.empty(n), np.zeros(n, bool))
    for first, text, starts in pieces(texts):
        if not text:
            continue
        rows = slice(first, first + len(starts))
        flags = flags_of(text, expected)
        full = np.flatnonzero(np.diff(starts, append=len(text)))
        found.flags[rows][full] = np.bitwise_or.reduceat(flags, starts[full])
        spans, bare = words(flags, starts), bare_words(flags, starts)
        hashed, hashed_bare = hashes(text, spans, bare)
        begins = _count(found.words, rows, spans, hashed, starts)
        _count(found.bare, rows, bare, hashed_bare, starts)
        found.repeats[rows] = _may_repeat(spans, hashed, begins, policy)
    return found


def _kinds(hashed: Hashes) -> Hashes:
    """One of 128 kinds for each word: the upper bits of its hash, which a short word leaves empty unless spread."""
    return (hashed * _SPREAD) >> np.uint64(57)


def _count(into: _Vocabulary, rows: slice, spans: Spans, hashed: Hashes, starts: Integers) -> Integers:
    """Note the words of each text; returns the first word of each."""
    begins = np.searchsorted(spans.starts, starts)
    counts = np.diff(begins, append=len(hashed))
    into.counts[rows] = counts
    cells = np.repeat(np.arange(len(starts)) * _KINDS, counts) + _kinds(hashed).astype(np.int64)
    into.kinds[rows] = np.bincount(cells, minlength=len(starts) * _KINDS).reshape(-1, _KINDS)
    return begins


def _may_repeat(spans: Spans, hashed: Hashes, begins: Integers, policy: Policy) -> Booleans:
    """Whether a text may have a repeated word, a repeated phrase, or a word long enough to repeat letters."""
    found = np.zeros(len(begins), dtype=bool)
    if not len(hashed):
        return found
    counts = np.diff(begins, append=len(hashed))
    runs = [_runs(hashed, begins, 1, min(policy.repeats, policy.short_loop))]
    runs += [_runs(hashed, begins, phrase, policy.short_loop) for phrase in range(2, policy.phrase + 1)]
    long_words = np.flatnonzero(spans.ends - spans.starts >= policy.stretch)
    found[np.searchsorted(begins, np.concatenate([*runs, long_words]), side="right") - 1] = True
    for row in np.flatnonzero(counts >= policy.stretch):
        found[row] |= _may_have_phrases(hashed[begins[row] : begins[row] + counts[row]], policy.stretch)
    return found


def _runs(hashed: Hashes, begins: Integers, phrase: int, times: int) -> Integers:
    """Words in runs in which a phrase stands so many times; a run ends where a text does."""
    same = np.flatnonzero(hashed[phrase:] == hashed[:-phrase])
    same = same[np.searchsorted(begins, same, side="right") == np.searchsorted(begins, same + phrase, side="right")]
    long = phrase * (times - 1)
    first, last = same[: max(0, len(same) - long + 1)], same[long - 1 :]
    return first[last - first == long - 1]  # so many of them, one after the other


def _may_have_phrases(hashed: Hashes, stretch: int) -> bool:
    """Whether some block of words has as few kinds as a phrase has words.

    A stretch fills at least one block of half its length, counted from the start of the text.
    """
    half = stretch // 2
    blocks = np.arange(0, len(hashed) - half + 1, half)
    kinds = np.uint64(1) << (_kinds(hashed[: blocks[-1] + half]) >> np.uint64(1))  # 64 of them, a bit each
    return bool((np.bitwise_count(np.bitwise_or.reduceat(kinds, blocks)) <= LONGEST_PHRASE).any())


def may_be_copies(sources: Screened, targets: Screened, policy: Policy) -> Booleans:
    """Which targets may have enough words of their source.

    Where all but d words of the longer text are shared, the numbers of words differ by d at most, and the numbers of
    each kind by 2 d in all.
    """
    least = min(policy.copy, policy.near_copy)
    found = np.zeros(len(targets.flags), dtype=bool)
    for source, target in ((sources.words, targets.words), (sources.bare, targets.bare)):
        longer = np.maximum(source.counts, target.counts)
        spare = np.floor((1 - least) * longer + 1e-9).astype(np.int64)
        spare = np.maximum(spare, longer >= ONE_WORD_OF)
        close = np.abs(source.counts - target.counts) <= spare
        rows = np.flatnonzero(close & (source.counts > 0) & (target.counts > 0) & ~found)
        differ = np.abs(source.kinds[rows] - target.kinds[rows]).sum(axis=1)
        found[rows] = differ <= 2 * spare[rows]
    return found
