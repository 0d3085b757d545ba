"""`equiglot score`: add metrics to a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from equiglot.cli import _options as opt

__all__ = ["score"]

Against = Literal["reference", "source"]


def score(
    file: opt.File = None,
    *,
    sources: opt.Sources = None,
    targets: opt.Targets = None,
    references: opt.References = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--metric",
            help="bleu, chrf, ter, e5, cosine, bertscore (F1; bertscore_precision, bertscore_recall) or comet; "
            "may be repeated. (default: chrf)",
        ),
    ] = None,
    against: Annotated[
        Against, typer.Option("--against", help="What embeddings hold the target against.")
    ] = "reference",
    tokenize: Annotated[str, typer.Option("--tokenize", help="sacrebleu's tokeniser for BLEU.")] = "13a",
    metric_model: Annotated[
        str | None,
        typer.Option(
            "--metric-model", help="Of bertscore and cosine: hf:NAME, a folder, pkg:NAME.", show_default=False
        ),
    ] = None,
    layer: Annotated[
        int | None,
        typer.Option("--layer", min=0, help="The model's layer that bertscore reads.", show_default=False),
    ] = None,
    max_cut: Annotated[
        float,
        typer.Option("--max-cut", min=0, max=1, help="Largest share of rows with a text longer than the model reads."),
    ] = 0.1,
    romanize: opt.Scheme = None,
    comet_model: Annotated[
        str, typer.Option("--comet-model", help="Name on the hub or path of a checkpoint.")
    ] = "hf:Unbabel/wmt22-comet-da",
    comet_json: Annotated[
        Path | None,
        typer.Option("--comet-json", help="Join COMET scores that `comet-score --to_json` wrote.", show_default=False),
    ] = None,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    output: opt.Table = None,
    as_json: opt.Json = False,
) -> None:
    """Score every segment; what cannot be scored is left empty and says why."""
    from equiglot.cli._keep import keep_lines
    from equiglot.cli._open import open_input
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_json, print_notes, print_table, print_written
    from equiglot.quality import join_comet_json, score_table
    from equiglot.quality import score as score_segments
    from equiglot.report import report_table
    from equiglot.table import write_segments
    from equiglot.table.writing import require_cells
    from equiglot.text import romanize as romanize_segments

    keep_lines(output, sources, targets, references)
    segments = open_input(file, sources, targets, references, language, rename, quotes=quotes)
    if output:
        require_cells(segments.frame, output)
    with watching() as progress:
        if romanize:
            segments = romanize_segments(segments, romanize, progress=progress)
        if comet_json:
            segments = join_comet_json(segments, comet_json)
        metrics = metric or ([] if comet_json else ["chrf"])
        segments = score_segments(
            segments,
            metrics,
            against=against,
            tokenize=tokenize,
            comet_model=comet_model,
            metric_model=metric_model,
            layer=layer,
            max_cut=max_cut,
            progress=progress,
        )
    table = score_table(segments, seed=seed, resamples=resamples)
    if output:
        write_segments(segments, output)
        print_written(output)
    if as_json:
        print_json({"notes": segments.notes, "seed": seed, "resamples": resamples, "scores": table.to_dicts()})
    else:
        print_table(report_table("scores", "", table), "Mean scores, with 95% intervals")
    print_notes(segments.notes)
