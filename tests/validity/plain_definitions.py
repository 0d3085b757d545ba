"""The definitions again, one character and one word at a time, without tables, hashes or chunks."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from itertools import groupby

import regex

from equiglot.text import script_extensions

_ALONE = "Hani Hira Kana Bopo Yiii Tang Nshu Kits Thai Laoo Khmr Mymr Lana Talu Tale Tavt Tibt Java Bali"
ALONE = set(_ALONE.split())
PLACEHOLDERS = json.loads(files("equiglot.validity").joinpath("placeholders.json").read_text("utf-8"))
INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u2800]")


def scripts(character: str) -> set[str]:
    """The scripts of a visible letter or mark that is not everybody's."""
    from fontTools import unicodedata

    if not regex.match(r"[\p{L}\p{M}]", character) or INVISIBLE.match(character):
        return set()
    if unicodedata.script(character) in ("Zyyy", "Zinh", "Zzzz"):
        return set()
    return set(script_extensions(character)) | {unicodedata.script(character)}


def is_alone(character: str) -> bool:
    from fontTools import unicodedata

    return bool(scripts(character)) and unicodedata.script(character) in ALONE


def fold(character: str) -> str:
    for folded in (character.casefold(), character.lower()):
        if len(folded) == 1:
            return folded
    return character


def words(text: str, *, bare: bool = False) -> list[str]:
    found: list[str] = []
    word = ""
    for character in text:
        inside = (
            bool(regex.match(r"[\p{L}\p{M}\p{N}]", character)) and not INVISIBLE.match(character)
            if bare
            else not character.isspace()
        )
        if word and (not inside or is_alone(character) or is_alone(word[-1])):
            found.append(word)
            word = ""
        if inside:
            word += character
    if word:
        found.append(word)
    return ["".join(map(fold, word)) for word in found]


def overlap(one: list[str], other: list[str]) -> float:
    return (Counter(one) & Counter(other)).total() / max(len(one), len(other)) if one and other else 0.0


def copies(source: str, target: str, *, copy: float, near: float, short: int) -> str | None:
    ours, theirs = words(source), words(target)
    letters = any(scripts(c) and regex.match(r"\p{L}", c) for c in source)
    if not letters:
        return None
    if overlap(ours, theirs) >= copy:
        return "short copy" if len(ours) < short else "copy"
    bare, bare_theirs = words(source, bare=True), words(target, bare=True)
    longer = max(len(bare), len(bare_theirs))
    one_word = longer >= 5 and longer - (Counter(bare) & Counter(bare_theirs)).total() == 1
    if max(overlap(ours, theirs), overlap(bare, bare_theirs)) >= near or one_word:
        return "near copy"
    return None


def repeats(text: str, *, times: int, phrase: int, phrase_times: int, longest: int = 32) -> str | None:
    found = words(text)
    if max((len(list(run)) for _, run in groupby(found)), default=0) >= times:
        return "degenerate"
    for step in range(2, longest + 1):
        run = best = 0
        for one, other in zip(found, found[step:], strict=False):
            run = run + 1 if one == other else 0
            best = max(best, run)
        if best and best + step >= phrase * phrase_times:
            return "degenerate" if step <= phrase else "loop"
    return None


def short_loop(text: str, *, times: int, phrase: int) -> bool:
    """Whether the longest run of some length of phrase is one, letters and all."""
    found = words(text)
    for step in range(1, phrase + 1):
        same = "".join("=" if one == other else "." for one, other in zip(found, found[step:], strict=False))
        longest = max(same.split("."), key=len)
        first = same.find(longest)
        lettered = any(regex.search(r"\p{L}", word) for word in found[first : first + step])
        if longest and lettered and len(longest) + step >= step * times:
            return True
    return False


def stand_ins(source: str | None, text: str) -> set[str]:
    kinds = set()
    bare = text.strip().casefold()
    if bare in {entry["text"].casefold() for entry in PLACEHOLDERS} and (source or "").strip().casefold() != bare:
        kinds.add("placeholder")
    letters = any(scripts(c) and regex.match(r"\p{L}", c) for c in source or "")
    if letters and not regex.search(r"\p{L}", text):
        kinds.add("no letters")
    return kinds


def spilled(text: str, expected: set[str]) -> list[int]:
    """Where foreign letters and marks stand."""
    return [i for i, character in enumerate(text) if (own := scripts(character)) and not own & expected]


def is_empty(text: str | None) -> bool:
    return all(c.isspace() or INVISIBLE.match(c) or regex.match(r"\p{Cc}", c) for c in text or "")
