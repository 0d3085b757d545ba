"""Premiums against their formulas, and what they say where there is nothing to divide."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.text import byte_premium, byte_premium_content, length_premium

pairs = st.lists(
    st.tuples(st.one_of(st.none(), st.text(max_size=15)), st.one_of(st.none(), st.text(max_size=15))), max_size=8
)
ALL = [byte_premium, byte_premium_content, length_premium]


def _slow(name: str, kept: list[tuple[str, str]]) -> float | None:
    sides = []
    for side in (0, 1):
        texts = [pair[side] for pair in kept]
        words = [word for text in texts for word in text.split()]
        total = {
            "byte_premium": sum(len(word.encode()) for word in words) / max(len(words), 1),
            "byte_premium_content": sum(len(text.encode()) for text in texts),
            "length_premium": sum(map(len, texts)),
        }[name]
        sides.append(total)
    return sides[0] / sides[1] if all(sides) else None


@pytest.mark.parametrize("function", ALL)
@settings(deadline=None)
@given(pairs)
def test_is_the_formula(function, rows):
    measure = function([t for t, _ in rows], [s for _, s in rows])
    kept = [(t, s) for t, s in rows if t is not None and s is not None]
    assert measure.value == _slow(measure.name, kept)
    assert (measure.n, measure.n_failed) == (len(kept), len(rows) - len(kept))
    assert (measure.value is None) == (measure.reason is not None)


@pytest.mark.parametrize("function", ALL)
@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=5))
@settings(deadline=None)
def test_is_one_for_the_text_itself(function, texts):
    assert function(texts, texts).value == 1


@pytest.mark.parametrize("function", ALL)
def test_weighs_by_length(function):
    """Totals first: a mean of ratios would be 1.5 here."""
    measure = function(["aa", "a" * 98], ["a", "a" * 98])
    assert measure.value == pytest.approx(100 / 99)


@pytest.mark.parametrize("function", ALL)
@pytest.mark.parametrize(
    ("targets", "sources", "reason"),
    [
        ([], [], "no pair"),
        (["a"], [None], "no pair"),
        (["a"], [""], "no source has any text"),
        ([""], ["a"], "no target has any text"),
    ],
)
def test_is_null_with_a_reason(function, targets, sources, reason):
    measure = function(targets, sources)
    assert measure.value is None
    assert reason in measure.reason


def test_white_space_counts_for_content_and_not_for_words():
    assert byte_premium(["a\u00a0b"], ["a b"]).value == 1
    assert byte_premium_content(["a\u00a0b"], ["a b"]).value == 4 / 3


@pytest.mark.parametrize("function", ALL)
def test_refuses_sides_of_different_length(function):
    with pytest.raises(InputError, match="2 targets and 1 sources"):
        function(["a", "b"], ["a"])
