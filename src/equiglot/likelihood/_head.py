"""The output layer, read in tiles: -ln P of given tokens without ever holding positions x vocabulary.

    -ln P(t) = ln sum_i exp(l_i - l_t)

The target's logit l_t is one dot product, in float32. The rest goes tile by tile (some positions x part of the
vocabulary): a matrix product into which -l_t is already added, exp and sum in float32, tiles added up in float64. A tile
stays in a core's cache, which matters more than anything else here: with 262,144 entries the output layer is most of Gemma 3
270M's arithmetic, and reading logits back from main memory takes as long again as making them.

Why the target's logit is taken off inside the product: a bfloat16 product rounds what it returns to 8 bits, by up to
0.06 for logits of 20 (measured on Gemma: half a per cent of a sentence's NLL). Of the difference it rounds 8 bits too,
but near the target differences are small. It also makes the largest term of the sum at least 1, so nothing underflows and no
maximum has to be found first; where a logit is so far above the target's that float32 overflows, the tile is done again as a
log-sum-exp.
"""

from __future__ import annotations

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

    def nll(self, hidden: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """-ln P(target) in nats at each position: hidden (n, width), targets (n,), result (n,) in float64."""
        import torch

        rows, width = _TILES.get(hidden.device.type, _TILES["cpu"])
        parts = [self._nll(h, t, width) for h, t in zip(hidden.split(rows), targets.split(rows), strict=True)]
        return torch.cat(parts) if parts else torch.zeros(0, dtype=torch.float64)

    def _nll(self, hidden: torch.Tensor, targets: torch.Tensor, width: int) -> torch.Tensor:
        import torch

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
        return result + taken.double() - self._finished(target).double()

    def _above(self, hidden: torch.Tensor, taken: torch.Tensor, start: int, width: int) -> torch.Tensor:
        """Logits less ``taken`` of one tile, shape (positions, entries), at least float32."""
        import torch

        weight = self.weight[start : start + width]
        bias = None if self.bias is None else self.bias[start : start + width]
        if self.scale == 1.0 and not self.softcap:
            off = -taken[:, None] if bias is None else bias - taken[:, None]
            return _wide(torch.addmm(off.expand(len(hidden), len(weight)), hidden, weight.T))
        # What comes after the product is not linear, so nothing can be taken off before it: float32 all through.
        made = torch.nn.functional.linear(_wide(hidden), _wide(weight), None if bias is None else _wide(bias))
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


def find_head(model: Any, name: str) -> Head:
    """The output layer of a causal model.

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
    return Head(layer.weight, layer.bias, scale, getattr(config, "final_logit_softcapping", None))
