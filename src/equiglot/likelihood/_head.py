"""The output layer, read in tiles: -ln P of given tokens without ever holding positions x vocabulary.

    -ln P(t) = ln sum_i exp(l_i - l_t)

The target's logit l_t is one dot product, in float32. The rest goes tile by tile (some positions x part of the
vocabulary): a matrix product into which -l_t is already added, exp and sum in float32, tiles added up in float64. A
tile stays in a core's cache, which matters more than anything else here: with 262,144 entries the output layer is most
of Gemma 3 270M's arithmetic, and reading logits back from main memory takes as long again as making them.

Why the target's logit is taken off inside the product: a bfloat16 product rounds what it returns to 8 bits, by up to
0.06 for logits of 20 (on Gemma that moved a sentence's NLL by half a per cent). It rounds the difference to 8 bits too,
but near the target differences are small. It also makes the largest term of the sum about 1 or more, so nothing
underflows and no maximum has to be found first; where a logit is so far above the target's that float32 overflows, the
positions are done again as a log-sum-exp.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from equiglot.errors import InputError

if TYPE_CHECKING:
    import torch

__all__ = ["Head", "find_head"]

_TILES = {"cpu": (512, 4096), "cuda": (4096, 32768)}
"""Positions and vocabulary entries of a tile, by device."""


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """Logits = softcap(scale x (hidden @ weight.T + bias)), softcap(x) = c tanh(x / c)."""

    weight: torch.Tensor
    bias: torch.Tensor | None
    scale: float
    softcap: float | None

    @property
    def vocabulary(self) -> int:
        """How many tokens there are."""
        return self.weight.shape[0]

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """All logits at a few positions, shape (..., vocabulary); at least float32."""
        import torch

        return self._finished(_wide(torch.nn.functional.linear(hidden, self.weight, self.bias)))

    def rows(self, n: int, workers: int) -> int:
        """How many of n positions to give :meth:`nll` at a time, so that as many workers have as much to do."""
        most, _ = _TILES.get(self.weight.device.type, _TILES["cpu"])
        rounds = max(1, math.ceil(n / (workers * most)))
        return max(1, math.ceil(n / (workers * rounds)))

    def nll(self, chunk: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        """-ln P(target) in nats at each position of (hidden (n, width), targets (n,)), shape (n,), in float64."""
        import torch

        with torch.inference_mode():
            return self._nll(*chunk)

    def _nll(self, hidden: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        import torch

        _, width = _TILES.get(hidden.device.type, _TILES["cpu"])
        target = (_wide(hidden) * _wide(self.weight[targets])).sum(dim=1)
        if self.bias is not None:
            target = target + _wide(self.bias[targets])
        # What is taken off has to be of the product's own type; the rest of it is put right at the end.
        taken = self._finished(target).to(hidden.dtype)
        total = torch.zeros_like(target, dtype=torch.float64)
        for start in range(0, self.vocabulary, width):
            total += self._above(hidden, taken, start, width).exp_().sum(dim=1).double()
        result = total.log()
        if not bool(total.isfinite().all()):
            starts = range(0, self.vocabulary, width)
            sums = [self._above(hidden, taken, start, width).double().logsumexp(dim=1) for start in starts]
            result = torch.stack(sums).logsumexp(dim=0)
        # Never below 0 but by rounding (of a probability of 1, in bfloat16 by 1e-4 or so).
        return (result + taken.double() - self._finished(target).double()).clamp_min(0.0)

    def _above(self, hidden: torch.Tensor, taken: torch.Tensor, start: int, width: int) -> torch.Tensor:
        """Logits less ``taken`` of one tile, shape (positions, entries), at least float32."""
        import torch

        weight = self.weight[start : start + width]
        if self.bias is None and self.scale == 1.0 and not self.softcap:
            return _wide(torch.addmm(-taken[:, None].expand(len(hidden), len(weight)), hidden, weight.T))
        # Where more is done to the product, nothing can be taken off before that: float32 all through, slower.
        bias = None if self.bias is None else _wide(self.bias[start : start + width])
        made = torch.nn.functional.linear(_wide(hidden), _wide(weight), bias)
        return self._finished(made) - _wide(taken)[:, None]

    def _finished(self, product: torch.Tensor) -> torch.Tensor:
        """What the model does after the matrix product."""
        import torch

        scaled = product if self.scale == 1.0 else product * self.scale
        return torch.tanh(scaled / self.softcap) * self.softcap if self.softcap else scaled


def _wide(values: torch.Tensor) -> torch.Tensor:
    """The values in float32, or in float64 where they are that already."""
    import torch

    return values if values.dtype == torch.float64 else values.float()


def find_head(model: Any, *, name: str, dtype: str) -> Head:
    """The output layer of a causal model, in a number format.

    Raises:
        InputError: it is not one plain matrix.
    """
    import torch

    layer = model.get_output_embeddings()
    if not isinstance(layer, torch.nn.Linear):
        kind = "nothing" if layer is None else type(layer).__name__
        raise InputError(
            f"the output layer of {name} ({type(model).__name__}) is {kind}, not a plain matrix",
            fix="use a causal language model whose output layer is torch.nn.Linear",
        )
    config = model.config.get_text_config()
    scale = float(getattr(config, "logit_scale", None) or 1.0)  # Cohere
    scale /= float(getattr(config, "logits_scaling", None) or 1.0)  # Granite
    kind = getattr(torch, dtype)  # where it is tied to the embeddings, it may be in another format there
    bias: torch.Tensor | None = getattr(layer, "bias", None)
    softcap = getattr(config, "final_logit_softcapping", None)
    return Head(layer.weight.to(kind), None if bias is None else bias.to(kind), scale, softcap)
