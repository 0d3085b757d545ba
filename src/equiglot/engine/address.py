"""Where a model is served: the address, and the key, which is read from the environment and held nowhere else."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from equiglot.errors import InputError

__all__ = ["OPENAI_URL", "read_key", "require_url", "require_variable"]

OPENAI_URL = "https://api.openai.com/v1"


def require_url(url: str) -> None:
    """Raise :class:`InputError` unless it is the address of a server, without a secret in it.

    >>> require_url("http://127.0.0.1:8000/v1")
    """
    try:
        parts = urlsplit(url)
        secret, host, _ = parts.username or parts.password or parts.query, parts.hostname, parts.port
    except ValueError:
        secret, host, parts = None, None, urlsplit("")
    if secret:
        raise InputError("the address of the endpoint holds a secret", fix="leave it out: keys come from --key-env")
    if parts.scheme not in ("http", "https") or not host:
        raise InputError(f"'{url}' is not the address of an endpoint", fix="write e.g. http://127.0.0.1:8000/v1")


def require_variable(name: str) -> None:
    """Raise :class:`InputError` unless it can be the name of an environment variable."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        # What was given may be the key itself, so it is not shown.
        raise InputError("that is not the name of an environment variable", fix="give the name, never the key")


def read_key(variable: str, base_url: str) -> str | None:
    """The API key, or None where the endpoint is not OpenAI's and the environment holds none.

    Raises:
        InputError: OpenAI's endpoint without a key, or what can't be one.
    """
    key = os.environ.get(variable, "").strip()
    if not key and base_url.rstrip("/") == OPENAI_URL:
        raise InputError(
            "OpenAI's endpoint needs an API key, and the environment holds none",
            fix="export OPENAI_API_KEY, name another variable with --key-env, or another endpoint with --base-url",
        )
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError(
            "the API key in the environment has letters that no key has", fix="set the variable to the key alone"
        )
    return key or None
