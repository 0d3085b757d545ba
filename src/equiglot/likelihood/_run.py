"""Score unique texts in blocks of even work, each stored before the next is begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equiglot.engine import Progress, score_once
from equiglot.engine.cache import Item
from equiglot.likelihood._forward import score_pieces
from equiglot.likelihood._pieces import Piece, pieces
from equiglot.likelihood._stores import JoinedCache
from equiglot.likelihood.model import LanguageModel
from equiglot.likelihood.policy import Policy
from equiglot.models import cache_folder

__all__ = ["Detail", "TextScore", "score_encoded"]

Detail = Literal["nll", "ranks", "tokens"]
"""How much is kept of a text: its NLL, the sum of its reciprocal ranks too, or every token's NLL and rank as well."""

_COMPUTATION = "3"
"""Goes up when a change of the code changes a value, so that older results are not taken for it."""

_BLOCK_WORK = {"cpu": 1.5e12, "cuda": 2e14}
"""Arithmetic, by core or card, between two writes to the cache: some ten seconds; a stop loses no more."""

_MOST_BLOCK_TOKENS = 1 << 16
"""A small model's blocks have an end too, for what is made of a block is held together."""


@dataclass(frozen=True, slots=True)
class TextScore:
    """What the model makes of one text; None is what was not asked for.

    Attributes:
        nll: in nats, over the scored tokens.
        windows: how many it took.
        reciprocal_ranks: the sum of 1 / rank over the scored tokens.
        token_nll, token_rank: of each scored token.
    """

    nll: float
    windows: int
    reciprocal_ranks: float | None
    token_nll: NDArray[np.float64] | None
    token_rank: NDArray[np.float64] | None


def score_encoded(
    tokens: Mapping[Item, Sequence[int]],
    model: LanguageModel,
    policy: Policy,
    *,
    detail: Detail,
    batch_tokens: int,
    cache: bool | Path,
    progress: Progress,
) -> dict[Item, TextScore]:
    """Score texts, given the tokens of each (at least one that can be scored)."""
    found: dict[Item, TextScore] = {}
    for longest, items in _layouts(tokens, detail):

        def compute(block: Sequence[Item], longest: int = longest) -> NDArray[np.float64]:
            parts = [list(pieces(tokens[item], policy.prefix, policy.windows)) for item in block]
            flat = [piece for own in parts for piece in own]
            return _laid_out(parts, score_pieces(model, flat, batch_tokens, ranks=detail != "nll"), detail, longest)

        measures = _measures(detail, longest)
        store = _store(model, policy, cache, measures)
        told = _Offset(progress, f"scoring with {model.name}", len(found), len(tokens))
        width, block = sum(measures.values()), _block_tokens(model)
        try:
            values = score_once(
                items,
                compute,
                width=width,
                block=block,
                size=lambda item: len(tokens[item]),
                cache=store,
                progress=told,
            )
        finally:
            if store is not None:
                store.close()
        for item, value in zip(items, values, strict=True):
            found[item] = _text_score(value, detail, len(tokens[item]) - (policy.first == "skipped"))
    return found


def _measures(detail: Detail, longest: int) -> dict[str, int]:
    """What is computed, and how many numbers each is: the layout of a value, and one file of the cache each."""
    measures = {"sent_nll": 2}  # and the number of windows
    if detail != "nll":
        measures["reciprocal_ranks"] = 1
    if detail == "tokens":
        measures["tokens"] = 2 * longest  # NLL, then rank, NaN where the text is shorter
    return measures


def _laid_out(
    parts: Sequence[Sequence[Piece]], scored: NDArray[np.float64], detail: Detail, longest: int
) -> NDArray[np.float64]:
    """The values of some texts, given the pieces of each and what their tokens scored, as :func:`_measures` says."""
    n = len(parts)
    counts = np.array([sum(len(piece.ids) - piece.first for piece in own) for own in parts])
    owner = np.repeat(np.arange(n), counts)
    made = np.zeros((n, sum(_measures(detail, longest).values())))
    made[:, 0] = np.bincount(owner, scored[:, 0], n)
    made[:, 1] = [len(own) for own in parts]
    if detail != "nll":
        made[:, 2] = np.bincount(owner, 1 / scored[:, 1], n)
    if detail == "tokens":
        place = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        made[:, 3:] = np.nan
        made[owner, 3 + place] = scored[:, 0]
        made[owner, 3 + longest + place] = scored[:, 1]
    return made


def _text_score(value: NDArray[np.float64], detail: Detail, n_scored: int) -> TextScore:
    nll, windows = value[:2].tolist()
    if detail == "nll":
        return TextScore(nll, int(windows), None, None, None)
    if detail == "ranks":
        return TextScore(nll, int(windows), float(value[2]), None, None)
    token_nll, token_rank = value[3:].reshape(2, -1)[:, :n_scored]
    return TextScore(nll, int(windows), float(value[2]), token_nll, token_rank)


class _Offset:
    """Progress of one class of lengths told as progress of all."""

    def __init__(self, progress: Progress, what: str, before: int, total: int) -> None:
        self._progress, self._what, self._before, self._total = progress, what, before, total

    def __call__(self, what: str, done: int, total: int) -> None:
        self._progress(self._what, self._before + done, self._total)


def _layouts(tokens: Mapping[Item, Sequence[int]], detail: Detail) -> list[tuple[int, list[Item]]]:
    """Texts whose values are kept in one layout: all, but for values per token those of 1, 2, 3-4, 5-8 ... tokens."""
    classes: dict[int, list[Item]] = {}
    for item, ids in tokens.items():
        classes.setdefault(1 << (len(ids) - 1).bit_length() if detail == "tokens" else 0, []).append(item)
    return sorted(classes.items(), reverse=True)


def _block_tokens(model: LanguageModel) -> int:
    import torch

    device = model.device.split(":")[0]
    cores = model.threads or torch.get_num_threads() if device == "cpu" else 1
    work = cores * _BLOCK_WORK.get(device, _BLOCK_WORK["cpu"])
    return min(_MOST_BLOCK_TOKENS, int(work / (2 * model.parameters)))


def _store(model: LanguageModel, policy: Policy, where: bool | Path, measures: Mapping[str, int]) -> JoinedCache | None:
    if where is False:
        return None
    identity = {
        "computation": _COMPUTATION,
        "weights": model.weights_sha256,
        "tokenizer": model.tokenizer_sha256,
        "prefix": ",".join(map(str, policy.prefix.ids)) if policy.prefix else "none",
        "dtype": model.dtype,
        "device": model.device.split(":")[0],
        "windows": str(policy.windows),
    }
    return JoinedCache(cache_folder("scores") if where is True else where, identity, measures)
