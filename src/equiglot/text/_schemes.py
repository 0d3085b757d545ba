"""The romanisation schemes: how each writes a text in Latin letters, and what the reader must be told of it.

============== =========================================================================================
scheme         how
============== =========================================================================================
uroman         uroman (Hermjakob, May and Knight 2018), any script, with the language's own rules
iso15919       indic-transliteration, ISO 15919 (``nīla``)
iast           indic-transliteration, IAST
itrans         indic-transliteration, ITRANS (``nIla``)
itrans-paper   paper 1's recipe: ITRANS; U+200C and U+200D deleted; lower-cased; one space set either side
               of each of ``. , ! ? ; :``; white space collapsed; stripped
============== =========================================================================================

uroman is run as its own command line runs it, line by line and, with its word cache on, word by word; called from
Python with the cache off it differs in rare places (spaces between CJK punctuation marks).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from equiglot.errors import InputError

if TYPE_CHECKING:
    from uroman import Uroman

__all__ = ["SCHEMES", "caveats", "romanizer", "romanizer_name", "script_of_language"]

SCHEMES: Mapping[str, str] = {
    "uroman": "any script, ASCII; the default (uroman, Hermjakob et al. 2018)",
    "iso15919": "Brahmic scripts of India and Sri Lanka, with diacritics (ISO 15919)",
    "iast": "Brahmic scripts of India and Sri Lanka, with diacritics (IAST, made for Sanskrit)",
    "itrans": "Brahmic scripts of India and Sri Lanka, ASCII, capitals are letters of their own (ITRANS)",
    "itrans-paper": "ITRANS as paper 1 used it: lower-cased, punctuation set apart",
}
"""The schemes by name, each in a line; ``column:NAME`` besides takes a column of yours."""

_INDIC = {"iso15919": "iso", "iast": "iast", "itrans": "itrans", "itrans-paper": "itrans"}
"""The name of each scheme's target in indic-transliteration."""

_BRAHMIC = {
    "Beng": "bengali",
    "Deva": "devanagari",
    "Gujr": "gujarati",
    "Guru": "gurmukhi",
    "Knda": "kannada",
    "Mlym": "malayalam",
    "Orya": "oriya",
    "Sinh": "sinhala",
    "Taml": "tamil",
    "Telu": "telugu",
}

_NO_LANGUAGE = {None, "und", "mul", "mis", "zxx"}
"""What stands where no language is meant; CLDR gives those Latin for want of anything else."""

_UROMAN_WORDS = 65536
"""Words that uroman remembers: its command line's own default, under which it romanises word by word."""

_JOINERS = "\u200c\u200d"
_DELETE_JOINERS = dict.fromkeys(map(ord, _JOINERS))
_PUNCTUATION = re.compile(r"([.,!?;:])")


def romanizer_name(scheme: str) -> str:
    """The scheme with the version of what makes it, e.g. ``uroman@1.3.1.1``.

    Raises:
        InputError: no such scheme; those there are are listed.
    """
    if scheme not in SCHEMES:
        names = ", ".join(SCHEMES)
        raise InputError(
            f"'{scheme}' is not a romanisation scheme", fix=f"use {names}, or column:NAME for a column of yours"
        )
    if scheme == "uroman":
        return f"uroman@{version('uroman')}"
    return f"{scheme}@indic-transliteration-{version('indic-transliteration')}"


def romanizer(scheme: str, language: str | None, script: str | None) -> Callable[[str], str]:
    """The function that romanises one text of that language and script.

    Raises:
        InputError: no such scheme, or one that does not know the script.
    """
    romanizer_name(scheme)
    if scheme == "uroman":
        return _uroman(language)
    script = script or script_of_language(language)
    if script not in _BRAHMIC:
        raise InputError(
            f"scheme '{scheme}' does not romanise script {script or 'unknown'} (language {language or 'unknown'})",
            fix=f"use uroman; {scheme} knows {', '.join(_BRAHMIC)}",
        )
    name = "assamese" if script == "Beng" and language in ("as", "asm") else _BRAHMIC[script]
    return _indic(_INDIC[scheme], name, as_in_paper=scheme == "itrans-paper")


def caveats(scheme: str, language: str | None, script: str | None, texts: list[str]) -> list[str]:
    """What is known to be wrong with the scheme for these texts."""
    found: list[str] = []
    if scheme == "uroman":
        found.append("uroman's licence asks that publications name it (Hermjakob, May and Knight 2018)")
    elif scheme in _INDIC:
        if script == "Taml":
            found.append(
                f"indic-transliteration's {scheme} is wrong for Tamil: it writes stops as voiced and aspirated "
                "(the first letter of பாடம் as bh, not p)"
            )
        joined = sum(any(joiner in text for joiner in _JOINERS) for text in texts)
        if joined:
            found.append(
                f"indic-transliteration breaks on ZWJ and ZWNJ, which {joined:,} texts in {language or script} hold: "
                "it leaves them inside words, or writes {} for them"
            )
    return found


@lru_cache(maxsize=256)
def script_of_language(language: str | None) -> str | None:
    """The script that a language is most often written in, None where that isn't known.

    >>> script_of_language("ta"), script_of_language("sr-Latn"), script_of_language(None)
    ('Taml', 'Latn', None)
    """
    import langcodes

    if not language or not langcodes.tag_is_valid(language):
        return None
    tag = langcodes.Language.get(language)
    return None if tag.language in _NO_LANGUAGE else tag.maximize().script


def _uroman(language: str | None) -> Callable[[str], str]:
    tables, code = _uroman_tables(), _alpha3(language)

    def romanize(text: str) -> str:
        # uroman reads lines: a line feed inside keeps it from going word by word, and one at the end is lost.
        return "\n".join(str(tables.romanize_string(line, code)) for line in text.split("\n"))

    return romanize


def _alpha3(language: str | None) -> str | None:
    """The ISO 639-3 code, None for what is no language: uroman then goes by script alone."""
    import langcodes

    if not language or not langcodes.tag_is_valid(language):
        return None
    try:
        return langcodes.Language.get(language).to_alpha3()
    except LookupError:
        return None


@lru_cache(maxsize=1)
def _uroman_tables() -> Uroman:
    """Uroman's tables, read once per process (about 4 s)."""
    from uroman import Uroman

    return Uroman(cache_size=_UROMAN_WORDS)


def _indic(target: str, script: str, *, as_in_paper: bool) -> Callable[[str], str]:
    from indic_transliteration import sanscript

    def romanize(text: str) -> str:
        latin: str = sanscript.transliterate(text, script, target)
        return _in_paper_1(latin) if as_in_paper else latin

    return romanize


def _in_paper_1(latin: str) -> str:
    """What paper 1 did to the output of ITRANS, found by search against its tables 2, 12 and 14."""
    lowered = latin.translate(_DELETE_JOINERS).lower()
    return " ".join(_PUNCTUATION.sub(r" \1 ", lowered).split())
