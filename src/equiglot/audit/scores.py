"""Scores of language models on parallel texts: one row per text and model, whatever file they come from.

What the audits of question 2 read ("which language does this model best?"). A row says which sentence it is of
(``id``, shared by its translations), in which ``language``, from which ``model``, and, where a language has several
texts of a sentence (two reference translations, a paraphrase), which ``text``. Models may be many per language, or one
for all: what tells them apart is one column or several (``vocab_size``; ``tokenizer`` and ``vocab_size``; ``system``),
or the file that they stand in, named by the language model in its signature or by its own name.

Measures and counts are those of METHODS, section 3: sent_nll, token_nll (nats), ppl, bpb, bpc (bits), mrr; n_scored,
n_tokens, n_bytes, n_chars. What is missing is derived where it can be (:mod:`equiglot.audit._derive`) and counted in a
note. A score of any other name is taken as it is, if the caller says which way is better.

Means are macro means over texts, for every measure but ppl, whose mean is geometric, exp(mean ln ppl) = exp(mean
token_nll), so ppl and token_nll always rank alike (paper 2's own convention, found by recomputing its values). An
arithmetic mean of perplexities is not offered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.audit._words import listed
from equiglot.errors import InputError
from equiglot.measures import Direction, MeasureInfo

__all__ = ["CELL", "MODEL_COLUMNS", "FirstToken", "ScoreOptions", "ScoreTable", "TextMatrix", "is_number", "natural"]

FirstToken = Literal["scored", "skipped"]

MODEL_COLUMNS = ("model", "lm", "system", "tokenizer", "vocab_size")
CELL = ["language", "text", "model"]


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """How a file's columns are read.

    Attributes:
        rename: from our names to the file's, e.g. ``{"id": "line"}``.
        model: the columns that together name a model; by default those of model, lm, system, tokenizer and vocab_size
            that are there and not the column of texts.
        text: the column that says which of a language's texts was scored; by default ``text``, where it holds names,
            else ``condition``, where a language has several in one script.
        metrics: which scores to audit; by default those of the six that are there or can be derived.
        direction: which way is better for metrics whose direction is not known.
        first_token: whether n_scored counts the first token; by default what the table says, else ``skipped``.
        quotes: whether ``"`` quotes in CSV and TSV.
    """

    rename: Mapping[str, str] | None = None
    model: Sequence[str] | None = None
    text: str | None = None
    metrics: Sequence[str] = ()
    direction: Direction | None = None
    first_token: FirstToken | None = None
    quotes: bool = True


@dataclass(frozen=True, slots=True)
class TextMatrix:
    """One measure as a matrix: a row per sentence, a column per cell (language, text, model).

    ``values`` are on the scale on which they are averaged (ln ppl for ppl); :meth:`back` returns to the measure's own.
    """

    info: MeasureInfo
    ids: list[str]
    cells: pl.DataFrame
    values: NDArray[np.float64]
    present: NDArray[np.bool_]

    def means(self) -> NDArray[np.float64]:
        """The mean of each cell, NaN where it has no value."""
        sizes = self.present.sum(axis=0)
        sums = np.where(self.present, self.values, 0.0).sum(axis=0)
        return self.back(np.divide(sums, sizes, out=np.full(sums.shape, np.nan), where=sizes > 0))

    def back(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        """From the scale of averaging to the measure's own."""
        return np.exp(means) if self.info.name == "ppl" else means


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Scores of texts by language models.

    Attributes:
        frame: one row per text and model: ``id``, ``language``, ``text`` (the language where it has only one),
            ``model``, the measures, the counts that are there, ``truncated`` where the file says it, and
            ``text_bytes``, ``text_chars`` and both without white space where texts were given.
        measures: what each score is.
        model_columns: the file's columns that tell models apart; empty where there is one model.
        first_token: whether n_scored counts the first token; None where the table doesn't say.
        notes: what a reader must be told.
        path: the file or files that they were read from, for errors that are found later.
    """

    frame: pl.DataFrame
    measures: Mapping[str, MeasureInfo]
    model_columns: tuple[str, ...]
    first_token: FirstToken | None
    notes: tuple[str, ...] = ()
    path: str | None = None

    def error(self, problem: str, *, fix: str) -> InputError:
        """An error that names the file."""
        return InputError(problem, fix=fix, path=self.path)

    @property
    def languages(self) -> list[str]:
        """The languages, in order."""
        return self.frame["language"].unique().sort().to_list()

    @property
    def models(self) -> list[str]:
        """The models, numbers among them in the order of their size."""
        return sorted(self.frame["model"].unique(), key=natural)

    @property
    def cut(self) -> bool:
        """Whether some text was cut before it was scored, as far as the table says."""
        return "truncated" in self.frame.columns and bool(self.frame["truncated"].any())

    def matrix(self, metric: str, frame: pl.DataFrame | None = None) -> TextMatrix:
        """A measure's values by sentence and cell; of the rows of ``frame`` only, where it is given."""
        rows = self.frame if frame is None else frame
        ids = sorted(rows["id"].unique(), key=natural)
        cells = rows.select(CELL).unique()
        order = sorted(range(cells.height), key=lambda i: [natural(part) for part in cells.row(i)])
        cells = cells[order]
        at_id, at_cell = {name: i for i, name in enumerate(ids)}, cells.with_row_index("column")
        places = rows.select("id", *CELL, metric).join(at_cell, on=CELL, how="left", maintain_order="left")
        row = places["id"].replace_strict(at_id, return_dtype=pl.Int64).to_numpy()
        values = np.full((len(ids), cells.height), np.nan)
        scores = places[metric].cast(pl.Float64).to_numpy()
        values[row, places["column"].to_numpy()] = np.log(scores) if metric == "ppl" else scores
        present = np.isfinite(values)
        return TextMatrix(self.measures[metric], ids, cells, np.where(present, values, 0.0), present)

    def one_text_each(self) -> None:
        """Raise :class:`InputError` where a language has several texts of a sentence."""
        texts = self.frame.select("language", "text").unique().sort("language", "text")
        for language, group in texts.group_by("language", maintain_order=True):
            if group.height > 1:
                raise self.error(
                    f"{language[0]} has {group.height} texts of each sentence ({listed(group['text'].to_list())})",
                    fix="ask `equiglot audit alternatives`, or leave one text per language in the table",
                )


def is_number(name: str) -> bool:
    """Whether a name is a number, such as a vocabulary size."""
    return natural(name)[0] == 0


def natural(name: str) -> tuple[int, float, str]:
    """A key that sorts numbers by their size, before names.

    >>> sorted(["10", "b", "9", "a"], key=natural)
    ['9', '10', 'a', 'b']
    """
    try:
        return 0, float(name), name
    except ValueError:
        return 1, 0.0, name
