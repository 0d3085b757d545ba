"""What tells models apart: columns of a table, else the file that it stands in, named by the model in its signature."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from equiglot.audit._raw_table import Raw
from equiglot.audit.scores import MODEL_COLUMNS, ScoreOptions
from equiglot.measures import MeasureInfo

__all__ = ["FileScores", "joined_names", "model_columns", "named_by_file", "text_columns"]


class FileScores(NamedTuple):
    """One file: its columns as they are, its rows under our names, and what it says of its measures."""

    raw: Raw
    frame: pl.DataFrame
    infos: Mapping[str, MeasureInfo]


def model_columns(frame: pl.DataFrame, options: ScoreOptions) -> list[str]:
    """The columns that tell models apart: those asked for, else those of the usual names, the column of texts aside."""
    usual = ("_model", *(c for c in MODEL_COLUMNS if c != options.text))
    return [c for c in options.model or usual if c in frame.columns]


def text_columns(frame: pl.DataFrame, options: ScoreOptions) -> list[str]:
    """The column that tells a language's texts apart, if there is one."""
    return [c for c in (options.text or "text",) if c in frame.columns]


def joined_names(columns: pl.DataFrame) -> pl.Series:
    """What the columns say of each row as one name, different rows always by different names.

    Joined by a space; where two rows would then share a name (``a b``, ``c`` and ``a``, ``b c``), by a slash, at last
    in quotes. What a row lacks is left out, if that leaves names apart.

    >>> joined_names(pl.DataFrame({"lm": ["a b", "a"], "tokenizer": ["c", "b c"]})).to_list()
    ['a b / c', 'a / b c']
    """
    all_of, has = pl.all(), pl.concat_str(pl.all(), separator=" ", ignore_nulls=True)
    quoted = pl.lit('"') + all_of.str.replace_all('"', '""', literal=True) + pl.lit('"')
    rows = columns.n_unique()
    made = columns.select(has).to_series()
    for parts, separator in ((all_of, " "), (all_of, " / "), (quoted, " / ")):
        if made.n_unique() == rows and not (made == "").any():
            break
        made = columns.select(pl.concat_str(parts.fill_null("–"), separator=separator)).to_series()
    return made


def named_by_file(files: Sequence[FileScores], options: ScoreOptions) -> list[pl.DataFrame]:
    """The rows of several files, each file a model of its own unless its columns name models.

    A ``system`` of one value in all files (readers fill in ``system``, or ``human``) tells nothing apart and doesn't
    count. A file is named by the language model in its measures' signature where that tells all runs apart, else by its
    own name, with as much of its folder as tells files apart; also where columns name systems, but two files of
    different language models score the same ones.
    """
    frames = [file.frame for file in files]
    if len(files) == 1 or options.model:
        return frames
    systems = {value for frame in frames if "system" in frame.columns for value in frame["system"].unique()}
    if options.text != "system" and len(systems) == 1:
        frames = [frame.drop("system", strict=False) for frame in frames]
    models = _language_models(files)
    apart = len(set(models)) > 1 and _overlapping(frames, options)
    names = models if models else _file_names([file.raw for file in files])
    return [
        frame if model_columns(frame, options) and not apart else frame.with_columns(pl.lit(name).alias("_model"))
        for frame, name in zip(frames, names, strict=True)
    ]


def _file_names(raws: Sequence[Raw]) -> list[str]:
    """Each file's name without its ending, with as many folders before it as tell it from the others.

    Two files of one folder that differ in their endings alone keep them.
    """
    paths = [raw.path.parent.resolve() / raw.path.name if raw.path else Path(raw.name) for raw in raws]
    whole = [(*path.parts[:-1], path.stem) for path in paths]
    if len(set(whole)) < len(set(paths)):
        whole = [path.parts for path in paths]
    depth = [next((n for n in range(1, len(own)) if _ends(whole, own, n) == {own}), 1) for own in whole]
    return ["/".join(own[-n:]) for own, n in zip(whole, depth, strict=True)]


def _ends(paths: Sequence[tuple[str, ...]], own: tuple[str, ...], n: int) -> set[tuple[str, ...]]:
    """The paths whose last n parts are the same."""
    return {path for path in paths if path[-n:] == own[-n:]}


def _language_models(files: Sequence[FileScores]) -> list[str]:
    """The language model of each file, as short as tells them apart; empty where they don't tell runs apart."""
    made = [next((info.signature for info in file.infos.values() if "|lm:" in info.signature), "") for file in files]
    runs = [re.sub(r"^metric:[^|]*", "", signature) for signature in made]
    models = [next((part[3:] for part in run.split("|") if part.startswith("lm:")), "") for run in runs]
    if not all(models) or len(set(models)) < len(set(runs)):
        return []
    short = [re.sub(r"^(pkg|hf):|@[0-9a-f]+$", "", model) for model in models]
    return short if len(set(short)) == len(set(models)) else models


def _overlapping(frames: Sequence[pl.DataFrame], options: ScoreOptions) -> bool:
    """Whether two files score the same text by what their columns call the same model."""
    frame = pl.concat(frames, how="diagonal_relaxed")
    key = ["id", "language", *model_columns(frame, options), *text_columns(frame, options)]
    return frame.height > frame.select(key).n_unique()
