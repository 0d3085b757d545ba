"""`equiglot minimal-pairs`: does a model find grammatical sentences likelier than their ungrammatical twins?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiglot.cli import _options as opt
from equiglot.cli import _scores as given

__all__ = ["minimal_pairs"]


def minimal_pairs(
    file: Annotated[Path, typer.Argument(help="A row per pair, or per sentence.", metavar="FILE", show_default=False)],
    *,
    good: Annotated[
        str | None, typer.Option("--good", help="Column with the score of the good sentence.", show_default=False)
    ] = None,
    bad: Annotated[str | None, typer.Option("--bad", help="And of the bad one.", show_default=False)] = None,
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            help="Or the column that says good or bad, a row a sentence; condition is read where there is no kind.",
        ),
    ] = "kind",
    score: Annotated[str, typer.Option("--score", help="And then the column of scores.")] = "sent_nll",
    by: Annotated[
        str | None, typer.Option("--by", help="Column to split languages by, e.g. phenomenon.", show_default=False)
    ] = None,
    rename: opt.Rename = None,
    model: given.Model = None,
    direction: given.Direction = None,
    quotes: opt.Quotes = True,
    report: opt.Report = None,
    as_json: opt.Json = False,
) -> None:
    """Accuracy on minimal pairs by language, with n and an interval."""
    from equiglot.audit import PairColumns, read_minimal_pairs
    from equiglot.cli._likelihood_report import show
    from equiglot.cli._open import parse_renames

    columns = PairColumns(
        good=good,
        bad=bad,
        kind=kind,
        score=score,
        by=by,
        model=given.words_of(model),
        direction=direction,
        rename=parse_renames(rename),
        quotes=quotes,
    )
    show(minimal_pairs=read_minimal_pairs(file, columns), as_json=as_json, report=report, scores=[file])
