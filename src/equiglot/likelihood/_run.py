"""Score unique texts in blocks of even work, each stored before the next is begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from equiglot.engine import Cache, Progress, score_once
from equiglot.engine.cache import Item
from equiglot.likelihood._forward import nll_of_pieces
from equiglot.likelihood._pieces import pieces
from equiglot.likelihood.model import LanguageModel
from equiglot.likelihood.policy import Policy
from equiglot.models import cache_folder

__all__ = ["nll_of_texts"]

_COMPUTATION = "1"
"""Goes up when a change of the code changes a value, so that older results are not taken for it."""

_BLOCK_WORK = {"cpu": 1.2e12, "cuda": 2e14}
"""Arithmetic between two writes to the cache: some seconds on two cores or one card; a stop loses no more."""

_MOST_BLOCK_TOKENS = 1 << 16
"""A block's hidden states are held together, so a small model has an end too."""


def nll_of_texts(
    tokens: Mapping[str, Sequence[int]],
    model: LanguageModel,
    policy: Policy,
    *,
    batch_tokens: int,
    cache: bool | Path,
    progress: Progress,
) -> dict[str, tuple[float, int]]:
    """NLL in nats and number of windows of each text, given its tokens (at least one that can be scored)."""

    def compute(block: Sequence[Item]) -> NDArray[np.float64]:
        cut = [list(pieces(tokens[str(text)], policy.prefix, policy.windows)) for text in block]
        counts = [len(parts) for parts in cut]
        nll = nll_of_pieces(model, [piece for parts in cut for piece in parts], batch_tokens)
        values = np.zeros((len(cut), 2))
        values[:, 0] = np.bincount(np.repeat(np.arange(len(cut)), counts), nll, len(cut))
        values[:, 1] = counts
        return values

    store = _cache(model, policy, cache)
    found: dict[str, tuple[float, int]] = {}
    try:
        for longest, texts in _length_classes(tokens):
            told = _Offset(progress, f"scoring with {model.name}", len(found), len(tokens))
            block = max(1, _block_tokens(model) // longest)
            values = score_once(texts, compute, width=2, block=block, cache=store, progress=told)
            found |= {text: (nll, int(windows)) for text, (nll, windows) in zip(texts, values.tolist(), strict=True)}
    finally:
        if store is not None:
            store.close()
    return found


class _Offset:
    """Progress of one class of lengths told as progress of all."""

    def __init__(self, progress: Progress, what: str, before: int, total: int) -> None:
        self._progress, self._what, self._before, self._total = progress, what, before, total

    def __call__(self, what: str, done: int, total: int) -> None:
        self._progress(self._what, self._before + done, self._total)


def _length_classes(tokens: Mapping[str, Sequence[int]]) -> list[tuple[int, list[str]]]:
    """Texts of 1, 2, 3-4, 5-8 ... tokens, longest first, so that a block of so many texts is so much work."""
    classes: dict[int, list[str]] = {}
    for text, ids in tokens.items():
        classes.setdefault(1 << (len(ids) - 1).bit_length(), []).append(text)
    return sorted(classes.items(), reverse=True)


def _block_tokens(model: LanguageModel) -> int:
    work = _BLOCK_WORK.get(model.device.split(":")[0], _BLOCK_WORK["cpu"])
    return min(_MOST_BLOCK_TOKENS, int(work / (2 * model.parameters)))


def _cache(model: LanguageModel, policy: Policy, where: bool | Path) -> Cache | None:
    if where is False:
        return None
    identity = {
        "measure": "sent_nll",
        "computation": _COMPUTATION,
        "weights": model.weights_sha256,
        "tokenizer": model.tokenizer_sha256,
        "prefix": ",".join(map(str, policy.prefix.ids)) if policy.prefix else "none",
        "dtype": model.dtype,
        "device": model.device.split(":")[0],
        "windows": str(policy.windows),
    }
    return Cache(cache_folder("scores") if where is True else where, identity, width=2)
