"""The rating app as an ASGI application, and its server."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from equiglot.errors import InputError
from equiglot.people.app.guard import LOOPBACK, Guard
from equiglot.people.app.organizer_pages import organizer_routes
from equiglot.people.app.rater_pages import rater_routes
from equiglot.people.app.study import Study

__all__ = ["bind", "create_app", "is_loopback", "serve"]

_STATIC = Path(__file__).with_name("static")


def create_app(study: Study, *, fonts: Path | None = None, loopback: bool = True) -> ASGIApp:
    """The application.

    Args:
        study: an open study.
        fonts: a folder of Noto fonts to set texts in; without it the reader's own are used.
        loopback: whether it is reached by a loopback name only; requests for any other name are then refused.
    """
    mounts = [Mount("/static", _Files(directory=_STATIC))]
    if fonts is not None:
        mounts.append(Mount("/fonts", _Files(directory=fonts)))
    app = Starlette(
        routes=[*rater_routes(study), *organizer_routes(study), *mounts],
        exception_handlers={Exception: _failed},
    )
    return Guard(app, LOOPBACK if loopback else None)


class _Files(StaticFiles):
    """Files that are nobody's secret: a browser may keep them, and asks each time whether they have changed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


async def _failed(_request: Request, _error: Exception) -> Response:
    return PlainTextResponse("the server failed; what was acknowledged is kept\n", 500)


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own and no other machine reaches it.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens, port 0 being any that is free.

    Raises:
        InputError: it can't be had.
    """
    if not host.strip():  # which would be every address of this machine
        raise InputError("the host has no name", fix="leave --host out, or name an address such as 127.0.0.1")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(256)  # a browser that comes before the server is up waits for it
    except OSError as error:
        listening.close()
        problem = f"can't listen on {host}:{port} ({error.strerror or error})"
        raise InputError(problem, fix="name another with --port or --host") from None
    return listening


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Serve until stopped. Requests aren't logged: their paths hold the links."""
    import uvicorn

    config = uvicorn.Config(
        app,
        access_log=False,
        server_header=False,
        log_level="warning",
        lifespan="off",
        ws="none",
        timeout_keep_alive=75,  # longer than most raters take for a scale, so that a save seldom needs a new connection
    )
    with suppress(KeyboardInterrupt):  # which uvicorn raises again once it has answered what was under way
        uvicorn.Server(config).run(sockets=[listening])
