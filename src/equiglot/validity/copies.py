"""Is the answer the source, returned?

Formula: ``overlap = |words of source ∩ words of target| / max(|words of source|, |words of target|)``, both as
multisets of case-folded words (METHODS: :func:`str.split`; in scripts written without spaces every character is a
word). Unit: share, 0 to 1. At 1.0 the answer is a copy, in whatever language the source is.

A near copy has an overlap of 0.9, or all but one word of five or more, with punctuation left out. A source without
any letter (a number, a time, an emoji, an address) says the same in every language and is never copied.

Source: paper 3, section 3.4 (ii). Differs from it: the paper asks for English; a metric rewards any source returned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from equiglot.text._characters import character_table, looked_up
from equiglot.validity._classes import flags_of
from equiglot.validity._web import web_spans
from equiglot.validity._words import Spans, bare_words, fold, words
from equiglot.validity.findings import Finding, shortened
from equiglot.validity.policy import Policy

__all__ = ["find_copy", "has_letters", "word_overlap"]

ONE_WORD_OF = 5
"""A near copy may differ in one word if it has this many."""

_START = np.zeros(1, dtype=np.int64)
_NOTHING: frozenset[str] = frozenset()


def word_overlap(source: str, target: str) -> float:
    """The share of words that source and target have in common, over those of the longer one.

    0 where either has no words.

    >>> word_overlap("Call me tomorrow morning", "call ME kal subah"), word_overlap("你好世界", "你好地球")
    (0.5, 0.5)
    """
    return _overlap(_parts(source), _parts(target))


def find_copy(source: str, target: str, policy: Policy) -> Finding | None:
    """A copy, a short copy or a near copy of the source, or nothing."""
    ours = _parts(source)
    theirs = ours if target == source else _parts(target)
    overlap = 1.0 if theirs is ours and ours else _overlap(ours, theirs)
    if overlap >= policy.copy:
        if not has_letters(source):
            return None
        kind = "short copy" if len(ours) < policy.short else "copy"
        same = f"all {_count(len(ours))}" if overlap == 1 else f"{overlap:.0%} of {_count(len(ours))}"
        return _finding(kind, target, len(theirs), f"{same} of the source, and no others")
    bare, theirs_bare = _parts(source, bare=True), _parts(target, bare=True)
    most = max(overlap, _overlap(bare, theirs_bare))
    longer = max(len(bare), len(theirs_bare))
    one_word = longer >= ONE_WORD_OF and longer - _common(bare, theirs_bare) == 1
    if (most >= policy.near_copy or one_word) and has_letters(source):
        differ = "one word" if one_word and most < 1 else f"{1 - most:.0%} of the words" if most < 1 else "punctuation"
        return _finding("near copy", target, len(theirs), f"it is the source but for {differ}")
    return None


def _finding(kind: str, target: str, count: int, reason: str) -> Finding:
    return Finding(kind, 0, len(target), None, shortened(target), count, reason)


def _count(n: int) -> str:
    return f"{n:,} word" if n == 1 else f"{n:,} words"


def _parts(text: str, *, bare: bool = False) -> list[str]:
    folded, flags = fold(text), flags_of(text, _NOTHING)
    spans: Spans = bare_words(flags, _START) if bare else words(flags, _START)
    return [folded[start:end] for start, end in zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return (Counter(one) & Counter(other)).total()


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    return _common(one, other) / max(len(one), len(other)) if one and other else 0.0


def has_letters(text: str) -> bool:
    """Whether there is a letter outside addresses."""
    letters = looked_up(text, character_table().letter).astype(bool)
    for start, end in web_spans(text):
        letters[start:end] = False
    return bool(letters.any())
