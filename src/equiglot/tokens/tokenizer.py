"""A tokeniser that counts: tokens per text, and how many of them are unknown, byte pieces or lone signs.

No special tokens, no truncation, no padding, whatever the tokeniser's own file asks for. Every text is
encoded once however often it occurs, in chunks, and only the counts are kept, so that memory grows with the
number of texts and not of tokens.

An identity, ``name@hash``, goes into every signature: two tokenisers with one name and different contents
never pass for one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.tokens._backends import Backend
from equiglot.tokens._vocabulary import FLAGS, Vocabulary

__all__ = ["TALLY", "Tokenizer"]

TALLY = ("tokens", *FLAGS)
"""The columns of :meth:`Tokenizer.tally`."""

_CHUNK_TEXTS = 4096
_CHUNK_CHARACTERS = 1 << 20

Texts = Sequence[str] | pl.Series


@dataclass(frozen=True)
class Tokenizer:
    """A loaded tokeniser; :func:`equiglot.tokens.load_tokenizer` makes one.

    Attributes:
        name: what it is called.
        vocab_size: how many different tokens it has, special and added ones among them.
        sha256: SHA-256 of its serialised form, in hexadecimal: of the file where there is one.
    """

    name: str
    vocab_size: int
    sha256: str
    backend: Backend

    @property
    def identity(self) -> str:
        """Name and the first eight digits of the hash, e.g. ``xlmr@0b44a9d7``."""
        return f"{self.name}@{self.sha256[:8]}"

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What each token stands for."""
        return self.backend.vocabulary()

    def encode(self, texts: Texts) -> list[list[int]]:
        """Token ids of each text, without special tokens.

        Raises:
            InputError: something that is no text, with its row.
        """
        return [ids for chunk in _chunks(_checked(texts)) for ids in self.backend.encode(chunk)]

    def count(self, texts: Texts) -> NDArray[np.int64]:
        """Number of tokens of each text, without special tokens: shape (texts,).

        Raises:
            InputError: something that is no text (a missing one too), with its row.
        """
        return _once(texts, lambda chunk: np.array(self.backend.count(chunk), dtype=np.int64)[:, None], 1)[:, 0]

    def tally(self, texts: Texts) -> NDArray[np.int64]:
        """Counts per text, shape (texts, 5), columns as in :data:`TALLY`.

        They are all tokens; those that are UNK; those that are bytes and no whole text (``<0xNN>``, partial
        UTF-8); those that are one dependent vowel sign, or one combining mark, alone but for the word-start
        marker.
        """
        return _once(texts, self._tally_chunk, len(TALLY))

    def _tally_chunk(self, chunk: Sequence[str]) -> NDArray[np.int64]:
        encoded = self.backend.encode(chunk)
        lengths = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
        ids = np.fromiter((i for text in encoded for i in text), dtype=np.int64, count=int(lengths.sum()))
        flags = self.vocabulary.flags
        sums = np.zeros((len(ids) + 1, len(FLAGS)), dtype=np.int64)
        np.cumsum(flags[ids], axis=0, dtype=np.int64, out=sums[1:])
        ends = np.cumsum(lengths)
        return np.column_stack([lengths, sums[ends] - sums[ends - lengths]])


def _once(texts: Texts, count: Callable[[Sequence[str]], NDArray[np.int64]], width: int) -> NDArray[np.int64]:
    """Counts of each text, each different text counted once."""
    place: dict[str, int] = {}
    rows = np.fromiter((place.setdefault(text, len(place)) for text in _checked(texts)), dtype=np.int64)
    parts = [np.zeros((0, width), dtype=np.int64), *(count(chunk) for chunk in _chunks(place))]
    return np.concatenate(parts)[rows]


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    characters = 0
    for text in texts:
        chunk.append(text)
        characters += len(text)
        if len(chunk) == _CHUNK_TEXTS or characters > _CHUNK_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _checked(texts: Texts) -> Iterator[str]:
    """The texts, each made sure of: libraries differ in what they do with the rest (one replaces it in silence)."""
    for row, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise InputError(f"{text!r} is not text and has no tokens", row=row, fix="leave the row out")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(
                "half a surrogate pair, which is not text", row=row, fix="read the file again as UTF-8"
            ) from None
        yield text
