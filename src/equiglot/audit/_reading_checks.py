"""What the columns of a table of scores can't be: a count that is none, a score that its name rules out."""

from __future__ import annotations

import math
from collections.abc import Iterable

import polars as pl

from equiglot.audit._derive import COUNTS, SIX
from equiglot.audit._raw_table import Raw, plain_text
from equiglot.audit.scores import CELL, MODEL_COLUMNS, ScoreOptions

__all__ = ["check_counts", "check_metrics", "checked_flags", "checked_score"]

_READ_AS = frozenset(("id", *CELL, *COUNTS, "script", "condition", "truncated", "n_cut", "first", "target"))
"""Columns that are read for what they are, so none of them is a score; nor is one that names models or texts."""

_FLAGS = {
    **dict.fromkeys(("true", "t", "yes", "y", "1", "1.0"), True),
    **dict.fromkeys(("false", "f", "no", "n", "0", "0.0"), False),
}


def check_metrics(raw: Raw, options: ScoreOptions, option: str = "--metric") -> None:
    """Raise where a score that was asked for is a count, a key or another column with a meaning of its own."""
    taken = {*_READ_AS, *(options.model or MODEL_COLUMNS), options.text}
    for metric in options.metrics:
        if metric in taken:
            what = "a count" if metric.startswith("n_") else "a column with a meaning of its own"
            raise raw.error(f"'{metric}' is {what}, not a score", fix=f"name a score with {option}", column=metric)


def checked_flags(raw: Raw, column: str) -> pl.Series:
    """A column of yes and no as true and false, null where it is missing.

    Raises:
        InputError: a value that is neither.
    """
    words = plain_text(raw, column).str.to_lowercase()
    wrong = words.is_not_null() & ~words.is_in(list(_FLAGS))
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        problem = f"'{raw.frame[column][row]}' is neither true nor false"
        raise raw.error(problem, fix="write true or false", row=row + 1, column=column)
    return words.replace_strict(_FLAGS, return_dtype=pl.Boolean)


def checked_score(raw: Raw, values: pl.Series, metric: str | None = None) -> pl.Series:
    """The values of a score as they are, if each of the six can be what its name, or ``metric``, says.

    Raises:
        InputError: a sum or mean of -ln P below 0 (a log-probability, most likely), a perplexity below 1, an mrr
            above 1.
    """
    name = metric or values.name
    if name not in SIX:
        return values
    least, most = (1.0 if name == "ppl" else 0.0), (1.0 if name == "mrr" else math.inf)
    outside = ((values < least - 1e-6) | (values > most + 1e-6)).fill_null(False)
    if outside.any():
        row = int(outside.arg_max() or 0)
        bound = f"below {least:g}" if values[row] < least else f"above {most:g}"
        fix = "turn the sign of log-probabilities round" if name.endswith("nll") else "rename it if it is another score"
        raise raw.error(f"{name} is {values[row]:g}, and can't be {bound}", fix=fix, row=row + 1, column=values.name)
    return values


def check_counts(raw: Raw, frame: pl.DataFrame, metrics: Iterable[str]) -> None:
    """Raise where a count can't be one: it has a negative or fractional value, or is 0 of a text that has a score.

    A text of which nothing was scored may have counts of 0; its sum is then 0 or missing. MRR doesn't tell: whoever
    writes a table gives it some value there.

    Raises:
        InputError: such a count, or more scored tokens than tokens.
    """
    six = [pl.col(m).fill_null(0) > (1 if m == "ppl" else 0) for m in metrics if m in SIX and m != "mrr"]
    scored = frame.select(pl.any_horizontal(pl.lit(False), *six).alias("scored"))["scored"]
    for column in (c for c in (*COUNTS, "n_cut") if c in frame.columns):
        values = frame[column]
        _refuse(raw, values, (values < 0) | (values != values.floor()), "is no count", "write 0, 1, 2 and so on")
        if column != "n_cut":
            problem, fix = "can't be, for the text has a score", "count again, or leave the cell empty if unknown"
            _refuse(raw, values, (values == 0) & scored, problem, fix)
    if {"n_scored", "n_tokens"} <= set(frame.columns):
        more = frame["n_scored"] > frame["n_tokens"]
        fix = "count the same tokens in both, or leave one of the columns out"
        _refuse(raw, frame["n_scored"], more, "is more than the row's n_tokens", fix)


def _refuse(raw: Raw, values: pl.Series, wrong: pl.Series, problem: str, fix: str) -> None:
    if wrong.fill_null(False).any():
        row = int(wrong.fill_null(False).arg_max() or 0)
        name = values.name
        raise raw.error(f"{name} of {values[row]:g} {problem}", fix=fix, row=row + 1, column=name)
