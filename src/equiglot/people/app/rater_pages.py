"""The rater's pages: a start page with instructions and an overview, a page per item, and saving it."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import update
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from equiglot.people.app import schema
from equiglot.people.app.reading import Page, RaterRow, find_rater, load_overview, load_page
from equiglot.people.app.rendering import render
from equiglot.people.app.saving import SKIP_REASONS, ConflictError, SaveError, keep_save, read_save
from equiglot.people.app.study import Study
from equiglot.people.app.wording import Wording

__all__ = ["rater_routes"]

_STATUS_WORDS = ("saved", "saving", "retrying", "changed", "refused", "incomplete", "remove", "nothing_selected")
_MOST_PAGES = 1_000_000


def rater_routes(study: Study) -> list[Route]:
    """The routes of raters' pages."""
    return [
        Route("/r/{token}", _start(study), methods=["GET"]),
        Route("/r/{token}/words", _choose_words(study), methods=["POST"]),
        Route("/r/{token}/{position:int}", _item(study), methods=["GET"]),
        Route("/r/{token}/{position:int}", _save(study), methods=["POST"]),
    ]


def _start(study: Study) -> Any:
    def start(request: Request) -> Response:
        with study.database.reading() as connection:
            rater = _known(find_rater(connection, request.path_params["token"]))
            pages = load_overview(connection, rater.id)
        first_open = next((page.position for page in pages if not page.done), None)
        return HTMLResponse(
            render(
                "start",
                lang=rater.words,
                here=_here(request),
                rubric=study.rubric,
                words=Wording(rater.words),
                pages=pages,
                n_done=sum(page.done for page in pages),
                first_open=first_open,
            )
        )

    return start


def _item(study: Study) -> Any:
    def item(request: Request) -> Response:
        with study.database.reading() as connection:
            rater = _known(find_rater(connection, request.path_params["token"]))
            page = load_page(connection, rater.id, _position(request))
        if page is None:
            raise HTTPException(404)
        words = Wording(rater.words)
        return HTMLResponse(
            render(
                "page",
                lang=rater.words,
                here=_here(request),
                rubric=study.rubric,
                words=words,
                page=page,
                reasons=SKIP_REASONS,
                state=_script_state(page, words),
            )
        )

    return item


def _save(study: Study) -> Any:
    def keep(token: str, position: int, data: Any) -> Response:
        with study.database.writing() as connection:
            rater = _known(find_rater(connection, token))
            if load_page(connection, rater.id, position) is None:
                raise HTTPException(404)
            save = read_save(data, study.rubric)
            return JSONResponse({"revision": keep_save(connection, study.rubric, rater.id, position, save)})

    async def save(request: Request) -> Response:
        data = await _json(request)
        try:
            return await run_in_threadpool(keep, request.path_params["token"], _position(request), data)
        except SaveError as error:
            return JSONResponse({"problem": str(error)}, 400)
        except ConflictError:
            return JSONResponse({"problem": "made on another state of the page"}, 409)

    return save


def _choose_words(study: Study) -> Any:
    def keep(token: str, data: Any) -> Response:
        with study.database.writing() as connection:
            rater = _known(find_rater(connection, token))
            if not isinstance(data, dict) or data.get("words") not in study.rubric.languages:
                return JSONResponse({"problem": "no such language"}, 400)
            raters = schema.raters
            connection.execute(update(raters).where(raters.c.id == rater.id).values(words=data["words"]))
        return JSONResponse({})

    async def choose(request: Request) -> Response:
        return await run_in_threadpool(keep, request.path_params["token"], await _json(request))

    return choose


def _known(rater: RaterRow | None) -> RaterRow:
    """The rater, or "not found", which is all that someone without the link learns."""
    if rater is None:
        raise HTTPException(404)
    return rater


def _position(request: Request) -> int:
    position = request.path_params["position"]
    if position > _MOST_PAGES:
        raise HTTPException(404)
    return position


def _here(request: Request) -> str:
    return f"/r/{request.path_params['token']}"


async def _json(request: Request) -> Any:
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400) from None


def _script_state(page: Page, words: Wording) -> dict[str, Any]:
    """What the page's script starts from."""
    return {
        "revision": page.revision,
        "seconds": page.seconds,
        "done": page.done,
        "text": page.answer,
        "spans": [{"start": s.start, "end": s.end, "category": s.category, "severity": s.severity} for s in page.spans],
        "words": {key: words.plain(key) for key in _STATUS_WORDS},
    }
