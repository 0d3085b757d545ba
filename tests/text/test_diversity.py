"""MATTR against a set per window, for any text and window."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.text import mattr

words = st.one_of(st.sampled_from(["a", "b", "का", "की"]), st.text(max_size=4))
texts = st.lists(st.one_of(st.none(), st.lists(words, max_size=12).map(" ".join)), max_size=6)


def _slow_mattr(rows: list[str | None], window: int) -> float | None:
    stream = [word for row in rows if row is not None for word in row.split()]
    if not stream:
        return None
    size = min(window, len(stream))
    ratios = [Fraction(len(set(stream[i : i + size])), size) for i in range(len(stream) - size + 1)]
    return float(sum(ratios) / len(ratios))


@settings(deadline=None)
@given(texts, st.integers(1, 9))
@example(["a\ud800 a", "a", "\ud800 b a"], 2)
@example([" a  b ", "", None, "\u00a0", "a"], 2)
def test_is_what_a_set_per_window_says(rows, window):
    assert mattr(rows, window).value == _slow_mattr(rows, window)


@settings(deadline=None)
@given(texts, st.integers(1, 9))
def test_is_a_share(rows, window):
    value = mattr(rows, window).value
    assert value is None or 0 < value <= 1


@settings(deadline=None)
@given(texts, st.integers(1, 9))
def test_only_the_words_count_not_where_rows_end(rows, window):
    joined = " ".join(row for row in rows if row is not None)
    assert mattr(rows, window).value == mattr([joined], window).value


def test_more_types_than_sixteen_bits_hold():
    """The sort by type is in two halves of 16 bits."""
    stream = [str(i % 70_000) for i in range(140_001)]
    assert mattr([" ".join(stream)], 70_000).value == 1
    assert mattr([" ".join(stream)], 70_001).value == 70_000 / 70_001


def test_white_space_is_python_s_for_all_of_unicode():
    """Words are split by Polars where it can, and must be what ``str.split`` gives."""
    separators = [chr(p) for p in range(sys.maxunicode + 1) if not 0xD800 <= p < 0xE000]
    stream = [f"a{separator}b" for separator in separators]
    pieces = sum(len(text.split()) for text in stream)
    # With one window over all, the ratio is types / words, so it gives the words away.
    types = len({word for text in stream for word in text.split()})
    assert mattr(stream, pieces).value == types / pieces
    assert mattr(stream, pieces).reason is None
    assert mattr(stream, pieces + 1).reason is not None


def test_many_texts_are_split_in_pieces():
    rows = [f"w{i % 7}\u2003w{i % 5} " for i in range(5000)]
    stream = " ".join(rows).split()
    assert mattr(rows, 9).value == _slow_mattr(rows, 9)
    assert mattr(rows, len(stream)).value == len(set(stream)) / len(stream)


def test_shorter_than_the_window_is_flagged():
    measure = mattr(["a b a"], 500)
    assert measure.value == 2 / 3
    assert measure.reason == "3 words are fewer than the window of 500: plain type/token ratio"
    assert mattr(["a b a"], 3).reason is None


@pytest.mark.parametrize("rows", [[], [None], ["", " \u00a0"]])
def test_no_words_is_null_not_zero(rows):
    measure = mattr(rows)
    assert measure.value is None
    assert measure.reason == "there are no words"


def test_says_what_was_left_out():
    measure = mattr(["a", None, "b"], 1)
    assert (measure.n, measure.n_failed, measure.value) == (2, 1, 1)
    assert "window:1" in measure.signature


def test_refuses_a_window_of_nothing():
    with pytest.raises(InputError, match="window of 0"):
        mattr(["a"], 0)
