"""The organiser's pages: progress per rater, agreement so far, and what raters said as files."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import polars as pl
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from equiglot.people.agreement import measure_alpha
from equiglot.people.agreement_words import alpha_sentences
from equiglot.people.app.export import export_ratings, export_spans
from equiglot.people.app.progress import load_progress
from equiglot.people.app.reading import is_organizer
from equiglot.people.app.rendering import render
from equiglot.people.app.study import Study
from equiglot.people.ratings import totals

__all__ = ["organizer_routes"]

_FORMATS = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
_DOWNLOADS = {"ratings": "Ratings, one row per rater and scale", "totals": "Mean total per item"}


def organizer_routes(study: Study) -> list[Route]:
    """The routes of the organiser's pages."""
    return [
        Route("/o/{secret}", _overview(study), methods=["GET"]),
        Route("/o/{secret}/{name}.{format}", _download(study), methods=["GET"]),
    ]


def _overview(study: Study) -> Any:
    def overview(request: Request) -> Response:
        _check(study, request)
        with study.database.reading() as connection:
            raters = load_progress(connection, study.rubric)
        return HTMLResponse(
            render(
                "organizer",
                lang="en",
                here=f"/o/{request.path_params['secret']}",
                rubric=study.rubric,
                raters=raters,
                done=sum(rater.done for rater in raters),
                total=sum(rater.pages for rater in raters),
                agreement=_agreement(export_ratings(study)),
                downloads=_downloads(study).items(),
            )
        )

    return overview


def _download(study: Study) -> Any:
    makers: dict[str, Callable[[], pl.DataFrame]] = {
        "ratings": lambda: export_ratings(study),
        "totals": lambda: totals(export_ratings(study)),
        "spans": lambda: export_spans(study),
    }

    def download(request: Request) -> Response:
        _check(study, request)
        name, form = request.path_params["name"], request.path_params["format"]
        if name not in _downloads(study) or form not in _FORMATS:
            raise HTTPException(404)
        frame, buffer = makers[name](), BytesIO()
        if form == "csv":
            frame.write_csv(buffer)
        else:
            frame.write_parquet(buffer)
        headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
        return Response(buffer.getvalue(), media_type=_FORMATS[form], headers=headers)

    return download


def _downloads(study: Study) -> dict[str, str]:
    return {**_DOWNLOADS, **({"spans": "Errors marked"} if study.rubric.task == "spans" else {})}


def _check(study: Study, request: Request) -> None:
    with study.database.reading() as connection:
        if not is_organizer(connection, request.path_params["secret"]):
            raise HTTPException(404)


def _agreement(ratings: pl.DataFrame) -> list[str]:
    """How far raters agree so far, in words."""
    return alpha_sentences(ratings, measure_alpha(ratings))
