"""The libraries that tokenise, behind one face: ids of a list of texts, their number, and the vocabulary.

None adds special tokens, none truncates or pads, and text that looks like a special token (``</s>``,
``<bos>``) is text:

- ``tokenizers``: ``encode_special_tokens`` splits it as any text. That is not enough for a Unigram model, whose own
  vocabulary holds ``<s>`` with the best score of all: there those pieces are renamed to something no text
  matches, as SentencePiece, which never matches control pieces, does. Tokens that were added without being
  special are the model's own words and stay.
- ``sentencepiece``: control symbols never match text; user-defined symbols do.
- ``tiktoken``: ``encode_ordinary`` knows no special tokens.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from equiglot.tokens._vocabulary import Vocabulary, hugging_face_vocabulary, sentencepiece_bytes

if TYPE_CHECKING:
    import sentencepiece
    import tiktoken

__all__ = ["Backend", "HuggingFace", "SentencePiece", "TikToken"]

_UNMATCHED = "\U0010ffff"  # a noncharacter: before a piece, it keeps the piece from matching any sensible text


class Backend(Protocol):
    """What a tokeniser needs of a library."""

    vocab_size: int

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of each text."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """Number of ids of each text."""
        ...

    def vocabulary(self) -> Vocabulary:
        """What each id stands for."""
        ...


class HuggingFace:
    """A ``tokenizer.json``, run by the ``tokenizers`` library."""

    def __init__(self, data: bytes) -> None:
        import tokenizers

        self._spec: Mapping[str, Any] = json.loads(data)
        model, added = self._spec["model"], list(self._spec.get("added_tokens") or ())
        ids = range(len(model["vocab"])) if model.get("type") == "Unigram" else model["vocab"].values()
        self.vocab_size = len({*ids, *(token["id"] for token in added)})
        if model.get("type") == "Unigram":
            data = _without_special_pieces(self._spec)
        self._tokenizer = tokenizers.Tokenizer.from_buffer(data)
        self._tokenizer.encode_special_tokens = True
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._declared = self._declared_ids(added)

    def _declared_ids(self, added: Sequence[Mapping[str, Any]]) -> NDArray[np.int64] | None:
        """Where the library gave an added token another id than the file says, the file's id by the library's."""
        moved = {
            mine: token["id"]
            for token in added
            if (mine := self._tokenizer.token_to_id(token["content"])) is not None and mine != token["id"]
        }
        if not moved:
            return None
        table = np.arange(max(*moved, *moved.values(), self.vocab_size) + 1)
        table[list(moved)] = list(moved.values())
        return table

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of each text, as the file numbers them."""
        encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        if self._declared is None:
            return [encoding.ids for encoding in encodings]
        return [self._declared[encoding.ids].tolist() for encoding in encodings]

    def count(self, texts: Sequence[str]) -> list[int]:
        """Number of ids of each text."""
        return [len(e) for e in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    def vocabulary(self) -> Vocabulary:
        """Pieces from the file itself, so that the ids are the file's."""
        model = self._spec["model"]
        if model.get("type") == "Unigram":
            by_id = {i: piece for i, (piece, _) in enumerate(model["vocab"])}
        else:
            by_id = {i: piece for piece, i in model["vocab"].items()}
        by_id |= {token["id"]: token["content"] for token in self._spec.get("added_tokens") or ()}
        return hugging_face_vocabulary(self._spec, [by_id.get(i) for i in range(max(by_id, default=-1) + 1)])


def _without_special_pieces(spec: Mapping[str, Any]) -> bytes:
    """A Unigram ``tokenizer.json`` whose special pieces match no text. Ids of pieces are places in a list and stay."""
    model, added = spec["model"], list(spec.get("added_tokens") or ())
    special = {token["content"] for token in added if token["special"]}
    vocab = [[_UNMATCHED + piece if piece in special else piece, score] for piece, score in model["vocab"]]
    kept = [token for token in added if not token["special"]]
    changed = {**spec, "model": {**model, "vocab": vocab}, "added_tokens": kept, "post_processor": None}
    return json.dumps(changed, ensure_ascii=False).encode()


class SentencePiece:
    """A SentencePiece model, run by its own library."""

    def __init__(self, processor: sentencepiece.SentencePieceProcessor) -> None:
        self._processor = processor
        self.vocab_size = int(processor.get_piece_size())

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of each text."""
        return self._processor.encode(list(texts), out_type=int, add_bos=False, add_eos=False, enable_sampling=False)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Number of ids of each text."""
        return [len(ids) for ids in self.encode(texts)]

    def vocabulary(self) -> Vocabulary:
        """Pieces by id."""
        ids = range(self.vocab_size)
        return Vocabulary(
            tokens=[sentencepiece_bytes(self._processor.id_to_piece(i)) for i in ids],
            unknown={i for i in ids if self._processor.is_unknown(i)},
            fallback={i for i in ids if self._processor.is_byte(i)},
        )


class TikToken:
    """A tiktoken encoding."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encoding = encoding
        self.vocab_size = int(encoding.n_vocab)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of each text."""
        return self._encoding.encode_ordinary_batch(list(texts))

    def count(self, texts: Sequence[str]) -> list[int]:
        """Number of ids of each text."""
        return [len(ids) for ids in self.encode(texts)]

    def vocabulary(self) -> Vocabulary:
        """Bytes by id; an encoding may have ids that stand for nothing."""

        def token(i: int) -> bytes | None:
            try:
                return self._encoding.decode_single_token_bytes(i)
            except KeyError:
                return None

        return Vocabulary([token(i) for i in range(self.vocab_size)], (), ())
