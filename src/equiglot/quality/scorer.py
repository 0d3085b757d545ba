"""What a metric is to the rest of this room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.cache import Item
from equiglot.measures import MeasureInfo

__all__ = ["Against", "Options", "Scorer"]

Against = Literal["reference", "source"]


@dataclass(frozen=True, slots=True)
class Options:
    """What changes a score; each is in the signature of the metrics that heed it.

    Attributes:
        against: what the target's embedding is held against.
        tokenize: sacrebleu's tokeniser for BLEU. It matters much for scripts that 13a does not know: a danda that stays
            glued to its word is another word.
    """

    against: Against = "reference"
    tokenize: str = "13a"


@dataclass(frozen=True, slots=True)
class Scorer:
    """One metric, ready to score.

    Attributes:
        info: name, unit, direction and signature. The signature names everything that changes a value and so is also
            the identity under which values are cached.
        needs: the columns whose texts are scored together.
        compute: from items (one tuple of texts each, in the order of ``needs``) to values of shape (items, 1); NaN
            where a pair has no value.
        block: how many items are computed before they are stored.
        fault: what keeps this metric from reading a text, completing "target ..."; None where nothing does.
        note: what the user must be told of the items that were scored, if anything.
    """

    info: MeasureInfo
    needs: tuple[str, ...]
    compute: Callable[[Sequence[Item]], NDArray[np.float64]]
    block: int = 1024
    fault: Callable[[str], str | None] = lambda text: None
    note: Callable[[Sequence[Item]], str | None] = lambda items: None
