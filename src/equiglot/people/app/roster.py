"""Who rates what: raters' names and the languages that each can judge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from equiglot.errors import InputError
from equiglot.table import parse_language

__all__ = ["Rater", "read_roster"]

_MOST = 500


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater, and the languages whose items they see."""

    name: str
    languages: tuple[str, ...]


def read_roster(text: str, languages: Sequence[str]) -> list[Rater]:
    """The raters that ``3``, or ``asha:hi,ravi:te+kn`` names.

    Args:
        text: how many raters each language gets, or names with the languages that each rates (all where left out).
        languages: those of the items.

    Raises:
        InputError: no raters; a name twice; a language that no item has; a language that nobody rates.

    >>> [rater.name for rater in read_roster("2", ["hi"])], [rater.name for rater in read_roster("1", ["hi", "te"])]
    (['rater-1', 'rater-2'], ['hi-1', 'te-1'])
    >>> read_roster("asha:hi,ravi", ["hi", "te"])[1]
    Rater(name='ravi', languages=('hi', 'te'))
    """
    if re.fullmatch(r"[-+]?\d+", text.strip()):
        each = int(text)
        if not 1 <= each * len(languages) <= _MOST:
            raise InputError(f"--raters {text} is out of range", fix=f"give 1 to {_MOST // len(languages)}")
        if len(languages) == 1:
            return [Rater(f"rater-{i}", (languages[0],)) for i in range(1, each + 1)]
        return [Rater(f"{language}-{i}", (language,)) for language in languages for i in range(1, each + 1)]
    roster = [_rater(part, languages) for part in text.split(",") if part.strip()]
    names = [rater.name for rater in roster]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice or not roster:
        problem = f"rater '{twice}' is named twice" if twice else "no raters were named"
        raise InputError(problem, fix="write e.g. --raters 3, or --raters asha:hi,ravi:te+kn")
    unrated = [language for language in languages if not any(language in rater.languages for rater in roster)]
    if unrated:
        raise InputError(f"nobody rates {', '.join(unrated)}", fix="name a rater for each language of the items")
    return roster


def _rater(part: str, languages: Sequence[str]) -> Rater:
    name, colon, tags = part.strip().partition(":")
    if not name.strip() or not name.strip().isprintable():
        raise InputError(f"{part!r} names no rater", fix="write NAME or NAME:LANGUAGE, e.g. asha:hi")
    asked = tuple(parse_language(tag).language for tag in tags.split("+")) if colon else tuple(languages)
    for language in asked:
        if language not in languages:
            fix = f"the items are in {', '.join(languages)}"
            raise InputError(f"rater '{name}' rates {language}, in which there are no items", fix=fix)
    return Rater(name.strip(), asked)
