"""Which script each text is written in, by the share of its letters.

Formula: ``script_share = letters of the majority script / letters of all scripts``, per text; unit: share, 0
to 1.

What counts is a *letter*: general category L*, with a Script of its own, and visible. Digits, punctuation,
spaces, symbols, emoji, combining marks, ZWJ and ZWNJ never decide, nor do Common and Inherited characters
(the danda, the Japanese prolonged sound mark). A combining mark belongs to its base's script and so adds
nothing of its own. Two scripts with the same, largest number of letters are a tie: the script is null and the
text ``mixed``.

Han with Hiragana or Katakana is ``Jpan`` and Han with Hangul ``Kore`` only where the language says so;
without a language each is its own script.

Source: Unicode Standard Annex 24 (Script, Script_Extensions), at :data:`~equiglot.text.UNICODE_VERSION`.
Differs from GlotScript, which counts combining marks and native digits as letters, gives Common and Inherited
a share of their own (the danda, ZWJ), and names the alphabetically first script of a tie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.text._characters import character_table, chunks, looked_up
from equiglot.text._texts import Texts, listed

__all__ = ["script_letters", "script_profile"]

Languages = str | Sequence[str | None] | None
"""One language for all texts, or one per text; only Japanese and Korean change anything."""

_Bytes = NDArray[np.uint8]
_Integers = NDArray[np.int64]

_ONE_SCRIPT = {
    "Jpan": ({"ja", "jpn"}, ("Hani", "Hira", "Kana")),
    "Kore": ({"ko", "kor"}, ("Hani", "Hang")),
}
"""Scripts that ISO 15924 has one code for, the languages that write with them together, and the parts."""


@dataclass(frozen=True, slots=True)
class _Letters:
    """Letters by text and script, without the zeros: sorted by row, then by index into ``scripts``."""

    scripts: tuple[str, ...]
    row: _Integers
    script: _Integers
    count: _Integers


def script_profile(texts: Texts, language: Languages = None) -> pl.DataFrame:
    """The script of each text and how much of it is in that script.

    Args:
        texts: one per row; a missing (None) or letterless text has a null script and 0 letters.
        language: of all texts or of each; says whether Han belongs to Japanese or Korean.

    Returns:
        One row per text: ``script`` (ISO 15924; null without letters, or in a tie), ``script_share`` (0 to 1;
        null without letters), ``letters`` (in any script) and ``mixed`` (letters of more than one script).

    >>> script_profile(["नमस्ते।", "हिन्दी AI", "aब", "१२३"]).rows()
    [('Deva', 1.0, 4, False), ('Deva', 0.6, 5, True), (None, 0.5, 2, True), (None, None, 0, False)]
    """
    rows = listed(texts)
    found = _letters(rows, language)
    script = np.zeros(len(rows), dtype=np.int64)
    letters, mixed, share = script.copy(), script.astype(bool), np.full(len(rows), np.nan)
    # One group per text that has letters, of as many entries as it has scripts.
    group = np.flatnonzero(np.diff(found.row, prepend=-1))
    if len(group):
        text, scripts = found.row[group], np.diff(group, append=len(found.row))
        most = np.maximum.reduceat(found.count, group)
        is_most = found.count == np.repeat(most, scripts)
        winners = np.add.reduceat(is_most, group, dtype=np.int64)
        first_winner = found.script[is_most][np.cumsum(winners) - winners]
        script[text] = np.where(winners == 1, first_winner, 0)
        letters[text] = np.add.reduceat(found.count, group)
        mixed[text] = scripts > 1
        share[text] = most / letters[text]
    return pl.DataFrame(
        {
            "script": _names(found.scripts, script),
            "script_share": pl.Series(share, nan_to_null=True),
            "letters": letters,
            "mixed": mixed,
        }
    )


def script_letters(texts: Texts, language: Languages = None) -> pl.DataFrame:
    """Letters by text and script, in long form.

    Returns:
        One row per text and script that occurs in it: ``row`` (from 0), ``script`` (ISO 15924), ``letters``;
        the most frequent script of a text first, then by code.

    >>> script_letters(["हिन्दी AI", "12", "ab"]).rows()
    [(0, 'Deva', 3), (0, 'Latn', 2), (2, 'Latn', 2)]
    """
    found = _letters(listed(texts), language)
    script = _names(found.scripts, found.script)
    frame = pl.DataFrame({"row": found.row, "script": script, "letters": found.count})
    return frame.sort(["row", "letters", "script"], descending=[False, True, False])


def _names(scripts: tuple[str, ...], index: _Integers) -> pl.Series:
    """Script codes by index, null for index 0."""
    return pl.Series([None, *scripts[1:]], dtype=pl.String)[index]


def _letters(texts: list[object], language: Languages) -> _Letters:
    """Letters by text and script, every character looked up once."""
    table = character_table()
    keys, counts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for first, piece, starts in chunks(texts):
        for key, count in _letters_of_chunk(looked_up(piece, table.letter), starts):
            keys.append(key + (first << 8))
            counts.append(count)
    key, count = np.concatenate(keys), np.concatenate(counts)
    scripts = (*table.scripts, *_ONE_SCRIPT)
    if language is not None:
        key = _joined(key, language, len(texts), scripts)
    order = np.argsort(key, kind="stable")
    key, count = key[order], count[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    if len(starts) < len(key):  # scripts were put together, or a text came in several chunks
        key, count = key[starts], np.add.reduceat(count, starts)
    return _Letters(scripts, key >> 8, key & 255, count)


def _letters_of_chunk(scripts: _Bytes, starts: _Integers) -> Iterator[tuple[_Integers, _Integers]]:
    """Letters by text and script from the script of each character, 0 for no letter: (text * 256 + script, how many).

    Nearly all letters of nearly all texts are of one script. That one is guessed for each text, and its letters
    counted in a few passes that run at the speed of memory; the others are few and counted one by one.
    """
    lengths = np.diff(starts, append=len(scripts))
    text = np.flatnonzero(lengths)
    begins = starts[text]
    if not len(text):
        return
    # The highest index: any script that occurs will do, and Latin, which is strewn into others, is the lowest.
    guess = np.maximum.reduceat(scripts, begins)
    is_guess = scripts == np.repeat(guess, lengths[text])
    narrow = lengths.max() <= np.iinfo(np.int16).max  # a narrow sum takes half the time
    count = np.add.reduceat(is_guess, begins, dtype=np.int16 if narrow else np.int64).astype(np.int64)
    lettered = guess > 0
    yield (text[lettered] << 8) + guess[lettered], count[lettered]

    other = np.flatnonzero((scripts != 0) > is_guess)
    if len(other):
        others = np.diff(np.searchsorted(other, starts), append=len(other))
        yield _counted(others, scripts[other])


def _counted(lengths: _Integers, script: _Bytes) -> tuple[_Integers, _Integers]:
    """How often each script occurs in each text, through a dense matrix of the texts and scripts that do occur.

    ``script`` holds the letters of one text after another, ``lengths`` of them each.
    """
    text = np.flatnonzero(lengths)
    occurring = np.flatnonzero(np.bincount(script, minlength=256))
    column = np.zeros(256, dtype=np.int64)
    column[occurring] = np.arange(len(occurring))
    cells = np.repeat(np.arange(len(text)) * len(occurring), lengths[text])
    cells += column.take(script)
    counts = np.bincount(cells, minlength=len(text) * len(occurring))
    cell = np.flatnonzero(counts)
    place, kind = np.divmod(cell, len(occurring))
    return (text[place] << 8) + occurring[kind], counts[cell]


def _joined(key: _Integers, language: Languages, n: int, scripts: tuple[str, ...]) -> _Integers:
    """The keys with Han, kana and Hangul made one script where the text's language writes with them together."""
    languages = [language] * n if isinstance(language, str) else list(language or ())
    if len(languages) != n:
        raise InputError(f"{len(languages)} languages for {n} texts", fix="give one language, or one per text")
    primary = np.array([(tag or "").replace("_", "-").split("-")[0].lower() for tag in languages])
    row, script = key >> 8, key & 255
    for code, (tags, parts) in _ONE_SCRIPT.items():
        theirs = np.isin(primary, list(tags))[row]
        script[theirs & np.isin(script, [scripts.index(part) for part in parts])] = scripts.index(code)
    return (row << 8) + script
