"""What an engine is: texts in, their scores out, with all that the numbers hang on.

An engine gives a text's ``sent_nll`` (nats) and how many tokens that is the sum of. Everything else (per token, per
byte, BPEC, means of a language) is made of that by the same code as for a model that is run here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.likelihood._notes import content_notes, source_notes
from equiglot.likelihood._scorable import COLUMNS, REASONS, states
from equiglot.likelihood.metrics import add_costs
from equiglot.measures import signature
from equiglot.table import Segments

__all__ = ["Engine", "Row", "Scored", "add_engine_likelihood", "scorable", "score_rows"]

Row = Mapping[str, Any]
"""What an engine found of one text, by column; ``reason`` where it has no score."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What an engine made of some texts.

    Attributes:
        rows: one per text, in order, with columns as :func:`~equiglot.likelihood.score_texts` has them.
        settings: what changes the numbers, for the signature.
        notes: what the reader must be told.
    """

    rows: pl.DataFrame
    settings: Mapping[str, object]
    notes: Sequence[str] = ()


class Engine(Protocol):
    """A source of scores."""

    @property
    def name(self) -> str:
        """What to call it in an answer."""
        ...

    def score(self, texts: Sequence[str | None], *, progress: Progress = silent) -> Scored:
        """Score each text; None is a missing one."""
        ...


def add_engine_likelihood(segments: Segments, engine: Engine, *, progress: Progress = silent) -> Segments:
    """The table with what each target costs the model behind an engine.

    Args:
        segments: needs ``target``; with ``source`` there is ``bpec`` too.
        engine: as :func:`~equiglot.likelihood.engines.find_engine` makes it.
        progress: told of unique texts done.

    Returns:
        As :func:`~equiglot.likelihood.add_likelihood`, with the metrics that the engine's columns allow.

    Raises:
        InputError: there is no ``target``, or the engine can't be used.
    """
    segments.require("target", why="is scored by the language model")
    scored = engine.score(segments.frame["target"].to_list(), progress=progress)
    made = add_costs(segments, scored.rows, lambda measure: signature(metric=measure, **scored.settings))
    notes = [*scored.notes, *content_notes(made.frame)]
    if "bpec" in made.measures:
        notes += source_notes(made.frame, "BPEC")
    return made.noted(*notes)


def scorable(texts: Sequence[str | None]) -> list[str]:
    """The texts that can be scored, each once, in order."""
    told = zip(texts, states(texts), strict=True)
    return list(dict.fromkeys(text for text, state in told if text is not None and state == "text"))


def score_rows(texts: Sequence[str | None], found: Mapping[str, Row], columns: dict[str, Any]) -> pl.DataFrame:
    """The rows of texts, given what was found of each that can be scored.

    Args:
        texts: one per row.
        found: by text; its bytes and characters are counted here.
        columns: those beyond the common ones, with their types.
    """

    def row(text: str | None, state: str) -> dict[str, Any]:
        if text is None or state != "text":
            return {"n_scored": 0, "reason": REASONS[state]}
        counts = {"n_cut": 0, "windows": 1, "n_bytes": len(text.encode()), "n_chars": len(text)}
        return {**counts, **found[text]}

    rows = [row(text, state) for text, state in zip(texts, states(texts), strict=True)]
    return pl.DataFrame(rows, schema=COLUMNS | columns)
