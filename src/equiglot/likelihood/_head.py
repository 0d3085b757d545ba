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
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from equiglot.errors import InputError

if TYPE_CHECKING:
    import torch

__all__ = ["Head", "find_head"]

_TILES = {"cpu": (512, 1024), "cuda": (4096, 32768)}
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

    def score(self, hidden: torch.Tensor, targets: torch.Tensor, *, ranks: bool = False) -> torch.Tensor:
        """-ln P(target) in nats, and with ``ranks`` the target's rank from 1, at each position.

        Args:
            hidden: states, shape (n, width).
            targets: tokens, shape (n,).
            ranks: count the entries above the target too.

        Returns:
            Shape (n, 1), with ``ranks`` (n, 2), in float64.
        """
        import torch

        most, _ = _TILES.get(hidden.device.type, _TILES["cpu"])
        tiles = max(1, math.ceil(len(targets) / most))
        with torch.inference_mode():
            chunks = zip(hidden.tensor_split(tiles), targets.tensor_split(tiles), strict=True)
            return torch.cat([self._score(*chunk, ranks) for chunk in chunks])

    def _score(self, hidden: torch.Tensor, targets: torch.Tensor, ranks: bool) -> torch.Tensor:
        import torch

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
        bits = torch.full_like(target[:1, None], _BITS)  # a tensor, so that 16 bits become 32 in the same step
        sums = target.new_zeros((len(target), math.ceil(self.vocabulary / self._width)))
        above = torch.zeros_like(target, dtype=torch.float64)
        for product, tile_sum in zip(self._products(hidden, taken), sums.unbind(dim=1), strict=True):
            if ranks:
                above += _count_above(_wide(product), threshold)
            torch.sum((self._less(product, taken) * bits).exp2_(), dim=1, out=tile_sum)
        nll = sums.double().sum(dim=1).log()
        if not bool(sums.isfinite().all()):
            tiles = (self._less(product, taken).double() for product in self._products(hidden, taken))
            nll = torch.stack([tile.logsumexp(dim=1) for tile in tiles]).logsumexp(dim=0)
        # Never below 0 but by rounding (of a probability of 1, in bfloat16 by 1e-4 or so).
        nll = (nll + taken.double() - finished.double()).clamp_min(0.0)
        return torch.stack([nll, above + 1] if ranks else [nll], dim=1)

    @property
    def _plain(self) -> bool:
        """Whether the product is the logits, so that the target's can be taken off inside it."""
        return self.bias is None and self.scale == 1.0 and not self.softcap

    @property
    def _width(self) -> int:
        """How many entries a tile has."""
        return _TILES.get(self.weight.device.type, _TILES["cpu"])[1]

    def _products(self, hidden: torch.Tensor, taken: torch.Tensor) -> Iterator[torch.Tensor]:
        """The matrix product tile by tile, less ``taken`` already where it is plain."""
        import torch

        if self._plain:
            off = (-taken)[:, None]
            for weight in self.weight.T.split(self._width, dim=1):
                yield torch.addmm(off, hidden, weight)
            return
        # Where more is done to the product, nothing can be taken off before that: float32 all through, slower.
        states = _wide(hidden)
        for start in range(0, self.vocabulary, self._width):
            entries = slice(start, start + self._width)
            bias = None if self.bias is None else _wide(self.bias[entries])
            yield torch.nn.functional.linear(states, _wide(self.weight[entries]), bias)

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
