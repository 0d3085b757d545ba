"""What stands before every request: size limits, who may write from where, and the headers of every answer.

The token is in the path and nowhere else, so a browser sends no credential by itself and another site has nothing to
ride on. A write must still say that it comes from a page of this host (``Origin``), in JSON. A server on a loopback
address answers to loopback names only, so that no other name can be made to point at it (DNS rebinding). Pages may load
from this server alone, run its own scripts alone, and are never framed, cached or named to other sites.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LARGEST_BODY", "LOOPBACK", "Guard"]

LARGEST_BODY = 64 * 1024
LOOPBACK = ("127.0.0.1", "localhost", "::1")

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Robots-Tag": "noindex, nofollow",
}
_READS = ("GET", "HEAD")


class Guard:
    """ASGI middleware: see the module."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None = None) -> None:
        """Guard an application; ``hosts`` are the names that it answers to, any where None."""
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        guarded = _with_headers(send)
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal is not None:
            await refusal(scope, receive, guarded)
            return
        await self._app(scope, _limited(receive), guarded)

    def _refusal(self, method: str, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if self._hosts is not None and _hostname(f"//{host}") not in self._hosts:
            return _refused(421, "not a name of this server")
        if method in _READS:
            return None
        origin = headers.get("origin", "")
        if not host or _netloc(origin) != host.lower() or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return _refused(403, "from another site")
        if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            return _refused(415, "not JSON")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return _refused(413, "too large")
        return None


def _refused(status: int, why: str) -> PlainTextResponse:
    return PlainTextResponse(f"refused: {why}\n", status)


def _hostname(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _netloc(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending


def _limited(receive: Receive) -> Receive:
    """The body, whatever length it claims, cut off where it grows too large."""
    seen = 0

    async def receiving() -> Message:
        nonlocal seen
        message: Any = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST_BODY:
            raise HTTPException(413)
        return message

    return receiving
