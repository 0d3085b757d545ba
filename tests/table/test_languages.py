"""Codes of languages and scripts."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langcodes.data_dicts import LIKELY_SUBTAGS

from equiglot.errors import InputError
from equiglot.table import is_romanized, parse_language, parse_script, usual_script


@pytest.mark.parametrize(
    ("value", "language", "script"),
    [
        ("hi", "hi", None),
        ("hin", "hi", None),
        ("HIN", "hi", None),
        ("hin_Deva", "hi", "Deva"),
        ("hi-Latn", "hi", "Latn"),
        ("hi_latn", "hi", "Latn"),
        ("hi-Latn-IN", "hi-IN", "Latn"),
        ("Hindi", "hi", None),
        ("हिन्दी", "hi", None),
        ("zho_Hans", "zh", "Hans"),
        ("cmn", "zh", None),
        ("yue_Hant", "yue", "Hant"),
        ("arb_Arab", "ar", "Arab"),
        ("arz_Arab", "arz", "Arab"),
        ("nob_Latn", "nb", "Latn"),
        ("pt_BR", "pt-BR", None),
        ("iw", "he", None),
        ("mni_Mtei", "mni", "Mtei"),
        ("de-1996", "de-1996", None),
        ("x-dialect", "x-dialect", None),
    ],
)
def test_languages(value: str, language: str, script: str | None) -> None:
    assert parse_language(value) == (language, script)


@pytest.mark.parametrize(
    "value",
    ["", " ", "hi ", "xx", "en-hi", "hi_Xxxx", "und", "mul", "zxx", "Hindy", "Kanada", "no one", "a", "12", "*"],
)
def test_what_is_no_language(value: str) -> None:
    with pytest.raises(InputError):
        parse_language(value)


@given(st.sampled_from(sorted(code for code in LIKELY_SUBTAGS if len(code) < 4 and code != "und")))
def test_a_language_read_again_is_the_same(code: str) -> None:
    language = parse_language(code).language
    assert parse_language(language) == (language, None)


@given(st.text(max_size=12))
@example("\x0000\x80")
def test_any_text_is_a_language_or_an_input_error(value: str) -> None:
    try:
        language, _ = parse_language(value)
    except InputError as error:
        assert error.fix
    else:
        assert parse_language(language).language == language


def test_scripts() -> None:
    assert parse_script("deva") == "Deva"
    assert parse_script("Jpan") == "Jpan"
    for value in ("Devanagari", "Zyyy", "Zinh", "Xxxx", ""):
        with pytest.raises(InputError):
            parse_script(value)


@pytest.mark.parametrize(
    ("language", "script"),
    [
        *(("hi", "Deva"), ("ta", "Taml"), ("zh", "Hans"), ("zh-TW", "Hant"), ("ja", "Jpan"), ("ko", "Kore")),
        *(("ur", "Arab"), ("en", "Latn"), ("mai", "Deva"), ("pa", "Guru"), ("pa-PK", "Arab")),
        *(("qaa", None), ("x-dialect", None)),
    ],
)
def test_usual_scripts(language: str, script: str | None) -> None:
    assert usual_script(language) == script


@pytest.mark.parametrize(
    ("language", "script", "expected"),
    [
        *(("hi", "Latn", True), ("ru", "Latn", True)),
        *(("hi", "Deva", False), ("hi", None, False), ("en", "Latn", False), ("ur", "Deva", False)),
        *(("sr", "Latn", False), ("sr-RS", "Latn", False), ("qaa", "Latn", False)),
    ],
)
def test_what_is_romanised(language: str, script: str | None, expected: bool) -> None:
    assert is_romanized(language, script) is expected
