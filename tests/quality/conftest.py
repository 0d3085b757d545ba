"""Small models with random weights: they judge nothing, but every number of a metric can be checked with them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

CORPUS = [
    "main roz ghar jaata hoon aur vah bazaar se aati hai",
    "the cat sat on the mat and the dog ran home",
    "कमल घर पर है और बारिश हो रही है।",
    "nenu intiki veltunnanu, meeru ela unnaru?",
]


@pytest.fixture
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fingerprints of models that are gone tomorrow have no place in the user's cache."""
    monkeypatch.setenv("EQUIGLOT_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def _tokenizer(kind: str, places: int) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    if kind == "bert":
        names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer: Any = trainers.WordPieceTrainer(
            vocab_size=300, special_tokens=list(names.values()), show_progress=False
        )
    else:
        names = {"cls_token": "<s>", "pad_token": "<pad>", "sep_token": "</s>", "unk_token": "<unk>"}
        tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=list(names.values()), show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    ends = [names["cls_token"], names["sep_token"]]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{ends[0]} $A {ends[1]}", special_tokens=[(end, tokenizer.token_to_id(end)) for end in ends]
    )
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=places, **names)


@pytest.fixture(scope="session")
def small_models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders of a random BERT and a random XLM-R of four layers, which read 64 tokens."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from transformers import BertConfig, BertModel, XLMRobertaConfig, XLMRobertaModel

    torch.manual_seed(0)
    folders: dict[str, Path] = {}
    kinds = {"bert": (BertConfig, BertModel, 64), "xlmr": (XLMRobertaConfig, XLMRobertaModel, 66)}
    for kind, (config, model, places) in kinds.items():
        folder = tmp_path_factory.mktemp(kind) / f"small-{kind}"
        tokenizer = _tokenizer(kind, 64)
        tokenizer.save_pretrained(folder)
        model(
            config(
                vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=4, num_attention_heads=4,
                intermediate_size=64, max_position_embeddings=places, initializer_range=0.4,
                pad_token_id=tokenizer.pad_token_id,
            )
        ).save_pretrained(folder)  # fmt: skip
        folders[kind] = folder
    return folders
