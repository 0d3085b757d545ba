"""How long work says how far it is: a callable that the caller hands in, silent by default."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "silent"]


class Progress(Protocol):
    """Told of progress: ``what`` is being done, ``done`` of ``total`` units so far."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """Called after every block of work."""
        ...


def silent(what: str, done: int, total: int) -> None:
    """Say nothing."""
