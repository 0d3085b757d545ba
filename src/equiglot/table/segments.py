"""The segment table: one row per segment x language x system x condition.

======================= ==============================================================================
column                  meaning
======================= ==============================================================================
id                      the segment, shared by its translations
language                BCP 47 primary tag, e.g. ``hi``
script                  ISO 15924, e.g. ``Deva``
condition               ``native``, ``romanized``, or the user's own
system                  who produced the target
source target reference text; ``reference`` may be null
human                   a person's score, larger is better
romanizer               in romanised rows, the scheme that made the text and its version
anything else           a measure, named after its metric (``chrf``, ``e5``, ``tp``), or a column carried along
======================= ==============================================================================

A *cell* is one (language, script) pair. A measure's unit, direction and signature travel with the frame,
because a number whose making is not known can't be compared; a measure column may have a companion
``<name>_reason`` that says why a value is null.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

import polars as pl

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo

__all__ = ["CELL", "KEY", "TEXT_COLUMNS", "Segments"]

KEY = ("id", "language", "script", "condition", "system")
"""The columns that together name one row."""

CELL = ("language", "script")
"""The columns that together name a cell, the unit within which scores share a range (paper 1, section 6.1)."""

TEXT_COLUMNS = ("source", "target", "reference")


@dataclass(frozen=True, slots=True)
class Segments:
    """A segment table with what is known of its measures.

    Attributes:
        frame: the rows; always has the columns of :data:`KEY` and, where there is text, ``target``.
        measures: by column name, what each score column is.
        notes: what the reader of the results must be told (columns renamed, rows left out, values assumed).
        path: the file it was read from, where it is one, for errors that are found later.
    """

    frame: pl.DataFrame
    measures: Mapping[str, MeasureInfo] = field(default_factory=dict[str, MeasureInfo])
    notes: tuple[str, ...] = ()
    path: Path | None = None

    def error(self, problem: str, *, fix: str, row: int | None = None, column: str | None = None) -> InputError:
        """An error in this table, with the file that it came from."""
        return InputError(problem, fix=fix, path=self.path, row=row, column=column)

    def with_measure(
        self,
        info: MeasureInfo,
        values: Sequence[float | None] | pl.Series,
        reasons: Sequence[str | None] | None = None,
    ) -> Segments:
        """The table with one more measure (or the same one made anew).

        ``values`` has one entry per row, null (or NaN) where it could not be had; ``reasons`` then says why, row
        by row.

        Raises:
            ValueError: not one value, or not one reason, per row.
        """
        column = pl.Series(info.name, values, dtype=pl.Float64, strict=False).fill_nan(None)
        for given in (column, reasons):
            if given is not None and len(given) != self.frame.height:
                raise ValueError(f"{len(given)} entries for {self.frame.height} rows of measure {info.name!r}")
        frame = self.frame.drop(f"{info.name}_reason", strict=False).with_columns(column)
        if reasons is not None and any(r is not None for r in reasons):
            frame = frame.with_columns(pl.Series(f"{info.name}_reason", reasons, dtype=pl.String))
        return replace(self, frame=frame, measures={**self.measures, info.name: info})

    def noted(self, *notes: str) -> Segments:
        """The table with more notes, each said once."""
        return replace(self, notes=tuple(dict.fromkeys((*self.notes, *notes))))

    def require(self, *columns: str, why: str, by: str | None = None) -> None:
        """Raise :class:`InputError` unless every column is there and not wholly null.

        Args:
            columns: their names in the table.
            why: completes "no column 'x', which ...".
            by: what a user writes before the name of the right column; ``--map COLUMN=`` by default.
        """
        for column in columns:
            if column not in self.frame.columns:
                yours = next(iter(get_close_matches(column, self.frame.columns, n=1)), "YOUR_COLUMN")
                raise self.error(
                    f"no column '{column}', which {why}; the columns are {', '.join(self.frame.columns)}",
                    fix=f"name yours with {by or f'--map {column}='}{yours}",
                )
            if self.frame.height and self.frame[column].null_count() == self.frame.height:
                problem = f"every value of this column, which {why}, is missing"
                raise self.error(problem, column=column, fix="fill it in")

    def info(self, measure: str) -> MeasureInfo:
        """What is known of a measure; :class:`InputError` lists the measures there are when it isn't one."""
        if measure not in self.measures or measure not in self.frame.columns:
            have = ", ".join(self.measures) or "none"
            raise self.error(
                f"no measure '{measure}' in the table (measures: {have})",
                fix="score it first with `equiglot score`, or name a score column of the file",
            )
        return self.measures[measure]
