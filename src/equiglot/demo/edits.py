"""Constructed systems: reference translations damaged by known edits, with a known severity.

Each row gets exactly one edit. Nobody rated anything: severity and value follow from the edit alone.

=============== ======================================================================== ===============
edit            what is done to the reference                                            severity
=============== ======================================================================== ===============
none            nothing                                                                  none
swap_words      two adjacent words change places                                         minor
drop_word       one word, not the last, is left out                                      minor or major
wrong_word      a content word gives way to one from another sentence                    major
change_number   the last digit of a number becomes another one                           major
english_word    a content word gives way to a word of the English source                 major
repeat_phrase   two or three words stand there three times in a row                      major
drop_half       the second half of the words is left out                                 critical
wrong_sentence  the translation of another sentence stands there                         critical
copy_source     the English source stands there, untranslated                            critical
=============== ======================================================================== ===============

``drop_word`` is minor below a share of 0.10 of the sentence and major from there on. An edit that a sentence has no
room for (no number, too few words) gives way to the one that :data:`FALLBACK` names, and the row says which was made.

Size and value: *size* is the share of the reference's characters (code points without white space) that the edit moves,
removes, replaces or adds; for ``wrong_sentence`` and ``copy_source`` it is the share that stands in words which the new
text lacks. Then

    constructed = 25 - penalty
    penalty = 0                              none
              1 + 2 * min(size / 0.5, 1)     minor      (value 22 to 24)
              7 + 6 * min(size / 0.5, 1)     major      (value 12 to 18)
              20 + 5 * size                  critical   (value 0 to 5)

Unit: points, 25 is best, rounded to one decimal; the range is that of the 25-point rubric for people, so that plots
look alike, and nothing more. The edits know no language: a word is a piece of ``str.split()``, a content word one of
four or more letters and marks.

Every choice comes from a BLAKE2b hash of sentence id, language and system, so it depends neither on the order of
the rows nor on the process. DEMETR (Karpinska et al. 2022) also grades perturbations as minor, major and critical, but
makes them with linguistic annotation; here severity is a matter of definition and no linguist looked at single rows: a
word order that the language allows still counts as minor.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

__all__ = ["EDIT_WEIGHTS", "FALLBACK", "SEVERITIES", "Edited", "Sentence", "apply_edit", "edit_system"]

SEVERITIES = ("none", "minor", "major", "critical")
"""From best to worst."""

EDIT_WEIGHTS: Mapping[str, Mapping[str, int]] = {
    "system-a": {
        "none": 40, "swap_words": 20, "drop_word": 20, "wrong_word": 6, "change_number": 4,
        "english_word": 4, "repeat_phrase": 2, "drop_half": 2, "wrong_sentence": 2,
    },
    "system-b": {
        "none": 18, "swap_words": 17, "drop_word": 20, "wrong_word": 15, "change_number": 8,
        "english_word": 8, "repeat_phrase": 6, "drop_half": 5, "wrong_sentence": 3,
    },
    "system-c": {
        "none": 6, "swap_words": 8, "drop_word": 12, "wrong_word": 20, "change_number": 8,
        "english_word": 14, "repeat_phrase": 10, "drop_half": 12, "wrong_sentence": 6, "copy_source": 4,
    },
}  # fmt: skip
"""By system, how often each edit is drawn, in percent."""

FALLBACK: Mapping[str, str] = {
    "swap_words": "drop_word",
    "drop_word": "wrong_word",
    "change_number": "wrong_word",
    "english_word": "wrong_word",
    "repeat_phrase": "wrong_word",
    "wrong_word": "wrong_sentence",
    "drop_half": "wrong_sentence",
    "wrong_sentence": "copy_source",
}
"""What is done instead where an edit does not apply. ``none`` and ``copy_source`` always apply."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ENGLISH_WORD = re.compile(r"[A-Za-z]{5,}")
_JOINERS = "\u200c\u200d"
_MINOR_BELOW = 0.10
_MIN_CONTENT = 4
_MIN_HALVED = 4


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: ``id``, the English ``source`` and its translation, ``reference``."""

    id: str
    source: str
    reference: str


@dataclass(frozen=True, slots=True)
class Edited:
    """A damaged translation: ``target``, the ``edit`` made, its ``severity`` and value ``constructed`` (0 to 25)."""

    id: str
    target: str
    edit: str
    severity: str
    constructed: float


@dataclass(frozen=True, slots=True)
class _Case:
    """What an edit may look at: the sentence, the others by id, and the seed of its choices."""

    sentence: Sentence
    others: Sequence[Sentence]
    seed: str

    def draw(self, purpose: str, n: int) -> int:
        return _draw(self.seed, purpose, n)

    @property
    def words(self) -> list[str]:
        return self.sentence.reference.split()


_Result = tuple[str, float] | None
"""The new text and the size of the edit, or None where it does not apply."""


def edit_system(sentences: Sequence[Sentence], language: str, system: str) -> list[Edited]:
    """One constructed system in one language, in the order of ``sentences``.

    Args:
        sentences: the whole set in one language; ids are unique, words are set apart by single spaces.
        language: goes into the seed, so that languages differ in what is damaged.
        system: a key of :data:`EDIT_WEIGHTS`.

    >>> pair = [Sentence("1", "It is cold here today.", "Es ist heute hier kalt."), Sentence("2", "Yes.", "Ja.")]
    >>> edit_system(pair, "de", "system-a") == edit_system(pair[::-1], "de", "system-a")[::-1]
    True
    """
    pool = sorted(sentences, key=lambda s: s.id)
    edits = [name for name, weight in EDIT_WEIGHTS[system].items() for _ in range(weight)]
    rows: list[Edited] = []
    for sentence in sentences:
        seed = f"{sentence.id}|{language}|{system}"
        edit = edits[_draw(seed, "edit", len(edits))]
        rows.append(apply_edit(edit, sentence, pool, seed=seed))
    return rows


def apply_edit(edit: str, sentence: Sentence, pool: Sequence[Sentence], *, seed: str) -> Edited:
    """The sentence with one edit made, or the first of its fallbacks that applies.

    Args:
        edit: a name of the table above.
        sentence: what is edited.
        pool: sentences of the same language to borrow from; the sentence itself may be among them. Its order counts.
        seed: decides which words are taken.

    >>> apply_edit("drop_half", Sentence("1", "It is cold.", "Es ist hier kalt."), [], seed="x")
    Edited(id='1', target='Es ist', edit='drop_half', severity='critical', constructed=1.8)
    >>> apply_edit("none", Sentence("1", "Yes.", "Ja."), [], seed="x").constructed
    25.0
    """
    others = [s for s in pool if s.id != sentence.id and s.reference != sentence.reference]
    case = _Case(sentence, others, seed)
    while (result := _EDITS[edit](case)) is None:
        edit = FALLBACK[edit]
    target, size = result
    severity = _severity(edit, size)
    return Edited(sentence.id, target, edit, severity, round(25 - _penalty(severity, size), 1))


def _draw(seed: str, purpose: str, n: int) -> int:
    """A number from 0 to n - 1 that only the seed and the purpose decide."""
    digest = blake2b(f"{seed}|{purpose}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % n


def _severity(edit: str, size: float) -> str:
    match edit:
        case "none":
            return "none"
        case "swap_words":
            return "minor"
        case "drop_word":
            return "minor" if size < _MINOR_BELOW else "major"
        case "drop_half" | "wrong_sentence" | "copy_source":
            return "critical"
        case _:
            return "major"


def _penalty(severity: str, size: float) -> float:
    match severity:
        case "none":
            return 0.0
        case "minor":
            return 1 + 2 * min(size / 0.5, 1)
        case "major":
            return 7 + 6 * min(size / 0.5, 1)
        case _:
            return 20 + 5 * size


def _n_chars(text: str) -> int:
    return len("".join(text.split()))


def _share(touched: str, case: _Case) -> float:
    return _n_chars(touched) / _n_chars(case.sentence.reference)


def _share_lost(target: str, case: _Case) -> float:
    """The share of the reference's characters in words that the target lacks, counted as often as they occur."""
    lost = Counter(case.words) - Counter(target.split())
    return _share(" ".join(lost.elements()), case)


