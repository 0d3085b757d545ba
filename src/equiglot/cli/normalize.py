"""`equiglot normalize`: put scores of different cells on one axis, and see what that can and can't mend."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from equiglot.cli import _options as opt

__all__ = ["app"]

_METHOD = "qn (quantile normalisation), isotonic, affine, shift or identity."
_REFERENCE = "Map onto the native scores of all languages, or of the cell's own."

Method = Annotated[Literal["qn", "isotonic", "affine", "shift", "identity"], typer.Option("--method", help=_METHOD)]
Reference = Annotated[Literal["native-pooled", "native-own"], typer.Option("--reference", help=_REFERENCE)]

app = typer.Typer(help="Put scores of different cells on one axis.", no_args_is_help=True)


@app.command("fit")
def fit(
    file: opt.File = None,
    *,
    metric: opt.Metric,
    method: Method = "qn",
    reference: Reference = "native-pooled",
    fault: Annotated[
        Literal["P1", "P2"],
        typer.Option("--fault", help="What it is to mend: P1, ranges that differ; P2, worse order, which it can't."),
    ] = "P1",
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    lower_is_better: opt.LowerIsBetter = False,
    output: opt.NewMap,
    as_json: opt.Json = False,
) -> None:
    """Fit a correction to a score column, quantile normalisation (COMET-QN) by default, and save the map."""
    from equiglot.cli._keep import keep_inputs
    from equiglot.cli._open import open_input
    from equiglot.cli._show import print_json, print_notes, print_written
    from equiglot.normalize import fit_correction

    keep_inputs(output, "the map", table=file)
    segments = open_input(
        file, language=language, rename=rename, quotes=quotes, metric=metric, lower_is_better=lower_is_better
    )
    fitted = fit_correction(segments, metric, method, reference=reference, fault=fault)
    fitted.save(output)
    notes = [note for note in (*segments.notes, *fitted.notes, fitted.warning) if note]
    if as_json:
        print_json({"map": str(output), "signature": fitted.signature, "cells": fitted.cells, "notes": notes})
    print_notes(notes)
    print_written(output)


@app.command("apply")
def apply(
    file: opt.File = None,
    *,
    correction: Annotated[
        Path, typer.Option("--correction", help="A map that `normalize fit` saved.", show_default=False)
    ],
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    output: opt.NewTable,
    as_json: opt.Json = False,
) -> None:
    """Apply a saved map to a table, without fitting anything again; warns where its scores are unlike the fit's."""
    from dataclasses import asdict

    from equiglot.cli._keep import keep_inputs
    from equiglot.cli._open import open_input
    from equiglot.cli._show import print_json, print_notes, print_written
    from equiglot.normalize import load_correction
    from equiglot.table import write_segments

    keep_inputs(output, "the result", table=file, map=correction)
    fitted = load_correction(correction)
    lower = fitted.direction == "lower"
    segments = open_input(
        file, language=language, rename=rename, quotes=quotes, metric=fitted.metric, lower_is_better=lower
    )
    normalized = fitted.transform(segments)
    write_segments(normalized, output)
    if as_json:
        drift = [{**asdict(cell), "drifted": cell.drifted} for cell in fitted.drift(segments)]
        print_json(
            {"output": str(output), "signature": fitted.signature, "drift": drift, "notes": list(normalized.notes)}
        )
    print_notes(normalized.notes)
    print_written(output)


@app.command("compare")
def compare(
    file: opt.File = None,
    *,
    metric: opt.Metric,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    human: opt.Human = "human",
    lower_is_better: opt.LowerIsBetter = False,
    seed: opt.Seed = 42,
    resamples: opt.Resamples = 1000,
    report: opt.Report = None,
    as_json: opt.Json = False,
) -> None:
    """Hold the corrections against each other on rows that they were not fitted on: half of each language."""
    from equiglot.cli._open import open_input
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written
    from equiglot.normalize import compare_corrections
    from equiglot.report import corrections_section, write_report

    segments = open_input(
        file,
        language=language,
        rename=rename,
        quotes=quotes,
        human=human,
        metric=metric,
        lower_is_better=lower_is_better,
    )
    found = compare_corrections(segments, metric, seed=seed, resamples=resamples)
    section, notes = corrections_section(found), [*segments.notes, *found.notes]
    if report:
        card, title = {"Signature": found.signature}, f"Corrections of {metric}"
        write_report(report, title=title, sections=[section], card=card, notes=notes)
    if as_json:
        print_json({**found.to_dict(), "notes": notes})
    else:
        print_sentences([found.headline])
        print_table(section.tables[0], "On rows that were not fitted on, with 95% intervals")
    print_notes(notes)
    if report:
        print_written(report / "report.html")


