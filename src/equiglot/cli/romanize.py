"""`equiglot romanize`: the same table with a romanised condition added."""

from __future__ import annotations

from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["romanize"]


def romanize(
    file: opt.File = None,
    *,
    sources: opt.Sources = None,
    targets: opt.Targets = None,
    references: opt.References = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    scheme: Annotated[
        str, typer.Option("--scheme", help="uroman, iso15919, iast, itrans, itrans-paper or column:NAME.")
    ] = "uroman",
    target_only: Annotated[bool, typer.Option("--target-only", help="Leave the reference in its own script.")] = False,
    output: opt.NewTable,
    as_json: opt.Json = False,
) -> None:
    """Write every target (and reference) in Latin script too; letters that stay native are counted."""
    from equiglot.cli._keep import keep_lines
    from equiglot.cli._open import open_input
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_json, print_notes, print_written
    from equiglot.table import write_segments
    from equiglot.text import romanize as romanize_segments

    keep_lines(output, sources, targets, references)
    segments = open_input(file, sources, targets, references, language, rename, quotes=quotes)
    with watching() as progress:
        romanized = romanize_segments(segments, scheme, reference=not target_only, progress=progress)
    write_segments(romanized, output)
    if as_json:
        added = romanized.frame.height - segments.frame.height
        print_json({"output": str(output), "rows": romanized.frame.height, "added": added, "notes": romanized.notes})
    print_notes(romanized.notes)
    print_written(output)
