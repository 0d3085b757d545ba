"""How results are printed: tables and sentences for people, one JSON document for programs, notes on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from equiglot.study import Results

__all__ = ["print_json", "print_notes", "print_results", "print_sentences", "print_table", "print_written"]


def print_json(document: Mapping[str, Any]) -> None:
    """One JSON document, with the version; a value that is not there is null, never NaN."""
    from equiglot import __version__

    text = json.dumps({"equiglot": __version__, **document}, ensure_ascii=False, allow_nan=False, indent=1, default=str)
    sys.stdout.write(text + "\n")


def print_notes(notes: Iterable[str]) -> None:
    """What the reader of the numbers must be told."""
    for note in notes:
        sys.stderr.write(f"note: {note}\n")


def print_sentences(sentences: Iterable[str]) -> None:
    """The answer in words, a paragraph each, wrapped to the terminal."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=False)
    for sentence in sentences:
        console.print(sentence, markup=False)
        console.print()


def print_table(frame: pl.DataFrame, title: str) -> None:
    """A small frame as a table."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", title_style="bold")
    for column in frame.columns:
        table.add_column(Text(column), justify="right" if frame[column].dtype.is_numeric() else "left")
    for row in frame.iter_rows():
        table.add_row(*(Text("–" if value is None else _text(value)) for value in row))
    Console(highlight=False).print(table)


def print_results(results: Results, as_json: bool) -> None:
    """A study's answers in words and where its report is, or all of it as JSON."""
    if as_json:
        print_json(results.to_dict())
    else:
        print_sentences(f"{metric}: {answer.audit.headline}" for metric, answer in results.answers.items())
    print_notes(results.notes)
    print_written(results.report)


def print_written(path: object) -> None:
    """Where a result was written."""
    sys.stderr.write(f"wrote {path}\n")


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
