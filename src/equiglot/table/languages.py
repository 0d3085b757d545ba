"""Language codes and scripts, as files write them and as the table holds them.

A language is held as the shortest BCP 47 tag without its script: ``hin``, ``hin_Deva`` and ``Hindi`` are
``hi``, ``zho`` is ``zh``, FLORES's ``arb_Arab`` is ``ar``, and ``pt_BR`` keeps its region. A script is an ISO
15924 code, held apart. Which codes there are, which language of a macrolanguage goes by its name, and which
script is a language's usual one are IANA's and CLDR's, by way of langcodes.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

import langcodes
from langcodes.data_dicts import ALL_SCRIPTS, LIKELY_SUBTAGS
from langcodes.language_lists import CLDR_LANGUAGES
from langcodes.tag_parser import LanguageTagError

from equiglot.errors import InputError

__all__ = ["Tag", "is_romanized", "language_name", "parse_language", "parse_script", "usual_script"]

_NO_ONE_LANGUAGE = {"und", "mul", "mis", "zxx"}
_NO_SCRIPT = {"Zmth", "Zsye", "Zsym", "Zxxx", "Zyyy", "Zinh", "Zzzz"}
_LATIN_IS_NATIVE_TOO = {"sr"}
"""Languages that are written in Latin as much as in the script that CLDR calls likely."""


class Tag(NamedTuple):
    """A language without its script, and the script where the tag named one."""

    language: str
    script: str | None


def parse_language(value: str) -> Tag:
    """The language and script that a code or an English name stands for.

    Raises:
        InputError: not a language; the nearest ones are named.

    >>> parse_language("hin_Latn"), parse_language("zho"), parse_language("pt_BR").language
    (Tag(language='hi', script='Latn'), Tag(language='zh', script=None), 'pt-BR')
    """
    tag = _known(value)
    if tag is None:
        raise InputError(f"'{value}' is not a language", fix=_fix(value))
    if tag.language is None or tag.language in _NO_ONE_LANGUAGE:
        raise InputError(f"'{value}' names no one language", fix="give each row its language, e.g. 'hi'")
    tag = tag.prefer_macrolanguage()
    text = tag.to_tag()
    return Tag(text.replace(f"-{tag.script}", "", 1) if tag.script else text, tag.script)


def _known(value: str) -> langcodes.Language | None:
    try:
        tag = langcodes.Language.get(value)
        if tag.is_valid():
            return tag
    except LanguageTagError:
        pass
    found = _by_name(value)
    if found and value.casefold() in (found.language_name().casefold(), found.autonym().casefold()):
        return found
    return None


def _by_name(value: str) -> langcodes.Language | None:
    """What langcodes makes of a name; it forgives misspelling, and takes "Portuguese (Brazil)" for Portuguese."""
    if len(value) < 4 or not value.isprintable():  # its look-up raises whatever it likes where a name holds NUL
        return None
    try:
        return langcodes.find(value)
    except LookupError:
        return None


def _fix(value: str) -> str:
    pair = value.split("-")
    if len(pair) == 2 and all(map(_known, pair)):
        return "name the target's language alone, or name the column 'lp' where it holds language pairs"
    near = _nearest(value)
    return f"did you mean {near}?" if near else "use a BCP 47 tag such as 'hi', 'hi-Latn' or 'hin_Deva'"


def _nearest(value: str) -> str:
    codes = {*CLDR_LANGUAGES, *(code for code in LIKELY_SUBTAGS if len(code) == 2)}
    names = {langcodes.Language.get(code).language_name().casefold(): code for code in codes}
    head = value.replace("_", "-").split("-")[0].strip().casefold()
    named = _by_name(value)
    near = [
        *([head] if head in codes and head != value else []),
        *([named.to_tag()] if named else []),
        *(names[name] for name in get_close_matches(value.casefold(), names, n=3, cutoff=0.7)),
    ]
    return " or ".join(f"'{code}' ({langcodes.Language.get(code).language_name()})" for code in dict.fromkeys(near))


def parse_script(value: str) -> str:
    """The ISO 15924 code, in its own case.

    Raises:
        InputError: not a script's code; where it is a script's English name, its code is told.

    >>> parse_script("deva")
    'Deva'
    """
    code = value.title()
    codes = sorted(set(ALL_SCRIPTS) - _NO_SCRIPT)
    if code in codes:
        return code
    from fontTools import unicodedata

    try:
        near = [unicodedata.script_code(value)]
    except KeyError:
        near = get_close_matches(code, codes, n=2)
    fix = f"did you mean {' or '.join(map(repr, near))}?" if near else "use an ISO 15924 code such as 'Deva'"
    raise InputError(f"'{value}' is not a script", fix=fix)


def usual_script(language: str) -> str | None:
    """The script a language is usually written in, by CLDR; None where CLDR does not say.

    >>> usual_script("hi"), usual_script("zh-TW"), usual_script("qaa")
    ('Deva', 'Hant', None)
    """
    tag = langcodes.Language.get(language)
    return tag.maximize().script if tag.language in LIKELY_SUBTAGS else None


def is_romanized(language: str, script: str | None) -> bool:
    """Whether text of this language in this script is a romanisation: Latin where the usual script is another.

    >>> is_romanized("hi", "Latn"), is_romanized("hi", "Deva"), is_romanized("vi", "Latn"), is_romanized("sr", "Latn")
    (True, False, False, False)
    """
    usual = usual_script(language)
    return script == "Latn" and usual not in (None, "Latn") and language.partition("-")[0] not in _LATIN_IS_NATIVE_TOO


@cache
def language_name(tag: str) -> str:
    """A language's English name; the tag itself where it has none.

    >>> language_name("ta"), language_name("no such tag")
    ('Tamil', 'no such tag')
    """
    try:
        name = langcodes.Language.get(tag).display_name()
    except LanguageTagError:
        return tag
    return tag if name.startswith("Unknown language") else name
