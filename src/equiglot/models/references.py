"""References: how a user names a tokeniser, a model or a metric."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from equiglot.errors import InputError

__all__ = ["Reference", "parse_reference"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A parsed reference: where to look, and the name there."""

    kind: Literal["hf", "pkg", "path", "tiktoken"]
    name: str

    def __str__(self) -> str:
        return self.name if self.kind == "path" else f"{self.kind}:{self.name}"


def parse_reference(text: str) -> Reference:
    """``hf:NAME``, ``pkg:NAME``, ``tiktoken:ENCODING`` or the path of something that exists.

    >>> parse_reference("pkg:xlmr")
    Reference(kind='pkg', name='xlmr')

    Raises:
        InputError: no such path, or an empty name.
    """
    kind, colon, name = text.partition(":")
    if colon and kind in ("hf", "pkg", "tiktoken"):
        if not name.strip():
            raise InputError(f"'{text}' names nothing", fix=f"write {kind}:NAME")
        return Reference(kind, name)  # type: ignore[arg-type]
    if text.strip() and Path(text).exists():
        return Reference("path", text)
    raise InputError(
        f"'{text}' is neither a path that exists nor a reference",
        fix="write hf:NAME for a hub model, pkg:NAME for one that a package carries, or an existing path",
    )
