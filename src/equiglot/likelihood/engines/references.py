"""How a user names an engine: ``endpoint:URL,MODEL`` or ``scores:FILE``."""

from __future__ import annotations

from equiglot.errors import InputError
from equiglot.likelihood.engines.endpoint import EndpointEngine
from equiglot.likelihood.engines.file import FileEngine
from equiglot.likelihood.engines.protocol import Engine

__all__ = ["find_engine"]


def find_engine(
    reference: str, *, bos: str = "auto", key_env: str = "OPENAI_API_KEY", concurrency: int = 8
) -> Engine | None:
    """The engine that a reference names, or None where it names a model that is run here.

    Args:
        reference: ``endpoint:URL,MODEL``; ``endpoint:URL`` for a server of one model; ``scores:FILE``.
        bos: as :class:`~equiglot.likelihood.engines.EndpointEngine` takes it.
        key_env: environment variable with the endpoint's API key.
        concurrency: requests under way at once.

    Raises:
        InputError: an address that is none, or a file that can't be used.

    >>> find_engine("endpoint:http://127.0.0.1:8000/v1,gemma").name
    'gemma'
    >>> find_engine("pkg:gemma3-270m") is None
    True
    """
    kind, colon, rest = reference.partition(":")
    if not colon or kind not in ("endpoint", "scores"):
        return None
    if kind == "scores":
        if bos != "auto":
            raise InputError(f"'{bos}' can't be had from a file: its scores are made", fix="leave --bos out")
        return FileEngine(rest)
    url, _, model = rest.partition(",")
    return EndpointEngine(url, model.strip() or None, bos=bos, key_env=key_env, concurrency=concurrency)
