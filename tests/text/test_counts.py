"""Counts and states of texts, against definitions written out per character."""

from __future__ import annotations

import unicodedata

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.text import STATES, text_counts, text_state

_ODD = "aक \u00a0\n\x1c\x85\u2028\u3000\u200b\u200d\ufeff\u2800\u3164\x00\ud800\U0001f600\ufe0f\u0301"
any_text = st.text(st.one_of(st.characters(), st.sampled_from(_ODD)), max_size=20)
any_texts = st.lists(st.one_of(st.none(), any_text), max_size=8)

# Default_Ignorable_Code_Point as DerivedCoreProperties.txt lists it.
_IGNORABLE = [
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]  # fmt: skip

_BLANK = {point for first, last in _IGNORABLE for point in range(first, last + 1)} | {0x2800}


def _utf8_length(character: str) -> int:
    point = ord(character)
    return 1 + (point >= 0x80) + (point >= 0x800) + (point >= 0x10000)


def _slow_counts(text: str | None) -> tuple[int | None, ...]:
    if text is None:
        return (None,) * 4
    words, before = 0, True
    for character in text:
        words += before and not character.isspace()
        before = character.isspace()
    return (
        sum(map(_utf8_length, text)),
        len(text),
        words,
        sum(_utf8_length(c) for c in text if not c.isspace()),
    )


def _shows_nothing(character: str) -> bool:
    point = ord(character)
    return point in _BLANK or character.isspace() or unicodedata.category(character) == "Cc"


def _slow_state(text: str | None) -> str:
    if text is None:
        return "missing"
    if not text:
        return "empty"
    if all(c.isspace() for c in text):
        return "white space"
    return "invisible" if all(map(_shows_nothing, text)) else "text"


@settings(deadline=None)
@given(any_texts)
def test_counts_are_what_a_loop_over_characters_says(texts):
    assert text_counts(texts).rows() == [_slow_counts(text) for text in texts]


@settings(deadline=None)
@given(any_texts)
def test_states_are_what_a_loop_over_characters_says(texts):
    assert text_state(texts).to_list() == [_slow_state(text) for text in texts]


def test_every_character_shows_something_or_nothing():
    every = list(map(chr, range(0x110000)))
    assert text_state(every).to_list() == [_slow_state(character) for character in every]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("a", "text"),
        (None, "missing"),
        ("", "empty"),
        (" \t\u00a0\u3000\u2028", "white space"),
        ("\u200b\u200d", "invisible"),
        ("\ufeff \n", "invisible"),
        ("\x00", "invisible"),
        ("\u3164", "invisible"),
        ("\u2800", "invisible"),
        ("\u0301", "text"),
        ("।", "text"),
        ("😀\ufe0f", "text"),
        ("\ud800", "text"),
        ("\ufffd", "text"),
    ],
)
def test_state(text, state):
    assert text_state([text]).item() == state
    assert state in STATES


def test_no_break_space_splits():
    assert text_counts(["एक\u00a0दो"])["words"].item() == 2


def test_precomposed_and_decomposed_differ():
    """Text is never normalised: the nukta of Hindi targets is decomposed, that of references mixed."""
    assert text_counts(["\u095b", "\u091c\u093c"])["chars"].to_list() == [1, 2]


def test_missing_is_null_and_empty_is_zero():
    assert text_counts(pl.Series([None, ""], dtype=pl.String)).rows() == [(None,) * 4, (0, 0, 0, 0)]
    assert text_counts([]).schema == text_counts(["a"]).schema


@pytest.mark.parametrize("function", [text_counts, text_state])
def test_refuses_what_is_not_text(function):
    with pytest.raises(InputError, match="row 2"):
        function(["a", 1])
