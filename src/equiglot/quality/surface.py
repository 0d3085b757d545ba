"""BLEU, chrF and TER of single segments, by sacrebleu.

Values are sacrebleu's own ``sentence_score``, 0 to 100 (what rounding lifts to 100.00000000000004 is 100; TER from 0,
with no upper end): BLEU with effective order, because a short segment often has no 4-gram; chrF with character order 6,
no word n-grams, beta 2; TER as tercom. BLEU and chrF are better when higher, TER when lower. A chrF of 0 is a value (no
n-gram in common); an empty text has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.cache import Item
from equiglot.errors import InputError
from equiglot.measures import Direction, MeasureInfo, signature
from equiglot.quality.scorer import Options, Scorer

__all__ = ["bleu", "chrf", "ter"]


def bleu(options: Options) -> Scorer:
    """Sentence BLEU with effective order; the tokeniser is an option.

    Raises:
        InputError: a tokeniser that sacrebleu does not have, or whose package is missing.
    """
    from sacrebleu.metrics.bleu import BLEU

    names = sorted(BLEU.TOKENIZERS)
    if options.tokenize not in names:
        fix = f"use one of {', '.join(names)}"
        raise InputError(f"sacrebleu has no BLEU tokeniser '{options.tokenize}'", fix=fix)
    try:
        metric = BLEU(effective_order=True, tokenize=options.tokenize)
    except (RuntimeError, ImportError, OSError) as error:  # some fetch a model at their first use
        fix = "install what sacrebleu asks for, or use 13a, intl or char"
        raise InputError(f"sacrebleu's tokeniser '{options.tokenize}' does not work ({error})", fix=fix) from error
    return _scorer("bleu", "higher", metric, block=4096)


def chrf(options: Options) -> Scorer:
    """Sentence chrF2."""
    from sacrebleu.metrics.chrf import CHRF

    return _scorer("chrf", "higher", CHRF(), block=4096)


def ter(options: Options) -> Scorer:
    """Translation edit rate; slow, so it is stored in small blocks."""
    from sacrebleu.metrics.ter import TER

    return _scorer("ter", "lower", TER(), block=128)


def _scorer(name: str, direction: Direction, metric: Any, block: int) -> Scorer:
    def compute(items: Sequence[Item]) -> NDArray[np.float64]:
        values = np.array([[metric.sentence_score(target, [reference]).score] for target, reference in items])
        return values if direction == "lower" else np.minimum(values, 100.0)  # BLEU's geometric mean may round over it

    # sacrebleu's signature holds the number of references only once it has scored.
    metric.sentence_score("a", ["a"])
    parts = dict(part.split(":", 1) for part in str(metric.get_signature()).split("|"))
    parts["sacrebleu"] = parts.pop("version")
    info = MeasureInfo(name, "points", direction, signature(metric=name, **parts))
    return Scorer(info, ("target", "reference"), compute, block)
