"""What is known of a text without any score of it: tokens, information parity, lengths.

==================== ======================================================================================
``tp``               tokens of the target over tokens of the source (:func:`equiglot.tokens.add_parity`)
``ip``, ``sbi``      information parity and script burden (:func:`equiglot.likelihood.add_information`)
``ipi``              ``|ip - 1|`` of the segment
``n_tokens``, ``n_source_tokens``   token counts
``target_bytes``, ``target_chars``, ``target_words``, ``source_words``   of the texts
==================== ======================================================================================

Features are chosen by name; any other column of numbers may be named too. People's scores may not: they are what the
result is judged by.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from equiglot.errors import InputError
from equiglot.table import Segments
from equiglot.text import text_counts

__all__ = ["FEATURES", "feature_columns"]

FEATURES = (
    "tp",
    "ip",
    "sbi",
    "ipi",
    "n_tokens",
    "n_source_tokens",
    "target_bytes",
    "target_chars",
    "target_words",
    "source_words",
)
"""The features that are used where none are named, those that the table gives."""

_TEXTS = {
    "target_bytes": ("target", "bytes"),
    "target_chars": ("target", "chars"),
    "target_words": ("target", "words"),
    "source_words": ("source", "words"),
}


def feature_columns(segments: Segments, names: Sequence[str] | None, *, human: str = "human") -> pl.DataFrame:
    """The features of every row, one column per name, null where a row has none.

    Args:
        segments: the table.
        names: which, in this order; None for those of :data:`FEATURES` that the table gives.
        human: the column of people's scores, which is refused.

    Raises:
        InputError: a feature that is not there, is no number, is infinite or is people's; none at all.

    >>> frame = pl.DataFrame({"target": ["a bc"], "ip": [0.4]})
    >>> feature_columns(Segments(frame), None).row(0, named=True)
    {'ip': 0.4, 'ipi': 0.6, 'target_bytes': 4.0, 'target_chars': 4.0, 'target_words': 2.0}
    """
    frame = segments.frame
    usual = [name for name in FEATURES if _is_there(frame, name)]
    chosen = usual if names is None else list(dict.fromkeys(names))
    if not chosen:
        raise InputError(
            f"the table has none of the features {', '.join(FEATURES)}",
            fix="add them with `equiglot score` on texts, or name columns of your own",
        )
    counts = {side: text_counts(frame[side]) for side in {_TEXTS[n][0] for n in chosen if _computed(frame, n)}}
    columns: list[pl.Series] = []
    for name in chosen:
        if name == human:
            raise InputError(
                "people's scores can't be a feature: the result is judged by them", column=name, fix="leave it out"
            )
        if not _is_there(frame, name):
            have = ", ".join(usual) or "none"
            raise InputError(
                f"there is no feature '{name}' (of the usual ones the table has {have})", fix="name a column of numbers"
            )
        if _computed(frame, name):
            side, what = _TEXTS[name]
            column = counts[side][what]
        else:
            column = (frame["ip"] - 1).abs() if name == "ipi" and "ipi" not in frame.columns else frame[name]
        if not column.dtype.is_numeric():
            raise InputError(
                f"a feature is a number, and this column is {column.dtype}", column=name, fix="name another"
            )
        column = column.cast(pl.Float64).fill_nan(None).alias(name)
        if len(bad := column.is_infinite().fill_null(False).arg_true()):
            fix = "leave the cell empty where the feature is missing"
            raise InputError("the feature is infinite", row=int(bad[0]) + 1, column=name, fix=fix)
        columns.append(column)
    return pl.DataFrame(columns)


def _computed(frame: pl.DataFrame, name: str) -> bool:
    return name in _TEXTS and name not in frame.columns


def _is_there(frame: pl.DataFrame, name: str) -> bool:
    needed = (
        "ip" if name == "ipi" and name not in frame.columns else _TEXTS[name][0] if _computed(frame, name) else name
    )
    return needed in frame.columns and frame[needed].null_count() < frame.height
