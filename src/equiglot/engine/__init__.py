"""How work is run: unique items once, in blocks, cached on disk by content, resumed after a stop."""

from equiglot.engine.cache import Cache
from equiglot.engine.once import score_once
from equiglot.engine.progress import Progress, silent

__all__ = ["Cache", "Progress", "score_once", "silent"]
