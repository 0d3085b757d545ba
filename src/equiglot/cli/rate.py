"""`equiglot rate`: a local web app in which people rate items."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiglot.cli import _options as opt

if TYPE_CHECKING:
    from equiglot.people.app import Links, Study
    from equiglot.table import Segments

__all__ = ["rate"]

_STUDY = "A new study"
_WARNING = (
    "warning: {host} can be reached by other machines; links and ratings cross the network unencrypted unless a server "
    "with HTTPS stands before this one\n"
)


def rate(
    *,
    items: Annotated[
        Path | None, typer.Option("--items", help="What is rated, e.g. what equiglot sample wrote.", show_default=False)
    ] = None,
    raters: Annotated[
        str | None,
        typer.Option(
            "--raters",
            help="How many for each language, or names: asha:hi,ravi:te+kn.",
            rich_help_panel=_STUDY,
            show_default=False,
        ),
    ] = None,
    rubric: Annotated[
        str | None,
        typer.Option(
            "--rubric",
            help="core-12 (if left out), full-25, mqm or a YAML file of yours.",
            rich_help_panel=_STUDY,
            show_default=False,
        ),
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats",
            min=0,
            help="Items that each rater sees twice. (default: 0)",
            rich_help_panel=_STUDY,
            show_default=False,
        ),
    ] = None,
    checks: Annotated[
        int | None,
        typer.Option(
            "--checks",
            min=0,
            max=50,
            help="Attention checks for each rater. (default: 0)",
            rich_help_panel=_STUDY,
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, help="Seed of the orders. (default: 0)", rich_help_panel=_STUDY, show_default=False
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            help="SQLite file (beside the items if left out), or postgresql://USER@HOST/NAME.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 takes any that is free.")] = 8765,
    renew: Annotated[bool, typer.Option("--renew", help="Print new links; the old ones stop working.")] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            help="Write the ratings so far here (.parquet, .csv, ...), totals beside them, and end.",
            show_default=False,
        ),
    ] = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    as_json: opt.Json = False,
) -> None:
    """Let people rate items in their browsers: prints a link for each rater, and serves until stopped.

    Everything is saved at once; run the same command again to go on. A study is made once: raters, rubric and the
    rest of it can't be changed later.
    """
    from equiglot.cli._show import print_json, print_notes
    from equiglot.people import read_rubric

    app = _web_app()
    place = database or (items.with_suffix(".ratings.db") if items else None)
    if place is None:
        place = _nothing_named()
    chosen = read_rubric(rubric) if rubric else None
    if export:
        study = app.open_existing(place)
        app.check_made_with(study, raters=raters, rubric=chosen, seed=seed, repeats=repeats, checks=checks)
        _export(study, export, as_json, items=items, database=Path(place))
        return
    segments = _open(items, language, rename, quotes) if items else None
    with app.bind(host, port) as listening:
        study, links = app.open_or_create(
            place,
            segments,
            raters,
            chosen,
            default_rubric=read_rubric("core-12"),
            renew=renew,
            seed=seed,
            repeats=repeats,
            checks=checks,
        )
        base = _base(host, listening.getsockname()[1])
        if as_json:
            print_json({"url": base, "database": study.database.name, **_links(links, base)})
        else:
            _print_links(study, links, base)
        sys.stdout.flush()
        if not app.is_loopback(host):
            sys.stderr.write(_WARNING.format(host=host))
        print_notes(segments.notes if segments else ())
        sys.stderr.flush()
        app.serve(app.create_app(study, fonts=_fonts(), loopback=app.is_loopback(host)), listening)


def _web_app():
    from equiglot.errors import InputError

    try:
        from equiglot.people import app
    except ModuleNotFoundError as error:
        fix = "pip install 'equiglot[web]'"
        raise InputError(f"the rating app needs {error.name}", fix=fix) from None
    return app


def _nothing_named() -> Path:
    from equiglot.errors import InputError

    raise InputError("neither items nor a database were named", fix="give --items FILE and --raters N, or --database")


def _open(items: Path, language: str | None, rename: list[str] | None, quotes: bool) -> Segments:
    from equiglot.cli._open import open_input

    return open_input(items, language=language, rename=rename, quotes=quotes)


def _export(study: Study, path: Path, as_json: bool, *, items: Path | None, database: Path) -> None:
    """Write the tables, but over nothing that the study is made of."""
    from equiglot.cli._keep import keep_inputs
    from equiglot.cli._show import print_json, print_written
    from equiglot.people import totals
    from equiglot.people.app import export_ratings, export_spans
    from equiglot.table import write_table

    ratings = export_ratings(study)
    tables = {path: ratings, path.with_stem(f"{path.stem}-totals"): totals(ratings)}
    if study.rubric.task == "spans":
        tables[path.with_stem(f"{path.stem}-spans")] = export_spans(study)
    for place in tables:
        keep_inputs(place, "ratings", items=items, database=database)
    for place, table in tables.items():
        write_table(table, place)
        print_written(place)
    if as_json:
        print_json({"written": {str(place): table.height for place, table in tables.items()}})


def _base(host: str, port: int) -> str:
    import socket

    name = socket.gethostname() if host in ("0.0.0.0", "::") else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _links(links: Links | None, base: str) -> dict[str, object]:
    if links is None:
        return {"organizer": None, "raters": None}
    return {
        "organizer": f"{base}/o/{links.organizer}",
        "raters": {name: f"{base}/r/{token}" for name, token in links.raters.items()},
    }


def _print_links(study: Study, links: Links | None, base: str) -> None:
    """Who goes where; links stand on lines of their own, unwrapped, to be copied."""
    from equiglot.cli._show import print_sentences

    if links is None:
        still = "The links printed when the study was made still work; --renew makes new ones."
        print_sentences([f"Serving at {base}. {still}"])
    else:
        print_sentences(["Give each rater their own link. Links are printed only now, and whoever has one can use it."])
        for name, token in links.raters.items():
            sys.stdout.write(f"{name}: {base}/r/{token}\n")
        sys.stdout.write(f"\nOrganiser: {base}/o/{links.organizer}\n\n")
    print_sentences(
        [f"Ratings are kept in {study.database.name}. Stop with Ctrl+C; the same command goes on from there."]
    )


def _fonts() -> Path:
    from equiglot.report.fonts import FOLDER

    return FOLDER
