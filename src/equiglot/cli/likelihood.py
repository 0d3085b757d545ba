"""`equiglot likelihood`: what each text costs a language model, in every unit that people rank languages by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from equiglot.cli import _options as opt
from equiglot.cli._keep import keep_inputs, keep_lines
from equiglot.errors import InputError

if TYPE_CHECKING:
    from equiglot.table import Segments

__all__ = ["likelihood"]

_TABLES = {
    "Per sentence, and per character of the source where there is one": ("sent_nll", "sent_nll_no_bos", "bpec"),
    "Per token, byte and character, mean over sentences": ("token_nll", "ppl", "mrr", "bpb", "bpc"),
    "The same, pooled": ("token_nll_micro", "ppl_micro", "mrr_micro", "bpb_micro", "bpc_micro", "bpec_micro"),
}
"""What is printed, and under which title."""

_POLICY = "Policy"
_ENDPOINT = "Endpoint"

Bos = Literal["auto", "require", "never", "both"]


def likelihood(
    file: opt.File = None,
    *,
    sources: opt.Sources = None,
    targets: opt.Targets = None,
    references: opt.References = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    lm: Annotated[
        str,
        typer.Option(
            "--lm",
            help="pkg:gemma3-270m, pkg:smollm2-135m, hf:NAME or a folder; or endpoint:URL,MODEL, or scores:FILE.",
        ),
    ],
    dtype: Annotated[
        str, typer.Option("--dtype", help="auto, bfloat16, float32, float16 or float64.", rich_help_panel=_POLICY)
    ] = "auto",
    bos: Annotated[
        Bos,
        typer.Option("--bos", help="What stands before a text; both runs with and without.", rich_help_panel=_POLICY),
    ] = "auto",
    window: Annotated[
        int | None,
        typer.Option("--window", help="Tokens read at once.", show_default="the context", rich_help_panel=_POLICY),
    ] = None,
    stride: Annotated[
        int | None,
        typer.Option("--stride", help="Tokens between windows.", show_default="half a window", rich_help_panel=_POLICY),
    ] = None,
    cut: Annotated[
        int | None,
        typer.Option(
            "--cut", min=1, help="Cut texts at so many tokens.", show_default="nothing is cut", rich_help_panel=_POLICY
        ),
    ] = None,
    tokens: Annotated[
        Path | None,
        typer.Option("--tokens", help="Write every token's NLL and rank here (.parquet ...).", show_default=False),
    ] = None,
    key_env: Annotated[
        str,
        typer.Option("--key-env", help="Environment variable with its API key.", rich_help_panel=_ENDPOINT),
    ] = "OPENAI_API_KEY",
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, max=256, help="Requests at once.", rich_help_panel=_ENDPOINT)
    ] = 8,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    output: opt.Table = None,
    as_json: opt.Json = False,
) -> None:
    """Sentence NLL, perplexity, bits per byte and character, BPEC and MRR of every text, and of every language."""
    from equiglot.cli._open import open_input
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written
    from equiglot.likelihood import (
        add_likelihood,
        likelihood_headline,
        likelihood_profile,
        load_language_model,
        neighbours,
        token_table,
    )
    from equiglot.likelihood.engines import add_engine_likelihood, find_engine
    from equiglot.report import report_table
    from equiglot.table import require_place, write_segments, write_table

    if tokens:
        require_place(tokens)
    _keep_apart(tokens, output, file)
    engine = find_engine(lm, bos=bos, key_env=key_env, concurrency=concurrency)
    if engine is not None:
        _refuse_own({"--dtype": dtype != "auto", "--window": window is not None, "--stride": stride is not None,
                     "--cut": cut is not None, "--tokens": tokens is not None})  # fmt: skip
    keep_lines(output, sources, targets, references)
    segments = open_input(file, sources, targets, references, language, rename, quotes=quotes)
    with watching() as progress:
        if engine is not None:
            scored = add_engine_likelihood(segments, engine, progress=progress)
            name = engine.name
        else:
            model = load_language_model(lm, dtype=dtype, progress=progress)
            if tokens:  # first, for what it computes is then found in the cache
                first = "require" if bos == "both" else bos
                each = token_table(segments, model, bos=first, window=window, stride=stride, cut=cut, progress=progress)
                write_table(each, tokens)
            scored = add_likelihood(segments, model, bos=bos, window=window, stride=stride, cut=cut, progress=progress)
            name = model.name
    scored = scored.noted(*_replaced(segments, scored, name))
    table = likelihood_profile(scored, seed=seed, resamples=resamples)
    pairs = neighbours(scored, table)
    headline = likelihood_headline(table, name, pairs)
    if output:
        write_segments(scored, output)
    for path in filter(None, (tokens, output)):
        print_written(path)
    if as_json:
        print_json({"headline": headline, "notes": scored.notes, "seed": seed, "resamples": resamples,
                    "languages": table.to_dicts(), "neighbours": [asdict(pair) for pair in pairs]})  # fmt: skip
    else:
        print_sentences([headline])
        for title, measures in _TABLES.items():
            print_table(report_table("likelihood", "", table, measures=measures), title)
    print_notes(scored.notes)


def _keep_apart(tokens: Path | None, output: Path | None, file: Path | None) -> None:
    """Raise where the table of tokens would take the place of the scores, or of the texts."""
    if tokens is not None and output is not None and tokens.resolve() == output.resolve():
        raise InputError("-o and --tokens name one file", path=tokens, fix="name another for one of them")
    keep_inputs(tokens, "the tokens", table=file)


def _replaced(before: Segments, after: Segments, name: str) -> list[str]:
    """That the table had other numbers under the names of measures that were made now, if it had."""
    made = [measure for measure, info in after.measures.items() if before.measures.get(measure) != info]
    if not (replaced := [measure for measure in made if measure in before.frame.columns]):
        return []
    return [f"the table had scores already, and these were replaced by those of {name}: {', '.join(replaced)}"]


def _refuse_own(given: Mapping[str, bool]) -> None:
    """Raise for an option that only a model that is run here has."""
    if options := [option for option, there in given.items() if there]:
        raise InputError(
            f"{options[0]} is for models that are run here, and these scores are made elsewhere", fix="leave it out"
        )
