"""`equiglot divergence`: how far are metrics from people?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiglot.cli import _options as opt

if TYPE_CHECKING:
    from equiglot.people import Agreement
    from equiglot.table import Segments

__all__ = ["divergence"]


def divergence(
    file: opt.File = None,
    *,
    metric: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="Score column; may be repeated.", show_default=False),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge", help="Score column on people's own scale, such as an LLM judge's; may be repeated.",
            show_default=False,
        ),
    ] = None,
    human: opt.Human = "human",
    ratings: Annotated[
        Path | None,
        typer.Option(
            "--ratings", help="Ratings or totals that equiglot rate --export wrote, in place of a column.",
            show_default=False,
        ),
    ] = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    lower_is_better: Annotated[
        list[str] | None,
        typer.Option(
            "--lower-is-better",
            help="A score of yours that is better when smaller (known metrics need no flag); may be repeated.",
            show_default=False,
        ),
    ] = None,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    report: opt.Report = None,
    output: opt.Table = None,
    as_json: opt.Json = False,
) -> None:  # fmt: skip
    """How far metrics are from people: gaps between systems, agreement row by row, and which failures they miss."""
    from equiglot.cli._keep import keep_inputs
    from equiglot.cli._open import parse_renames
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written
    from equiglot.errors import InputError
    from equiglot.people import measure_divergence
    from equiglot.report import divergence_tables, people_section, write_report
    from equiglot.study import open_table
    from equiglot.table import write_table

    below, judges = lower_is_better or [], judge or []
    metrics = [*(metric or []), *below]
    if file is None or not [*metrics, *judges]:
        fix = "give a table and its scores: equiglot divergence FILE --metric SCORE"
        raise InputError("no input" if file is None else "no score was named", fix=fix)
    keep_inputs(output, "the gaps", table=file, ratings=ratings)
    segments = open_table(
        file, columns=parse_renames(rename), language=language, quotes=quotes, human=human,
        scores=[*metrics, *judges], lower_is_better=below,
    )  # fmt: skip
    segments, agreement = (segments, None) if ratings is None else _with_people(segments, ratings, seed, resamples)
    found = measure_divergence(segments, metrics, judges=judges, seed=seed, resamples=resamples)
    notes = list(found.notes)
    if as_json:
        own = {} if agreement is None else {"agreement": agreement.to_dict()}
        print_json({**found.to_dict(), **own})
    else:
        print_sentences([found.headline, agreement.headline if agreement else ""])
        *first, last = divergence_tables(found)
        for table in first:
            print_table(table, table.title)
        if last.name == "gaps-by-language":
            notes.append("gaps by language are in the report (--report) and in --json")
        else:
            print_table(last, last.title)
    print_notes(notes)
    if output:
        write_table(found.gaps, output)
        print_written(output)
    if report:
        section = people_section(agreement=agreement, divergence=found)
        made = {info.name: info.signature for info in found.metrics}
        print_written(write_report(report, title=file.name, sections=[section], card=made, notes=found.notes))


def _with_people(segments: Segments, path: Path, seed: int, resamples: int) -> tuple[Segments, Agreement | None]:
    """The table with people's totals, and how far they agree where the file says who rated what."""
    from equiglot.people import measure_agreement, read_totals, with_totals

    human, ratings = read_totals(path)
    agreement = None if ratings is None else measure_agreement(ratings, seed=seed, resamples=resamples)
    return with_totals(segments, human), agreement
