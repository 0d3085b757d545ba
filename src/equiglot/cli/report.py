"""`equiglot report`: from a table of scores to the answer, in words, tables and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["report"]


def report(
    file: opt.File = None,
    *,
    metric: Annotated[
        list[str], typer.Option("-m", "--metric", help="Score column to judge; may be repeated.", show_default=False)
    ],
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    human: opt.Human = "human",
    severity: opt.Severity = None,
    lower_is_better: opt.LowerIsBetter = False,
    tokenizer: Annotated[
        list[str] | None, typer.Option("--tokenizer", help="Profile it too, e.g. pkg:xlmr.", show_default=False)
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", help="Stands above the report (default: FILE's name).", show_default=False)
    ] = None,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    output: opt.Folder = Path("equiglot-report"),
    as_json: opt.Json = False,
) -> None:
    """Judge scores that you already have, put them on one axis, and write a report."""
    from equiglot.cli._open import parse_renames
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_results
    from equiglot.errors import InputError
    from equiglot.study import StudyConfig, run_study

    if file is None:
        raise InputError("no input", fix="give a table: equiglot report FILE --metric SCORE")
    config = StudyConfig(
        data=file,
        title=title,
        columns=parse_renames(rename),
        language=language,
        quotes=quotes,
        lower_is_better=tuple(metric) if lower_is_better else (),
        tokenizers=tuple(tokenizer or ()),
        metrics=tuple(metric),
        human=human,
        severity=severity,
        seed=seed,
        resamples=resamples,
    )
    with watching() as progress:
        results = run_study(config, output, progress=progress)
    print_results(results, as_json)