def _is_bare(word: str) -> bool:
    """Letters, marks and joiners only: to move or drop it takes no digit and no punctuation along."""
    return all(unicodedata.category(c)[0] in "LM" or c in _JOINERS for c in word)


def _is_content(word: str) -> bool:
    return len(word) >= _MIN_CONTENT and _is_bare(word)


def _none(case: _Case) -> _Result:
    return case.sentence.reference, 0.0


def _swap_words(case: _Case) -> _Result:
    words = case.words
    spots = [
        i for i in range(len(words) - 2)
        if words[i] != words[i + 1] and _is_bare(words[i]) and _is_bare(words[i + 1])
    ]  # fmt: skip
    if not spots:
        return None
    i = spots[case.draw("swap", len(spots))]
    pair = words[i : i + 2]
    return " ".join([*words[:i], *reversed(pair), *words[i + 2 :]]), _share(" ".join(pair), case)


def _drop_word(case: _Case) -> _Result:
    words = case.words
    spots = [i for i in range(len(words) - 1) if _is_bare(words[i])]
    if not spots:
        return None
    i = spots[case.draw("drop", len(spots))]
    return " ".join(words[:i] + words[i + 1 :]), _share(words[i], case)


def _wrong_word(case: _Case) -> _Result:
    strangers = sorted({w for s in case.others for w in s.reference.split() if _is_content(w)} - set(case.words))
    return _put_instead(case, strangers)


