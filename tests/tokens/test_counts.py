"""Counting: batches, order and repetition don't matter; every flag against a plain slow reading of the pieces."""

from __future__ import annotations

import json
import random
import unicodedata
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import tokenizers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.tokens import TALLY, Tokenizer, load_tokenizer
from equiglot.tokens import tokenizer as module

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
INDIC = st.text("काकिकीकुनमस்தெகோ ാെ্য ab é\u200d\n", max_size=30)
TEXTS = st.lists(ANY_TEXT | INDIC, max_size=12)
HYPOTHESIS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@HYPOTHESIS
@given(texts=TEXTS)
def test_count_encode_and_tally_agree_with_the_library_one_by_one(file: Path, texts: list[str]) -> None:
    tokenizer = load_tokenizer(str(file))
    library = tokenizers.Tokenizer.from_file(str(file))
    counts = tokenizer.count(texts)
    assert counts.dtype == np.int64
    assert counts.shape == (len(texts),)
    assert counts.tolist() == [len(library.encode(t, add_special_tokens=False).ids) for t in texts]
    assert tokenizer.tally(texts)[:, 0].tolist() == counts.tolist() == [len(ids) for ids in tokenizer.encode(texts)]


@HYPOTHESIS
@given(texts=TEXTS)
def test_flags_against_slow_reading(xlmr: Tokenizer, texts: list[str]) -> None:
    """Piece by piece, straight from the definition: strip U+2581, ask for the name and the category."""
    spec = _xlmr_pieces()
    for row, ids in zip(xlmr.tally(texts), xlmr.encode(texts), strict=True):
        pieces = [spec[i].replace("▁", " ").removeprefix(" ") for i in ids]
        sign = sum(len(p) == 1 and "VOWEL SIGN" in unicodedata.name(p, "") for p in pieces)
        mark = sum(len(p) == 1 and unicodedata.category(p)[0] == "M" for p in pieces)
        assert row.tolist() == [len(ids), sum(i == 3 for i in ids), 0, sign, mark]


_PIECES: list[str] = []


def _xlmr_pieces() -> list[str]:
    if not _PIECES:
        from equiglot.models import embedded, embedded_file

        spec = json.loads(embedded_file(embedded("xlmr", "tokenizer")).read_text("utf-8"))
        _PIECES.extend(piece for piece, _ in spec["model"]["vocab"])
    return _PIECES


def test_order_batches_and_repetition_do_not_matter(xlmr: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["नमस्ते दुनिया", "", "the cat", "கா", " ", "the cat", "x" * 500] * 5
    tally = xlmr.tally(texts)
    order = random.Random(0).sample(range(len(texts)), len(texts))
    assert xlmr.tally([texts[i] for i in order]).tolist() == tally[order].tolist()
    for size, characters in ((1, 1 << 20), (3, 1 << 20), (4096, 10)):
        monkeypatch.setattr(module, "_CHUNK_TEXTS", size)
        monkeypatch.setattr(module, "_CHUNK_CHARACTERS", characters)
        assert xlmr.tally(texts).tolist() == tally.tolist()
        assert xlmr.count(texts).tolist() == tally[:, 0].tolist()
    assert xlmr.count(pl.Series(texts)).tolist() == tally[:, 0].tolist()
    assert xlmr.tally([]).shape == (0, len(TALLY))


def test_each_text_is_encoded_once(xlmr: Tokenizer) -> None:
    seen: list[str] = []

    class Watched:
        vocab_size = xlmr.vocab_size

        def count(self, texts: list[str]) -> list[int]:
            seen.extend(texts)
            return xlmr.backend.count(texts)

    watched = Tokenizer("w", 1, "0", Watched())  # type: ignore[arg-type]
    assert watched.count(["a b", "c", "a b"]).tolist() == [2, 1, 2]
    assert seen == ["a b", "c"]


def test_unknown_and_byte_tokens(kinds: dict, tmp_path: Path, sentencepiece_file: Path) -> None:
    def tally(kind: str, text: str) -> list[int]:
        kinds[kind]().save(str(tmp_path / f"{kind}.json"))
        return load_tokenizer(str(tmp_path / f"{kind}.json")).tally([text])[0].tolist()

    assert tally("byte_fallback", "t𒀀é") == [7, 0, 6, 0, 0]  # t, four bytes, two bytes
    assert tally("byte_fallback", "नि") == [2, 0, 0, 1, 1]
    assert tally("byte_level", "𒀀")[:3] == [4, 0, 4]
    assert tally("byte_level", "Z") == [1, 0, 0, 0, 0]
    assert tally("word_piece", "the 𒀀 cat")[:3] == [3, 1, 0]
    unknown = tally("unigram", "𒀀")
    assert unknown[1] == 1
    bytes_of = load_tokenizer(str(sentencepiece_file)).tally(["𒀀"])[0]
    assert bytes_of[2] == 4, "SentencePiece's byte pieces"


def test_lone_signs_need_be_alone(xlmr: Tokenizer) -> None:
    flags, tokens = xlmr.vocabulary.flags, xlmr.vocabulary.tokens
    by_text = {token: i for i, token in enumerate(tokens)}
    assert flags[by_text["ி".encode()]].tolist() == [0, 0, 1, 1]
    assert flags[by_text["्".encode()]].tolist() == [0, 0, 0, 1], "a virama is a mark and no vowel sign"
    assert flags[by_text["ा".encode()]].tolist() == [0, 0, 1, 1]
    assert flags[by_text[" का".encode()]].tolist() == [0, 0, 0, 0], "a syllable is not a lone sign"
    assert flags[by_text[b" "]].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("bad", [None, 3, b"x"])
def test_what_is_no_text_is_refused_with_its_row(xlmr: Tokenizer, bad: object) -> None:
    for call in (xlmr.count, xlmr.encode, xlmr.tally):
        with pytest.raises(InputError, match=r"row 2: .* has no tokens"):
            call(["a", bad])  # type: ignore[list-item]


def test_half_a_surrogate_pair_is_refused(xlmr: Tokenizer) -> None:
    with pytest.raises(InputError, match="row 1: half a surrogate pair"):
        xlmr.count(["\ud83d"])
