"""Series of values that are held against each other sentence by sentence: languages, or a text and its alternatives.

Of alternatives (k texts of the same sentences in one language) two more series are made: the lowest and the highest
value of the k in each sentence, by value, also for metrics where smaller is worse (paper 2, experiment 2). Only
sentences that every series has are used, the same ones for every metric and model, so that nothing but the series
differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.audit._words import listed
from equiglot.audit.scores import ScoreTable, TextMatrix

__all__ = [
    "HIGHEST",
    "LOWEST",
    "Alternatives",
    "Series",
    "language_series",
    "order_of",
    "places_of",
    "text_series",
    "which_texts",
]

LOWEST, HIGHEST = "lowest", "highest"

_SAME = 1e-12
"""Relative difference of means that comes of rounding: the same values, added up in another order."""


@dataclass(frozen=True, slots=True)
class Alternatives:
    """A text, and the texts of another language that could each stand for its translation."""

    base: str
    others: tuple[str, ...]
    base_language: str
    language: str

    @property
    def names(self) -> list[str]:
        """The series in order: the base, its alternatives, the lowest and the highest of them."""
        return [self.base, *self.others, LOWEST, HIGHEST]


@dataclass(frozen=True, slots=True)
class Series:
    """One metric and model: a row per sentence, a column per name, on the scale on which it is averaged."""

    matrix: TextMatrix
    model: str
    names: list[str]
    values: NDArray[np.float64]

    @property
    def metric(self) -> str:
        """The measure's name."""
        return self.matrix.info.name

    def better(self, first: float, second: float) -> bool:
        """Whether the first of two means is the better one."""
        return first > second if self.matrix.info.direction == "higher" else first < second


def which_texts(table: ScoreTable, base: str | None, others: Sequence[str] | None) -> Alternatives:
    """Which text is held against which: those asked for, else the language with one text against that with several.

    Raises:
        InputError: no such text; alternatives of several languages; no telling which is which.
    """
    texts = table.frame.select("text", "language").unique().sort("language", "text")
    language_of = dict(texts.iter_rows())
    have = listed(list(language_of))
    for name in (*(others or ()), *([base] if base else [])):
        if name not in language_of:
            raise table.error(f"there is no text '{name}' (texts: {have})", fix="name texts that the scores have")
    if others is None:
        several = [language for language, n in texts["language"].value_counts().iter_rows() if n > 1]
        if len(several) != 1:
            raise table.error(
                f"which texts are alternatives of each other is not clear (texts: {have})",
                fix="name them, e.g. --alternatives de,de_ar, and their column with --text",
            )
        others = [text for text, language in language_of.items() if language == several[0] and text != base]
    languages = {language_of[name] for name in others}
    if len(others) < 2 or len(languages) != 1:
        raise table.error(
            f"alternatives are two texts or more of one language, and these are {listed(list(others))}",
            fix="name them with --alternatives",
        )
    if base is None:
        left = [text for text, language in language_of.items() if language not in languages]
        if len(left) != 1:
            raise table.error(f"which text they are held against is not clear ({have})", fix="name it with --base")
        return Alternatives(left[0], tuple(others), language_of[left[0]], languages.pop())
    return Alternatives(base, tuple(others), language_of[base], languages.pop())


def text_series(table: ScoreTable, texts: Alternatives) -> tuple[list[str], list[Series], int]:
    """The sentences used, the series of every metric and model, and how many sentences were left out."""
    wanted = table.frame.filter(pl.col("text").is_in([texts.base, *texts.others]))

    def columns(found: TextMatrix, model: str) -> list[int] | None:
        at = {(text, name): i for i, (_, text, name) in enumerate(found.cells.iter_rows())}
        chosen = [at.get((text, model)) for text in (texts.base, *texts.others)]
        return None if None in chosen else [i for i in chosen if i is not None]

    ids, series, left_out = _series(table, wanted, columns)
    made: list[Series] = []
    for one in series:
        others = one.values[:, 1:]
        ends = np.stack([others.min(axis=1), others.max(axis=1)], axis=1)
        made.append(Series(one.matrix, one.model, texts.names, np.concatenate([one.values, ends], axis=1)))
    return ids, made, left_out


def language_series(table: ScoreTable) -> tuple[list[str], list[Series], int]:
    """The same with a series per language."""

    def columns(found: TextMatrix, model: str) -> list[int]:
        return [i for i, (_, _, name) in enumerate(found.cells.iter_rows()) if name == model]

    return _series(table, table.frame, columns)


def _series(
    table: ScoreTable, rows: pl.DataFrame, columns: Callable[[TextMatrix, str], list[int] | None]
) -> tuple[list[str], list[Series], int]:
    picked: list[tuple[TextMatrix, str, list[int]]] = []
    for metric in table.measures:
        found = table.matrix(metric, rows)
        for model in sorted(found.cells["model"].unique(), key=table.models.index):
            chosen = columns(found, model)
            if chosen and found.present[:, chosen].any(axis=0).all():
                picked.append((found, model, chosen))
    if not picked:
        return [], [], 0
    whole = np.logical_and.reduce([found.present[:, chosen].all(axis=1) for found, _, chosen in picked])
    ids = [name for name, kept in zip(picked[0][0].ids, whole, strict=True) if kept]
    made = [
        Series(found, model, [_name(found, i) for i in chosen], found.values[np.ix_(whole, chosen)])
        for found, model, chosen in picked
    ]
    return ids, made, int((~whole).sum())


def _name(found: TextMatrix, column: int) -> str:
    """The language, or the text's own name where a language has several."""
    several = found.cells["text"].n_unique() > found.cells["language"].n_unique()
    return found.cells["text" if several else "language"][column]


def order_of(series: Series, means: Sequence[float]) -> list[str]:
    """The names, best first; ties in the order of the names."""
    sign = -1 if series.matrix.info.direction == "higher" else 1
    return [name for _, name in sorted((sign * mean, name) for mean, name in zip(means, series.names, strict=True))]


def places_of(means: NDArray[np.float64]) -> NDArray[np.int64]:
    """The place of each series in its row of means (rows x series), 0 = the smallest; means that tie share a place.

    >>> places_of(np.array([[0.1 + 0.2, 0.5, 0.3]])).tolist()
    [[0, 1, 0]]
    """
    at = np.argsort(means, axis=1, kind="stable")
    ordered = np.take_along_axis(means, at, axis=1)
    apart = np.diff(ordered, axis=1) > _SAME * np.abs(means).max(axis=1, keepdims=True)
    places = np.zeros(means.shape, dtype=np.int64)
    np.put_along_axis(places, at[:, 1:], np.cumsum(apart, axis=1), axis=1)
    return places
