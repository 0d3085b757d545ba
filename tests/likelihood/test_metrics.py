"""The laws of the metrics, against plain arithmetic on one text; nulls with reasons; cuts; both BOS policies."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.likelihood import LanguageModel, add_likelihood, load_language_model, score_texts
from equiglot.table import Segments

_QUICK = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _segments(targets: list[str | None], **more: list[Any]) -> Segments:
    n = len(targets)
    columns = {"id": [str(i) for i in range(n)], "language": ["hi"] * n, "script": ["Deva"] * n,
               "condition": ["native"] * n, "system": ["a"] * n, "target": targets}  # fmt: skip
    return Segments(pl.DataFrame({**columns, **more}, schema_overrides={"target": pl.String}))


@_QUICK
@given(texts=st.lists(st.text(max_size=15), min_size=1, max_size=6))
def test_laws(llama: LanguageModel, texts: list[str]) -> None:
    made = add_likelihood(_segments(list(texts), source=["the cat"] * len(texts)), llama, cache=False).frame
    for text, row in zip(texts, made.iter_rows(named=True), strict=True):
        if row["sent_nll"] is None:
            assert row["sent_nll_reason"]
            assert all(row[name] is None for name in ("token_nll", "ppl", "bpb", "bpc", "bpec", "mrr"))
            continue
        nll = row["sent_nll"]
        assert 2 ** row["bpb"] == pytest.approx(math.exp(nll) ** (1 / len(text.encode())))
        assert 2 ** row["bpc"] == pytest.approx(math.exp(nll) ** (1 / len(text)))
        assert 2 ** row["bpec"] == pytest.approx(math.exp(nll) ** (1 / len("the cat")))
        assert row["ppl"] == pytest.approx(math.exp(row["token_nll"]))
        assert row["token_nll"] * row["n_scored"] == pytest.approx(nll)
        assert (row["n_bytes"], row["n_chars"]) == (len(text.encode()), len(text))
        assert 0 < row["mrr"] <= 1


def test_units_directions_and_signatures(llama: LanguageModel) -> None:
    made = add_likelihood(_segments(["cat"], source=["the cat"]), llama, cut=50, cache=False)
    assert {name: (info.unit, info.direction) for name, info in made.measures.items()} == {
        "sent_nll": ("nats", "lower"),
        "token_nll": ("nats/token", "lower"),
        "ppl": ("perplexity", "lower"),
        "bpb": ("bits/byte", "lower"),
        "bpc": ("bits/character", "lower"),
        "bpec": ("bits/source character", "lower"),
        "mrr": ("reciprocal rank", "higher"),
    }
    assert made.measures["bpb"].signature.startswith(f"metric:bpb|lm:{llama.identity}|")
    assert "|first:scored|windows:64/32|cut:50|" in made.measures["bpb"].signature


def test_without_ranks_and_sources_the_rest_is_the_same(llama: LanguageModel) -> None:
    full = add_likelihood(_segments(["cat", "the mat"], source=["a", "b"]), llama, cache=False).frame
    less = add_likelihood(_segments(["cat", "the mat"]), llama, ranks=False, cache=False)
    assert set(less.measures) == {"sent_nll", "token_nll", "ppl", "bpb", "bpc"}
    assert less.frame["sent_nll"].equals(full["sent_nll"])


def test_what_is_missing_is_null_with_a_reason(llama: LanguageModel) -> None:
    made = add_likelihood(
        _segments(["cat", "", None, "cat", "cat"], source=["a", "a", "a", None, ""]), llama, cache=False
    ).frame
    assert made["bpb_reason"].to_list() == [None, "the text is empty", "no text", None, None]
    assert made["bpec_reason"].to_list() == [
        None, "the text is empty", "no text", "no source text", "no source text",
    ]  # fmt: skip
    assert made["n_bytes"].to_list() == [3, None, None, 3, 3]


def test_a_perplexity_beyond_floats_is_null(llama: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    from equiglot.likelihood import metrics

    monkeypatch.setattr(metrics, "_LARGEST_EXPONENT", 1e-6)
    made = add_likelihood(_segments(["cat"]), llama, cache=False).frame
    assert made["ppl"].to_list() == [None]
    assert made["ppl_reason"].to_list() == ["more than exp(1e-06)"]
    assert made["token_nll"][0] is not None


@pytest.mark.parametrize("bos", ["auto", "never"])
def test_a_cut_text_is_scored_as_its_beginning(llama: LanguageModel, bos: str) -> None:
    text = "the cat sat on the mat and looked"
    whole, cut = (score_texts([text], llama, detail="tokens", bos=bos, cut=n, cache=False).row(0, named=True)
                  for n in (None, 5))  # fmt: skip
    assert cut["n_tokens"] == 5
    assert cut["n_cut"] == whole["n_tokens"] - 5
    assert cut["token_nlls"] == pytest.approx(whole["token_nlls"][: cut["n_scored"]], rel=1e-5)
    beginning = text[: cut["n_chars"]]
    assert llama.encode([beginning])[0] == llama.encode([text])[0][:5]
    assert cut["n_bytes"] == len(beginning.encode())


def test_a_cut_falls_between_characters(llama: LanguageModel) -> None:
    """Three bytes a character and no merges for it: a cut at 4 tokens leaves one character."""
    text = "中文字"
    assert len(llama.encode([text])[0]) == 9
    row = score_texts([text], llama, cut=4, cache=False).row(0, named=True)
    assert (row["n_tokens"], row["n_cut"], row["n_chars"], row["n_bytes"]) == (3, 6, 1, 3)
    row = score_texts([text], llama, cut=2, cache=False).row(0, named=True)
    assert row["sent_nll"] is None
    assert row["reason"] == "the cut falls inside the first character"


def test_cuts_are_counted_and_not_taken_for_whole_texts(llama: LanguageModel, tmp_path: Path) -> None:
    table = _segments(["the cat sat on the mat", "cat"], source=["a", "b"])
    whole = add_likelihood(table, llama, cache=tmp_path)
    cut = add_likelihood(table, llama, cut=3, cache=tmp_path)
    assert cut.frame["sent_nll"][0] < whole.frame["sent_nll"][0]
    assert cut.frame["sent_nll"][1] == whole.frame["sent_nll"][1]
    assert cut.frame["bpec_reason"].to_list() == [
        "the text was cut, and the source says more than what was scored", None,
    ]  # fmt: skip
    assert any(
        note.startswith("1 of 2 targets of hi-Deva were cut at 3 tokens, which leaves out") for note in cut.notes
    )
    assert add_likelihood(table, llama, cache=tmp_path).frame.equals(whole.frame)
    with pytest.raises(InputError, match="cut at 0 tokens"):
        add_likelihood(table, llama, cut=0, cache=False)


def test_both_bos_policies(llama: LanguageModel) -> None:
    texts: list[str | None] = ["the cat sat", "पर बैठी", "a"]
    made = add_likelihood(_segments(texts), llama, bos="both", cache=False)
    for bos, column in (("require", "sent_nll"), ("never", "sent_nll_no_bos")):
        assert made.frame[column].equals(score_texts(texts, llama, bos=bos, cache=False)["sent_nll"].rename(column))
    assert "|bos:never|" in made.measures["sent_nll_no_bos"].signature
    assert made.frame["sent_nll_no_bos_reason"][2] == "one token and no BOS: nothing to score"


@pytest.mark.parametrize(("shift", "told"), [(0.0, None), (2.0, "without BOS this model is lost"), (-2.0, "short")])
def test_a_large_gap_between_policies_is_told(
    llama: LanguageModel, monkeypatch: pytest.MonkeyPatch, shift: float, told: str | None
) -> None:
    from equiglot.likelihood import metrics

    def score(texts: Any, model: Any, *, bos: str, **options: Any) -> pl.DataFrame:
        made = score_texts(texts, model, bos="auto", **options)
        return made.with_columns(pl.col("sent_nll") + pl.col("n_scored") * shift) if bos == "never" else made

    monkeypatch.setattr(metrics, "score_texts", score)
    notes = add_likelihood(_segments(["the cat", "mat"]), llama, bos="both", cache=False).notes
    assert [told in note for note in notes if "first-token policy" in note] == ([True] if told else [])


def test_both_needs_a_bos(tmp_path: Path, make: Callable[..., Path], tokenizer_of: Callable[..., Any]) -> None:
    model = load_language_model(str(make(tmp_path, "llama", tokenizer_of(None, bos=None))), dtype="float32")
    with pytest.raises(InputError, match="has no BOS"):
        add_likelihood(_segments(["cat"]), model, bos="both", cache=False)


def test_languages_that_say_different_things_are_told(llama: LanguageModel) -> None:
    table = _segments(["cat", "mat", "cat"], language=["hi", "hi", "ta"], id=["1", "2", "1"])
    assert any("don't have all 2 ids in common" in note for note in add_likelihood(table, llama, cache=False).notes)
    blank = _segments(["cat", "mat", "cat", ""], language=["hi", "hi", "ta", "ta"], id=["1", "2"] * 2)
    notes = add_likelihood(blank, llama, cache=False).notes
    assert any("don't have all 2 scored ids in common" in note for note in notes)
    assert not add_likelihood(_segments(["cat", "mat"]), llama, cache=False).notes
