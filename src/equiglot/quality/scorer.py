"""What a metric is to the rest of this room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.cache import Item
from equiglot.measures import MeasureInfo

__all__ = ["NO_TEXT", "Against", "Options", "Scorer"]

Against = Literal["reference", "source"]

NO_TEXT = {"missing": "missing", "empty": "empty", "white space": "only white space", "invisible": "only invisible"}
"""The states of :func:`equiglot.text.text_state` in which there is nothing to score, completing "target is ..."."""


@dataclass(frozen=True, slots=True)
class Options:
    """What changes a score; each is in the signature of the metrics that heed it.

    Attributes:
        against: what the target's embedding is held against.
        tokenize: sacrebleu's tokeniser for BLEU. It matters much for scripts that 13a does not know: a danda that stays
            glued to its word is another word.
        metric_model: the model of BERTScore and of ``cosine``: ``hf:NAME``, a folder, or ``pkg:NAME``.
        layer: the model's layer that BERTScore reads; None takes the usual one of a model that bert-score knows.
    """

    against: Against = "reference"
    tokenize: str = "13a"
    metric_model: str | None = None
    layer: int | None = None


@dataclass(frozen=True, slots=True)
class Scorer:
    """One metric, ready to score.

    Attributes:
        info: name, unit, direction and signature. The signature names everything that changes a value and so is also
            the identity under which values are cached.
        needs: the columns whose texts are scored together.
        compute: from items (one tuple of texts each, in the order of ``needs``) to values of shape (items, width); NaN
            where a pair has no value.
        block: how many items are computed before they are stored.
        fault: what keeps this metric from reading a text, completing "target ..."; None where nothing does.
        note: what the user must be told of the items that were scored, if anything.
        cut: by item, whether a text of it is longer than the metric reads, so that its end does not count.
        width: how many values are computed at once, and stored together.
        column: which of them is this metric's.
        identity: under what they are stored; None where that is the signature.
    """

    info: MeasureInfo
    needs: tuple[str, ...]
    compute: Callable[[Sequence[Item]], NDArray[np.float64]]
    block: int = 1024
    fault: Callable[[str], str | None] = lambda text: None
    note: Callable[[Sequence[Item]], str | None] = lambda items: None
    cut: Callable[[Sequence[Item]], NDArray[np.bool_]] = lambda items: np.zeros(len(items), dtype=bool)
    width: int = 1
    column: int = 0
    identity: str | None = None
