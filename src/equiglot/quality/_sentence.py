"""Embeddings of whole texts by a model of sentence-transformers, read from its own configuration.

Such a folder lists its parts in ``modules.json``: a transformer, a pooling of its token embeddings, perhaps dense
layers, perhaps a division by the length. Each says in its own ``config.json`` what it does; the limit of tokens is in
``sentence_bert_config.json``, and a prefix that is to stand before every text in ``config_sentence_transformers.json``
(``default_prompt_name``). A folder without ``modules.json`` is a plain transformer, and its tokens are averaged, as the
library does. A part that is not known here is refused by name, never left out.

It is read here and not by the library, whose values these are, because that would cut long texts without a word.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.cache import Item
from equiglot.errors import InputError
from equiglot.quality._encoder import Encoder, batches

__all__ = ["Parts", "SentenceModel", "read_parts"]

_POOLINGS = ("cls", "lasttoken", "max", "mean", "mean_sqrt_len_tokens", "weightedmean")
_OLD_POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}
_ACTIVATIONS = ("Identity", "Tanh", "GELU", "ReLU")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a model does with its tokens' embeddings.

    Attributes:
        pooling: how they become one.
        dense: the folders of dense layers after that, in order.
        normalised: whether the result is divided by its length.
        prefix: what stands before every text.
        lower: whether text is lower-cased first.
        limit: the most tokens that are read, where the model says it.
    """

    pooling: str
    dense: tuple[Path, ...] = ()
    normalised: bool = False
    prefix: str = ""
    lower: bool = False
    limit: int | None = None


def read_parts(folder: Path) -> Parts:
    """The parts of the model in a folder.

    Raises:
        InputError: a part or pooling that is not known.
    """
    listed = _json(folder / "modules.json")
    if not listed:
        return Parts("mean")
    pooling, dense, normalised = "", list[Path](), False
    for module in listed:
        kind = str(module.get("type")).rpartition(".")[2]
        place = folder / str(module.get("path") or "")
        if kind == "Pooling":
            pooling = _pooling(place)
        elif kind == "Dense":
            dense.append(place)
        elif kind == "Normalize":
            normalised = True
        elif kind != "Transformer":
            raise InputError(f"the model has a part '{kind}', which is not known here", fix=_FIX, path=folder)
    limits = _json(folder / "sentence_bert_config.json")
    prompts = _json(folder / "config_sentence_transformers.json")
    prefix = (prompts.get("prompts") or {}).get(prompts.get("default_prompt_name")) or ""
    return Parts(
        pooling or "mean",
        tuple(dense),
        normalised,
        prefix,
        bool(limits.get("do_lower_case")),
        limits.get("max_seq_length"),
    )


_FIX = "use another model"


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8")) if path.is_file() else {}
    except ValueError as error:
        raise InputError("this is not JSON", fix="get the model anew", path=path) from error


def _pooling(folder: Path) -> str:
    config = _json(folder / "config.json")
    told = config.get("pooling_mode") or [name for key, name in _OLD_POOLINGS.items() if config.get(key)]
    modes = [told] if isinstance(told, str) else list(told)
    if len(modes) != 1 or modes[0] not in _POOLINGS:
        raise InputError(f"the model pools by {' and '.join(modes) or 'nothing'}", fix=_FIX, path=folder)
    if config.get("include_prompt") is False:
        raise InputError("the model leaves its prefix out of the pooling", fix=_FIX, path=folder)
    return str(modes[0])


class SentenceModel:
    """A model that makes one embedding of a text.

    Args:
        encoder: its transformer; loaded when it is first needed.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.parts = read_parts(encoder.folder)

    @cached_property
    def limit(self) -> int:
        """The most tokens of a text that are read, prefix and special ones among them."""
        return min(self.encoder.limit, self.parts.limit or self.encoder.limit)

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        """Shape (texts, dimensions); in batches of texts of like length."""
        import torch

        tokenizer = self.encoder.tokenizer
        said = [self.encoder.beginning(self._said(text), self.limit) for text in texts]
        ids = tokenizer(said, truncation=True, max_length=self.limit)["input_ids"]
        made: list[Any] = [None] * len(texts)
        with torch.inference_mode():
            for batch in batches([len(own) for own in ids]):
                padded = tokenizer.pad(
                    {"input_ids": [ids[i] for i in batch]}, padding_side="right", return_tensors="pt"
                )
                for i, vector in zip(batch, self._vectors(padded["input_ids"], padded["attention_mask"]), strict=True):
                    made[i] = vector.float().cpu().numpy()
        return np.array(made)

    def cut(self, items: Sequence[Item]) -> NDArray[np.bool_]:
        """Which pairs hold a text that is longer than the model reads."""
        long = self.encoder.longer([self._said(text) for item in items for text in item], self.limit)
        return np.array([any(self._said(text) in long for text in item) for item in items], dtype=bool)

    def _said(self, text: str) -> str:
        text = self.parts.prefix + text
        return text.lower() if self.parts.lower else text

    def _vectors(self, ids: Any, mask: Any) -> Any:
        import torch

        module = self.encoder.module
        ids, mask = ids.to(module.device), mask.to(module.device)
        vectors = _pooled(module(input_ids=ids, attention_mask=mask)[0], mask, self.parts.pooling)
        for layer in self._dense:
            vectors = layer(vectors)
        return torch.nn.functional.normalize(vectors, dim=-1) if self.parts.normalised else vectors

    @cached_property
    def _dense(self) -> list[Any]:
        return [_dense_layer(folder, self.encoder.module.device) for folder in self.parts.dense]


def _pooled(states: Any, mask: Any, how: str) -> Any:
    """One embedding per text out of its tokens', shape (texts, tokens, dimensions); padding is to the right."""
    import torch

    if how == "cls":
        return states[:, 0]
    if how == "lasttoken":
        return states[torch.arange(len(states), device=states.device), mask.sum(1) - 1]
    weights = mask.unsqueeze(-1).to(states.dtype)
    if how == "max":
        return states.masked_fill(weights == 0, float("-inf")).amax(1)
    if how == "weightedmean":
        weights = weights * torch.arange(1, states.shape[1] + 1, device=states.device, dtype=states.dtype)[:, None]
    counts = weights.sum(1).clamp(min=1e-9)
    return (states * weights).sum(1) / (counts.sqrt() if how == "mean_sqrt_len_tokens" else counts)


def _dense_layer(folder: Path, device: Any) -> Any:
    """A dense layer with its activation.

    Raises:
        InputError: an activation that is not known, or no weights.
    """
    import torch
    from safetensors.torch import load_file

    config = _json(folder / "config.json")
    activation = str(config.get("activation_function")).rpartition(".")[2]
    if activation not in _ACTIVATIONS:
        raise InputError(f"a dense layer has the activation '{activation}'", fix=_FIX, path=folder)
    weights, pickled = folder / "model.safetensors", folder / "pytorch_model.bin"
    if not (weights.is_file() or pickled.is_file()):
        raise InputError("a dense layer has no weights", fix="get the model anew", path=folder)
    tensors = load_file(weights) if weights.is_file() else torch.load(pickled, weights_only=True)
    linear = torch.nn.Linear(config["in_features"], config["out_features"], bias=bool(config.get("bias", True)))
    linear.load_state_dict({name.removeprefix("linear."): tensor for name, tensor in tensors.items()})
    return torch.nn.Sequential(linear, getattr(torch.nn, activation)()).to(device).requires_grad_(False)
