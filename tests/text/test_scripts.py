"""Scripts: cases with their reasons, every character of Unicode, and a plain per-character reference."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
import regex
from fontTools import unicodedata as font_tools
from hypothesis import example, given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.text import UNICODE_VERSION, script_extensions, script_letters, script_profile
from equiglot.text import _characters as characters

_CASES = json.loads((Path(__file__).parent / "cases" / "scripts.json").read_text("utf-8"))
_UNDECIDED = {"Zyyy", "Zinh", "Zzzz"}
_HANGUL_FILLERS = "\u115f\u1160\u3164\uffa0"

_ODD = "aक।१\u093f\u094d\u200d\u200c\u0301ーあア漢한ㅤ\ud800\U0001e900\u00a0\n‑😀µ"
any_text = st.text(st.one_of(st.characters(), st.sampled_from(_ODD)), max_size=30)
any_texts = st.lists(st.one_of(st.none(), any_text), max_size=12)


def _category(character: str) -> str:
    """Python's own category; that of ``regex`` for what Python's Unicode does not know yet."""
    category = unicodedata.category(character)
    return "L" if category == "Cn" and regex.fullmatch(r"\p{L}", character) else category


def _slow_letters(text: str | None) -> Counter[str]:
    counts: Counter[str] = Counter()
    for character in text or "":
        script = font_tools.script(character)
        if _category(character)[0] == "L" and script not in _UNDECIDED and character not in _HANGUL_FILLERS:
            counts[script] += 1
    return counts


def _slow_profile(text: str | None) -> tuple[str | None, float | None, int, bool]:
    counts = _slow_letters(text)
    if not counts:
        return None, None, 0, False
    total, most = sum(counts.values()), max(counts.values())
    winners = [script for script, count in counts.items() if count == most]
    return winners[0] if len(winners) == 1 else None, most / total, total, len(counts) > 1


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["why"])
def test_cases(case):
    script, share, letters, mixed = script_profile([case["text"]], case.get("language")).row(0)
    assert (script, letters, mixed) == (case["script"], case["letters"], case["mixed"])
    assert share == (case.get("share", 1.0) if letters else None)


@settings(deadline=None)
@given(any_texts)
@example(["", None, "१", "aक", "", "क", None, ""])
@example([None])
def test_profile_is_what_a_loop_over_characters_says(texts):
    assert script_profile(texts).rows() == [_slow_profile(text) for text in texts]


@settings(deadline=None)
@given(any_texts)
def test_letters_are_what_a_loop_over_characters_says(texts):
    expected = [
        (row, script, count)
        for row, text in enumerate(texts)
        for script, count in sorted(_slow_letters(text).items(), key=lambda item: (-item[1], item[0]))
    ]
    assert script_letters(texts).rows() == expected


@settings(deadline=None)
@given(any_texts, st.randoms())
def test_a_text_is_judged_alone(texts, random):
    order = list(range(len(texts)))
    random.shuffle(order)
    shuffled = script_profile([texts[i] for i in order])
    assert shuffled.rows() == script_profile(texts)[order].rows() if texts else shuffled.is_empty()


@settings(deadline=None)
@given(any_texts)
def test_chunks_change_nothing(texts):
    whole = script_profile(texts), script_letters(texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(characters, "CHUNK", 3)
        assert script_profile(texts).equals(whole[0])
        assert script_letters(texts).equals(whole[1])


def test_a_text_longer_than_a_chunk():
    text = "कa" * characters.CHUNK
    assert script_profile(["x", text, "y"]).rows()[1] == (None, 0.5, 2 * characters.CHUNK, True)
    assert script_profile(["x", text + "क", "y"])["script"].to_list() == ["Latn", "Deva", "Latn"]


def test_every_character_of_unicode():
    table = characters.character_table()
    wrong: list[str] = []
    for point in range(0x110000):
        character = chr(point)
        category = unicodedata.category(character)[0]
        if category == "C" and unicodedata.category(character) == "Cn":
            continue
        script = font_tools.script(character)
        own = script not in _UNDECIDED and character not in _HANGUL_FILLERS
        letter = script if own and category == "L" else ""
        ignorable = category == "M" and regex.fullmatch(r"\p{Default_Ignorable_Code_Point}", character)
        written = script if own and category in "LM" and not ignorable else ""
        if (table.scripts[table.letter[point]], table.scripts[table.written[point]]) != (letter, written):
            wrong.append(f"U+{point:04X}")
    assert not wrong


def test_categories_follow_the_version_that_scripts_do():
    """A character with a script that the source of categories does not know would never be a letter."""
    unknown = [c for c in map(chr, range(0x40000)) if regex.fullmatch(r"\p{Cn}", c)]
    assert [f"U+{ord(c):04X}" for c in unknown if font_tools.script(c) not in _UNDECIDED] == []


def test_version_is_stated():
    assert tuple(map(int, UNICODE_VERSION.split("."))) >= (16, 0, 0)


def test_script_extensions_hold_the_danda():
    assert {"Deva", "Beng", "Taml"} <= script_extensions("।")
    assert "Latn" not in script_extensions("।")
    assert script_extensions("\u200d") == {"Zinh"}


def test_language_of_each_text():
    found = script_profile(["漢字かな", "漢字한글글", "漢字", None], ["ja", "ko-KR", None, "ja"])
    assert found["script"].to_list() == ["Jpan", "Kore", "Hani", None]
    assert found["mixed"].to_list() == [False] * 4


def test_language_changes_nothing_else():
    texts = ["नमस्ते ab", "abc", "тест"]
    assert script_profile(texts, "ja").equals(script_profile(texts))


def test_accepts_a_series_and_nothing():
    assert script_profile(pl.Series(["क", None]))["script"].to_list() == ["Deva", None]
    assert script_profile([]).schema == script_profile(["a"]).schema
    assert script_letters([]).schema == script_letters(["a"]).schema
    assert script_letters([None, "1"]).is_empty()


@pytest.mark.parametrize(
    ("texts", "language", "says"),
    [
        ("one", None, "one string"),
        (["a", 3], None, "row 2: a int where text is expected"),
        (["a", float("nan")], None, "row 2: a float"),
        (["a", "b"], ["ja"], "1 languages for 2 texts"),
    ],
)
def test_refuses(texts, language, says):
    with pytest.raises(InputError, match=says):
        script_profile(texts, language)
