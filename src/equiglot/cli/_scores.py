"""Options of the commands that read scores of language models, and from them to the table."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from equiglot.errors import InputError

if TYPE_CHECKING:
    from equiglot.audit import ScoreTable

__all__ = ["numbers_of", "open_scores", "words_of"]

_INPUT = "Input"
_NUMBERS = re.compile(r"(\d{1,15})(?:-(\d{1,15}))?")
_MOST_NUMBERS = 100_000

Scores = Annotated[
    list[Path],
    typer.Argument(
        help="A row per sentence, language and model (.parquet, .csv, .tsv, .jsonl), as `equiglot likelihood` writes "
        "it; of several files each is a model.",
        metavar="SCORES...",
        show_default=False,
    ),
]
Texts = Annotated[
    Path | None,
    typer.Option(
        "--texts",
        help="The parallel texts: a column per language, or a row per text.",
        rich_help_panel=_INPUT,
        show_default=False,
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Columns that tell models apart, e.g. tokenizer,vocab_size (default: those of model, lm, system, "
        "tokenizer and vocab_size that are there; the column of --text is none).",
        rich_help_panel=_INPUT,
        show_default=False,
    ),
]
Text = Annotated[
    str | None,
    typer.Option(
        "--text",
        help="Column that says which of a language's texts was scored (default: text, or condition where there is "
        "no text and a language has several).",
        rich_help_panel=_INPUT,
        show_default=False,
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--metric",
        help="Score column; may be repeated (default: sent_nll, token_nll, ppl, bpb, bpc and mrr, if there).",
        show_default=False,
    ),
]
Direction = Annotated[
    Literal["higher", "lower"] | None,
    typer.Option("--direction", help="Which way is better for scores of your own.", show_default=False),
]
FirstToken = Annotated[
    Literal["scored", "skipped"] | None,
    typer.Option("--first-token", help="Whether n_scored counts the first token.", show_default=False),
]
Base = Annotated[
    str | None, typer.Option("--base", help="The text that alternatives are held against.", show_default=False)
]
Alternatives = Annotated[
    str | None,
    typer.Option("--alternatives", help="Texts of one language, e.g. de,de_ar.", show_default=False),
]


def open_scores(
    paths: list[Path],
    texts: Path | None = None,
    *,
    rename: list[str] | None = None,
    model: str | None = None,
    text: str | None = None,
    metrics: list[str] | None = None,
    direction: Literal["higher", "lower"] | None = None,
    first_token: Literal["scored", "skipped"] | None = None,
    quotes: bool = True,
) -> ScoreTable:
    """The scores that the options name."""
    from equiglot.audit import ScoreOptions, read_scores
    from equiglot.cli._open import parse_renames

    options = ScoreOptions(
        rename=parse_renames(rename),
        model=words_of(model),
        text=text,
        metrics=tuple(metrics or ()),
        direction=direction,
        first_token=first_token,
        quotes=quotes,
    )
    return read_scores(paths, texts, options)


def words_of(option: str | None) -> list[str] | None:
    """``"a, b"`` as ``["a", "b"]``; None where the option was not given."""
    if option is None:
        return None
    return [word.strip() for word in option.split(",") if word.strip()]


def numbers_of(option: str, name: str) -> list[int]:
    """``"1,10"`` or ``"0-14"`` as numbers.

    Raises:
        InputError: something else, a number twice, or more than 100,000 numbers.
    """
    numbers: list[int] = []
    for word in words_of(option) or []:
        if not (found := _NUMBERS.fullmatch(word)):
            raise InputError(f"{name} '{option}' is not a list of numbers", fix="write e.g. 1,10,100 or 0-14")
        these = range(int(found[1]), int(found[2] or found[1]) + 1)
        if len(numbers) + len(these) > _MOST_NUMBERS:
            raise InputError(f"{name} names more than {_MOST_NUMBERS:,} numbers", fix="name fewer")
        numbers += these
    if len(set(numbers)) < len(numbers):
        twice = next(n for n, after in pairwise(sorted(numbers)) if n == after)
        raise InputError(f"{name} names {twice} twice", fix="name each number once")
    if not numbers:
        raise InputError(f"{name} names no number", fix="write e.g. 1,10,100 or 0-14")
    return numbers
