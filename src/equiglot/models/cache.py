"""Where equiglot keeps what it makes once: converted weights, scores, environments."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from equiglot.errors import InputError

__all__ = ["cache_folder"]


def cache_folder(*parts: str) -> Path:
    """The user's cache folder, or the folder ``parts`` below it; made if it isn't there.

    ``EQUIGLOT_CACHE`` overrides the place.

    Raises:
        InputError: the folder can't be made.
    """
    root = os.environ.get("EQUIGLOT_CACHE") or platformdirs.user_cache_dir("equiglot")
    folder = Path(root).joinpath(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"the cache folder cannot be made ({error.strerror or error})"
        raise InputError(problem, path=folder, fix="set EQUIGLOT_CACHE to a folder that can be written") from error
    return folder
