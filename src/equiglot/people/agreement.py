"""Do raters agree? Krippendorff's alpha per dimension and in total, kappa for pairs, and raters against themselves.

================= ====================================================================================================
alpha             ordinal Krippendorff's alpha of all raters' first ratings (:mod:`.agreement_alpha`), per dimension and
                  of the total, over all items and per language; n counts the items that two or more rated
kappa_quadratic   weighted kappa of two raters on the items that both rated (:mod:`.agreement_kappa`)
kappa_linear
alpha_repeats     alpha of a rater's first and second ratings of repeated items
equal_repeats     share of second ratings that equal the first, per cent
================= ====================================================================================================

A rater's total is the sum over dimensions, and is there where the rater rated all of them. Intervals are percentiles of
a bootstrap over items, raters held fixed: they say what other items would give, not what other raters would.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from equiglot.measures import Measure, result_table, signature
from equiglot.people._estimates import Matrix, as_measure
from equiglot.people.agreement_alpha import krippendorff_alpha
from equiglot.people.agreement_kappa import weighted_kappa
from equiglot.people.agreement_words import headline
from equiglot.people.ratings import ITEM, TOTAL, rater_totals
from equiglot.stats import percent

__all__ = ["Agreement", "measure_agreement", "measure_alpha"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far raters agree.

    Attributes:
        headline: the answer in words.
        alpha: result table with keys ``language`` (null: all items) and ``dimension``; measure ``alpha``.
        pairs: keys ``rater``, ``other_rater``, ``dimension``; measures ``kappa_quadratic``, ``kappa_linear``.
        repeats: keys ``rater``, ``dimension``; measures ``alpha_repeats``, ``equal_repeats``.
        signature: what the numbers rest on.
        notes: what the reader must know.
    """

    headline: str
    alpha: pl.DataFrame
    pairs: pl.DataFrame
    repeats: pl.DataFrame
    signature: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "headline": self.headline,
            **{name: getattr(self, name).to_dicts() for name in ("alpha", "pairs", "repeats")},
            "signature": self.signature,
            "notes": list(self.notes),
        }


def measure_agreement(ratings: pl.DataFrame, *, seed: int = 0, resamples: int = 1000) -> Agreement:
    """How far raters agree with each other and with themselves.

    Args:
        ratings: of :data:`equiglot.people.RATINGS`, the columns id, language, system, rater, dimension, rating, repeat.
        seed, resamples: of the intervals.

    >>> rows = [(str(i), "hi", "a", rater, "x", float(i % 3), False) for i in range(6) for rater in ("asha", "ravi")]
    >>> columns = ["id", "language", "system", "rater", "dimension", "rating", "repeat"]
    >>> measure_agreement(pl.DataFrame(rows, schema=columns, orient="row")).alpha["value"].to_list()
    [1.0]
    """
    sampling = {"seed": seed, "resamples": resamples}
    alpha = measure_alpha(ratings, **sampling)
    scored = _scored(ratings)
    made = _signature(**sampling)
    pairs = result_table(_pair_rows(scored.filter(~pl.col("repeat")), made, **sampling))
    repeats = result_table(_repeat_rows(scored, made, **sampling))
    return Agreement(
        headline=headline(ratings, alpha, repeats),
        alpha=alpha,
        pairs=pairs,
        repeats=repeats,
        signature=made,
        notes=_notes(ratings),
    )


def measure_alpha(ratings: pl.DataFrame, *, seed: int = 0, resamples: int = 1000) -> pl.DataFrame:
    """The table ``alpha`` of :class:`Agreement` alone."""
    made = _signature(seed=seed, resamples=resamples)
    first = _scored(ratings).filter(~pl.col("repeat"))
    languages = sorted(set(first["language"]))
    parts: list[tuple[str | None, pl.DataFrame]] = [(None, first)]
    if len(languages) > 1:
        parts += [(language, first.filter(language=language)) for language in languages]

    def rows() -> Iterator[tuple[dict[str, str | None], Measure]]:
        for language, part in parts:
            for dimension in _dimensions(first):
                own = part.filter(dimension=dimension)
                found = krippendorff_alpha(_matrix(own, "rater"), seed=seed, resamples=resamples)
                left_out = own.select(ITEM).n_unique() - found.n
                measure = as_measure("alpha", found, "alpha", "higher", n_failed=left_out, signature=made)
                yield {"language": language, "dimension": dimension}, measure

    return result_table(rows())


