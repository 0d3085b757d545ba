"""Rows that have a score though they may be no translation: no text, another script, or a row that is there twice.

They are counted, not left out: an audit judges the table that it was given. A text is in another script where it has
one, and not the one that most texts of its language, script and condition have. A row repeats another where target,
source, score and person's score are all the same as in an earlier row of its cell and system.
"""

from __future__ import annotations

import polars as pl

from equiglot.audit._words import counted, listed
from equiglot.table import CELL, Segments
from equiglot.text import script_profile, text_state

__all__ = ["doubtful_words"]

_GROUP = (*CELL, "condition")


def doubtful_words(segments: Segments, metric: str, human: str) -> str:
    """How many such rows the means hold, by kind; empty where there are none, or no texts."""
    frame = segments.frame
    if "target" not in frame.columns or frame["target"].null_count() == frame.height:
        return ""
    scored = frame.with_row_index("_row", 1).drop_nulls(metric)
    has_text = text_state(scored["target"]) == "text"
    empty = scored.filter(~has_text)
    texts = scored.filter(has_text)
    other = texts.filter(_in_another_script(texts))
    repeats = texts.filter(_repeats(texts, metric, human))
    kinds = [
        (empty, "has a score and no text", "have a score and no text"),
        (other, "is in another script than its language's other rows", "are in another script than their language's"),
        (repeats, "repeats another row's text and score", "repeat another row's text and score"),
    ]
    said = [_said(rows, one, many) for rows, one, many in kinds if rows.height]
    if not said:
        return ""
    count = pl.concat([rows.select("_row") for rows, *_ in kinds]).n_unique()
    are = "is" if count == 1 else "are"
    finds = " `equiglot validate` finds rows without text or in another script." if empty.height + other.height else ""
    return f"{counted(count, 'row')} that may not belong in the means {are} kept in them: {listed(said)}.{finds}"


def _said(rows: pl.DataFrame, one: str, many: str) -> str:
    first = rows["_row"][0]
    return f"1 {one} (row {first})" if rows.height == 1 else f"{rows.height:,} {many} (first row {first})"


def _in_another_script(texts: pl.DataFrame) -> pl.Series:
    """Whether a text's script is known and not that of most texts of its group; nothing is said of a draw."""
    found = script_profile(texts["target"], texts["language"].to_list())["script"]
    placed = texts.select(_GROUP).with_columns(found=found)
    counts = placed.drop_nulls("found").group_by(*_GROUP, "found").len()
    most = counts.filter(pl.col("len") * 2 > pl.col("len").sum().over(_GROUP)).rename({"found": "usual"}).drop("len")
    joined = placed.join(most, on=_GROUP, how="left", nulls_equal=True, maintain_order="left")
    return joined.select((pl.col("found") != pl.col("usual")).fill_null(False)).to_series()


def _repeats(texts: pl.DataFrame, metric: str, human: str) -> pl.Series:
    same = [*_GROUP, "system", "target", metric, *(c for c in ("source", human) if c in texts.columns)]
    return ~texts.select(pl.struct(list(dict.fromkeys(same))).is_first_distinct()).to_series()
