"""Values of single tokens: those of the slow scorer, with the characters that they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equiglot.likelihood import LanguageModel, add_likelihood, score_texts, token_table
from equiglot.table import Segments

torch = pytest.importorskip("torch")
Pair = tuple[LanguageModel, LanguageModel]

_QUICK = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _segments(targets: list[str | None]) -> Segments:
    n = len(targets)
    return Segments(pl.DataFrame({
        "id": [f"s{i}" for i in range(n)], "language": ["hi"] * n, "script": ["Deva"] * n, "condition": ["native"] * n,
        "system": ["a"] * n, "target": targets,
    }, schema_overrides={"target": pl.String}))  # fmt: skip


def _slow(model: LanguageModel, text: str, bos: str) -> tuple[list[float], list[tuple[int, int]]]:
    """-ln P of each scored token by the whole model in float64, alone; and between which ranks it is, for entries whose
    logits differ by less than float32 can tell may stand either way."""
    prefix = list(model.prefix.ids) if model.prefix and bos != "never" else []
    ids = [*prefix, *model.encode([text])[0]]
    with torch.inference_mode():
        logits = model.module(input_ids=torch.tensor([ids]), use_cache=False).logits[0].double()
    nll = -logits.log_softmax(-1)
    pairs = [(i - 1, ids[i]) for i in range(1, len(ids))]
    near = 1e-5 * max(1.0, float(logits.abs().max()))

    def rank(i: int, token: int, margin: float) -> int:
        return 1 + int((logits[i] > logits[i, token] + margin).sum())

    return [float(nll[i, t]) for i, t in pairs], [(rank(i, t, near), max(1, rank(i, t, -near) - 1)) for i, t in pairs]


@_QUICK
@given(
    texts=st.lists(st.text(alphabet="the catsmअआक中é ", min_size=1, max_size=12), max_size=5),
    bos=st.sampled_from(["auto", "never"]),
    batch_tokens=st.sampled_from([1, 50, 1000]),
)
def test_tokens_equal_the_slow_scorer(tiny: Pair, texts: list[str], bos: str, batch_tokens: int) -> None:
    model, exact = tiny
    scores = score_texts(texts, model, detail="tokens", bos=bos, batch_tokens=batch_tokens, cache=False)
    for text, row in zip(texts, scores.iter_rows(named=True), strict=True):
        if row["sent_nll"] is None:
            continue
        nll, ranks = _slow(exact, text, bos)
        assert row["token_nlls"] == pytest.approx(nll, rel=1e-4, abs=1e-4)
        found = row["token_ranks"]
        assert all(low <= rank <= high for rank, (low, high) in zip(found, ranks, strict=True))
        assert row["sent_nll"] == pytest.approx(sum(nll), rel=1e-5)
        assert row["mrr"] == pytest.approx(sum(1 / rank for rank in found) / len(found))


def test_windows_give_every_token_once(llama: LanguageModel) -> None:
    text = "the cat sat on the mat and looked at the other cat " * 6
    row = score_texts([text], llama, detail="tokens", window=24, stride=10, cache=False).row(0, named=True)
    assert row["windows"] > 1
    assert len(row["token_nlls"]) == len(row["token_ranks"]) == row["n_tokens"]
    assert sum(row["token_nlls"]) == pytest.approx(row["sent_nll"])


@_QUICK
@given(st.lists(st.one_of(st.none(), st.text(max_size=12)), min_size=1, max_size=5))
def test_the_table_spells_the_texts(llama: LanguageModel, texts: list[str | None]) -> None:
    texts = [*texts, "the cat"]  # a table without any text is refused
    table = token_table(_segments(texts), llama, cache=False)
    scores = score_texts(texts, llama, cache=False)
    for i, (text, row) in enumerate(zip(texts, scores.iter_rows(named=True), strict=True), start=1):
        own = table.filter(row=i)
        assert own.height == (row["n_tokens"] if row["sent_nll"] is not None else 0)
        if text is None or not own.height:
            continue
        assert own["id"].unique().to_list() == [f"s{i - 1}"]
        assert own["position"].to_list() == list(range(1, own.height + 1))
        assert own["nll"].sum() == pytest.approx(row["sent_nll"], rel=1e-6)
        assert [text[a:b] for a, b in own.select("start", "end").iter_rows()] == own["text"].to_list()
        assert own["start"].is_sorted()
        # Byte-level tokens of one character all have its place; taken once each, the pieces spell the text.
        places = own.select("start", "end").unique(maintain_order=True)
        assert "".join(text[a:b] for a, b in places.iter_rows()) == text


def test_a_first_token_that_is_not_scored_is_there_and_null(llama: LanguageModel) -> None:
    table = token_table(_segments(["the cat"]), llama, bos="never", cache=False)
    assert table["nll"].is_null().to_list() == [True] + [False] * (table.height - 1)
    assert table["rank"].is_null().to_list() == table["nll"].is_null().to_list()


def test_a_cut_text_has_the_tokens_that_are_left(llama: LanguageModel) -> None:
    assert token_table(_segments(["the cat sat on the mat", "a"]), llama, cut=3, cache=False)["row"].to_list() == [
        1,
        1,
        1,
        2,
    ]


def test_a_tokeniser_without_places_gives_none(llama: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    import equiglot.likelihood._taken as taken
    import equiglot.likelihood.per_token as module
    from equiglot.errors import InputError

    def nothing(*_: Any) -> None:
        return None

    monkeypatch.setattr(module, "spans", nothing)
    monkeypatch.setattr(taken, "spans", nothing)
    table = token_table(_segments(["the cat"]), llama, cache=False)
    assert table.select("start", "end", "text").null_count().row(0) == (table.height,) * 3
    with pytest.raises(InputError, match="does not say where its tokens stand"):
        score_texts(["the cat sat"], llama, cut=2, cache=False)


def test_what_was_asked_for_is_kept_and_found(
    llama: LanguageModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tokens hold ranks and sums; ranks hold sums; nothing that is there is computed again."""
    import equiglot.likelihood._run as run

    calls: list[int] = []
    original = run.score_pieces

    def spy(model: Any, parts: Any, batch_tokens: int, **options: Any) -> Any:
        calls.append(len(parts))
        return original(model, parts, batch_tokens, **options)

    monkeypatch.setattr(run, "score_pieces", spy)
    texts = ["the cat", "पर बैठी", "the cat sat on the mat " * 4]
    tokens = score_texts(texts, llama, detail="tokens", cache=tmp_path)
    done = sum(calls)
    for detail in ("tokens", "ranks", "nll"):
        again = score_texts(texts, llama, detail=detail, cache=tmp_path)
        assert again.equals(tokens.select(again.columns))
    assert sum(calls) == done
    table = _segments(list(texts))
    scored = add_likelihood(table, llama, cache=tmp_path)
    assert token_table(table, llama, cache=tmp_path)["nll"].sum() == pytest.approx(scored.frame["sent_nll"].sum())
    assert sum(calls) == done
    score_texts(["mat"], llama, cache=tmp_path)
    ranks = score_texts(["mat"], llama, detail="ranks", cache=tmp_path)
    assert sum(calls) == done + 2  # its ranks were not there
    assert ranks["sent_nll"].equals(score_texts(["mat"], llama, cache=tmp_path)["sent_nll"])