def _signature(*, seed: int, resamples: int) -> str:
    return signature(
        alpha="ordinal", kappa="by-value", total="sum-of-all", bootstrap="items", resamples=resamples, seed=seed
    )


def _scored(ratings: pl.DataFrame) -> pl.DataFrame:
    """Ratings with the totals as one more dimension, the last, where there are several."""
    columns = [*ITEM, "rater", "dimension", "repeat", "rating"]
    parts = [ratings.select(columns)]
    if ratings["dimension"].n_unique() > 1:
        parts.append(rater_totals(ratings).with_columns(dimension=pl.lit(TOTAL)).select(columns))
    return pl.concat(parts)


def _dimensions(scored: pl.DataFrame) -> list[str]:
    return scored["dimension"].unique(maintain_order=True).to_list()


def _matrix(own: pl.DataFrame, columns: str) -> Matrix:
    """Ratings of one dimension, items x raters (or x first and second), NaN where there is none."""
    numbered = own.with_columns(pl.col(columns).rank("dense"))  # names may be those of other columns
    wide = numbered.pivot(columns, index=ITEM, values="rating", sort_columns=True)
    return wide.drop(ITEM).to_numpy().astype(float)


def _pair_rows(
    first: pl.DataFrame, made: str, *, seed: int, resamples: int
) -> Iterator[tuple[dict[str, str], Measure]]:
    rated = first.drop_nulls("rating")
    parts = {
        (str(rater), str(dimension)): part.select(*ITEM, "rating")
        for (rater, dimension), part in rated.group_by("rater", "dimension")
    }
    for one, other in combinations(sorted(set(rated["rater"])), 2):
        for dimension in _dimensions(first):
            own = [parts.get((rater, dimension)) for rater in (one, other)]
            if own[0] is None or own[1] is None:
                continue
            both = own[0].join(own[1], on=ITEM, suffix="_other")
            if not both.height:
                continue
            keys = {"rater": one, "other_rater": other, "dimension": dimension}
            for weights in ("quadratic", "linear"):
                found = weighted_kappa(
                    both["rating"].to_numpy(),
                    both["rating_other"].to_numpy(),
                    weights=weights,
                    seed=seed,
                    resamples=resamples,
                )
                yield keys, as_measure(f"kappa_{weights}", found, "kappa", "higher", signature=made)


def _repeat_rows(
    scored: pl.DataFrame, made: str, *, seed: int, resamples: int
) -> Iterator[tuple[dict[str, str], Measure]]:
    again = scored.filter("repeat").select(*ITEM, "rater").unique()
    seen_twice = scored.join(again, on=[*ITEM, "rater"], how="semi").drop_nulls("rating")
    for (rater,), part in seen_twice.group_by("rater", maintain_order=True):
        for dimension in _dimensions(scored):
            ratings = _matrix(part.filter(dimension=dimension), "repeat")
            if not ratings.size:
                continue
            keys = {"rater": str(rater), "dimension": dimension}
            found = krippendorff_alpha(ratings, seed=seed, resamples=resamples)
            yield keys, as_measure("alpha_repeats", found, "alpha", "higher", signature=made)
            yield keys, _equal(ratings, made)


def _equal(ratings: Matrix, made: str) -> Measure:
    if ratings.shape[1] < 2:
        return Measure("equal_repeats", None, "%", "higher", 0, reason="no item was rated twice", signature=made)
    whole = ratings[~np.isnan(ratings).any(axis=1)]
    share = percent(int((whole[:, 0] == whole[:, 1]).sum()), len(whole))
    return Measure(
        "equal_repeats",
        share.value,
        "%",
        "higher",
        len(whole),
        interval=share.interval,
        reason=share.reason,
        signature=made,
    )


def _notes(ratings: pl.DataFrame) -> tuple[str, ...]:
    pages = ratings.select(*ITEM, "rater", "repeat", "rating").group_by(*ITEM, "rater", "repeat")
    skipped = pages.agg(pl.col("rating").count()).filter(rating=0).height
    pages_were = "1 page was" if skipped == 1 else f"{skipped:,} pages were"
    return (f"{pages_were} skipped or left without a rating",) if skipped else ()
