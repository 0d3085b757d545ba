"""Tokens as servers show them, against the text that they are of."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.likelihood.engines._reply import spells

_TEXT = st.text("ab é🌱क्षூ", min_size=1, max_size=12)


def _shown(text: str, cuts: set[int], *, as_nothing: bool) -> list[str]:
    """A text cut between bytes, each piece decoded alone, what is no whole character shown as U+FFFD or as nothing."""
    data = text.encode()
    places = [0, *sorted(cut for cut in cuts if 0 < cut < len(data)), len(data)]
    pieces = [data[a:b] for a, b in pairwise(places)]
    return [piece.decode("utf-8", "ignore" if as_nothing else "replace") for piece in pieces]


@given(text=_TEXT, cuts=st.sets(st.integers(1, 40)), as_nothing=st.booleans(), space=st.booleans())
def test_any_cut_of_a_text_spells_it(text: str, cuts: set[int], as_nothing: bool, space: bool) -> None:
    tokens = _shown(text, cuts, as_nothing=as_nothing)
    if space and tokens[0] and text[0] != " ":
        tokens[0] = f" {tokens[0]}"  # the tokeniser's own
    assert spells(tokens, text)


@given(text=_TEXT, cuts=st.sets(st.integers(1, 40)), as_nothing=st.booleans(), more=st.text("xyz", min_size=1))
def test_what_is_left_out_at_either_end_is_missed(text: str, cuts: set[int], as_nothing: bool, more: str) -> None:
    tokens = _shown(text, cuts, as_nothing=as_nothing)
    assert not spells(tokens, text + more)
    assert not spells(tokens, more + text)
    assert not spells([*tokens, more], text)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ([], "a"),
        (["a"], "b"),
        (["a", "b"], "acb"),
        (["ab"], "ab "),
        ([""], "a"),
        (["\ufffd"], "ab"),
        (["<s>", "a"], "a"),
    ],
)
def test_what_is_not_the_text(tokens: list[str], text: str) -> None:
    assert not spells(tokens, text)


def test_one_repeated_letter_is_not_much_work() -> None:
    assert spells([""] * 600, "क" * 300)
    assert not spells(["क"] * 300, "क" * 600 + "a")
