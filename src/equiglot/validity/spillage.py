"""Did another script spill into the answer?

Counted are letters, and combining marks that have a script of their own, in none of the expected scripts by Unicode's
Script_Extensions. Never counted are Latin letters with any diacritics where Latin is expected, digits, punctuation
(the danda), symbols, emoji, and what stands in addresses.

A foreign word that the source has too is a quoted term and allowed, unless it is in the source's own main script:
then it was left untransliterated. Latin is excepted from that, because names and abbreviations keep it anywhere.

A finding is one stretch in one script, with nothing but spaces and punctuation between its words; its offsets are
code points, on the borders of graphemes. Unit of its count: characters, marks among them. Source: paper 3, sections
3.4 (iii) and 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equiglot.text._characters import character_table, code_points, looked_up
from equiglot.validity._classes import ALONE, DIGIT, FOREIGN, WORD, Flags, extending, flags_of, snapped
from equiglot.validity._web import web_spans
from equiglot.validity._words import Integers, fold
from equiglot.validity.expected import relation, script_name
from equiglot.validity.findings import Finding, shortened

__all__ = ["find_digits", "find_spillage"]

_MOST = 100
"""Stretches told of one answer; what lies beyond is told as one more."""


class _Runs(NamedTuple):
    """Stretches of foreign characters, each in one script: where they are, the script, and how many characters."""

    starts: Integers
    ends: Integers
    scripts: NDArray[np.uint8]
    counts: Integers

    def only(self, which: NDArray[np.bool_]) -> _Runs:
        """Some of them."""
        return _Runs(self.starts[which], self.ends[which], self.scripts[which], self.counts[which])


def find_spillage(
    text: str, flags: Flags, *, source: str | None, language: str | None, expected: frozenset[str]
) -> Iterator[Finding]:
    """The stretches of other scripts in an answer.

    Args:
        text: the answer.
        flags: of its characters, by the expected scripts.
        source: what it answers or translates, None where there is none.
        language: of the answer, to say whether its own script spilled.
        expected: scripts of Unicode, as :func:`equiglot.validity.expected_scripts` gives them.
    """
    for start, end in web_spans(text):
        flags = flags.copy()
        flags[start:end] &= ~np.uint8(FOREIGN)
    runs = _runs(text, flags)
    if source and len(runs.starts):
        runs = _without_quotations(runs, text, source, expected)
    runs = _merged(runs, flags)
    names = character_table().scripts
    wanted = " or ".join(sorted(map(script_name, expected)))
    told = (runs.starts[:_MOST].tolist(), runs.ends[:_MOST].tolist(), runs.scripts.tolist(), runs.counts.tolist())
    for start, end, script, count in zip(*told, strict=False):
        what = f" ({relation(names[script], language)}), not {wanted}"
        yield _finding(text, (start, end), names[script], count, what)
    if (more := len(runs.starts) - _MOST) > 0:
        rest, script = (int(runs.starts[_MOST]), int(runs.ends[-1])), names[int(runs.scripts[_MOST])]
        what = f" and other characters in {more:,} more stretches, not {wanted}"
        yield _finding(text, rest, script, int(runs.counts[_MOST:].sum()), what)


def _finding(text: str, span: tuple[int, int], script: str, count: int, what: str) -> Finding:
    start, end = snapped(text, *span)
    characters = f"{count:,} {script_name(script)} character" + ("s" if count != 1 else "")
    return Finding("spillage", start, end, script, shortened(text[start:end]), count, characters + what)


def _runs(text: str, flags: Flags) -> _Runs:
    """Foreign words: characters of one script with nothing but marks and joiners between them."""
    at = np.flatnonzero(flags & FOREIGN)
    scripts = looked_up(text, character_table().written)[at]
    if not len(at):
        return _Runs(at, at, scripts, at)
    between = _between(extending().take(code_points(text)), at[:-1] + 1, at[1:])
    joined = (between == at[1:] - at[:-1] - 1) & (scripts[1:] == scripts[:-1])
    firsts = np.flatnonzero(np.concatenate([[True], ~joined]))
    lasts = np.append(firsts[1:], len(at)) - 1
    return _Runs(at[firsts], at[lasts] + 1, scripts[firsts], lasts - firsts + 1)


def _merged(runs: _Runs, flags: Flags) -> _Runs:
    """Words of one script that follow each other, as one stretch."""
    if not len(runs.starts):
        return runs
    words = _between((flags & (WORD | FOREIGN)) != 0, runs.ends[:-1], runs.starts[1:])
    apart = (words > 0) | (runs.scripts[1:] != runs.scripts[:-1])
    firsts = np.flatnonzero(np.concatenate([[True], apart]))
    lasts = np.append(firsts[1:], len(runs.starts)) - 1
    counts = np.add.reduceat(runs.counts, firsts)
    return _Runs(runs.starts[firsts], runs.ends[lasts], runs.scripts[firsts], counts)


def _between(which: NDArray[np.bool_], starts: Integers, ends: Integers) -> Integers:
    """How many characters between two places are marked."""
    sums = np.concatenate([[0], np.cumsum(which)])
    return sums[ends] - sums[starts]


def _without_quotations(runs: _Runs, text: str, source: str, expected: frozenset[str]) -> _Runs:
    """The runs that the source has not, or has in its own main script."""
    flags = flags_of(source, expected)
    if not (flags & FOREIGN).any():
        return runs
    theirs, folded = _runs(source, flags), fold(source)
    quotable = {folded[start:end] for start, end in zip(theirs.starts.tolist(), theirs.ends.tolist(), strict=True)}
    alone = folded if (flags & ALONE).any() else ""
    main = _main_script(source)
    text = fold(text)
    words = [text[start:end] for start, end in zip(runs.starts.tolist(), runs.ends.tolist(), strict=True)]
    quoted = np.array([word in quotable or word in alone for word in words], dtype=bool)
    return runs.only(~quoted | (runs.scripts == main))


def _main_script(text: str) -> int:
    """The index of the script of most letters; 0, no script, where that is Latin, in a tie or without letters."""
    table = character_table()
    counts = np.bincount(looked_up(text, table.letter), minlength=256)
    counts[0] = 0
    most = np.flatnonzero(counts == counts.max())
    return 0 if len(most) > 1 or most[0] == table.index("Latn") else int(most[0])


def find_digits(text: str, flags: Flags) -> Finding | None:
    """Digits of other scripts than the expected ones, as one finding."""
    at = np.flatnonzero(flags & DIGIT)
    if not len(at):
        return None
    start, end = snapped(text, int(at[0]), int(at[-1]) + 1)
    shown = shortened("".join(text[i] for i in at[: 2 * _MOST]))
    count = f"{len(at):,} digit" + ("s" if len(at) != 1 else "")
    return Finding("native digits", start, end, None, shown, len(at), f"{count} not of the expected script")
