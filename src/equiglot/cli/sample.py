"""`equiglot sample`: which rows people should rate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiglot.cli import _options as opt

if TYPE_CHECKING:
    import polars as pl

__all__ = ["sample"]


def sample(
    file: opt.File = None,
    *,
    n: Annotated[int, typer.Option("--n", min=1, help="Rows wanted.")] = 120,
    strata: Annotated[
        Path | None,
        typer.Option("--strata", help="Your own strata (YAML); the six of the paper if left out.", show_default=False),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="Score column that strata read; a second is compared.", show_default=False),
    ] = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    lower_is_better: opt.LowerIsBetter = False,
    seed: opt.Seed = 0,
    output: opt.Table = None,
    as_json: opt.Json = False,
) -> None:
    """A sample for people to rate: from strata of what is hard, balanced over languages and systems."""
    from equiglot.cli._keep import keep_inputs
    from equiglot.cli._open import parse_renames
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written, told_before
    from equiglot.errors import InputError
    from equiglot.people import draw_sample, read_strata
    from equiglot.study import open_table
    from equiglot.table import write_segments

    if file is None:
        raise InputError("no input", fix="give a table (FILE)")
    keep_inputs(output, "the sample", table=file)
    asked = read_strata(strata)
    told = told_before(file)
    metrics = metric or []
    segments = open_table(
        file,
        columns=parse_renames(rename),
        language=language,
        quotes=quotes,
        scores=metrics,
        lower_is_better=metrics if lower_is_better else (),
    )
    drawn = draw_sample(segments, n, strata=asked, metrics=metrics, seed=seed)
    if output:
        write_segments(drawn.segments, output)
    if as_json:
        print_json({**drawn.to_dict(), "notes": drawn.segments.notes})
    else:
        print_sentences([drawn.headline])
        print_table(_by_stratum(drawn.strata), "By stratum")
        print_table(_by_system(drawn.cells), "Rows sampled, by language and system")
    print_notes(drawn.segments.notes, earlier=told)
    if output:
        print_written(output)


def _by_stratum(table: pl.DataFrame) -> pl.DataFrame:
    """The strata with a column per count."""
    import polars as pl

    counts = table.pivot("measure", index="stratum", values="value", maintain_order=True)
    return counts.with_columns(pl.exclude("stratum").cast(pl.Int64))


def _by_system(cells: pl.DataFrame) -> pl.DataFrame:
    """The counts with a column per system."""
    import polars as pl

    from equiglot.report.languages import cell_label

    # A system may have the name of the column of languages.
    names = pl.when(pl.col("system") == "Language").then(pl.lit("Language (system)")).otherwise("system")
    labels = [cell_label(language, script) for language, script in cells.select("language", "script").iter_rows()]
    wide = cells.select(pl.Series("Language", labels, pl.String), names.alias("system"), "rows")
    return wide.pivot("system", index="Language", values="rows", sort_columns=True).fill_null(0)
