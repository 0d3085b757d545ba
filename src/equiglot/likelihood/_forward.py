"""Run the model over pieces of text, padded together, and sum -ln P of what each piece scores.

Pieces are sorted by length and put together while they are of a length, so that little is computed for padding.
Padding is on the right, masked, and any token of the vocabulary (the embeddings are never resized); what is real never
attends to it. Hidden states of real positions only reach the output layer, all of a call together, so that its tiles
are full.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from equiglot.likelihood._check import hidden_states
from equiglot.likelihood._pieces import Piece

if TYPE_CHECKING:
    from equiglot.likelihood.model import LanguageModel

__all__ = ["nll_of_pieces"]

_LEAST_FULL = 0.8
"""A shorter piece than this share of the batch's longest starts a batch of its own ..."""
_SMALL_BATCH = 256
"""... unless the batch is smaller than this many tokens, where running another costs more than padding."""


def nll_of_pieces(model: LanguageModel, parts: Sequence[Piece], batch_tokens: int) -> NDArray[np.float64]:
    """The sum of -ln P over the scored tokens of each piece, in nats, shape (pieces,)."""
    import torch

    if not parts:
        return np.zeros(0)
    hidden: list[torch.Tensor] = []
    targets: list[torch.Tensor] = []
    owners: list[int] = []
    with _threads(model.threads), torch.inference_mode():
        for batch in _batches(parts, batch_tokens):
            width = len(parts[batch[0]].ids)
            tokens = torch.zeros((len(batch), width), dtype=torch.long)
            mask = torch.zeros_like(tokens)
            scored = torch.zeros((len(batch), width - 1), dtype=torch.bool)
            for row, index in enumerate(batch):
                piece = parts[index]
                tokens[row, : len(piece.ids)] = torch.tensor(piece.ids)
                mask[row, : len(piece.ids)] = 1
                scored[row, piece.first - 1 : len(piece.ids) - 1] = True
                owners += [index] * (len(piece.ids) - piece.first)
            tokens, mask, scored = (t.to(model.device) for t in (tokens, mask, scored))
            # The state at a position foretells the next token.
            hidden.append(hidden_states(model.module, tokens, mask)[:, :-1][scored])
            targets.append(tokens[:, 1:][scored])
        nll = model.head.nll(torch.cat(hidden), torch.cat(targets)).cpu().numpy()
    return np.bincount(owners, weights=nll, minlength=len(parts)).astype(np.float64)


def _batches(parts: Sequence[Piece], batch_tokens: int) -> Iterator[list[int]]:
    """Indices of pieces to run together, longest first; a batch holds at least one piece, whatever its length."""
    order = sorted(range(len(parts)), key=lambda index: -len(parts[index].ids))
    batch: list[int] = []
    for index in order:
        longest, length = (len(parts[i].ids) for i in (batch[0] if batch else index, index))
        full = (len(batch) + 1) * longest > batch_tokens
        uneven = length < _LEAST_FULL * longest and len(batch) * longest >= _SMALL_BATCH
        if batch and (full or uneven):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


@contextmanager
def _threads(wanted: int | None) -> Generator[None]:
    """Torch's number of threads is the process's: set while it computes and then put back."""
    import torch

    before = torch.get_num_threads()
    if wanted is None or wanted == before:
        yield
        return
    torch.set_num_threads(wanted)
    try:
        yield
    finally:
        torch.set_num_threads(before)
