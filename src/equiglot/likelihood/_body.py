"""The body of a model: from tokens to the states that the output layer reads, in the number format asked for.

In 16 bits only the matrices are: what flows between them, the norms and the embeddings stay float32 (torch's autocast).
The products are nearly all of the work, so this costs nothing, and it keeps the sum that runs through all layers from
being rounded to 8 bits twice a layer: on Gemma 3 270M a sentence's NLL is off by 0.26 per cent (root mean square)
instead of 0.43, and the mean of a hundred by 0.04 instead of 0.19.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

__all__ = ["SHORT", "autocast", "hidden_states", "set_number_format"]

SHORT = ("bfloat16", "float16")
"""The number formats of 16 bits."""


def set_number_format(model: Any, dtype: str) -> None:
    """Put a model's parameters into the number format, in place: all, or in 16 bits the matrices alone."""
    import torch

    kind = getattr(torch, dtype)
    # By identity: an output layer may share its parameter with the embeddings.
    embeddings = {id(module.weight) for module in model.modules() if isinstance(module, torch.nn.Embedding)}
    for parameter in model.parameters():
        wide = dtype in SHORT and (parameter.ndim < 2 or id(parameter) in embeddings)
        parameter.data = parameter.data.to(torch.float32 if wide else kind)


def autocast(dtype: str, device: str) -> Any:
    """The context in which a model of that number format runs."""
    import torch

    return torch.autocast(device, dtype=getattr(torch, dtype), enabled=dtype in SHORT)


def hidden_states(model: Any, tokens: torch.Tensor, dtype: str) -> torch.Tensor:
    """The last hidden states, shape (texts, positions, width), after the final norm and before the output layer.

    A model that reads from left to right needs no mask for padding on the right.
    """
    import torch

    with autocast(dtype, tokens.device.type):
        states = model.base_model(input_ids=tokens, use_cache=False).last_hidden_state
    return states.to(getattr(torch, dtype))
