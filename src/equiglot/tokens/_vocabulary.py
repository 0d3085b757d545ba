"""What each token of a vocabulary stands for.

Libraries write tokens in different alphabets: SentencePiece puts ``▁`` for a space, GPT-2's byte level maps
every byte to a printable character, WordPiece marks continuations with ``##``. Here a token is the bytes that
it stands for, a space for the word-start marker, so that one rule reads them all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FLAGS", "Vocabulary", "hugging_face_vocabulary", "sentencepiece_bytes"]

FLAGS = ("unk", "byte", "vowel_sign", "mark")
"""What a token may be: unknown; bytes that are no whole text; one vowel sign alone; one combining mark alone."""

_BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


@dataclass(frozen=True)
class Vocabulary:
    """The bytes of each token by id (None for an id without a token), and which ids are UNK or byte fallback."""

    tokens: Sequence[bytes | None]
    unknown: Collection[int]
    fallback: Collection[int]

    @cached_property
    def flags(self) -> NDArray[np.uint8]:
        """Shape (ids, len(FLAGS)), 1 where the token is that."""
        flags = np.zeros((len(self.tokens), len(FLAGS)), dtype=np.uint8)
        for i in self.unknown:
            flags[i, 0] = 1
        for i, token in enumerate(self.tokens):
            if token is None or i in self.unknown:
                continue
            text = _text(token)
            if text is None or i in self.fallback:
                flags[i, 1] = 1
                continue
            alone = text.removeprefix(" ")
            if len(alone) == 1:
                flags[i, 2] = "VOWEL SIGN" in unicodedata.name(alone, "")
                flags[i, 3] = unicodedata.category(alone).startswith("M")
        return flags


def _text(token: bytes) -> str | None:
    try:
        return token.decode("utf-8")
    except UnicodeDecodeError:
        return None


def sentencepiece_bytes(piece: str) -> bytes:
    """The bytes of a piece written in SentencePiece's way.

    >>> sentencepiece_bytes("▁ab"), sentencepiece_bytes("<0xE0>")
    (b' ab', b'\\xe0')
    """
    if match := _BYTE_PIECE.fullmatch(piece):
        return bytes([int(match[1], 16)])
    return piece.replace("▁", " ").encode("utf-8", "surrogatepass")


def hugging_face_vocabulary(spec: Mapping[str, Any], pieces: Sequence[str | None]) -> Vocabulary:
    """The vocabulary of a ``tokenizer.json`` (parsed: ``spec``), given its pieces by id."""
    model = spec["model"]
    added = {token["id"] for token in spec.get("added_tokens") or ()}
    unknown = {i for i in (model.get("unk_id"),) if i is not None}
    if (piece := model.get("unk_token")) is not None:
        unknown |= {i for i, p in enumerate(pieces) if p == piece}
    if "ByteLevel" in {*_types(spec.get("pre_tokenizer")), *_types(spec.get("decoder"))}:
        table = _byte_level()
        tokens = [None if p is None else _byte_level_bytes(p, table, i in added) for i, p in enumerate(pieces)]
        return Vocabulary(tokens, unknown, ())
    before = model.get("continuing_subword_prefix") or ""
    after = model.get("end_of_word_suffix") or ""
    tokens = [None if p is None else sentencepiece_bytes(p.removeprefix(before).removesuffix(after)) for p in pieces]
    fallback = {i for i, p in enumerate(pieces) if p and model.get("byte_fallback") and _BYTE_PIECE.fullmatch(p)}
    return Vocabulary(tokens, unknown, fallback)


def _types(component: Mapping[str, Any] | None) -> list[str]:
    """The types of a pre-tokeniser or decoder and of all that it is made of."""
    if not component:
        return []
    inner = [*(component.get("pretokenizers") or ()), *(component.get("decoders") or ())]
    return [component["type"], *(t for part in inner for t in _types(part))]


def _byte_level() -> dict[str, int]:
    """GPT-2's alphabet: printable Latin-1 stands for itself, the other bytes for code points from 256 on, in order."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in plain]
    return {**{chr(b): b for b in plain}, **{chr(256 + i): b for i, b in enumerate(others)}}


def _byte_level_bytes(piece: str, table: Mapping[str, int], added: bool) -> bytes:
    if added or any(c not in table for c in piece):  # an added token is written as it is
        return piece.encode("utf-8", "surrogatepass")
    return bytes(table[c] for c in piece)
