"""Open a table with scripts derived from its texts where no column or tag gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from equiglot.measures import Direction
from equiglot.table import Segments, read_lines, read_segments
from equiglot.text import script_profile

__all__ = ["open_lines", "open_table"]


def open_table(
    path: Path,
    *,
    columns: Mapping[str, str] | None = None,
    language: str | None = None,
    human: str = "human",
    scores: Mapping[str, Direction] | None = None,
) -> Segments:
    """The segment table in a file.

    Args:
        path: .csv, .tsv, .jsonl or .parquet.
        columns: our column names to the file's.
        language: of all rows, where no column says it.
        human: the file's column of people's scores.
        scores: score columns to be read as measures, and which way each is better.
    """
    names = dict(columns or {})
    if human != "human":
        names.setdefault("human", human)
    return read_segments(path, rename=names, language=language, measures=dict(scores or {}), script_of=_script_of)


def open_lines(sources: Path | None, targets: Sequence[Path], references: Path | None, *, language: str) -> Segments:
    """The segment table that aligned plain-text files make, one system per file of targets."""
    return read_lines(sources, targets, references, language=language, script_of=_script_of)


def _script_of(texts: pl.Series) -> pl.Series:
    return script_profile(texts)["script"]
