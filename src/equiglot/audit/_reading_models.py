"""What tells models apart: columns of a table, else the file that it stands in, named by the model in its signature."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from equiglot.audit._raw_table import Raw
from equiglot.audit.scores import MODEL_COLUMNS, ScoreOptions
from equiglot.measures import MeasureInfo

__all__ = ["FileScores", "model_columns", "named_by_file", "text_columns"]


class FileScores(NamedTuple):
    """One file: its columns as they are, its rows under our names, and what it says of its measures."""

    raw: Raw
    frame: pl.DataFrame
    infos: Mapping[str, MeasureInfo]

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return self.raw.path.stem if self.raw.path else self.raw.name


def model_columns(frame: pl.DataFrame, options: ScoreOptions) -> list[str]:
    """The columns that tell models apart: those asked for, else those of the usual names, the column of texts aside."""
    usual = ("_model", *(c for c in MODEL_COLUMNS if c != options.text))
    return [c for c in options.model or usual if c in frame.columns]


def text_columns(frame: pl.DataFrame, options: ScoreOptions) -> list[str]:
    """The column that tells a language's texts apart, if there is one."""
    return [c for c in (options.text or "text",) if c in frame.columns]


def named_by_file(files: Sequence[FileScores], options: ScoreOptions) -> list[pl.DataFrame]:
    """The rows of several files, each file a model of its own unless its columns name models.

    A ``system`` of one value in all files (readers fill in ``system``, or ``human``) tells nothing apart and doesn't
    count. A file is named by the language model in its measures' signature where that tells all runs apart, else by its
    own name; also where columns name systems, but two files of different language models score the same ones.
    """
    frames = [file.frame for file in files]
    if len(files) == 1 or options.model:
        return frames
    systems = {value for frame in frames if "system" in frame.columns for value in frame["system"].unique()}
    if options.text != "system" and len(systems) == 1:
        frames = [frame.drop("system", strict=False) for frame in frames]
    models = _language_models(files)
    apart = len(set(models)) > 1 and _overlapping(frames, options)
    names = models if models else [file.stem for file in files]
    return [
        frame if model_columns(frame, options) and not apart else frame.with_columns(pl.lit(name).alias("_model"))
        for frame, name in zip(frames, names, strict=True)
    ]


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
