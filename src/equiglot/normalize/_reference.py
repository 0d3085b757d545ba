"""Which scores a cell is mapped onto.

``native-pooled`` is one reference for all cells, the native scores of all languages: it puts cells on one axis and
takes away the languages' own differences. ``native-own`` is each language's native scores: it undoes what romanisation
did to the scores of a language and leaves the languages' differences as they are (the per-language rows of paper 1,
table 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.normalize._cells import Cell, named
from equiglot.normalize._rows import FitRows

__all__ = ["POOLED", "Reference", "choose_references", "reference_of"]

Reference = Literal["native-pooled", "native-own"] | Sequence[Cell]

POOLED = ""
"""The key of a reference that all languages share; any other key is the language whose own it is."""

Vector = NDArray[np.float64]


def choose_references(rows: FitRows, metric: str, reference: Reference) -> tuple[str, dict[str, Vector]]:
    """The reference's name, and its scores in ascending order by language, or once for all.

    Raises:
        InputError: no such reference, one without a score, a language without native scores of its own.
    """
    if reference == "native-own":
        own = {language: rows.own(language) for language, _ in rows.cells}
        if short := [language for language, scores in own.items() if not scores.size]:
            raise InputError(
                f"no native row of {', '.join(short)} has a score for '{metric}'",
                fix="mark the native rows with condition 'native', or map onto native-pooled",
            )
        return "native-own", own
    if reference == "native-pooled":
        name, pooled = "native-pooled", rows.pooled
    elif isinstance(reference, str):
        fix = "give 'native-pooled', 'native-own' or a list of cells"
        raise InputError(f"'{reference}' is no reference", fix=fix)
    else:
        for cell in reference:
            require_cell(cell, rows.cells)
        name = "+".join(sorted({named(cell) for cell in reference}))
        pooled = np.sort(np.concatenate([rows.cells[cell] for cell in dict.fromkeys(reference)] or [np.empty(0)]))
    if not pooled.size:
        fix = "mark the native rows with condition 'native', or name the cells to pool"
        raise InputError(f"no row of the reference has a score for '{metric}'", fix=fix)
    return name, {POOLED: pooled}


def reference_of(cell: Cell, references: Mapping[str, Vector]) -> Vector:
    """The scores that a cell is mapped onto."""
    return references[cell[0] if cell[0] in references else POOLED]


def require_cell(cell: Cell, cells: Mapping[Cell, object]) -> None:
    """Raise unless the cell has scores."""
    if cell not in cells:
        have = ", ".join(map(named, cells)) or "none"
        raise InputError(
            f"cell {named(cell)} has no fitted scores (cells that have: {have})",
            fix="fit on a table in which it is scored, or leave its rows out",
        )
