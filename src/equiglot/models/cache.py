"""Where equiglot keeps what it makes once: converted weights, scores, environments."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

__all__ = ["cache_folder"]


def cache_folder(*parts: str) -> Path:
    """The user's cache folder, or the folder ``parts`` below it; made if it isn't there.

    ``EQUIGLOT_CACHE`` overrides the place.
    """
    root = os.environ.get("EQUIGLOT_CACHE") or platformdirs.user_cache_dir("equiglot")
    folder = Path(root).joinpath(*parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
