"""How work is run: unique items once, in blocks, cached on disk by content, resumed after a stop."""

from equiglot.engine.cache import Cache
from equiglot.engine.once import score_once
from equiglot.engine.progress import Progress, silent
from equiglot.engine.settings import read_settings, read_yaml
from equiglot.engine.store import Store

__all__ = ["Cache", "Progress", "Store", "read_settings", "read_yaml", "score_once", "silent"]
