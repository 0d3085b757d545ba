"""`equiglot lab`: a controlled experiment on one's own corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["app"]

app = typer.Typer(help="Train and compare language models under control.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command("train")
def train(
    lab: Annotated[Path, typer.Argument(help="A lab file (YAML).", metavar="LAB.yaml", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder (default: lab/NAME).", show_default=False)
    ] = None,
    device: Annotated[str, typer.Option("--device", help="auto, cpu, cuda, cuda:1 ...")] = "auto",
    as_json: opt.Json = False,
) -> None:
    """A tokeniser and a model per language and vocabulary from parallel texts; stopped, it goes on from there."""
    import polars as pl

    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table
    from equiglot.lab import read_lab, run_lab
    from equiglot.table import require_folder

    config, folder = read_lab(lab), output or Path("lab") / lab.stem
    require_folder(folder)
    with watching() as progress:
        result = run_lab(config, folder, device=device, progress=progress)
    if as_json:
        print_json(result.to_dict())
        return
    print_table(result.models.with_columns(pl.col("first_loss", "last_loss").round(3)), "Models")
    print_sentences(
        [
            f"Scores of {result.scores}: ask which metric may rank the languages with\n"
            f"equiglot audit confound {result.scores} --texts {result.texts} --model vocab_size"
        ]
    )
    print_notes(result.notes)
