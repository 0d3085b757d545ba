"""The registry of metrics: what each needs, which way it is better, and how it is computed.

To add a metric, write a factory that returns a :class:`Scorer` and put it here under its name. Caching, the order of
rows and the reasons of what can't be scored come from :func:`equiglot.quality.score`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from equiglot.quality.bertscore import bertscore, bertscore_precision, bertscore_recall
from equiglot.quality.embedding import cosine, e5
from equiglot.quality.scorer import Options, Scorer
from equiglot.quality.surface import bleu, chrf, ter

__all__ = ["METRICS"]

METRICS: Mapping[str, Callable[[Options], Scorer]] = {
    "bleu": bleu,
    "chrf": chrf,
    "ter": ter,
    "e5": e5,
    "cosine": cosine,
    "bertscore": bertscore,
    "bertscore_precision": bertscore_precision,
    "bertscore_recall": bertscore_recall,
}
"""By name, what makes the scorer; ``comet`` runs in an environment of its own and is not among them."""