def _english_word(case: _Case) -> _Result:
    stripped = (w.strip("“”.,;:?!") for w in case.sentence.source.split())
    english = sorted({w for w in stripped if _ENGLISH_WORD.fullmatch(w)} - set(case.words))
    return _put_instead(case, english)


def _put_instead(case: _Case, strangers: Sequence[str]) -> _Result:
    """One of the strangers in the place of a content word."""
    words = case.words
    spots = [i for i, word in enumerate(words) if _is_content(word)]
    if not spots or not strangers:
        return None
    i = spots[case.draw("place", len(spots))]
    stranger = strangers[case.draw("stranger", len(strangers))]
    return " ".join([*words[:i], stranger, *words[i + 1 :]]), _share(words[i], case)


def _change_number(case: _Case) -> _Result:
    text = case.sentence.reference
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return None
    number = numbers[case.draw("number", len(numbers))]
    at = number.end() - 1
    digit = unicodedata.decimal(text[at])
    wrong = [d for d in range(1, 10) if d != digit]
    new = wrong[case.draw("digit", len(wrong))]
    # The ten digits of a script are neighbours in Unicode, so the new one is of the same script.
    return text[:at] + chr(ord(text[at]) - digit + new) + text[at + 1 :], _share(number[0], case)


def _repeat_phrase(case: _Case) -> _Result:
    words = case.words
    length = 2 + case.draw("length", 2)
    spots = [i for i in range(len(words) - length) if all(_is_bare(w) for w in words[i : i + length])]
    if not spots:
        return None
    i = spots[case.draw("repeat", len(spots))]
    extra = words[i : i + length] * 2
    return " ".join([*words[:i], *extra, *words[i:]]), _share(" ".join(extra), case)


def _drop_half(case: _Case) -> _Result:
    words = case.words
    if len(words) < _MIN_HALVED:
        return None
    kept = (len(words) + 1) // 2
    return " ".join(words[:kept]), _share(" ".join(words[kept:]), case)


def _wrong_sentence(case: _Case) -> _Result:
    if not case.others:
        return None
    target = case.others[case.draw("sentence", len(case.others))].reference
    return target, _share_lost(target, case)


def _copy_source(case: _Case) -> _Result:
    return case.sentence.source, _share_lost(case.sentence.source, case)


_EDITS: Mapping[str, Callable[[_Case], _Result]] = {
    "none": _none,
    "swap_words": _swap_words,
    "drop_word": _drop_word,
    "wrong_word": _wrong_word,
    "change_number": _change_number,
    "english_word": _english_word,
    "repeat_phrase": _repeat_phrase,
    "drop_half": _drop_half,
    "wrong_sentence": _wrong_sentence,
    "copy_source": _copy_source,
}
