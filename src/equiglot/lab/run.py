"""Train every model of an experiment that is not there yet, and score the evaluation texts with each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.lab.config import LabConfig
from equiglot.lab.texts import read_parallel
from equiglot.lab.tokenizer import train_tokenizer
from equiglot.lab.train import Recipe, is_done, train_model
from equiglot.likelihood import load_language_model, score_texts
from equiglot.likelihood.model import find_device
from equiglot.table import write_table

__all__ = ["LabResult", "run_lab"]

_HELD_OUT = 10
"""One sentence in so many is held out where no other texts are given."""


@dataclass(frozen=True, slots=True)
class LabResult:
    """What an experiment leaves.

    Attributes:
        folder: holds everything.
        scores: file with one row per sentence, language and vocabulary, as `equiglot audit` reads it.
        texts: file with the texts that were scored, one column per language.
        models: one row per model: ``language``, ``vocab_size``, ``parameters``, ``train_tokens``, ``first_loss``,
            ``last_loss`` (nats a token, means of the first and last epoch).
        notes: what the reader must know.
    """

    folder: Path
    scores: Path
    texts: Path
    models: pl.DataFrame
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "folder": str(self.folder),
            "scores": str(self.scores),
            "texts": str(self.texts),
            "models": self.models.to_dicts(),
            "notes": list(self.notes),
        }


def run_lab(config: LabConfig, folder: Path, *, device: str = "auto", progress: Progress = silent) -> LabResult:
    """Train and score; what an earlier run finished is neither trained nor scored again.

    Raises:
        InputError: no such device, texts that can't be read, too little of them, none to be scored that isn't trained
            on, or a folder with other models in it; all before anything is trained.
    """
    learn, given = _texts(config)
    evaluate = _unseen(given, learn, config)
    place = find_device(device)
    planned = {
        folder / "models" / f"{recipe.language}-{recipe.vocabulary}": recipe for recipe in _recipes(config, learn)
    }
    _check(planned, learn)
    (folder / "models").mkdir(parents=True, exist_ok=True)
    scores: list[pl.DataFrame] = []
    models: list[dict[str, Any]] = []
    for model, recipe in planned.items():
        train_model(learn[recipe.language].to_list(), recipe, model, device=place, progress=progress)
        models.append(_summary(model))
        texts = evaluate[recipe.language]
        scores.append(_scores(texts, recipe.vocabulary, model, bos=config.bos, device=place, progress=progress))
    write_table(pl.concat(scores), folder / "scores.parquet")
    write_table(evaluate.with_row_index("sentence"), folder / "texts.parquet")
    notes = [
        f"trained on {learn.height:,} sentences, each seen {config.training.epochs} times in one order by every model; "
        f"scored on {evaluate.height:,} others; seed {config.seed}"
    ]
    if seen := given.height - evaluate.height:
        notes.append(
            f"{seen:,} of {given.height:,} sentences that were to be scored were left out, for they are trained on, in "
            "one language or more"
        )
    return LabResult(folder, folder / "scores.parquet", folder / "texts.parquet", pl.DataFrame(models), tuple(notes))


def _texts(config: LabConfig) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Texts to learn from and texts to be scored, with the same columns."""
    learn = read_parallel(config.texts, config.languages)
    if config.evaluate is not None:
        return learn, read_parallel(config.evaluate, learn.columns)
    held_out = learn.height // _HELD_OUT
    if not held_out:
        fix = f"give at least {_HELD_OUT}, or name others to be scored with 'evaluate'"
        raise InputError(f"{learn.height} sentences are too few to hold some out", path=config.texts, fix=fix)
    return learn.head(learn.height - held_out), learn.tail(held_out)


def _unseen(given: pl.DataFrame, learn: pl.DataFrame, config: LabConfig) -> pl.DataFrame:
    """The sentences that no model was trained on in its language: a row is left out in all of them, or kept in all."""
    trained_on = pl.any_horizontal(pl.col(language).is_in(learn[language].implode()) for language in learn.columns)
    unseen = given.filter(~trained_on)
    if not unseen.height:
        fix = "take repeated ones out of 'texts', or name others to be scored with 'evaluate'"
        problem = f"all {given.height:,} sentences to be scored are trained on, in one language or more"
        raise InputError(problem, path=config.evaluate or config.texts, fix=fix)
    return unseen


def _recipes(config: LabConfig, learn: pl.DataFrame) -> Iterator[Recipe]:
    for language in learn.columns:
        known = hashlib.sha256("\n".join(learn[language]).encode()).hexdigest()
        for vocabulary in config.vocabularies:
            yield Recipe(language, vocabulary, config.training, known, config.seed)


def _check(planned: Mapping[Path, Recipe], learn: pl.DataFrame) -> None:
    """Say before the training, not hours into it, that a later model's folder is taken or its vocabulary too large."""
    missing = [recipe for folder, recipe in planned.items() if not is_done(folder, recipe)]
    largest = {recipe.language: recipe for recipe in missing}  # vocabularies are in order, and merges nested
    for language, recipe in largest.items():
        train_tokenizer(learn[language].to_list(), recipe.vocabulary, language=language, context=recipe.size.context)


def _scores(
    texts: pl.Series, vocabulary: int, folder: Path, *, bos: str, device: str, progress: Progress
) -> pl.DataFrame:
    """What one model makes of its language's texts; float32, from the folder's own cache where it is there."""
    model = load_language_model(str(folder), dtype="float32", device=device)
    scored = score_texts(texts, model, detail="ranks", bos=bos, cache=folder.parent.parent / "cache", progress=progress)
    columns = ["sent_nll", "n_scored", "n_bytes", "n_chars", "mrr", "first", "reason"]
    return scored.select(columns).select(
        pl.lit(texts.name).alias("language"),
        pl.lit(vocabulary, pl.Int64).alias("vocab_size"),
        pl.int_range(pl.len(), dtype=pl.UInt32).alias("sentence"),
        *columns,
    )


def _summary(model: Path) -> dict[str, Any]:
    told = json.loads((model / "training.json").read_text("utf-8"))
    return {
        "language": told["recipe"]["language"],
        "vocab_size": told["recipe"]["vocabulary"],
        "parameters": told["parameters"],
        "train_tokens": told["tokens"],
        "first_loss": told["loss_by_epoch"][0],
        "last_loss": told["loss_by_epoch"][-1],
    }
