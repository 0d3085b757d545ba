"""`equiglot audit metrics`: which metric agrees best with people?"""

from __future__ import annotations

from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["metrics"]


def metrics(
    file: opt.File = None,
    *,
    metric: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="Score column; may be repeated (default: all).", show_default=False),
    ] = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    human: opt.Human = "human",
    item: Annotated[
        str, typer.Option("--item", help="Column that systems' translations of one segment share: id, source, ...")
    ] = "id",
    lower_is_better: Annotated[
        list[str] | None,
        typer.Option(
            "--lower-is-better",
            help="A score of yours that is better when smaller (known metrics need no flag); may be repeated.",
            show_default=False,
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            min=2,
            help="Items of each cell to draw at most, which saves time with many (default: all).",
            show_default=False,
        ),
    ] = None,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    permutations: Annotated[
        int, typer.Option("--permutations", min=100, help="Of PERM-BOTH and of soft accuracy.")
    ] = 1000,
    report: opt.Report = None,
    output: opt.Table = None,
    as_json: opt.Json = False,
) -> None:
    """Which metric agrees best with people? Correlations, pairwise accuracies and significance clusters as at WMT."""
    from equiglot.audit import metrics_audit
    from equiglot.cli._keep import keep_inputs
    from equiglot.cli._open import parse_renames
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written
    from equiglot.errors import InputError
    from equiglot.report import metrics_section, metrics_tables, write_report
    from equiglot.study import open_table
    from equiglot.table import write_table

    if file is None:
        raise InputError("no input", fix="give a table with scores and people's scores: equiglot audit metrics FILE")
    keep_inputs(output, "the result", table=file)
    below = lower_is_better or []
    segments = open_table(
        file,
        columns=parse_renames(rename),
        language=language,
        quotes=quotes,
        human=human,
        scores=[*dict.fromkeys([*(metric or []), *below])],
        lower_is_better=below,
    )
    with watching() as progress:
        found = metrics_audit(
            segments,
            metric or list(segments.measures),
            item=item,
            sample=sample,
            seed=seed,
            resamples=resamples,
            permutations=permutations,
            progress=progress,
        )
    notes = [*segments.notes, *found.notes]
    if as_json:
        print_json({**found.to_dict(), "notes": notes})
    else:
        print_sentences([found.headline])
        first, *others = metrics_tables(found)
        print_table(first, first.title)
        if others:
            notes.append("each cell's table, with intervals and clusters, is in the report (--report) and in --json")
    print_notes(notes)
    if output:
        write_table(found.agreement, output)
        print_written(output)
    if report:
        made = {"Signature": found.signature, **{info.name: info.signature for info in found.metrics}}
        print_written(write_report(report, title=file.name, sections=[metrics_section(found)], card=made, notes=notes))
