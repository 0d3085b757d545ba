"""Results are kept, found again, and never another model's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import equiglot.likelihood._run as run
from equiglot.likelihood import LanguageModel, load_language_model, score_texts

_TEXTS = ["the cat", "the cat sat", "पर बैठी", "the cat", "mat " * 20, "mat " * 30]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pieces each call to the model was given."""
    calls: list[int] = []
    original = run.score_pieces

    def spy(model: Any, parts: Any, batch_tokens: int, **options: Any) -> Any:
        calls.append(len(parts))
        return original(model, parts, batch_tokens, **options)

    monkeypatch.setattr(run, "score_pieces", spy)
    return calls


def test_unique_texts_once_and_then_from_the_cache(llama: LanguageModel, tmp_path: Path, computed: list[int]) -> None:
    first = score_texts(_TEXTS, llama, cache=tmp_path)
    done = sum(computed)
    again = score_texts([*_TEXTS, None], llama, cache=tmp_path, batch_tokens=7)
    assert sum(computed) == done
    assert again.head(len(_TEXTS)).equals(first)
    score_texts(["another", *_TEXTS], llama, cache=tmp_path)
    assert sum(computed) == done + 1


def test_the_default_is_the_users_cache(llama: LanguageModel, computed: list[int]) -> None:
    score_texts(["a text for the default cache"], llama)
    score_texts(["a text for the default cache"], llama)
    assert sum(computed) == 1


def test_no_cache(llama: LanguageModel, computed: list[int]) -> None:
    for _ in range(2):
        score_texts(["the cat"], llama, cache=False)
    assert sum(computed) == 2


@pytest.mark.parametrize("bos", ["auto", "never"])
def test_what_changes_a_value_is_in_the_key(
    tmp_path: Path, make: Callable[..., Path], llama: LanguageModel, computed: list[int], bos: str
) -> None:
    other = load_language_model(str(make(tmp_path / "other", "llama", seed=5)), dtype="float32")
    double = load_language_model(str(make(tmp_path / "same", "llama", seed=0)), dtype="float64")
    another_tokenizer = replace(llama, tokenizer_sha256="0" * 64)
    cache = tmp_path / "scores"
    requests: list[tuple[LanguageModel, dict[str, Any]]] = [
        (llama, {}), (other, {}), (double, {}), (another_tokenizer, {}),
        (llama, {"window": 32}), (llama, {"window": 32, "stride": 5}),
    ]  # fmt: skip
    scores = [score_texts(["the cat sat"], model, bos=bos, cache=cache, **options) for model, options in requests]
    assert sum(computed) == len(requests)
    assert scores[0]["sent_nll"][0] != scores[1]["sent_nll"][0]
    other_policy = "never" if bos == "auto" else "auto"
    assert score_texts(["the cat sat"], llama, bos=other_policy, cache=cache)["sent_nll"][0] != scores[0]["sent_nll"][0]
    assert sum(computed) == len(requests) + 1
    # The same prefix under another policy's name is the same number.
    score_texts(["the cat sat"], llama, bos="require", cache=cache)
    assert sum(computed) == len(requests) + 1


def test_a_killed_run_loses_one_block_at_most(
    llama: LanguageModel, tmp_path: Path, computed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_block_tokens", lambda model: 64)
    texts = [f"the cat sat {i}" for i in range(40)]
    told: list[tuple[str, int, int]] = []

    def kill(what: str, done: int, total: int) -> None:
        told.append((what, done, total))
        if done >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_texts(texts, llama, cache=tmp_path, progress=kill)
    before = sum(computed)
    assert 20 <= before < 40
    assert max(computed) <= 64 // 4  # a text has four words, so four tokens at least
    score_texts(texts, llama, cache=tmp_path)
    assert sum(computed) == 40
    assert told[0] == (f"scoring with {llama.name}", 0, 40)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_progress_reaches_the_end(llama: LanguageModel) -> None:
    told: list[tuple[int, int]] = []
    score_texts(_TEXTS, llama, cache=False, progress=lambda what, done, total: told.append((done, total)))
    assert told[-1] == (5, 5)
