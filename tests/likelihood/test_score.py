"""Scores against the slow scorer; batches, padding and order change nothing; windows; emptiness."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.likelihood import LanguageModel, score_texts

Slow = Callable[[LanguageModel, Sequence[int], int], float]
Pair = tuple[LanguageModel, LanguageModel]

# Short enough for the context of the tiny models in most cases, of any script, with what has bitten others inside.
_TEXTS = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.text("अआकखिी् ்தமிழ் abc", max_size=25),
        st.sampled_from(["<s>", "</s>", "a<s>b", "the cat", " ", "", "the cat sat on the mat", "ab\n\ncd", "\u200d"]),
    ),
    max_size=12,
)
_QUICK = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
_LONG = "the cat sat on the mat and looked at the other cat " * 8


@_QUICK
@given(texts=_TEXTS, batch_tokens=st.sampled_from([1, 40, 300, 100_000]), bos=st.sampled_from(["auto", "never"]))
def test_equals_the_slow_scorer(tiny: Pair, slow: Slow, texts: list[str], batch_tokens: int, bos: str) -> None:
    model, exact = tiny
    scores = score_texts(texts, model, bos=bos, batch_tokens=batch_tokens, cache=False)
    assert scores.height == len(texts)
    prefix = [] if bos == "never" else list(exact.prefix.ids if exact.prefix else ())
    for text, row in zip(texts, scores.iter_rows(named=True), strict=True):
        ids = [*prefix, *exact.encode([text])[0]]
        if row["windows"] != 1:
            continue  # nothing to score, or longer than the context: tested below
        assert row["sent_nll"] == pytest.approx(slow(exact, ids, 1), rel=1e-5)
        assert row["n_scored"] == len(ids) - 1


@_QUICK
@given(texts=_TEXTS, seed=st.integers(0, 9))
def test_order_and_company_change_nothing(tiny: Pair, texts: list[str], seed: int) -> None:
    model = tiny[0]
    together = score_texts(texts, model, cache=False)
    order = np.random.default_rng(seed).permutation(len(texts))
    shuffled = score_texts([texts[i] for i in order] + [_LONG[:120]], model, cache=False, batch_tokens=77)
    for place, i in enumerate(order):
        one, other = together.row(int(i)), shuffled.row(place)
        assert one[1:] == other[1:]
        assert (one[0] is None) == (other[0] is None)
        assert one[0] is None or one[0] == pytest.approx(other[0], rel=1e-5)


def test_padding_changes_nothing(tiny: Pair, slow: Slow) -> None:
    """Also under ALiBi, whose biases have been counted from the padded side elsewhere."""
    model, exact = tiny
    texts = ["a", "the cat", "the cat sat on the", "पर बैठी"]
    rows = score_texts(texts, model, batch_tokens=100_000, cache=False)["sent_nll"].to_list()
    prefix = exact.prefix.ids if exact.prefix else ()
    assert rows == pytest.approx([slow(exact, [*prefix, *exact.encode([t])[0]], 1) for t in texts], rel=1e-5)


@pytest.mark.parametrize("bos", ["auto", "never"])
def test_strided_windows(tiny: Pair, slow: Slow, bos: str) -> None:
    model, exact = tiny
    window, stride = 24, 10
    texts = [_LONG, _LONG[:150], "the cat"]
    scores = score_texts(texts, model, bos=bos, window=window, stride=stride, cache=False)
    for text, row in zip(texts, scores.iter_rows(named=True), strict=True):
        prefix = [] if bos == "never" or exact.prefix is None else list(exact.prefix.ids)
        ids, room = exact.encode([text])[0], window - len(prefix)
        # Token by token: the first window that holds it scores it, unless nothing stands before it.
        total, used = 0.0, set[int]()
        for place, _ in enumerate(ids):
            start = 0
            while place >= start + room:
                start += stride
            used.add(start)
            before = [*prefix, *ids[start : place + 1]]
            if len(before) > 1:
                total += slow(exact, before, len(before) - 1)
        assert row["sent_nll"] == pytest.approx(total, rel=1e-5)
        assert row["windows"] == len(used)
        assert row["n_tokens"] == len(ids)
        assert row["n_scored"] == len(ids) - (not prefix)


def test_long_text_is_scored_or_refused_never_cut(llama: LanguageModel) -> None:
    scores = score_texts([_LONG], llama, cache=False)
    assert scores["windows"][0] > 1
    assert scores["n_scored"][0] == scores["n_tokens"][0] == len(llama.encode([_LONG])[0])
    with pytest.raises(InputError, match=r"row 2: a text of \d+ tokens, and a window holds 63"):
        score_texts(["a", _LONG], llama, overflow="refuse", cache=False)


@pytest.mark.parametrize(
    ("window", "stride", "problem"),
    [
        (65, None, "more than the model's context of 64"),
        (2, None, "no room"),
        (10, 9, "stride of 9"),
        (10, 0, "stride of 0"),
    ],
)
def test_windows_that_do_not_fit_are_refused(
    llama: LanguageModel, window: int, stride: int | None, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        score_texts(["a"], llama, window=window, stride=stride, cache=False)


def test_emptiness_is_null_with_a_reason(llama: LanguageModel) -> None:
    texts = [None, "", " \u00a0", "\u200d\u200c", "a\ud800", "cat"]
    scores = score_texts(texts, llama, cache=False)
    assert scores["sent_nll"].is_null().to_list() == [True] * 5 + [False]
    assert scores["reason"].to_list() == [
        "no text", "the text is empty", "only white space", "only invisible characters",
        "not Unicode text: it has a lone surrogate", None,
    ]  # fmt: skip
    assert scores["n_scored"].to_list()[:5] == [0] * 5


def test_no_texts(llama: LanguageModel) -> None:
    scores = score_texts([], llama, cache=False)
    assert scores.height == 0
    assert scores.schema["sent_nll"] == pl.Float64


def test_one_string_is_not_a_list_of_texts(llama: LanguageModel) -> None:
    with pytest.raises(InputError, match="one string"):
        score_texts("the cat", llama, cache=False)


def test_one_token_without_bos(llama: LanguageModel) -> None:
    one = score_texts(["a"], llama, bos="never", cache=False).row(0, named=True)
    assert one["sent_nll"] is None
    assert one["reason"] == "one token and no BOS: nothing to score"
    assert one["n_tokens"] == 1
    assert score_texts(["a"], llama, bos="auto", cache=False)["sent_nll"][0] > 0


def test_first_token_is_stated(llama: LanguageModel) -> None:
    with_bos = score_texts(["the cat sat"], llama, cache=False).row(0, named=True)
    without = score_texts(["the cat sat"], llama, bos="never", cache=False).row(0, named=True)
    assert (with_bos["first"], without["first"]) == ("scored", "skipped")
    assert with_bos["n_scored"] == with_bos["n_tokens"] == without["n_tokens"] == without["n_scored"] + 1
    assert with_bos["sent_nll"] != without["sent_nll"]


def test_unknown_policies(llama: LanguageModel) -> None:
    with pytest.raises(InputError, match="not a BOS policy"):
        score_texts(["a"], llama, bos="yes", cache=False)
    with pytest.raises(InputError, match="not a way to deal with long texts"):
        score_texts(["a"], llama, overflow="truncate", cache=False)


def test_the_tokenisers_padding_side_changes_nothing(llama: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["a", "the cat", "the cat sat on the"]
    before = score_texts(texts, llama, cache=False)
    monkeypatch.setattr(llama.tokenizer, "padding_side", "left")
    assert score_texts(texts, llama, cache=False).equals(before)
