"""BOS: exactly one, from the tokeniser itself; and a text is text, whatever it looks like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.likelihood import LanguageModel, load_language_model, score_texts
from equiglot.likelihood._encode import encode, find_prefix, prepare

_BOS, _EOS = 1, 2


@pytest.mark.parametrize(
    ("template", "bos", "ids"),
    [
        pytest.param("<s> $A", "<s>", (_BOS,), id="put there by the post-processor"),
        pytest.param("<s> $A </s>", "<s>", (_BOS,), id="what comes after the text is no prefix"),
        pytest.param("<s> <s> $A", "<s>", (_BOS,), id="doubled in the template"),
        pytest.param("<s> $A", None, (_BOS,), id="in the post-processor only"),
        pytest.param("$A </s>", "<s>", (_BOS,), id="bos_token only"),
        pytest.param(None, "<s>", (_BOS,), id="no post-processor, bos_token only"),
        pytest.param("</s> $A", "<s>", (_EOS,), id="the post-processor has the last word"),
    ],
)
def test_prefix_is_found(
    tokenizer_of: Callable[..., Any], template: str | None, bos: str | None, ids: tuple[int]
) -> None:
    tokenizer = tokenizer_of(template, bos=bos)
    prepare(tokenizer)
    prefix = find_prefix(tokenizer)
    assert prefix is not None
    assert prefix.ids == ids
    assert encode(tokenizer, ["cat"])[0] == tokenizer.encode("cat", add_special_tokens=False)


def test_eos_never_stands_in_for_bos(tokenizer_of: Callable[..., Any]) -> None:
    tokenizer = tokenizer_of("$A </s>", bos=None)
    prepare(tokenizer)
    assert find_prefix(tokenizer) is None


def test_no_bos_is_declared_or_refused(
    tmp_path: Path, make: Callable[..., Path], tokenizer_of: Callable[..., Any]
) -> None:
    model = load_language_model(str(make(tmp_path, "llama", tokenizer_of(None, bos=None))), dtype="float32")
    row = score_texts(["the cat"], model, cache=False).row(0, named=True)
    assert row["first"] == "skipped"
    assert row["n_scored"] == row["n_tokens"] - 1
    with pytest.raises(InputError, match="has no BOS"):
        score_texts(["the cat"], model, bos="require", cache=False)


def test_exactly_one_bos_reaches_the_model(llama: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    import equiglot.likelihood._run as run

    seen: list[list[int]] = []
    original = run.score_pieces

    def spy(model: Any, parts: Any, *args: Any, **options: Any) -> Any:
        seen.extend(list(piece.ids) for piece in parts)
        return original(model, parts, *args, **options)

    monkeypatch.setattr(run, "score_pieces", spy)
    score_texts(["<s>the cat</s>", "<s>", "cat"], llama, cache=False)
    assert len(seen) == 3
    assert all(ids[0] == _BOS and ids.count(_BOS) == 1 and _EOS not in ids for ids in seen)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=20), st.sampled_from(["<s>", "</s>", "<unk>"]), st.text(max_size=20))
def test_text_is_encoded_as_text(llama: LanguageModel, before: str, special: str, after: str) -> None:
    text = before + special + after
    ids = llama.encode([text])[0]
    assert not {0, _BOS, _EOS} & set(ids)
    assert llama.tokenizer.backend_tokenizer.decode(ids, skip_special_tokens=False) == text


def test_truncation_and_padding_of_the_file_are_off(tokenizer_of: Callable[..., Any]) -> None:
    tokenizer = tokenizer_of(truncated=True)
    prepare(tokenizer)
    text = "the cat sat on the mat and looked"
    assert len(encode(tokenizer, [text])[0]) > 4
    assert [len(ids) for ids in encode(tokenizer, ["a", "the cat sat on"])] != [64, 64]


def test_a_slow_tokenizer(monkeypatch: pytest.MonkeyPatch, tokenizer_of: Callable[..., Any]) -> None:
    """One without a Rust side goes through its own encode, asked to split special tokens."""
    fast = tokenizer_of()

    class Slow:
        bos_token_id = _BOS

        def encode(self, text: str, add_special_tokens: bool, split_special_tokens: bool = False) -> list[int]:
            return fast.encode(text, add_special_tokens=add_special_tokens, split_special_tokens=split_special_tokens)

        def get_special_tokens_mask(self, ids: list[int], already_has_special_tokens: bool) -> list[int]:
            return [int(token in (0, _BOS, _EOS)) for token in ids]

        def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
            return fast.convert_ids_to_tokens(ids)

    slow = Slow()
    prepare(slow)
    prefix = find_prefix(slow)
    assert prefix is not None
    assert (prefix.ids, prefix.text) == ((_BOS,), "<s>")
    assert not {_BOS, _EOS} & set(encode(slow, ["<s>cat</s>"])[0])
