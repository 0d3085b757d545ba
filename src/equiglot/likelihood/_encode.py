"""Texts to token ids, and what has to stand before them.

A text is data. It gets no special tokens from the tokeniser's template, it is not cut or padded to what
``tokenizer.json`` happens to say, and what looks like a special token in it (``<bos>``, ``</s>``) is encoded as the
characters that it is, where the tokeniser allows that: the fast ones do (``encode_special_tokens``), the slow ones
mostly (``split_special_tokens``). Tokens that the vocabulary defines for text (Gemma's ``</s>``, which is HTML's
strike-through there, or a run of line breaks) are not special and stay.

What stands before a text is read off the tokeniser's own post-processor: the special tokens that it puts in front.
Where it puts none, it is ``bos_token_id``. No model is known by name here, EOS never stands in for BOS, and
``add_bos_token`` is never set, which on transformers 5 rebuilds the post-processor and drops other special tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Any

__all__ = ["Prefix", "encode", "find_prefix", "prepare", "spans"]


@dataclass(frozen=True, slots=True)
class Prefix:
    """What is put before every text, once: the ids, and the tokens' names."""

    ids: tuple[int, ...]
    text: str


def prepare(tokenizer: Any) -> None:
    """Switch off what would change a text: truncation, padding, special tokens read out of it."""
    if (backend := _backend(tokenizer)) is not None:
        backend.no_truncation()
        backend.no_padding()
        backend.encode_special_tokens = True


def encode(tokenizer: Any, texts: Sequence[str]) -> list[list[int]]:
    """The ids of each text, without anything added; ``tokenizer`` has been prepared."""
    if (backend := _backend(tokenizer)) is not None:
        return [encoding.ids for encoding in backend.encode_batch(list(texts), add_special_tokens=False)]
    return [tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True) for text in texts]


def spans(tokenizer: Any, texts: Sequence[str]) -> list[list[tuple[int, int]]] | None:
    """Where each token of each text stands, as code points from and to; None where the tokeniser can't say.

    Tokens that are part of one character all have its span.
    """
    if (backend := _backend(tokenizer)) is None:
        return None
    return [encoding.offsets for encoding in backend.encode_batch(list(texts), add_special_tokens=False)]


def find_prefix(tokenizer: Any) -> Prefix | None:
    """What the tokeniser puts before a text; else its BOS; else None."""
    if (backend := _backend(tokenizer)) is not None:
        made = backend.encode("a", add_special_tokens=True)
        ids, special = made.ids, made.special_tokens_mask
    else:
        ids = tokenizer.encode("a", add_special_tokens=True)
        special = tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
    leading = [token for token, _ in takewhile(lambda pair: pair[1], zip(ids, special, strict=True))]
    if not leading and tokenizer.bos_token_id is not None:
        leading = [tokenizer.bos_token_id]
    once = tuple(int(token) for token, _ in groupby(leading))  # a template that doubles its BOS is a known fault
    return Prefix(once, "".join(tokenizer.convert_ids_to_tokens(list(once)))) if once else None


def _backend(tokenizer: Any) -> Any:
    return getattr(tokenizer, "backend_tokenizer", None)
