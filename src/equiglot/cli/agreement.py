"""`equiglot agreement`: do raters agree?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["agreement"]


def agreement(
    ratings: Annotated[
        Path | None,
        typer.Argument(help="What equiglot rate --export wrote.", metavar="RATINGS", show_default=False),
    ] = None,
    *,
    quotes: opt.Quotes = True,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    report: opt.Report = None,
    output: opt.Table = None,
    as_json: opt.Json = False,
) -> None:
    """How far raters agree: Krippendorff's alpha per dimension and in total, kappa for pairs, repeated ratings."""
    from equiglot.cli._keep import keep_inputs
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written
    from equiglot.errors import InputError
    from equiglot.people import measure_agreement, read_ratings
    from equiglot.report import agreement_tables, people_section, write_report
    from equiglot.table import write_table

    if ratings is None:
        raise InputError("no input", fix="give a table of ratings: equiglot agreement RATINGS")
    keep_inputs(output, "the result", ratings=ratings)
    found = measure_agreement(read_ratings(ratings, quotes=quotes), seed=seed, resamples=resamples)
    if as_json:
        print_json(found.to_dict())
    else:
        print_sentences([found.headline])
        for table in agreement_tables(found):
            print_table(table, table.title)
    print_notes(found.notes)
    if output:
        write_table(found.alpha, output)
        print_written(output)
    if report:
        section, card = people_section(agreement=found), {"Signature": found.signature}
        print_written(write_report(report, title=ratings.name, sections=[section], card=card, notes=found.notes))