@app.command("calibrate")
def calibrate(
    file: opt.File = None,
    *,
    metric: opt.Metric,
    features: Annotated[
        str | None,
        typer.Option("--features", help="Names of columns, with commas. (default: all of tp, ip, ... there are)"),
    ] = None,
    tokenizer: Annotated[
        str | None, typer.Option("--tokenizer", help="Add token features first, e.g. pkg:xlmr.", show_default=False)
    ] = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    human: opt.Human = "human",
    lower_is_better: opt.LowerIsBetter = False,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    output: opt.Table = None,
    report: opt.Report = None,
    as_json: opt.Json = False,
) -> None:
    """Predict from facts of the text what romanisation took from each score, leaving out one language at a time."""
    from equiglot.cli._keep import keep_inputs
    from equiglot.cli._open import open_input
    from equiglot.cli._progress import watching
    from equiglot.cli._scores import words_of
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written
    from equiglot.errors import InputError
    from equiglot.normalize import calibrate_parity
    from equiglot.report import calibration_section, write_report
    from equiglot.table import write_segments
    from equiglot.tokens import add_parity, load_tokenizer

    keep_inputs(output, "the result", table=file)
    segments = open_input(
        file,
        language=language,
        rename=rename,
        quotes=quotes,
        human=human,
        metric=metric,
        lower_is_better=lower_is_better,
    )
    if tokenizer:
        segments = add_parity(segments, load_tokenizer(tokenizer))
    names = words_of(features)
    if names is not None and not names:
        raise InputError("--features names no column", fix="write e.g. --features tp,ip, or leave it out")
    with watching() as progress:
        found = calibrate_parity(segments, metric, features=names, seed=seed, resamples=resamples, progress=progress)
    section, notes = calibration_section(found), [*found.segments.notes, *found.notes]
    if output:
        write_segments(found.segments, output)
    if report:
        card, title = {"Signature": found.signature}, f"Parity calibration of {metric}"
        write_report(report, title=title, sections=[section], card=card, notes=notes)
    if as_json:
        print_json({**found.to_dict(), "notes": notes})
    else:
        print_sentences([found.headline])
        for table in section.tables:
            print_table(table, table.title)
    print_notes(notes)
    for written in filter(None, (output, report and report / "report.html")):
        print_written(written)


@app.command("sizes")
def sizes(
    file: opt.File = None,
    *,
    metric: opt.Metric,
    method: Method = "qn",
    reference: Reference = "native-pooled",
    n: Annotated[str, typer.Option("--n", help="Rows per cell to try, with commas.")] = "30,100,300,1000",
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    lower_is_better: opt.LowerIsBetter = False,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 500,
    as_json: opt.Json = False,
) -> None:
    """How many rows per cell does a calibration set need? The interval of a mapped score at several sizes."""
    from equiglot.cli._open import open_input
    from equiglot.cli._progress import watching
    from equiglot.cli._scores import numbers_of
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table
    from equiglot.normalize import calibration_sizes
    from equiglot.report import report_table

    wanted = numbers_of(n, "--n")
    segments = open_input(
        file, language=language, rename=rename, quotes=quotes, metric=metric, lower_is_better=lower_is_better
    )
    with watching() as progress:
        found = calibration_sizes(
            segments,
            metric,
            method,
            reference=reference,
            sizes=wanted,
            seed=seed,
            resamples=resamples,
            progress=progress,
        )
    notes = [*segments.notes, *found.notes]
    if as_json:
        print_json({**found.to_dict(), "notes": notes})
    else:
        middle = found.table.filter(percentile="50%").drop("percentile")
        print_sentences([found.headline])
        table = report_table("sizes", "", middle, measures=["mapped", "half_width_sd"])
        print_table(table, "A middling score of each cell, mapped")
    print_notes(notes)
