"""Does something else stand where an answer should: a placeholder, or signs without a letter?

Neither makes an answer invalid by default, because either may be right: a number answers a sum, an emoji a request for
one, "none" a question of how many. A placeholder is a whole answer of ``placeholders.json``, in any case and with white
space around it, unless the source says the same. An answer without letters is reported where the source has some.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from equiglot.validity.copies import has_letters
from equiglot.validity.findings import Finding, shortened

__all__ = ["find_stand_ins", "may_stand_in"]


def may_stand_in(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which texts may be placeholders or without letters."""
    known, longest = _placeholders(), max(map(len, _placeholders()))
    return np.fromiter(
        (
            (not text[:1].isalpha() and not any(map(str.isalpha, text)))
            or (len(bare := text.strip()) <= longest and bare.casefold() in known)
            for text in texts
        ),
        dtype=bool,
        count=len(texts),
    )


def find_stand_ins(source: str | None, text: str) -> Iterator[Finding]:
    """A placeholder, and that there is no letter; the source is None where it is not known."""
    bare = text.strip().casefold()
    if bare in _placeholders() and (source or "").strip().casefold() != bare:
        reason = f"nothing else: {_placeholders()[bare]}"
        yield Finding("placeholder", 0, len(text), None, shortened(text), 1, reason)
    if source and not _has_letter(text) and has_letters(source):
        reason = "no letter of any script, though the source has letters"
        yield Finding("no letters", 0, len(text), None, shortened(text), len(text), reason)


@cache
def _placeholders() -> dict[str, str]:
    """Each placeholder, case-folded, and why it is one."""
    entries = json.loads(files("equiglot.validity").joinpath("placeholders.json").read_text("utf-8"))
    return {entry["text"].casefold(): entry["why"] for entry in entries}


def _has_letter(text: str) -> bool:
    import regex

    return regex.search(r"\p{L}", text) is not None
