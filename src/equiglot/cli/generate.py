"""`equiglot generate`: ask a model for romanised answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["generate"]

_ENDPOINT = "Endpoint"


def generate(
    file: Annotated[Path, typer.Argument(help="Prompts: .csv, .tsv, .jsonl or .parquet.", metavar="PROMPTS")],
    *,
    model: Annotated[str, typer.Option("--model", help="The model's name at the endpoint.", rich_help_panel=_ENDPOINT)],
    base_url: Annotated[
        str,
        typer.Option("--base-url", help="Any OpenAI-compatible endpoint, with /v1.", rich_help_panel=_ENDPOINT),
    ] = "https://api.openai.com/v1",
    key_env: Annotated[
        str,
        typer.Option("--key-env", help="Environment variable with the API key.", rich_help_panel=_ENDPOINT),
    ] = "OPENAI_API_KEY",
    language: Annotated[
        list[str] | None,
        typer.Option(
            "--language",
            help="Ask for this language where no column says it, e.g. hi-Latn; may be repeated.",
            show_default=False,
        ),
    ] = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    system: Annotated[
        str | None,
        typer.Option("--system", help="What the table calls the model. (default: its name)", show_default=False),
    ] = None,
    template: Annotated[
        Path | None,
        typer.Option("--template", help="A text file with $prompt, or a folder of them.", show_default=False),
    ] = None,
    temperature: Annotated[float, typer.Option("--temperature", help="0 asks for the likeliest answer.")] = 0.0,
    no_temperature: Annotated[
        bool, typer.Option("--no-temperature", help="Send none, for models that refuse it.")
    ] = False,
    max_tokens: Annotated[int, typer.Option("--max-tokens", min=1, help="Where an answer is cut.")] = 4096,
    json_mode: Annotated[
        bool, typer.Option("--json-mode", help="Have the server allow nothing but JSON, where it can.")
    ] = False,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, max=256, help="Requests at once.")] = 8,
    timeout: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds for one request.")] = 300.0,
    attempts: Annotated[int, typer.Option("--attempts", min=1, max=50, help="Tries for one prompt.")] = 8,
    output: opt.NewTable,
    as_json: opt.Json = False,
) -> None:
    """Ask a model every prompt; answers come as a table, failures stay in it with their reason."""
    from equiglot.cli._keep import keep_inputs
    from equiglot.cli._open import parse_renames
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written
    from equiglot.generate import Endpoint, generation_headline, generation_table, read_prompts
    from equiglot.generate import generate as ask
    from equiglot.report import report_table
    from equiglot.table import write_segments

    endpoint = Endpoint(
        model,
        base_url,
        key_env=key_env,
        temperature=None if no_temperature else temperature,
        max_tokens=max_tokens,
        json_mode=json_mode,
        timeout=timeout,
        attempts=attempts,
    )
    keep_inputs(output, "the answers", prompts=file)
    prompts = read_prompts(file, columns=parse_renames(rename), languages=language or (), quotes=quotes)
    with watching() as progress:
        answers = ask(prompts, endpoint, system=system, template=template, concurrency=concurrency, progress=progress)
    write_segments(answers, output)
    table = generation_table(answers)
    headline = generation_headline(answers)
    if as_json:
        print_json({"headline": headline, "notes": answers.notes, "answers": table.to_dicts(), "output": str(output)})
    else:
        print_sentences([headline])
        print_table(report_table("answers", "", table), "Answers by language")
    print_notes(answers.notes)
    print_written(output)
