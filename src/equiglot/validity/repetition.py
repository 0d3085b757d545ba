"""Does the answer repeat itself without end?

Degenerate is one word 20 times in a row, or a phrase of up to four words that fills as many words as a four-word
phrase does 50 times in a row (200). Words are case-folded; in scripts written without spaces every character is one.

Reported beside it, and no failures: a loop, which is a phrase of 5 to 32 words, or up to 8 characters inside one word,
that fill as much; and a short loop, which is a word or a phrase of up to four words, with a letter in it, that stands
five times in a row, but not so often as to be degenerate.

Every length of phrase is one comparison of the text with itself, moved by that length, so time grows in proportion to
the text. Source: paper 3, section 3.4 (iv), which does not say "in a row"; without it honest long answers fail.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from equiglot.text._characters import code_points
from equiglot.validity._words import Spans, fold
from equiglot.validity.findings import Finding, shortened
from equiglot.validity.policy import Policy

__all__ = ["LONGEST_PHRASE", "find_repeats"]

LONGEST_PHRASE = 32
"""Words that a phrase has at most to be found as a loop."""

_CHARACTERS = 8


def find_repeats(text: str, words: Spans, policy: Policy) -> Iterator[Finding]:
    """The longest stretch in which a word is repeated, and the longest of a phrase; the shortest phrase that fits.

    Args:
        text: the answer.
        words: where its words are.
        policy: how often is too often.
    """
    folded = fold(text)
    ids = _numbered([folded[s:e] for s, e in zip(words.starts.tolist(), words.ends.tolist(), strict=True)])
    once = _longest(ids, 1)
    if once and once[1] + 1 >= policy.repeats:
        yield _of_words("degenerate", text, words, (once[0], 1, once[1] + 1))
        return
    for phrase in range(2, LONGEST_PHRASE + 1):
        found = _longest(ids, phrase)
        if found and found[1] + phrase >= policy.stretch:
            kind = "degenerate" if phrase <= policy.phrase else "loop"
            yield _of_words(kind, text, words, (found[0], phrase, found[1] + phrase))
            return
    for start, end in zip(words.starts.tolist(), words.ends.tolist(), strict=True):
        if end - start >= policy.stretch and (loop := _inside(text, folded, start, end, policy.stretch)):
            yield loop
            return
    yield from islice(_short_loops(text, words, ids, policy), 1)


def _short_loops(text: str, words: Spans, ids: NDArray[np.int64], policy: Policy) -> Iterator[Finding]:
    for phrase in range(1, policy.phrase + 1):
        long_enough = [run for run in _runs(ids, phrase) if run[1] + phrase >= phrase * policy.short_loop]
        for first, length in sorted(long_enough, key=lambda run: -run[1]):
            if any(map(str.isalpha, text[words.starts[first] : words.ends[first + phrase - 1]])):
                yield _of_words("short loop", text, words, (first, phrase, length + phrase))


def _numbered(words: list[str]) -> NDArray[np.int64]:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)


def _longest(items: NDArray[np.int64], step: int) -> tuple[int, int] | None:
    """The longest run of :func:`_runs`, the first of several; None where there is none."""
    return max(_runs(items, step), key=lambda run: run[1], default=None)


def _runs(items: NDArray[np.int64], step: int) -> list[tuple[int, int]]:
    """The runs of items that equal the one ``step`` further on: start and length of each."""
    if len(items) <= step:
        return []
    differ = np.flatnonzero(items[step:] != items[:-step])
    borders = np.concatenate([[-1], differ, [len(items) - step]])
    lengths = np.diff(borders) - 1
    full = np.flatnonzero(lengths)
    return list(zip((borders[full] + 1).tolist(), lengths[full].tolist(), strict=True))


def _of_words(kind: str, text: str, words: Spans, run: tuple[int, int, int]) -> Finding:
    """The finding of a run: its first word, the words of the phrase, and the words that it fills."""
    first, phrase, filled = run
    start, end = int(words.starts[first]), int(words.ends[first + filled - 1])
    unit = text[start : int(words.ends[first + phrase - 1])]
    what = "one word" if phrase == 1 else f"a phrase of {phrase} words"
    reason = f"{what} {filled // phrase:,} times in a row"
    return Finding(kind, start, end, None, shortened(unit), filled // phrase, reason)


def _inside(text: str, folded: str, start: int, end: int, stretch: int) -> Finding | None:
    points = code_points(folded[start:end]).astype(np.int64)
    for step in range(1, _CHARACTERS + 1):
        found = _longest(points, step)
        if found and found[1] + step >= stretch:
            first, filled = start + found[0], found[1] + step
            unit = text[first : first + step]
            if all(unicodedata.category(character)[0] in "PSZ" for character in unit):
                return None  # a rule drawn with dashes
            reason = f"{step} characters {filled // step:,} times in a row within one word"
            return Finding("loop", first, first + filled, None, unit, filled // step, reason)
    return None
