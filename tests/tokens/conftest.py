"""Tokenisers for the tests: XLM-R's, and tiny ones of every kind made on the spot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from equiglot.tokens import Tokenizer, load_tokenizer

TEXTS = ["the cat sat on the mat", "नमस्ते दुनिया", "வணக்கம் உலகம்", "naïve café", "hello hello world"] * 3
SPECIAL = ["<unk>", "<s>", "</s>", "[UNK]"]


@pytest.fixture(scope="session")
def xlmr() -> Tokenizer:
    pytest.importorskip("semantra_multilingual", reason="pkg:xlmr is not installed")
    return load_tokenizer("pkg:xlmr")


def _trained(
    model: Any, trainer: Any, *, pre: Any, decoder: Any = None, normalizer: Any = None
) -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = pre
    if decoder is not None:
        tokenizer.decoder = decoder
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


def byte_level() -> tokenizers.Tokenizer:
    """GPT-2's kind: no UNK, every byte a token."""
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=["</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    pre = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return _trained(models.BPE(), trainer, pre=pre, decoder=decoders.ByteLevel())


def unigram() -> tokenizers.Tokenizer:
    """XLM-R's kind: special pieces inside the model's own vocabulary."""
    trainer = trainers.UnigramTrainer(vocab_size=80, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False)
    return _trained(models.Unigram(), trainer, pre=pre_tokenizers.Metaspace(), decoder=decoders.Metaspace())


def word_piece() -> tokenizers.Tokenizer:
    """BERT's kind: words with an unknown part are one [UNK]."""
    trainer = trainers.WordPieceTrainer(vocab_size=90, special_tokens=SPECIAL, show_progress=False)
    return _trained(models.WordPiece(unk_token="[UNK]"), trainer, pre=pre_tokenizers.BertPreTokenizer())


def byte_fallback() -> tokenizers.Tokenizer:
    """Gemma's kind: characters out of the vocabulary become <0xNN>."""
    letters = [*sorted(set("".join(TEXTS)) - set(" é")), "▁"]
    pieces = [*SPECIAL, *(f"<0x{b:02X}>" for b in range(256)), *letters]
    model = models.BPE(vocab={p: i for i, p in enumerate(pieces)}, merges=[], unk_token="<unk>", byte_fallback=True)
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.add_special_tokens(SPECIAL)
    return tokenizer


KINDS = {f.__name__: f for f in (byte_level, unigram, word_piece, byte_fallback)}


@pytest.fixture(scope="session", params=KINDS)
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer.json of each kind."""
    path = tmp_path_factory.mktemp(request.param) / "tokenizer.json"
    KINDS[request.param]().save(str(path))
    return path


@pytest.fixture(scope="session")
def sentencepiece_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sentencepiece = pytest.importorskip("sentencepiece")
    folder = tmp_path_factory.mktemp("sp-tiny")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS),
        model_prefix=str(folder / "sentencepiece.bpe"),
        vocab_size=330,
        byte_fallback=True,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return folder / "sentencepiece.bpe.model"


@pytest.fixture(scope="session")
def kinds() -> dict[str, Callable[[], tokenizers.Tokenizer]]:
    """Makers of each kind of tokeniser, by name."""
    return KINDS


@pytest.fixture(scope="session")
def native() -> Callable[..., pl.DataFrame]:
    """A maker of rows of one cell, ids by position."""

    def rows(**columns: list[str | None]) -> pl.DataFrame:
        n = len(next(iter(columns.values())))
        fixed = {"id": [str(i) for i in range(n)], "language": ["hi"] * n, "script": ["Deva"] * n}
        return pl.DataFrame({**fixed, "condition": ["native"] * n, "system": ["a"] * n, **columns})

    return rows


@pytest.fixture(scope="session")
def edited() -> Callable[..., Path]:
    """Write a copy of a tokenizer.json with parts replaced."""

    def write(path: Path, to: Path, **changes: Any) -> Path:
        to.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")
        return to

    return write
