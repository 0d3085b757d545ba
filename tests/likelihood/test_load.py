"""What is loaded, what it is called, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from equiglot.engine import silent  # noqa: E402
from equiglot.errors import InputError  # noqa: E402
from equiglot.likelihood import LanguageModel, load_language_model, score_texts  # noqa: E402
from equiglot.likelihood._encode import Prefix  # noqa: E402
from equiglot.likelihood._folder import model_folder  # noqa: E402
from equiglot.likelihood.policy import settle  # noqa: E402

Make = Callable[..., Path]


def test_identity_is_of_the_files(tmp_path: Path, make: Make) -> None:
    one, same, other = (make(tmp_path / name, "llama", seed=seed) for name, seed in (("a", 0), ("b", 0), ("c", 1)))
    models = [load_language_model(str(folder)) for folder in (one, same, other)]
    assert models[0].weights_sha256 == models[1].weights_sha256 != models[2].weights_sha256
    assert models[0].tokenizer_sha256 == models[2].tokenizer_sha256
    assert models[0].identity == f"a@{models[0].weights_sha256[:8]}"


def test_a_changed_file_changes_the_identity(tmp_path: Path, make: Make) -> None:
    before = load_language_model(str(make(tmp_path, "llama", seed=0)))
    after = load_language_model(str(make(tmp_path, "llama", seed=1)))
    assert before.weights_sha256 != after.weights_sha256


def test_the_signature_names_everything(llama: LanguageModel) -> None:
    parts = dict(part.split(":", 1) for part in settle(llama, window=32).signature("sent_nll", llama).split("|"))
    assert parts["lm"] == llama.identity
    assert parts["tok"] == llama.tokenizer_sha256[:8]
    assert (parts["dtype"], parts["bos"], parts["prefix"], parts["first"]) == ("float32", "auto", "<s>", "scored")
    assert parts["windows"] == "32/16"
    never = settle(llama, bos="never").signature("sent_nll", llama)
    assert "bos:never|prefix:none|first:skipped|windows:64/32" in never


def test_auto_dtype_is_resolved_and_stated(tmp_path: Path, make: Make) -> None:
    model = load_language_model(str(make(tmp_path, "llama")))
    assert model.dtype in ("bfloat16", "float32")
    assert str(model.head.weight.dtype) == f"torch.{model.dtype}"


@pytest.mark.parametrize("kind", ["llama", "gemma3", "gemma2", "bloom"])
def test_bfloat16_is_near(tmp_path: Path, make: Make, kind: str) -> None:
    """Within what rounding the weights and states to 8 bits does; a wrong formula is out by far more."""
    folder = str(make(tmp_path, kind))
    half, full = (load_language_model(folder, dtype=dtype) for dtype in ("bfloat16", "float32"))
    texts = ["the cat sat on the mat", "बिल्ली चटाई पर", "a"]
    got, exact = (score_texts(texts, model, cache=False)["sent_nll"].to_list() for model in (half, full))
    assert got == pytest.approx(exact, rel=0.05)
    alone = [score_texts([text], half, cache=False, batch_tokens=1)["sent_nll"][0] for text in texts]
    assert got == pytest.approx(alone, rel=1e-3)
    kinds = {name: parameter.dtype for name, parameter in half.module.named_parameters()}
    assert {kinds[name] for name in kinds if "norm" in name or "embed" in name} == {torch.float32}
    assert {kinds[name] for name in kinds if "proj" in name or ("dense" in name and "bias" not in name)} == {
        torch.bfloat16
    }


def test_context_is_the_models_own(tiny: tuple[LanguageModel, LanguageModel]) -> None:
    """ALiBi sets no limit."""
    model = tiny[0]
    assert model.context == {"BloomForCausalLM": None, "GPT2LMHeadModel": 61}.get(type(model.module).__name__, 64)


@pytest.mark.parametrize("case", [(1, 1, 1), (3, 3, 1), (17, 8, 2)])
def test_threads_are_shared_out_and_put_back(
    tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch, case: tuple[int, int, int]
) -> None:
    import equiglot.likelihood._forward as forward

    threads, workers, each = case
    model = load_language_model(str(make(tmp_path, "llama")), dtype="float32", threads=threads)
    seen: set[int] = set()
    counts: list[int] = []
    states, jobs = forward.hidden_states, forward._jobs
    monkeypatch.setattr(forward, "hidden_states", lambda *a: seen.add(torch.get_num_threads()) or states(*a))
    monkeypatch.setattr(forward, "_jobs", lambda *a: counts.append(a[-1]) or jobs(*a))
    before = torch.get_num_threads()
    texts = ["the cat sat on the mat " * i for i in range(1, 9)]
    scores = score_texts(texts, model, cache=False, batch_tokens=32)["sent_nll"].to_list()
    assert seen == {each}
    assert set(counts) == {workers}
    assert torch.get_num_threads() == before
    alone = score_texts(texts, replace(model, threads=1), cache=False)["sent_nll"].to_list()
    assert scores == pytest.approx(alone, rel=1e-5)


def test_rotary_embeddings_that_keep_state_run_one_at_a_time(
    tmp_path: Path, make: Make, slow: Callable[..., float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They write the frequencies for a length into the model, so two lengths at once would mix."""
    import equiglot.likelihood._forward as forward

    folder = make(tmp_path, "llama")
    config = json.loads((folder / "config.json").read_text())
    config["rope_parameters"] = {"rope_type": "dynamic", "factor": 4.0, "rope_theta": 10_000.0}
    (folder / "config.json").write_text(json.dumps(config))
    model = load_language_model(str(folder), dtype="float32", threads=4)
    running, most = 0, 0
    states = forward.hidden_states

    def spy(*args: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        made = states(*args)
        running -= 1
        return made

    monkeypatch.setattr(forward, "hidden_states", spy)
    texts = ["the cat sat on the mat " * i for i in range(1, 9)]
    scores = score_texts(texts, model, cache=False, batch_tokens=32)["sent_nll"].to_list()
    assert most == 1
    # Texts of several windows are left out: what they give hangs on how the model was run before.
    short = [(text, nll) for text, nll in zip(texts, scores, strict=True) if len(model.encode([text])[0]) < 60]
    assert [nll for _, nll in short] == pytest.approx(
        [slow(model, [1, *model.encode([text])[0]], 1) for text, _ in short], rel=1e-5
    )


def test_a_masked_model_is_refused(tmp_path: Path, make: Make, tokenizer_of: Callable[..., Any]) -> None:
    """It loads as a causal one, and would give a number."""
    config = transformers.BertConfig(
        vocab_size=400, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48
    )
    model = transformers.BertLMHeadModel(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.mul_(10)
    model.save_pretrained(tmp_path)
    tokenizer_of().save_pretrained(tmp_path)
    with pytest.raises(InputError, match="reads what comes after a token"):
        load_language_model(str(tmp_path), dtype="float32")


def test_logits_made_in_an_unknown_way_are_refused(tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make(tmp_path, "llama")
    original = transformers.LlamaForCausalLM.forward

    def forward(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = original(self, *args, **kwargs)
        made.logits = made.logits * 1.5
        return made

    monkeypatch.setattr(transformers.LlamaForCausalLM, "forward", forward)
    with pytest.raises(InputError, match="in a way that the scorer can't follow"):
        load_language_model(str(folder), dtype="float32")


def test_a_missing_weight_is_refused_and_not_drawn_at_random(tmp_path: Path, make: Make) -> None:
    from safetensors.torch import load_file, save_file

    folder = make(tmp_path, "llama")
    tensors = load_file(folder / "model.safetensors")
    del tensors["lm_head.weight"]
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"is not whole: 1 weights .*lm_head\.weight"):
        load_language_model(str(folder))


@pytest.mark.parametrize("lacking", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_folder_that_lacks_a_file_is_refused(tmp_path: Path, make: Make, lacking: str) -> None:
    folder = make(tmp_path, "llama")
    (folder / lacking).unlink()
    with pytest.raises(InputError, match=r"config\.json|weights|tokeniser"):
        load_language_model(str(folder))


def test_an_architecture_that_is_not_known_is_refused(tmp_path: Path, make: Make) -> None:
    folder = make(tmp_path, "llama")
    config = json.loads((folder / "config.json").read_text()) | {"model_type": "tarot", "architectures": ["Tarot"]}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="can't load"):
        load_language_model(str(folder))


def test_tokens_beyond_the_vocabulary_are_refused(tmp_path: Path, make: Make, tokenizer_of: Callable[..., Any]) -> None:
    """The embeddings are never resized."""
    tokenizer = tokenizer_of()
    tokenizer.add_tokens([f"q{i}q" for i in range(400)])
    model = load_language_model(str(make(tmp_path, "llama", tokenizer)), dtype="float32")
    assert model.head.vocabulary == 400
    with pytest.raises(InputError, match=r"row 2: the tokeniser of .* gives token \d+, and the model has only 400"):
        score_texts(["cat", "a q399q"], model, cache=False)


def test_the_hub_out_of_reach_has_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match=r"hf:nobody/nothing-of-the-kind.*\(pkg:NAME\)"):
        load_language_model("hf:nobody/nothing-of-the-kind")


@pytest.fixture
def cached(tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of hf:some/model in the hub's local cache, as its client lays it out; the hub can't be reached."""
    import huggingface_hub.constants

    def unreached(_self: huggingface_hub.HfApi, name: str, **_: Any) -> None:
        raise OSError("no network")

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", unreached)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *_, **__: pytest.fail("the hub was asked"))
    commit = "ab" * 20
    (tmp_path / "models--some--model" / "refs").mkdir(parents=True)
    (tmp_path / "models--some--model" / "refs" / "main").write_text(commit)
    return make(tmp_path / "models--some--model" / "snapshots" / commit, "llama")


def test_what_the_cache_has_is_taken_without_a_question(cached: Path) -> None:
    assert model_folder("hf:some/model", silent).folder == cached


def test_a_model_that_is_nowhere_is_refused_after_one_question(cached: Path) -> None:
    with pytest.raises(InputError, match="'hf:other/model' is not in the hub's local cache"):
        model_folder("hf:other/model", silent)


@pytest.mark.parametrize("lacking", ["model.safetensors", "tokenizer.json", "tokenizer_config.json"])
def test_the_hub_is_asked_for_what_the_cache_lacks(cached: Path, lacking: str) -> None:
    (cached / lacking).unlink()
    with pytest.raises(pytest.fail.Exception, match="the hub was asked"):
        model_folder("hf:some/model", silent)


def test_a_shard_that_the_cache_lacks_is_asked_for_too(cached: Path) -> None:
    names = [f"model-0000{i}-of-00002.safetensors" for i in (1, 2)]
    (cached / "model.safetensors").rename(cached / names[0])
    with pytest.raises(pytest.fail.Exception, match="the hub was asked"):  # no index
        model_folder("hf:some/model", silent)
    (cached / "model.safetensors.index.json").write_text(
        json.dumps({"weight_map": dict(zip("ab", names, strict=True))})
    )
    with pytest.raises(pytest.fail.Exception, match="the hub was asked"):
        model_folder("hf:some/model", silent)
    (cached / names[1]).write_bytes(b"")
    assert model_folder("hf:some/model", silent).folder == cached


@pytest.mark.parametrize(
    ("reference", "options", "problem"),
    [
        ("pkg:nothing", {}, "pkg:gemma3-270m"),
        ("pkg:xlmr", {}, "not a language model"),
        ("tiktoken:gpt2", {}, "not a language model"),
        ("no/such/folder", {}, "neither a path"),
        ("pkg:smollm2-135m", {"dtype": "int4"}, "not a number format"),
        ("pkg:smollm2-135m", {"device": "abacus"}, "no device 'abacus'"),
        ("pkg:smollm2-135m", {"threads": 0}, "0 threads"),
    ],
)
def test_bad_requests(reference: str, options: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        load_language_model(reference, **options)


def test_rotary_embeddings_for_long_texts_see_each_piece_as_long_as_it_is(
    tmp_path: Path, make: Make, slow: Callable[..., float]
) -> None:
    """Beyond the original length they take other factors, so neither padding nor a token less may be run."""
    folder = make(tmp_path, "llama")
    config = json.loads((folder / "config.json").read_text())
    config["rope_parameters"] = {
        "rope_type": "longrope", "rope_theta": 10_000.0, "original_max_position_embeddings": 13,
        "short_factor": [1.0] * 4, "long_factor": [4.0] * 4, "factor": 4.0,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    model = load_language_model(str(folder), dtype="float64")
    texts = ["the cat sat on the mat the cat sat on a mat and looked"[:length] for length in range(4, 50, 2)]
    ids = [[1, *model.encode([text])[0]] for text in texts]
    assert {13, 14} <= {len(own) for own in ids}
    scores = score_texts(texts, model, cache=False)["sent_nll"].to_list()
    assert scores == pytest.approx([slow(model, own, 1) for own in ids], rel=1e-9)


@pytest.mark.parametrize("file", ["added_tokens.json", "tokenizer_config.json", "special_tokens_map.json"])
def test_all_that_a_tokeniser_is_made_of_is_in_its_hash(tmp_path: Path, make: Make, file: str) -> None:
    folder = make(tmp_path, "llama")
    before = model_folder(str(folder), silent).tokenizer_sha256
    path = folder / file
    path.write_text(json.dumps(json.loads(path.read_text() if path.exists() else "{}") | {"kept": 1}))
    assert model_folder(str(folder), silent).tokenizer_sha256 != before


@pytest.mark.parametrize(
    ("file", "written"),
    [
        ("model.safetensors", b""),
        ("model.safetensors", b"\x10\x00\x00\x00\x00\x00\x00\x00{cut"),
        ("config.json", b"[]"),
        ("config.json", b'{"model_type": "llama", "hidden_size": "a"}'),
    ],
)
def test_damaged_files_are_refused_in_one_line(tmp_path: Path, make: Make, file: str, written: bytes) -> None:
    folder = make(tmp_path, "llama")
    (folder / file).write_bytes(written)
    with pytest.raises(InputError, match="can't load"):
        load_language_model(str(folder), dtype="float32")


@pytest.mark.parametrize("positions", [1, 2, 5])
def test_a_very_short_context_is_read_or_refused(tmp_path: Path, make: Make, positions: int) -> None:
    folder = make(tmp_path, "llama")
    config = transformers.GPT2Config(vocab_size=400, n_embd=32, n_layer=1, n_head=4, n_positions=positions)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    if positions == 1:
        with pytest.raises(InputError, match="a context of one token"):
            load_language_model(str(folder), dtype="float32")
        return
    assert load_language_model(str(folder), dtype="float32").context == positions


def test_a_prefix_that_the_model_has_no_embedding_for_is_refused(tmp_path: Path, make: Make) -> None:
    folder = make(tmp_path, "llama")
    model = load_language_model(str(folder), dtype="float32")
    beyond = replace(model, prefix=Prefix((400,), "<|BOS|>"))
    with pytest.raises(InputError, match=r"400 tokens, and what its tokeniser puts before a text \(<\|BOS\|>\)"):
        score_texts(["the cat"], beyond, cache=False)
    assert score_texts(["the cat"], beyond, bos="never", cache=False)["n_scored"][0]
