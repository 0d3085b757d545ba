"""The signature of normalised scores, and the tokeniser that a table's measures name."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from equiglot.measures import MeasureInfo, signature

__all__ = ["map_digest", "map_signature", "tokenizer_identity"]


def map_digest(arrays: Mapping[str, NDArray[np.float64]]) -> str:
    """Eight hexadecimal digits that differ where any number of the map differs."""
    digest = sha256()
    for name, array in arrays.items():
        digest.update(f"{name}\0{array.size}\0".encode())
        digest.update(array.astype("<f8").tobytes())
    return digest.hexdigest()[:8]


def map_signature(info: MeasureInfo, *, norm: str, ref: str, n: int, cells: int, tok: str | None, digest: str) -> str:
    """The metric's own signature with the normalisation set behind the metric's name.

    >>> info = MeasureInfo("chrf", "points", "higher", "metric:chrf|nc:6|v:0.1.0")
    >>> map_signature(info, norm="qn", ref="native-pooled", n=9, cells=2, tok=None, digest="5f3a").rsplit("|", 1)[0]
    'metric:chrf|norm:qn|ref:native-pooled|n:9|cells:2|map:5f3a|nc:6|metric_v:0.1.0'
    """
    own = _parts(info.signature)
    made: dict[str, object] = {
        "metric": own.pop("metric", info.name),
        "norm": norm,
        "ref": ref,
        "n": n,
        "cells": cells,
        "map": digest,
        "tok": tok,
    }
    renamed = {f"metric_{key}" if key in made or key == "v" else key: value for key, value in own.items()}
    if renamed.get("metric_tok") == tok:
        renamed.pop("metric_tok", None)
    return signature(**made, **renamed)


def tokenizer_identity(measures: Mapping[str, MeasureInfo], metric: str) -> str | None:
    """The tokeniser that the metric's signature names, else the only one that the other measures name."""
    own = _parts(measures[metric].signature).get("tok")
    named = {_parts(info.signature).get("tok") for info in measures.values()} - {None}
    return own or (named.pop() if len(named) == 1 else None)


def _parts(text: str) -> dict[str, str]:
    """``key:value`` pairs; what is not one is kept whole as ``of``."""
    pairs = [part.partition(":") for part in text.split("|") if part]
    if any(not (key and colon) for key, colon, _ in pairs):
        return {"of": text}
    return {key: value for key, _, value in pairs}
