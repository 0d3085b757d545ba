"""Native and romanised rows of the same translation, by their row numbers."""

from __future__ import annotations

import numpy as np
import polars as pl

from equiglot.errors import InputError
from equiglot.normalize._cells import scores_of
from equiglot.table import Segments

__all__ = ["pair_rows", "rated_pairs"]

_TRANSLATION = ["id", "language", "system"]


def pair_rows(segments: Segments) -> pl.DataFrame:
    """One row per translation that is there in both conditions, in the order of its key and not of the table.

    Returns:
        ``id``, ``language``, ``script`` (of the native row), ``system``, and the row numbers ``native`` and
        ``romanized``.

    Raises:
        InputError: two rows of one translation in one condition.
    """
    rows = segments.frame.select(*_TRANSLATION, "script", "condition").with_row_index("row")
    rows = rows.filter(pl.col("language").is_not_null() & pl.col("script").is_not_null())
    romanized = rows.filter(condition="romanized")
    native = rows.filter(condition="native").join(romanized.select("language").unique(), on="language", how="semi")
    # A language at home in Latin and another script, such as Serbian, is romanised from the other one.
    abroad = pl.col("script") != "Latn"
    native = native.filter(abroad | ~abroad.any().over(_TRANSLATION))
    for side, called in ((native, "native"), (romanized, "romanised")):
        if (twice := side.filter(pl.struct(_TRANSLATION).is_duplicated())).height:
            key = ", ".join(f"{column} '{twice[column][0]}'" for column in _TRANSLATION)
            raise InputError(
                f"two {called} rows of one translation ({key})",
                row=int(twice["row"][1]) + 1,
                fix="keep one row per id, language and system in each condition",
            )
    both = native.rename({"row": "native"}).join(
        romanized.select(*_TRANSLATION, pl.col("row").alias("romanized")), on=_TRANSLATION, nulls_equal=True
    )
    return both.select(*_TRANSLATION, "script", "native", "romanized").sort("language", "script", "id", "system")


def rated_pairs(segments: Segments, metric: str, human: str, *, fewest: int) -> tuple[pl.DataFrame, list[str]]:
    """The pairs that have both scores, in languages that have at least ``fewest`` rated ones, and notes on the others.

    Returns:
        The columns of :func:`pair_rows` and ``human``, people's score of either row, null where neither has one.
        ``script`` names all scripts of a language's native rows (``Cyrl+Latn``).

    Raises:
        InputError: no language has that many; as :func:`pair_rows`.
    """
    _, scored = scores_of(segments, metric)
    rated, known = scores_of(segments, human)
    pairs = pair_rows(segments)
    native, romanized = pairs["native"].to_numpy(), pairs["romanized"].to_numpy()
    people = np.where(known[native], rated[native], np.where(known[romanized], rated[romanized], np.nan))
    pairs = pairs.with_columns(human=pl.Series(people).fill_nan(None)).filter(scored[native] & scored[romanized])
    notes: list[str] = []
    rows = pl.col("human").count().over("language")
    if few := pairs.filter(rows < fewest)["language"].unique().sort().to_list():
        notes.append(f"Fewer than {fewest} rated translations in both conditions: {', '.join(few)} left out.")
    pairs = pairs.filter(rows >= fewest)
    if not pairs.height:
        raise InputError(
            f"no language has {fewest} rated translations with a '{metric}' score in both conditions",
            fix="add the romanised condition with `equiglot score --romanize`, and people's scores",
        )
    scripts = pl.col("script").unique().sort().str.join("+").over("language")
    return pairs.with_columns(scripts).sort("language", "id", "system"), notes
