"""`equiglot profile`: what a tokeniser costs each language and script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from equiglot.cli import _options as opt

if TYPE_CHECKING:
    import polars as pl

__all__ = ["profile"]

_TABLES = {
    "What the tokeniser costs": ("tp", "token_premium", "fertility", "byte_premium_content"),
    "What the language model finds": ("ip", "ipi", "sbi"),
    "What romanisation costs": ("tp_change_pct", "lp", "ep", "tax", "ep_pct"),
}
"""What is printed; the rest is in the table that is written, and in JSON."""


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
    bos: Annotated[Literal["auto", "require", "never"], typer.Option("--bos", help="What precedes a text.")] = "auto",
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    output: opt.Table = None,
    as_json: opt.Json = False,
) -> None:
    """Tokens, bytes and vocabulary per language and script, native and romanised side by side.

    With --lm also what a language model makes of the text: IP, SBI, IPI and the romanisation tax.
    """
    from equiglot.cli._keep import keep_inputs, keep_lines
    from equiglot.cli._open import open_input
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written
    from equiglot.report import parity_section, report_table
    from equiglot.study import profile as profile_segments
    from equiglot.table import write_table
    from equiglot.text import romanize as romanize_segments

    keep_inputs(output, "the profile", table=file)
    keep_lines(output, sources, targets, references)
    segments = open_input(file, sources, targets, references, language, rename, quotes=quotes)
    with watching() as progress:
        if romanize:
            segments = romanize_segments(segments, romanize, progress=progress)
        segments, table = profile_segments(
            segments, tokenizer, language_model=lm, bos=bos, seed=seed, resamples=resamples, progress=progress
        )
    if output:
        write_table(table, output)
        print_written(output)
    if as_json:
        print_json({"notes": segments.notes, "seed": seed, "resamples": resamples, "profile": table.to_dicts()})
    else:
        print_sentences([parity_section(table).lead])
        beside = _for_each_tokenizer(table)
        for title, measures in _TABLES.items():
            if _has_values(table, measures):
                print_table(report_table("profile", "", beside, measures=measures), _named(title, table))
    print_notes(segments.notes)


def _has_values(table: pl.DataFrame, measures: tuple[str, ...]) -> bool:
    """Whether there is anything to print but reasons."""
    import polars as pl

    return table.filter(pl.col("measure").is_in(measures) & pl.col("value").is_not_null()).height > 0


def _named(title: str, table: pl.DataFrame) -> str:
    """The title with the tokeniser that is measured, or whose TP is in SBI, where no column of the table tells it."""
    if "tokenizer" not in table.columns or not (tokenizers := _tokenizers(table)):
        return title
    if "language model" in title:  # the first one's TP goes into SBI
        return f"{title} (SBI is TP of {tokenizers[0]} over IP)"
    return f"{title} ({tokenizers[0]})" if len(tokenizers) == 1 and "tokeniser" in title else title


def _tokenizers(table: pl.DataFrame) -> list[str]:
    return table["tokenizer"].drop_nulls().unique(maintain_order=True).to_list()


def _for_each_tokenizer(table: pl.DataFrame) -> pl.DataFrame:
    """The profile with what is measured of texts alone beside every tokeniser, where there are several."""
    import polars as pl

    if "tokenizer" not in table.columns:
        return table
    tokenizers = table.select(pl.col("tokenizer").drop_nulls().unique(maintain_order=True))
    if tokenizers.height < 2:
        return table
    premiums = (pl.col("measure") == "byte_premium_content") & pl.col("tokenizer").is_null()
    spread = table.filter(premiums).drop("tokenizer").join(tokenizers, how="cross").select(table.columns)
    return pl.concat([table.filter(~premiums), spread])
