"""Sentences as batches of tokens: the same sentences in the same order for every model of an experiment.

An update sees ``batch`` sentences whatever their tokens, so that a model with a larger vocabulary, which needs fewer
tokens, gets neither fewer updates nor other sentences. A sentence beyond the context goes in as several pieces, none
of it left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["IGNORED", "epoch_order", "padded", "updates_per_epoch"]

IGNORED = -100
"""The label of a position that is not learnt from: padding."""


def updates_per_epoch(sentences: int, batch: int) -> int:
    """How many updates see every sentence once."""
    return -(-sentences // batch)


def epoch_order(sentences: int, seed: int, epoch: int) -> NDArray[np.int64]:
    """The order of sentences in an epoch; it depends on nothing else."""
    return np.random.default_rng([seed, epoch]).permutation(sentences)


def padded(sentences: Sequence[Sequence[int]], end: int, context: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tokens and labels, shape (pieces, longest piece): end-of-text, the sentence, end-of-text."""
    pieces = [piece for ids in sentences for piece in _pieces([end, *ids, end], context)]
    width = max(map(len, pieces))
    tokens = np.full((len(pieces), width), end, dtype=np.int64)
    labels = np.full((len(pieces), width), IGNORED, dtype=np.int64)
    for row, piece in enumerate(pieces):
        tokens[row, : len(piece)] = labels[row, : len(piece)] = piece
    return tokens, labels


def _pieces(ids: Sequence[int], context: int) -> Iterator[Sequence[int]]:
    """Pieces that fit, each beginning with the token that the one before ended with: every token is foretold once."""
    for start in range(0, len(ids) - 1, context - 1):
        yield ids[start : start + context]
