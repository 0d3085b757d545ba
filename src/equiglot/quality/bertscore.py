"""BERTScore: how well the tokens of two texts can be matched by their contextual embeddings (Zhang et al. 2020).

With x the tokens of the reference and y those of the target, embeddings of one layer, and cosine s(x, y): ``recall`` is
the mean over x of max s(x, y), ``precision`` the mean over y of max s(x, y), and ``bertscore`` their harmonic mean, F1.
Special tokens are not among those that are averaged. Unit: score, -1 to 1 (in practice 0.3 to 1), better when higher.

Texts are tokenised and embedded by the bert-score library, for any model that transformers can load and any of its
layers; values are the library's. Every token weighs the same (no idf weights, which would let a score depend on the
other rows), and nothing is rescaled by a baseline: the library has one straight line per language for that, so that
rescaled scores of two languages are on two scales (the signature says ``rescaled:no``). The library's default layer,
which its authors chose by translations into English, is taken where it knows the model by name; else the layer is asked
for.

What differs from the library: text over the model's limit is counted and not just cut; a text without tokens has no
score, where the library gives 0 (and gives it to any text of two tokens, if the model has no special ones); models
without padding or a stated limit, and decoders, can be used. As there, white space at the ends of a text does not
count. A value depends on its batch by float32's rounding (about 1e-7) and no more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.cache import Item
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo, signature
from equiglot.quality._encoder import Encoder, batches, find_encoder
from equiglot.quality.scorer import Options, Scorer

__all__ = ["bertscore", "bertscore_precision", "bertscore_recall"]

_STATISTICS = ("precision", "recall", "f1")


def bertscore(options: Options) -> Scorer:
    """BERTScore's F1."""
    return _scorer("bertscore", "f1", options)


def bertscore_precision(options: Options) -> Scorer:
    """BERTScore's precision: what of the target is in the reference."""
    return _scorer("bertscore_precision", "precision", options)


def bertscore_recall(options: Options) -> Scorer:
    """BERTScore's recall: what of the reference is in the target."""
    return _scorer("bertscore_recall", "recall", options)


def _scorer(name: str, statistic: str, options: Options) -> Scorer:
    if options.metric_model is None:
        raise InputError(
            f"{name} needs a model",
            fix="name it with --metric-model, or metric_model in a study file, e.g. hf:bert-base-multilingual-cased",
        )
    if find_spec("bert_score") is None:
        raise InputError(f"{name} needs the package bert-score", fix="install equiglot[bertscore]")
    encoder = find_encoder(options.metric_model)
    layer = options.layer if options.layer is not None else _usual_layer(encoder.name)
    made = {
        "model": encoder.identity,
        "layer": layer,
        "idf": "no",
        "rescaled": "no",
        "library": f"bert-score-{version('bert-score')}",
        "against": options.against,
    }
    matching = _matching(encoder, layer)
    return Scorer(
        MeasureInfo(name, "score", "higher", signature(metric=name, **made)),
        ("target", options.against),
        matching.scores,
        block=256,
        cut=matching.cut,
        # The three statistics come together and are stored together.
        identity=signature(metric="bertscore", **made),
        width=len(_STATISTICS),
        column=_STATISTICS.index(statistic),
    )


def _usual_layer(name: str) -> int:
    from bert_score.utils import model2layers

    known: dict[str, int] = model2layers
    plain = name.removeprefix("hf:")
    layer = known.get(plain, known.get(plain.rpartition("/")[2]))
    if layer is None:
        fix = "say it with --layer, or layer in a study file, e.g. --layer 9"
        raise InputError(f"which layer of {name} is to be read is not known", fix=fix)
    return layer


@lru_cache(maxsize=1)
def _matching(encoder: Encoder, layer: int) -> _Matching:
    """One for all three statistics, which are scored one after the other."""
    return _Matching(encoder, layer)


class _Matching:
    """A model cut after one layer, and bert-score's matching over it."""

    def __init__(self, encoder: Encoder, layer: int) -> None:
        self._encoder, self._layer = encoder, layer

    @cached_property
    def _module(self) -> Any:
        module = self._encoder.module
        _cut_layers(module, self._layer, self._encoder.name)
        self._encoder.tokenizer.model_max_length = self._encoder.limit  # which the library cuts at
        return module

    def scores(self, items: Sequence[Item]) -> NDArray[np.float64]:
        """Precision, recall and F1, shape (items, 3); NaN where a text has no token but the special ones."""
        tokens = self._tokens(list(dict.fromkeys(text for item in items for text in item)))
        return np.array([_matched(*(tokens[text] for text in item)) for item in items])

    def _tokens(self, texts: list[str]) -> dict[str, _Tokens]:
        """The tokens of each text, in batches of texts of like length."""
        from bert_score.utils import get_bert_embedding

        module, tokenizer = self._module, self._encoder.tokenizer
        device = next(module.parameters()).device
        weights: defaultdict[int | None, float] = defaultdict(lambda: 1.0)
        weights |= {tokenizer.sep_token_id: 0.0, tokenizer.cls_token_id: 0.0}
        read = [self._encoder.beginning(text.strip(), self._encoder.limit) for text in texts]
        lengths = [min(length, self._encoder.limit) for length in self._encoder.lengths(read)]
        tokens: dict[str, _Tokens] = {}
        for batch in batches(lengths):
            own = [texts[i] for i in batch]
            heads = [read[i] for i in batch]
            states, mask, weighted = get_bert_embedding(heads, module, tokenizer, weights, device=device)
            for text, vectors, there, weight in zip(own, states.cpu(), mask.cpu().bool(), weighted.cpu(), strict=True):
                tokens[text] = _Tokens(_unit(vectors[there].double().numpy()), weight[there].numpy().astype(np.float64))
        return tokens

    def cut(self, items: Sequence[Item]) -> NDArray[np.bool_]:
        """Which pairs hold a text that is longer than the model reads."""
        limit = self._encoder.limit
        long = self._encoder.longer([text.strip() for item in items for text in item], limit)
        return np.array([any(text.strip() in long for text in item) for item in items], dtype=bool)


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The tokens of a text: unit vectors, shape (tokens, dimensions), and how much each counts, shape (tokens,)."""

    vectors: NDArray[np.float64]
    weights: NDArray[np.float64]


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _matched(target: _Tokens, other: _Tokens) -> tuple[float, float, float]:
    """Precision, recall and F1. Special tokens don't count, but are there to be matched with, as in the library."""
    if not (target.weights.sum() and other.weights.sum()):
        return np.nan, np.nan, np.nan
    similarity = (target.vectors @ other.vectors.T).clip(-1.0, 1.0)
    precision = float(np.average(similarity.max(axis=1), weights=target.weights))
    recall = float(np.average(similarity.max(axis=0), weights=other.weights))
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else np.nan


def _cut_layers(module: Any, layer: int, name: str) -> None:
    """Leave the first layers alone, so that the model's output is that of the last of them."""
    import torch

    count = int(module.config.num_hidden_layers)
    if not 0 <= layer <= count:
        raise InputError(f"{name} has layers 0 to {count}, and no layer {layer}", fix="choose one of these")
    if hasattr(getattr(module, "encoder", None), "albert_layer_groups"):  # one group of weights, used again and again
        module.encoder.config.num_hidden_layers = layer
        return
    for path, stack in module.named_modules():
        if isinstance(stack, torch.nn.ModuleList) and len(stack) == count:
            parent, _, own = path.rpartition(".")
            setattr(module.get_submodule(parent), own, torch.nn.ModuleList(stack[:layer]))
            return
    raise InputError(f"the layers of {name} can't be told apart", fix="use another model")
