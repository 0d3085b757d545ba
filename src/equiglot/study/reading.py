"""Open a table with scripts derived from its texts where no column or tag gives them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import polars as pl

from equiglot.measures import Direction
from equiglot.table import ReadOptions, Segments, from_frame, known_measure, read_lines, read_segments
from equiglot.text import script_profile

__all__ = ["open_frame", "open_lines", "open_table"]


def open_table(
    path: Path,
    *,
    columns: Mapping[str, str] | None = None,
    language: str | None = None,
    quotes: bool = True,
    human: str = "human",
    scores: Collection[str] = (),
    lower_is_better: Collection[str] = (),
) -> Segments:
    """The segment table in a file.

    Args:
        path: .csv, .tsv, .jsonl or .parquet.
        columns: our column names to the file's.
        language: of all rows, where no column says it.
        quotes: whether ``"`` quotes in CSV and TSV, or is text like any other character.
        human: the file's column of people's scores.
        scores: columns to be read as scores; known metrics' columns are found without it. Of a metric that is not
            known, larger is taken to be better, and a note says so.
        lower_is_better: those of ``scores`` in which smaller is better.
    """
    names = dict(columns or {})
    if human != "human":
        names.setdefault("human", human)
    unknown = [score for score in scores if known_measure(score) is None and score not in lower_is_better]
    directions: dict[str, Direction] = dict.fromkeys(lower_is_better, "lower")
    directions |= dict.fromkeys(unknown, "higher")
    segments = read_segments(
        path, quotes=quotes, rename=names, language=language, measures=directions, script_of=_script_of
    )
    return segments.noted(*(f"'{score}' is taken to be better when larger" for score in unknown))


def open_frame(frame: Any, **options: Unpack[ReadOptions]) -> Segments:
    """The segment table in a Polars, pandas or Arrow frame; the options are those of :func:`equiglot.table.from_frame`.

    >>> open_frame(pl.DataFrame({"target": ["नमस्ते"], "language": ["hi"]})).frame["script"].to_list()
    ['Deva']
    """
    options.setdefault("script_of", _script_of)
    return from_frame(frame, **options)


def open_lines(sources: Path | None, targets: Sequence[Path], references: Path | None, *, language: str) -> Segments:
    """The segment table that aligned plain-text files make, one system per file of targets."""
    return read_lines(sources, targets, references, language=language, script_of=_script_of)


def _script_of(texts: pl.Series, languages: pl.Series) -> pl.Series:
    return script_profile(texts, languages.to_list())["script"]
