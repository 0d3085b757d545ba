"""equiglot tells which evaluation scores of different languages, scripts and tokenisers may be compared,
and puts on one axis those that can be.

The names below are the front door; each is loaded when it is first used, so that ``import equiglot`` is quick. The
rooms behind it (:mod:`equiglot.table`, :mod:`equiglot.text`, :mod:`equiglot.tokens`, ...) hold the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from equiglot._version import __version__
from equiglot.errors import InputError

if TYPE_CHECKING:
    from equiglot.audit import script_audit
    from equiglot.normalize import QuantileNormalizer
    from equiglot.quality import score
    from equiglot.study import open_frame, open_lines, open_table, profile, read_study, run_study
    from equiglot.table import write_segments
    from equiglot.text import romanize

__all__ = [
    "InputError",
    "QuantileNormalizer",
    "__version__",
    "open_frame",
    "open_lines",
    "open_table",
    "profile",
    "read_study",
    "romanize",
    "run_study",
    "score",
    "script_audit",
    "write_segments",
]

_ROOMS = {
    "QuantileNormalizer": "normalize",
    "open_frame": "study",
    "open_lines": "study",
    "open_table": "study",
    "profile": "study",
    "read_study": "study",
    "romanize": "text",
    "run_study": "study",
    "score": "quality",
    "script_audit": "audit",
    "write_segments": "table",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'equiglot' has no attribute '{name}'")
    return getattr(import_module(f"equiglot.{_ROOMS[name]}"), name)
