"""`equiglot card`: what has to be published with a score."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["card"]


def card(
    place: Annotated[Path, typer.Argument(help="A scored table, or a study's results folder.", metavar="FILE|FOLDER")],
    *,
    metric: Annotated[
        str | None,
        typer.Option(
            "-m", "--metric", help="The score column; of a results folder all by default.", show_default=False
        ),
    ] = None,
    tokenizer: Annotated[
        str | None, typer.Option("--tokenizer", help="Add token parity first, e.g. pkg:xlmr.", show_default=False)
    ] = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    human: opt.Human = "human",
    lower_is_better: opt.LowerIsBetter = False,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder for the card as .md, .tex, .json and .png.", show_default=False),
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """A score's comparability card: normalised score, SBI, IPI, Tax, tokeniser, n, intervals and both faults."""
    from equiglot.cli._open import open_input
    from equiglot.cli._show import print_json, print_written
    from equiglot.errors import InputError
    from equiglot.report import card_of_table, cards_of_results
    from equiglot.tokens import add_parity, load_tokenizer

    if place.is_dir():
        cards = [
            made for made in cards_of_results(place, seed=seed, resamples=resamples) if metric in (None, made.metric)
        ]
        if not cards:
            raise InputError(f"the study has no metric '{metric}'", path=place, fix="leave --metric out to see all")
    else:
        if metric is None:
            raise InputError("a table may hold several scores", path=place, fix="name one with --metric")
        segments = open_input(
            place,
            language=language,
            rename=rename,
            quotes=quotes,
            human=human,
            metric=metric,
            lower_is_better=lower_is_better,
        )
        if tokenizer:
            segments = add_parity(segments, load_tokenizer(tokenizer))
        cards = [card_of_table(segments, metric, seed=seed, resamples=resamples)]
    written = [path for made in cards for path in (made.write(output) if output else ())]
    if as_json:
        print_json({"cards": [made.to_dict() for made in cards]})
    elif not output:
        sys.stdout.write("\n".join(made.to_markdown() for made in cards))
    for path in written:
        print_written(path)
