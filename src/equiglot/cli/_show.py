"""How results are printed: sentences and tables for people, one JSON document for programs, notes on standard error."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from equiglot.report import ReportTable
    from equiglot.study import Results

__all__ = [
    "print_json",
    "print_lines",
    "print_notes",
    "print_results",
    "print_sentences",
    "print_table",
    "print_written",
    "told_before",
]

_COLUMN_READ = re.compile(r"(?P<file>.*: |)column '(?P<theirs>.*)' was read as (?P<ours>[\w ]+)")


def print_json(document: Mapping[str, Any]) -> None:
    """One JSON document, with the version; a value that is not there is null, never NaN."""
    from equiglot import __version__

    text = json.dumps({"equiglot": __version__, **document}, ensure_ascii=False, allow_nan=False, indent=1, default=str)
    sys.stdout.write(text + "\n")


def print_notes(
    notes: Iterable[str], *, more: int = 0, where: str = "in the report", earlier: Collection[str] = ()
) -> None:
    """What the reader must know of their data: what was done to rows first, then which columns were recognised.

    Args:
        notes: to be printed.
        more: how many others there are.
        where: these can be read.
        earlier: notes that were told when the table was made; they are counted only.
    """
    given = list(notes)
    notes = [note for note in given if note not in earlier]
    before = len(given) - len(notes)
    lines: list[str] = []
    columns: dict[str, list[str]] = {}
    for note in notes:
        if read := _COLUMN_READ.fullmatch(note):
            columns.setdefault(read["file"], []).append(f"{read['theirs']} as {read['ours']}")
        else:
            lines.append(note)
    lines += [f"{file}columns were read: {', '.join(pairs)}" for file, pairs in columns.items()]
    for line in lines:
        sys.stderr.write(f"note: {line}\n")
    if more:
        sys.stderr.write(f"note: {more} more {'note' if more == 1 else 'notes'} {where}\n")
    if before:
        sys.stderr.write(f"note: {before} earlier {'note' if before == 1 else 'notes'} of this table in --json\n")


def told_before(*files: Path | None) -> set[str]:
    """The notes that tables hold already, which whoever made them has seen; of Parquet, which alone keeps notes."""
    import polars as pl

    told: set[str] = set()
    for path in files:
        if path is None or path.suffix.lower() != ".parquet":
            continue
        try:
            known = json.loads(pl.read_parquet_metadata(path).get("equiglot", "{}"))
            told.update(map(str, known.get("notes", ())))
        except (OSError, ValueError, TypeError, AttributeError, RecursionError, pl.exceptions.PolarsError):
            continue  # reading the table itself says what is wrong with it
    return told


def print_sentences(sentences: Iterable[str]) -> None:
    """The answer in words, a paragraph each, wrapped to the terminal."""
    from rich.console import Console

    console = Console(highlight=False, width=_width())
    for sentence in filter(None, sentences):
        console.print(sentence, markup=False, soft_wrap=_width() is None)
        console.print()


def print_lines(lines: Iterable[str]) -> None:
    """Short sentences, a line each and none between, as a log is read."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def print_table(table: ReportTable | pl.DataFrame, title: str) -> None:
    """A table as it is read, with its footnotes, laid out for the terminal; nothing where there are no rows."""
    from rich.console import Console
    from rich.text import Text

    from equiglot.cli._tables import laid_out
    from equiglot.report import ReportTable

    frame, notes = (table.frame, table.footnotes) if isinstance(table, ReportTable) else (table, ())
    if not frame.height:
        return
    console = Console(highlight=False, width=_width())
    console.print(Text(title, style="bold"), soft_wrap=True)
    for line in laid_out(frame, _width()):
        console.print(line, markup=False, soft_wrap=True)
    for note in notes:
        console.print(note, markup=False, soft_wrap=_width() is None)
    console.print()


def print_results(results: Results, as_json: bool) -> None:
    """A study's answers in words and where everything lies, or all of it as JSON."""
    if as_json:
        print_json(results.to_dict())
    else:
        for metric, answer in results.answers.items():
            print_sentences([f"{metric}: {answer.audit.headline}", *answer.audit.cautions])
        sys.stdout.write(f"Report: {results.report}\n")
        for metric in results.answers:
            if metric not in results.maps:
                sys.stdout.write(f"Normalised scores: none of {metric}, for no native row has a score to map onto\n")
        for metric, path in results.maps.items():
            column = f"{results.segments}, column {metric}_qn"
            idle = " (not needed here)" if results.answers[metric].comparable else ""
            sys.stdout.write(f"Normalised scores{idle}: {column}; the map: {path}\n")
        sys.stdout.flush()
    print_notes(results.data_notes, more=len(set(results.notes) - set(results.data_notes)))


def print_written(path: object) -> None:
    """Where a result was written."""
    sys.stderr.write(f"wrote {path}\n")


def _width() -> int | None:
    """The columns of the terminal; None where output goes to a file or another program, which have no margin."""
    from rich.console import Console

    console = Console()
    return console.width if console.is_terminal or "COLUMNS" in os.environ else None
