"""Is the model one that this room can score? Tried on a few tokens each time a model is loaded.

The scorer runs the body of the model and reads the output layer itself. Models differ in what they do in between, so
rather than a list of the ones that are known, the two paths are compared: the logits must be those that the model gives
when asked as a whole. And a token's logits must not change with what comes after it, or the sum of -ln P is not a
likelihood (a masked model loads as a causal one without complaint).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from equiglot.errors import InputError
from equiglot.likelihood._body import autocast, hidden_states
from equiglot.likelihood._head import Head

if TYPE_CHECKING:
    import torch

__all__ = ["check_model"]

_TOLERANCE = {"float64": 1e-9, "float32": 1e-4, "bfloat16": 3e-2, "float16": 5e-3}
"""Largest difference of logits, in units of the largest logit, that is rounding."""


def check_model(model: Any, head: Head, *, name: str, dtype: str, context: int | None) -> None:
    """Raise :class:`InputError` unless body and output layer give the model's own logits, left to right."""
    import torch

    vocabulary = head.vocabulary
    length = 6 if context is None else min(6, context)
    if length < 2:
        raise InputError(f"{name} has a context of one token, so nothing can be foretold", fix="use another model")
    ids = [(7 + 101 * i) % vocabulary for i in range(length)]
    changed = [*ids[:-1], (ids[-1] + 1) % vocabulary]
    with torch.inference_mode():
        tokens = torch.tensor([ids, changed], device=head.weight.device)
        with autocast(dtype, tokens.device.type):
            whole = model(input_ids=tokens, use_cache=False).logits.double()
        ours = head.logits(hidden_states(model, tokens, dtype)).double()
    rounding = _TOLERANCE[dtype] * max(float(whole.abs().max()), 1.0)
    if not _gap(whole[0, :-1], whole[1, :-1]) <= rounding:
        raise InputError(
            f"{name} ({type(model).__name__}) reads what comes after a token, so it gives a text no likelihood",
            fix="use a causal language model",
        )
    if not (gap := _gap(ours, whole)) <= rounding:
        raise InputError(
            f"{name} ({type(model).__name__}) makes its logits in a way that the scorer can't follow ({gap:.3g} off)",
            fix="use another model, or report this one",
        )


def _gap(one: torch.Tensor, other: torch.Tensor) -> float:
    """The largest difference; infinite where the shapes differ, NaN where a value is."""
    return float((one - other).abs().max()) if one.shape == other.shape else float("inf")
