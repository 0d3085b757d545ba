"""`equiglot normalize`: put scores of different cells on one axis, and keep the map."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["app"]

app = typer.Typer(help="Put scores of different cells on one axis.", no_args_is_help=True)


@app.command("fit")
def fit(
    file: opt.File = None,
    *,
    metric: opt.Metric,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    lower_is_better: opt.LowerIsBetter = False,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Write the map here (.json or .parquet).", show_default=False)
    ],
    as_json: opt.Json = False,
) -> None:
    """Fit quantile normalisation (COMET-QN) to a score column and save the map."""
    from equiglot.cli._open import open_input
    from equiglot.cli._show import print_json, print_notes, print_written
    from equiglot.normalize import EQUAL_MEANS_WARNING, QuantileNormalizer

    segments = open_input(
        file, language=language, rename=rename, quotes=quotes, metric=metric, lower_is_better=lower_is_better
    )
    normalizer = QuantileNormalizer.fit(segments, metric)
    normalizer.save(output)
    notes = [*segments.notes, *normalizer.notes, EQUAL_MEANS_WARNING]
    if as_json:
        print_json({"map": str(output), "signature": normalizer.signature, "cells": normalizer.cells, "notes": notes})
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
    output: Annotated[Path, typer.Option("-o", "--output", help="Write the table here.", show_default=False)],
    as_json: opt.Json = False,
) -> None:
    """Apply a saved map to a table, without fitting anything again."""
    from equiglot.cli._open import open_input
    from equiglot.cli._show import print_json, print_notes, print_written
    from equiglot.normalize import QuantileNormalizer
    from equiglot.table import write_segments

    normalizer = QuantileNormalizer.load(correction)
    lower = normalizer.direction == "lower"
    segments = open_input(
        file, language=language, rename=rename, quotes=quotes, metric=normalizer.metric, lower_is_better=lower
    )
    normalized = normalizer.transform(segments)
    write_segments(normalized, output)
    if as_json:
        print_json({"output": str(output), "signature": normalizer.signature, "notes": normalized.notes})
    print_notes(normalized.notes)
    print_written(output)
