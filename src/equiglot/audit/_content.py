"""What the rows hold, before any score is judged: whether cells share their content, and whether scores were made.

Whether two cells translate the same sources can be seen only where there are sources: ids alone may be no more than
the numbers that rows have in a file.

A file that repeats each native score in the row of the romanised copy would pass for a metric that script can't move.
No metric that reads letters does that, so such a column is refused. Not looked at are scores that equiglot made itself,
scores that were mapped onto one range (a shift that every row shares leaves no trace there), and metrics that ask only
whether words are equal: romanising target and reference alike may change none of those.
"""

from __future__ import annotations

import re

import polars as pl

from equiglot.audit._rows import NATIVE, Rows
from equiglot.audit._words import counted, listed
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table import CELL

__all__ = ["content_words", "refuse_copied_scores"]

_WORDS_ONLY = {"bleu", "em", "exact", "sacrebleu", "ter", "wer"}
_NEARLY = 0.95
"""From this share of the segments on, content is called matched, and what is not is counted."""


def content_words(rows: Rows) -> str:
    """Whether a difference between native cells may be one of content, in words."""
    native = rows.condition(NATIVE)
    if "source" not in native.columns or native["source"].null_count() == native.height:
        return "whether content is matched can't be checked, for there are no sources"
    cells = native.select(CELL).n_unique()
    per_id = native.group_by("id", "system").agg(
        pl.struct(CELL).n_unique().alias("cells"),
        pl.col("source").drop_nulls().n_unique().alias("sources"),
        pl.col("source").null_count().alias("unknown"),
    )
    every, alike = per_id.height, (pl.col("sources") == 1) & (pl.col("unknown") == 0)
    common = per_id.filter((pl.col("cells") == cells) & alike).height
    if common == every:
        return f"content is matched ({counted(every, 'segment')}, each with the same source in every language)"
    if common >= _NEARLY * every:
        return f"content is matched but for {every - common:,} of {counted(every, 'segment')}"
    may_be = "so part of a difference may be content"
    shared, differ = per_id.filter(pl.col("cells") > 1).height, per_id.filter(pl.col("sources") > 1).height
    if differ:
        return f"content differs (sources of {differ:,} of {counted(shared, 'shared id')} are not the same), {may_be}"
    if per_id["unknown"].sum():
        return (
            f"content can't be called matched (only {common:,} of {counted(every, 'segment')} have the same known "
            f"source in every language), {may_be}"
        )
    return f"content is not matched ({common:,} of {counted(every, 'segment')} are there in every language), {may_be}"


def refuse_copied_scores(rows: Rows, info: MeasureInfo) -> None:
    """Raise :class:`InputError` where a language's romanised rows repeat the scores of its native rows.

    Pairs whose texts are equal, such as those of a language at home in Latin script, have a right to equal scores.
    """
    first_word = re.split(r"[\W_]", info.name.casefold())[0]
    if not info.signature.endswith("origin:brought") or first_word in _WORDS_ONLY:
        return
    scored = rows.pairs.filter(~pl.col("same_text")).drop_nulls(["native", "romanized"])
    per_language = scored.group_by("language").agg(
        (pl.col("native") == pl.col("romanized")).all().alias("equal"), pl.col("native").n_unique().alias("values")
    )
    # Two different native scores take at least two pairs.
    copied = per_language.filter(pl.col("equal") & (pl.col("values") > 1))["language"].sort().to_list()
    if copied:
        raise InputError(
            f"the romanised rows of {listed(copied)} carry their native rows' scores, so they were copied and not "
            "scored",
            column=info.name,
            fix="score the romanised rows, or leave their scores empty",
        )
