"""Prompts: a table with one prompt a row, for one language or for several."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from equiglot.errors import InputError
from equiglot.table import KEY, Segments, concat, is_romanized, read_segments, usual_script

__all__ = ["read_prompts"]

_LEFT_BEHIND = ("target", "human", "romanizer")


def read_prompts(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
    quotes: bool = True,
) -> Segments:
    r"""The prompts in a .csv, .tsv, .jsonl or .parquet file, as a table with ``source`` and without ``target``.

    Args:
        path: the file. Column ``id`` is optional, and so are ``category`` and ``reference`` (say, an English answer to
            hold the romanised one against): they and all others go along.
        columns: our column names to the file's, for ``prompt``, ``language``, ``id`` and ``reference``.
        languages: ask for these, e.g. ``hi-Latn``; every prompt in each. Without it there is a column ``language``.
            ``hi`` is read as ``hi-Latn``, because what is asked for is romanised.
        quotes: CSV and TSV: whether ``"`` quotes.

    Raises:
        InputError: as :func:`equiglot.table.read_segments`; a language that is not written in another script than
            Latin, or a script other than Latin.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "prompts.csv"
    >>> _ = path.write_text("id,prompt\n7,How are you?\n", "utf-8")
    >>> read_prompts(path, languages=["hi-Latn", "kn"]).frame.select("id", "language", "script", "source").rows()
    [('7', 'hi', 'Latn', 'How are you?'), ('7', 'kn', 'Latn', 'How are you?')]
    """
    names = dict(columns or {})
    names["target"] = names.pop("prompt", "prompt")
    tables = [_read(Path(path), names, language, quotes) for language in languages or [None]]
    segments = tables[0] if len(tables) == 1 else concat(tables)
    frame = segments.frame
    left_behind = [column for column in (*_LEFT_BEHIND, *segments.measures) if column in frame.columns]
    # The reader wants a text, and the only one that it does without an answer to is the target.
    frame = frame.drop("source", strict=False).rename({"target": "source"}).drop(left_behind, strict=False)
    _check_scripts(frame)
    frame = frame.with_columns(script=pl.lit("Latn"), condition=pl.lit("romanized"))
    _check_unique(frame, segments)
    texts = [column for column in ("source", "reference") if column in frame.columns]
    rest = [column for column in frame.columns if column not in (*KEY, *texts)]
    return Segments(frame.select(*KEY, *texts, *rest), notes=segments.notes, path=segments.path)


def _read(path: Path, names: Mapping[str, str], language: str | None, quotes: bool) -> Segments:
    try:
        return read_segments(path, rename=names, language=language, system="prompts", quotes=quotes)
    except InputError as error:
        # The reader knows the prompts as its target.
        problem = error.problem.replace("to read target from", "to read prompts from")
        problem = re.sub(r"\btarget\b", names["target"], problem)
        fix = error.fix.replace("--map target=YOUR_COLUMN", "--map prompt=YOUR_COLUMN")
        column = names["target"] if error.column == "target" else error.column
        raise InputError(problem, fix=fix, path=error.path, row=error.row, column=column) from error


def _check_unique(frame: pl.DataFrame, segments: Segments) -> None:
    """``hi`` and ``hi-Latn`` are one language here."""
    twice = frame.select(KEY).is_duplicated()
    if twice.any():
        row = frame.row(twice.arg_max() or 0, named=True)
        problem = f"prompt '{row['id']}' would be asked twice in {row['language']}-Latn"
        raise segments.error(problem, fix="name each language once, and give each prompt an id of its own")


def _check_scripts(frame: pl.DataFrame) -> None:
    for language, script in frame.select("language", "script").unique(maintain_order=True).iter_rows():
        if script not in (None, "Latn"):
            raise InputError(
                f"the answers are to be romanised, and '{language}-{script}' is not", fix=f"write {language}-Latn"
            )
        if not is_romanized(language, "Latn"):
            usual = usual_script(language)
            why = f"is written in {usual} anyway" if usual else "has no usual script that is known"
            raise InputError(f"'{language}' {why}", fix="name a language with a script of its own, e.g. hi-Latn")
