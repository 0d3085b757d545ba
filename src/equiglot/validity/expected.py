"""Which scripts an answer may be written in, and how others are called."""

from __future__ import annotations

from functools import lru_cache

from equiglot.table import parse_script, usual_script

__all__ = ["expected_scripts", "relation", "script_name"]

_SEVERAL = {
    "Hans": ("Hani", "Bopo"),
    "Hant": ("Hani", "Bopo"),
    "Hani": ("Hani", "Bopo"),
    "Hanb": ("Hani", "Bopo"),
    "Jpan": ("Hani", "Hira", "Kana"),
    "Hrkt": ("Hira", "Kana"),
    "Kore": ("Hang", "Hani"),
    "Jamo": ("Hang",),
    "Aran": ("Arab",),
    "Cyrs": ("Cyrl",),
    "Latf": ("Latn",),
    "Latg": ("Latn",),
    "Syre": ("Syrc",),
    "Syrj": ("Syrc",),
    "Syrn": ("Syrc",),
}
"""Codes that Unicode's Script property has under others: sets of scripts, and styles of one."""

_INDIC = {
    *("Beng", "Deva", "Gujr", "Guru", "Knda", "Mlym", "Orya", "Sinh", "Taml", "Telu"),
    *("Gonm", "Gong", "Gran", "Kthi", "Limb", "Modi", "Mtei", "Nand", "Newa", "Olck", "Saur", "Shrd", "Sidd", "Sylo"),
    *("Takr", "Tirh"),
}


@lru_cache(maxsize=256)
def expected_scripts(*codes: str) -> frozenset[str]:
    """The scripts of Unicode that ISO 15924 codes allow.

    >>> sorted(expected_scripts("Jpan")), sorted(expected_scripts("deva", "Latn"))
    (['Hani', 'Hira', 'Kana'], ['Deva', 'Latn'])

    Raises:
        InputError: not a script's code.
    """
    parsed = [parse_script(code) for code in codes]
    return frozenset(script for code in parsed for script in _SEVERAL.get(code, (code,)))


@lru_cache(maxsize=1024)
def script_name(code: str) -> str:
    """A script's English name.

    >>> script_name("Telu"), script_name("Hani"), script_name("Hans")
    ('Telugu', 'Han', 'Han')
    """
    from fontTools import unicodedata

    try:
        return unicodedata.script_name(_SEVERAL.get(code, (code,))[0]).replace("_", " ")
    except KeyError:
        return code


@lru_cache(maxsize=4096)
def relation(script: str, language: str | None) -> str:
    """What a script that spilled is to the language of the answer.

    >>> relation("Telu", "te"), relation("Telu", "kn"), relation("Cyrl", "te")
    ("the language's own script", 'another Indic script', 'a foreign script')
    """
    usual = usual_script(language) if language else None
    if usual and script in expected_scripts(usual):
        return "the language's own script"
    if script in _INDIC and (usual is None or usual in _INDIC):
        return "another Indic script"
    return "Latin script" if script == "Latn" else "a foreign script"
