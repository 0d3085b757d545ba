"""The output layer, read in tiles: -ln P of given tokens without ever holding positions x vocabulary.

    -ln P(t) = ln sum_i exp(l_i - l_t) = ln sum_i 2 ** ((l_i - l_t) / ln 2)

The target's logit l_t is one dot product, in float32. The rest goes tile by tile (some positions x part of the
vocabulary): a matrix product into which -l_t is already added, then 2 ** x in float32 (torch's exp takes three times as
long as its exp2), tiles added up in float64. A tile stays in a core's cache, which matters more than anything else
here: with 262,144 entries the output layer is most of Gemma 3 270M's arithmetic, and reading logits back from main
memory takes as long again as making them.

Why the target's logit is taken off inside the product: a bfloat16 product rounds what it returns to 8 bits, by up to
0.06 for logits of 20 (on Gemma that moved a sentence's NLL by half a per cent). It rounds the difference to 8 bits too,
but near the target differences are small. It also makes the largest term of the sum about 1 or more, so nothing
underflows and no maximum has to be found first; where a logit is so far above the target's that float32 overflows, the
positions are done again as a log-sum-exp.

The rank of a target is 1 + the number of entries whose logit is higher, counted in the same tiles while they are there.
Order is that of the matrix product: soft capping and scaling keep it, and after a cap many logits are equal by rounding
only. An entry that is higher by no more than rounding can make (of the sum, eight units in the last place of the summed
absolute products; of what the product returns, one of its own) is a tie, the target's own entry among them.
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

_BITS = 1 / math.log(2)
"""Bits in a nat."""


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
        """How many of n positions to give :meth:`score` at a time, so that as many workers have as much to do."""
        most, _ = _TILES.get(self.weight.device.type, _TILES["cpu"])
        rounds = max(1, math.ceil(n / (workers * most)))
        return max(1, math.ceil(n / (workers * rounds)))

    def score(self, chunk: tuple[torch.Tensor, torch.Tensor], *, ranks: bool = False) -> torch.Tensor:
        """-ln P(target) in nats, and with ``ranks`` the target's rank from 1, at each position.

        Args:
            chunk: hidden states (n, width) and targets (n,).
            ranks: count the entries above the target too.

        Returns:
            Shape (n, 1), with ``ranks`` (n, 2), in float64.
        """
        import torch

        with torch.inference_mode():
            return self._score(*chunk, ranks)

    def _score(self, hidden: torch.Tensor, targets: torch.Tensor, ranks: bool) -> torch.Tensor:
        import torch

        _, width = _TILES.get(hidden.device.type, _TILES["cpu"])
        starts = range(0, self.vocabulary, width)
        products = _wide(hidden) * _wide(self.weight[targets])
        target = products.sum(dim=1)
        if self.bias is not None:
            target = target + _wide(self.bias[targets])
        finished = self._finished(target)
        # What is taken off has to be of the product's own type; the rest of it is put right at the end.
        taken = finished.to(hidden.dtype)
        own = target - _wide(taken) if self._plain else target
        rounding = 8 * torch.finfo(target.dtype).eps * products.abs().sum(dim=1)
        threshold = own + rounding + torch.finfo(hidden.dtype if self._plain else own.dtype).eps * own.abs()
        total = torch.zeros_like(target, dtype=torch.float64)
        above = torch.zeros_like(total)
        for start in starts:
            product = self._product(hidden, taken, start, width)
            if ranks:
                above += _count_above(product, threshold)
            total += self._less(product, taken).mul_(_BITS).exp2_().sum(dim=1).double()
        nll = total.log()
        if not bool(total.isfinite().all()):
            tiles = (self._less(self._product(hidden, taken, start, width), taken) for start in starts)
            nll = torch.stack([tile.double().logsumexp(dim=1) for tile in tiles]).logsumexp(dim=0)
        # Never below 0 but by rounding (of a probability of 1, in bfloat16 by 1e-4 or so).
        nll = (nll + taken.double() - finished.double()).clamp_min(0.0)
        return torch.stack([nll, above + 1] if ranks else [nll], dim=1)

    @property
    def _plain(self) -> bool:
        """Whether the product is the logits, so that the target's can be taken off inside it."""
        return self.bias is None and self.scale == 1.0 and not self.softcap

    def _product(self, hidden: torch.Tensor, taken: torch.Tensor, start: int, width: int) -> torch.Tensor:
        """The matrix product of one tile, at least float32; less ``taken`` already where it is plain."""
        import torch

        weight = self.weight[start : start + width]
        if self._plain:
            return _wide(torch.addmm(-taken[:, None].expand(len(hidden), len(weight)), hidden, weight.T))
        # Where more is done to the product, nothing can be taken off before that: float32 all through, slower.
        bias = None if self.bias is None else _wide(self.bias[start : start + width])
        return torch.nn.functional.linear(_wide(hidden), _wide(weight), bias)

    def _less(self, product: torch.Tensor, taken: torch.Tensor) -> torch.Tensor:
        """Logits less ``taken``, shape (positions, entries)."""
        return product if self._plain else self._finished(product) - _wide(taken)[:, None]

    def _finished(self, product: torch.Tensor) -> torch.Tensor:
        """What the model does after the matrix product."""
        import torch

        scaled = product if self.scale == 1.0 else product * self.scale
        return torch.tanh(scaled / self.softcap) * self.softcap if self.softcap else scaled


def _wide(values: torch.Tensor) -> torch.Tensor:
    """The values in float32, or in float64 where they are that already."""
    import torch

    return values if values.dtype == torch.float64 else values.float()


def _count_above(product: torch.Tensor, threshold: torch.Tensor) -> torch.Tensor:
    """How many entries of each row are above its threshold, shape (rows,)."""
    import torch

    # Ones and zeros as floats: torch adds those up several times as fast as truth values.
    larger = torch.gt(product, threshold[:, None], out=torch.empty_like(product))
    return larger.sum(dim=1).double()


def find_head(model: Any, *, name: str, dtype: str) -> Head:
    """The output layer of a causal model, in a number format.

    Raises:
        InputError: it is not one plain matrix.
    """
    import torch

    layer = model.get_output_embeddings()
    # A quantised layer may be a kind of Linear whose weights are packed.
    if not isinstance(layer, torch.nn.Linear) or layer.weight.ndim != 2 or not layer.weight.is_floating_point():
        kind = "nothing" if layer is None else type(layer).__name__
        raise InputError(
            f"the output layer of {name} ({type(model).__name__}) is {kind}, not a plain matrix",
            fix="use a causal language model whose output layer is torch.nn.Linear",
        )
    config = model.config.get_text_config()
    scale = float(getattr(config, "logit_scale", None) or 1.0)  # Cohere
    scale /= float(getattr(config, "logits_scaling", None) or 1.0)  # Granite
    kind = getattr(torch, dtype)
    weight = layer.weight.detach()  # a tensor of its own on the same memory, for the parameter may change its format
    bias: torch.Tensor | None = getattr(layer, "bias", None)
    softcap = getattr(config, "final_logit_softcapping", None)
    return Head(weight.to(kind), None if bias is None else bias.to(kind), scale, softcap)
