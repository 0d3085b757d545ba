"""`equiglot profile`: what a tokeniser costs each language and script."""

from __future__ import annotations

from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["profile"]


def profile(
    file: opt.File = None,
    *,
    sources: opt.Sources = None,
    targets: opt.Targets = None,
    references: opt.References = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    tokenizer: opt.Tokenizers = ["pkg:xlmr"],  # noqa: B006  (Typer wants the default as it is)
    romanize: opt.Scheme = None,
    lm: opt.LanguageModel = None,
    bos: Annotated[str, typer.Option("--bos", help="auto, require or never.")] = "auto",
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    output: opt.Table = None,
    as_json: opt.Json = False,
) -> None:
    """Tokens, bytes and vocabulary per language and script, native and romanised side by side.

    With --lm also what a language model makes of the text: IP, SBI, IPI and the romanisation tax.
    """
    from equiglot.cli._open import open_input
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_json, print_notes, print_table, print_written
    from equiglot.report import reading_table
    from equiglot.study import profile as profile_segments
    from equiglot.table import write_table
    from equiglot.text import romanize as romanize_segments

    segments = open_input(file, sources, targets, references, language, rename, quotes=quotes)
    with watching() as progress:
        if romanize:
            segments = romanize_segments(segments, romanize, progress=progress)
        segments, table = profile_segments(
            segments, tokenizer, language_model=lm, bos=bos, seed=seed, resamples=resamples, progress=progress
        )
    if as_json:
        print_json({"notes": segments.notes, "seed": seed, "resamples": resamples, "profile": table.to_dicts()})
    else:
        print_table(reading_table(table), "Profile")
    print_notes(segments.notes)
    if output:
        write_table(table, output)
        print_written(output)
