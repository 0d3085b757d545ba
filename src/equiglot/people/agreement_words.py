"""How far raters agree, in words.

The marks are Krippendorff's (2004, "Content Analysis", section 11.4): conclusions from 0.8 up, tentative ones from 2/3.
An alpha of a few items may reach a mark by luck, so the low end of its interval is held against the marks too.
"""

from __future__ import annotations

import polars as pl

from equiglot.people.ratings import TOTAL
from equiglot.table import language_name

__all__ = ["RELIABLE", "TENTATIVE", "alpha_sentences", "headline"]

RELIABLE, TENTATIVE = 0.8, 2 / 3
"""Krippendorff's marks of alpha."""


def headline(ratings: pl.DataFrame, alpha: pl.DataFrame, repeats: pl.DataFrame) -> str:
    """The answer: among raters, by dimension and language, and with themselves."""
    return " ".join([*alpha_sentences(ratings, alpha), *_themselves(repeats)])


def alpha_sentences(ratings: pl.DataFrame, alpha: pl.DataFrame) -> list[str]:
    """How far raters agree with each other; why it can't be measured where it can't."""
    raters = ratings.drop_nulls("rating")["rater"].n_unique()
    if raters < 2:
        there = "There is one rater" if raters else "Nobody has rated anything yet"
        return [f"{there}, so agreement can't be measured. Have two or more people rate the same items."]
    whole = alpha.filter(pl.col("language").is_null())
    said = whole.filter(dimension=TOTAL) if TOTAL in set(whole["dimension"]) else whole
    row = said.row(0, named=True)
    if row["value"] is None:
        alone = " Have two or more people rate the same items." if row["n"] < 2 else ""
        return [f"Agreement can't be measured yet: {row['reason']}.{alone}"]
    on = "the total" if row["dimension"] == TOTAL else row["dimension"].replace("_", " ")
    sentences = [
        f"On {on}, {raters} raters agree with Krippendorff's alpha {_number(row)} "
        f"(ordinal, {row['n']:,} items): {_mark(row)}."
    ]
    return [*sentences, *_dimensions(whole), *_languages(alpha, row["dimension"])]


def _number(row: dict[str, float | None]) -> str:
    if row["low"] is None:
        return f"{row['value']:.2f}"
    return f"{row['value']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


def _mark(row: dict[str, float | None]) -> str:
    """What alpha allows, and whether its interval allows it too."""
    value, low = row["value"] or 0.0, row["low"]
    said = _allows(value)
    if low is None or _allows(low) == said:
        return said
    return f"{said}, if more items bear it out, for the interval reaches down to {low:.2f}"


def _allows(alpha: float) -> str:
    if alpha >= RELIABLE:
        return "enough to rely on (0.8 or more)"
    if alpha >= TENTATIVE:
        return "enough for tentative conclusions only (0.667 to 0.8)"
    return "too little to conclude from (below 0.667)"


def _dimensions(whole: pl.DataFrame) -> list[str]:
    known = whole.filter(pl.col("dimension") != TOTAL).drop_nulls("value").sort("value", "dimension")
    if known.height < 2:
        return []
    low, high = known.row(0, named=True), known.row(-1, named=True)
    names = [row["dimension"].replace("_", " ") for row in (low, high)]
    return [f"They agree least on {names[0]} ({low['value']:.2f}) and most on {names[1]} ({high['value']:.2f})."]


def _languages(alpha: pl.DataFrame, dimension: str) -> list[str]:
    own = alpha.filter(pl.col("language").is_not_null(), pl.col("dimension") == dimension)
    said = [f"{language_name(row['language'])} {_or_none(row['value'])}" for row in own.iter_rows(named=True)]
    return [f"By language: {', '.join(said)}."] if said else []


def _or_none(value: float | None) -> str:
    return "can't be measured" if value is None else f"{value:.2f}"


def _themselves(repeats: pl.DataFrame) -> list[str]:
    if not repeats.height:
        return []
    scales = repeats.filter(pl.col("dimension") != TOTAL, measure="equal_repeats").drop_nulls("value")
    n = int(scales["n"].sum())
    if not n:
        return []
    equal = float((scales["value"] * scales["n"]).sum()) / n
    raters = scales["rater"].n_unique()
    who = "the rater gives" if raters == 1 else f"{raters} raters give"
    return [f"Shown an item again, {who} the same rating in {equal:.0f}% of {n:,} cases."]
