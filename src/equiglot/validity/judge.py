"""The failure-aware policy on a batch of answers: the one code path behind tables and streamed files.

Every answer is judged by itself, from its own text, source, language and script, so nothing depends on which batch
it comes in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from equiglot.text import text_state
from equiglot.tokens.tokenizer import Tokenizer
from equiglot.validity._classes import DAMAGED, DIGIT, FOREIGN, INVISIBLE, VISIBLE, flags_of
from equiglot.validity._screen import may_be_copies, screened
from equiglot.validity._words import words
from equiglot.validity.copies import find_copy
from equiglot.validity.findings import Finding, shortened
from equiglot.validity.hidden import find_damage, find_invisible
from equiglot.validity.policy import KINDS, Policy
from equiglot.validity.repetition import find_repeats
from equiglot.validity.spillage import find_digits, find_spillage
from equiglot.validity.stand_ins import find_stand_ins, may_stand_in

__all__ = ["Answers", "judge"]

_ORDER = {kind: place for place, kind in enumerate(KINDS)}
_START = np.zeros(1, dtype=np.int64)
_EMPTY = {
    "missing": "there is no answer",
    "empty": "the answer is empty",
    "white space": "the answer is white space only",
    "invisible": "the answer has characters that show nothing, and no others",
}


@dataclass(frozen=True, slots=True)
class Answers:
    """A batch of answers; all lists have one entry per answer.

    Attributes:
        targets: the answers, None where one is missing.
        sources: what they answer or translate, None where that is not known.
        expected: the scripts of Unicode that each may be in.
        languages: of each, None where it is not known.
        may_copy: whether each may be its source, as in a task that only mends spelling.
    """

    targets: Sequence[str | None]
    sources: Sequence[str | None]
    expected: Sequence[frozenset[str]]
    languages: Sequence[str | None]
    may_copy: Sequence[bool]


def judge(answers: Answers, policy: Policy, tokenizer: Tokenizer | None = None) -> list[list[Finding]]:
    """What is found in each answer, in the order of :data:`equiglot.validity.KINDS`, then by place.

    Args:
        answers: the batch.
        policy: the thresholds.
        tokenizer: counts tokens where the policy has a limit.
    """
    found: list[list[Finding]] = [[] for _ in answers.targets]
    groups: dict[frozenset[str], list[int]] = {}
    for row, scripts in enumerate(answers.expected):
        groups.setdefault(scripts, []).append(row)
    for scripts, rows in groups.items():
        for row, findings in _of_group(answers, rows, scripts, policy):
            found[row] = findings
    if tokenizer is not None and policy.max_tokens is not None:
        for row, finding in _too_long(answers.targets, tokenizer, policy.max_tokens):
            found[row].append(finding)
    return found


def _of_group(
    answers: Answers, rows: list[int], scripts: frozenset[str], policy: Policy
) -> Iterator[tuple[int, list[Finding]]]:
    """The findings of answers that are expected in the same scripts; only of those that have any."""
    texts = [answers.targets[row] or "" for row in rows]
    # A source is not asked for where none is to be found again; an empty one is never copied.
    sources = ["" if answers.may_copy[row] else answers.sources[row] or "" for row in rows]
    of_text = screened(texts, scripts, policy)
    of_source = screened(sources, frozenset(), policy)
    suspects = (
        (of_text.flags & (FOREIGN | DIGIT | INVISIBLE | DAMAGED) != 0)
        | (of_text.flags & VISIBLE == 0)
        | of_text.repeats
        | (stand_ins := may_stand_in(texts))
        | (copies := may_be_copies(of_source, of_text, policy))
    )
    for at in np.flatnonzero(suspects).tolist():
        row, text, flagged = rows[at], texts[at], int(of_text.flags[at])
        if not flagged & VISIBLE:
            yield row, list(_empty(answers.targets[row]))
            continue
        findings = list(_of_one(text, scripts, answers.sources[row], answers.languages[row], flagged))
        if copies[at] and (copy := find_copy(sources[at], text, policy)):
            findings.append(copy)
        if stand_ins[at]:
            findings += find_stand_ins(answers.sources[row], text)
        if of_text.repeats[at]:
            findings += find_repeats(text, words(flags_of(text, scripts), _START), policy)
        findings.sort(key=lambda finding: _ORDER[finding.kind])
        yield row, findings


def _of_one(
    text: str, scripts: frozenset[str], source: str | None, language: str | None, flagged: int
) -> Iterator[Finding]:
    """What single characters of an answer show."""
    flags = flags_of(text, scripts)
    if flagged & FOREIGN:
        yield from find_spillage(text, flags, source=source, language=language, expected=scripts)
    singles = (
        find_digits(text, flags) if flagged & DIGIT else None,
        find_invisible(text) if flagged & INVISIBLE else None,
        find_damage(text, flags) if flagged & DAMAGED else None,
    )
    yield from filter(None, singles)


def _empty(target: str | None) -> Iterator[Finding]:
    state = text_state([target])[0]
    text = target or ""
    yield Finding("empty", 0, len(text), None, shortened(text), len(text), _EMPTY[state])
    if text and (hidden := find_invisible(text)):
        yield hidden


def _too_long(targets: Sequence[str | None], tokenizer: Tokenizer, limit: int) -> Iterator[tuple[int, Finding]]:
    rows = [row for row, text in enumerate(targets) if text]
    texts = [text for text in targets if text]
    for row, text, tokens in zip(rows, texts, tokenizer.count(texts).tolist(), strict=True):
        if tokens >= limit:
            reason = f"{tokens:,} tokens of {tokenizer.identity}; the limit is {limit:,}"
            yield row, Finding("token limit", 0, len(text), None, shortened(text), tokens, reason)
