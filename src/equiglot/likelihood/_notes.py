"""What the reader of likelihoods must be told of the texts: cuts, windows, sources, content, BOS."""

from __future__ import annotations

import math

import polars as pl

from equiglot.likelihood.model import LanguageModel
from equiglot.table import CELL
from equiglot.text import script_profile

__all__ = ["bos_notes", "content_notes", "cut_notes", "source_notes", "terms", "window_notes"]

_LARGE_GAP = math.log(2)
"""Nats a token between the two first-token policies that are worth a warning: the perplexity doubles."""


def bos_notes(scored: pl.DataFrame, skipped: pl.DataFrame) -> list[str]:
    """Warn where scores with BOS and without it lie far apart, per scored token of all texts that have both."""
    both = scored["sent_nll"].is_not_null() & skipped["sent_nll"].is_not_null()
    sums = [side.filter(both).select(pl.sum("sent_nll", "n_scored")).row(0) for side in (scored, skipped)]
    if not all(n for _, n in sums):
        return []
    one, other = (nats / n for nats, n in sums)
    if abs(other - one) <= _LARGE_GAP:
        return []
    why = (
        "without BOS this model is lost, so use scores that were made with it"
        if other > one
        else "in such short texts the first token is much of the cost"
    )
    return [f"the first-token policy matters a lot here: {one:.2f} nats a token with BOS and the first token scored, "
            f"{other:.2f} without; {why}"]  # fmt: skip


def content_notes(frame: pl.DataFrame) -> list[str]:
    """Say that languages don't say the same, where their ids differ, or those of the texts that have a score."""
    for what, rows in {"ids": frame, "scored ids": frame.filter(pl.col("sent_nll").is_not_null())}.items():
        cells = rows.select("id", "language").unique()
        ids, languages = cells["id"].n_unique(), cells["language"].n_unique()
        if languages > 1 and cells.height < ids * languages:
            return [f"the {languages} languages don't have all {ids:,} {what} in common: costs per sentence compare "
                    "languages only where they say the same"]  # fmt: skip
    return []


def cut_notes(frame: pl.DataFrame, cut: int | None) -> list[str]:
    """How many texts of each cell were cut, and by how much."""
    if cut is None:
        return []
    lost, kept = pl.col("n_cut"), pl.col("n_tokens")
    cells = frame.group_by(CELL, maintain_order=True).agg(
        (lost > 0).sum().alias("texts"), pl.len().alias("n"), (100 * lost.sum() / (lost + kept).sum()).alias("share")
    )
    return [
        f"{row['texts']:,} of {row['n']:,} targets of {row['language']}-{row['script']} were cut at {cut} tokens, "
        f"which leaves out {row['share']:.1f}% of the tokens"
        for row in cells.filter(pl.col("texts") > 0).iter_rows(named=True)
    ]


def window_notes(frame: pl.DataFrame, windows: str) -> list[str]:
    """How many texts of each cell were scored in strided windows."""
    long = frame.group_by(CELL, maintain_order=True).agg(
        (pl.col("windows") > 1).sum().alias("long"), pl.col("windows").max().alias("most"), pl.len().alias("n")
    )
    return [
        f"{row['long']:,} of {row['n']:,} targets of {row['language']}-{row['script']} are longer than the model's "
        f"window and were scored in strided windows (window/stride {windows} tokens, up to {row['most']} windows)"
        for row in long.filter(pl.col("long") > 0).iter_rows(named=True)
    ]


def source_notes(frame: pl.DataFrame, measure: str) -> list[str]:
    """Say what a measure is relative to, where that isn't English: by a column that says it, else by script."""
    if "source_language" in frame.columns:
        others = [
            str(tag) for tag in frame["source_language"].drop_nulls().unique().sort() if str(tag).split("-")[0] != "en"
        ]
        if not others:
            return []
        return [
            f"{measure} is relative to the source's language, which is {', '.join(others)} and not English in some rows"
        ]
    scripts = script_profile(frame["source"].unique(maintain_order=True))["script"].drop_nulls()
    other = int((scripts != "Latn").sum())
    if not other:
        return []
    return [f"{measure} is relative to the source's language: {other:,} of {len(scripts):,} sources aren't in Latin "
            "script, so they aren't English"]  # fmt: skip


def terms(model: LanguageModel) -> list[str]:
    """What the user should know of the weights: what they are, and on which terms."""
    return [f"{model.name}: {model.about}"] if model.about else []
