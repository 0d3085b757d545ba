"""Links that only their owner knows: 192 random bits, of which the database keeps a SHA-256 alone.

A rater's token is ``<number>.<secret>``; the number finds the row, the secret is compared in constant time. A token of
that many random bits can't be guessed, so a plain hash is enough (a slow one is for passwords that people choose).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

__all__ = ["hashed", "matches", "new_secret", "split_token"]

_BYTES = 24
_NOBODY = "0" * 64


def new_secret() -> str:
    """A new secret, safe in a URL."""
    return secrets.token_urlsafe(_BYTES)


def hashed(secret: str) -> str:
    """What the database keeps of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def matches(secret: str, kept: str | None) -> bool:
    """Whether a secret is the one whose hash was kept; as slow where there is none.

    >>> matches("s", hashed("s")), matches("t", hashed("s")), matches("s", None)
    (True, False, False)
    """
    return hmac.compare_digest(hashed(secret), kept or _NOBODY)


def split_token(token: str) -> tuple[int, str]:
    """The rater's number and the secret in a token; number -1, which nobody has, where it has none.

    >>> split_token("3.abc"), split_token("abc")
    ((3, 'abc'), (-1, 'abc'))
    """
    number, dot, secret = token.partition(".")
    if dot and number.isascii() and number.isdecimal() and len(number) <= 6:
        return int(number), secret
    return -1, token
