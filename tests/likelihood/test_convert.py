"""Converting a packaged model: a folder is whole or not there, and what came out wrong is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

transformers = pytest.importorskip("transformers")

from equiglot.errors import InputError  # noqa: E402
from equiglot.models import EMBEDDED, gguf  # noqa: E402

_ENTRY = EMBEDDED["smollm2-135m"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gguf, "cache_folder", lambda *parts: tmp_path)
    monkeypatch.setattr(gguf, "embedded_file", lambda entry: tmp_path / "model.gguf")
    return tmp_path


def test_a_failed_conversion_leaves_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(source: Path, folder: Path, *rest: Any) -> None:
        (folder / "model.safetensors").write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr(gguf, "_convert", fail)
    with pytest.raises(KeyboardInterrupt):
        gguf.converted(_ENTRY)
    assert list(place.iterdir()) == []


def test_once_and_the_first_to_finish_wins(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    def convert(source: Path, folder: Path, *rest: Any) -> None:
        made.append(folder)
        (folder / "by").write_text(str(len(made)))
        if len(made) == 1:  # another process does the same, and is done before this one
            gguf.converted(_ENTRY)

    monkeypatch.setattr(gguf, "_convert", convert)
    folder = gguf.converted(_ENTRY)
    assert gguf.converted(_ENTRY) == folder
    assert len(made) == 2
    assert (folder / "by").read_text() == "2"
    assert list(place.iterdir()) == [folder]
    assert _ENTRY.sha256[:12] in folder.name


@pytest.mark.parametrize("fault", ["normalised", "prefixed", "no byte fallback"])
def test_a_tokeniser_that_changes_text_is_refused(tokenizer_of: Callable[..., Any], fault: str) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    tokenizer = tokenizer_of()
    gguf._check_tokenizer(tokenizer, _ENTRY)
    backend = tokenizer.backend_tokenizer
    if fault == "normalised":
        backend.normalizer = normalizers.Lowercase()
    elif fault == "prefixed":
        backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    else:
        letters = {letter: i for i, letter in enumerate("<unk> abcdefghijklmnopqrstuvwxyzTFP.,")}
        lacking = Tokenizer(models.BPE(vocab=letters, merges=[], unk_token="<unk>"))
        tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=lacking, unk_token="<unk>")
    with pytest.raises(InputError, match="does not come back"):
        gguf._check_tokenizer(tokenizer, _ENTRY)


def test_weights_out_of_place_are_noticed(tmp_path: Path, make: Callable[..., Path]) -> None:
    folder = make(tmp_path, "llama")
    model = transformers.AutoModelForCausalLM.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    with pytest.raises(InputError, match="nats a token for plain English"):
        gguf._check_model(model, tokenizer, _ENTRY)


def test_an_unknown_pre_tokeniser_is_refused(tokenizer_of: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "qwen2"}
    monkeypatch.setattr(gguf, "_fields", lambda source, *names: fields)
    with pytest.raises(InputError, match="pre-tokeniser 'qwen2', which equiglot doesn't know"):
        gguf._mend_pre_tokenizer(tokenizer_of(), Path("x.gguf"), _ENTRY)
    fields["tokenizer.ggml.pre"] = "smollm"
    tokenizer = tokenizer_of()
    gguf._mend_pre_tokenizer(tokenizer, Path("x.gguf"), _ENTRY)
    pieces = tokenizer.backend_tokenizer.pre_tokenizer.pre_tokenize_str("a  12")
    assert [piece for piece, _ in pieces] == ["a", "ĠĠ", "1", "2"]
