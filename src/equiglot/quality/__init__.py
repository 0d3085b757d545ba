"""Quality metrics: BLEU, chrF, TER, BERTScore, cosine of embeddings, and COMET in an environment of its own."""

from equiglot.quality.floors import floors
from equiglot.quality.metrics import METRICS
from equiglot.quality.scoring import NAMES, join_comet_json, score, score_table

__all__ = ["METRICS", "NAMES", "floors", "join_comet_json", "score", "score_table"]
