"""The rows that an audit looks at: checked, under names of their own, and paired across conditions."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from equiglot.audit._words import counted, listed
from equiglot.errors import InputError
from equiglot.table import CELL, KEY, Segments

__all__ = ["NATIVE", "PAIR", "ROMANIZED", "Rows", "read_rows"]

NATIVE, ROMANIZED, PAIR = "native", "romanized", "romanized/native"
"""The conditions, and the word for a row of both."""

_TRANSLATION = ["id", "language", "system"]
"""What one translation has in common in both conditions."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What is audited.

    Attributes:
        frame: the columns of KEY, ``score``, and ``human``, ``severity``, ``sbi``, ``source`` and ``target`` where
            there are such; sorted.
        pairs: one row per translation in both conditions: ``id``, ``language``, ``script`` (of the native row),
            ``system``, ``native``, ``romanized`` (the scores), ``same_text`` (whether both texts are there and equal),
            and ``human`` and ``severity`` as in frame.
        notes: rows that were left out, and what was assumed.
    """

    frame: pl.DataFrame
    pairs: pl.DataFrame
    notes: tuple[str, ...]

    @property
    def rated(self) -> bool:
        """Whether any row has a person's score."""
        return "human" in self.frame.columns

    def condition(self, name: str) -> pl.DataFrame:
        """The rows of one condition."""
        return self.frame.filter(pl.col("condition") == name)

    def native_and_rated(self) -> pl.DataFrame:
        """The native rows that have both a score and a person's score, be that only on the romanised copy."""
        native = self.condition(NATIVE)
        if not self.rated:
            return native.clear()
        key = ["id", *CELL, "system"]
        copies = self.pairs.select(*key, pl.col("human").alias("copied"))
        joined = native.join(copies, on=key, how="left", nulls_equal=True, maintain_order="left")
        return joined.with_columns(pl.coalesce("human", "copied")).drop("copied").drop_nulls(["score", "human"])


def read_rows(segments: Segments, metric: str, human: str | None, severity: str | None) -> Rows:
    """Check the columns and pair the rows.

    Raises:
        InputError: no such measure or column, a score that is no finite number, two romanised rows of one translation.
    """
    segments.info(metric)
    frame, notes = segments.frame, list[str]()
    if severity is not None:
        segments.require(severity, why="was named as the severity of errors", by="--severity ")
    columns = [pl.col(c) for c in KEY] + [_finite(frame, metric).alias("score")]
    if human is not None and human in frame.columns and frame[human].null_count() < frame.height:
        columns.append(_finite(frame, human).alias("human"))
    if severity is not None:
        columns.append(pl.col(severity).alias("severity"))
    if "sbi" in frame.columns:
        columns.append(_finite(frame, "sbi").alias("sbi"))
    columns += [pl.col(c) for c in ("source", "target") if c in frame.columns and frame[c].null_count() < frame.height]
    rows = frame.select(columns)
    has_cell = pl.all_horizontal(pl.col(CELL).is_not_null())
    if lost := rows.height - rows.filter(has_cell).height:
        notes.append(f"{counted(lost, 'row')} without a language or a script belong to no cell and were left out.")
    rows = rows.filter(has_cell).sort(KEY, maintain_order=True)
    if missing := rows["score"].null_count():
        notes.append(
            f"{counted(missing, 'row')} of {rows.height:,} have no {metric} score and are left out of its means."
        )
    if "human" not in rows.columns:
        notes.append(
            "No row has a person's score, so agreement with people can't be judged."
            if human is None or human not in frame.columns
            else f"Every value of '{human}' is missing, so agreement with people can't be judged."
        )
    elif missing := rows["human"].null_count():
        notes.append(
            f"{counted(missing, 'row')} of {rows.height:,} have no person's score and are left out of every rho."
        )
    others = sorted(set(rows["condition"].drop_nulls()) - {NATIVE, ROMANIZED})
    if others:
        notes.append(f"Conditions other than native and romanized are described, not judged: {listed(others)}.")
    _one_romanizer(frame)
    pairs, pair_notes = _pair(rows)
    return Rows(rows, pairs, (*notes, *pair_notes))


def _finite(frame: pl.DataFrame, column: str) -> pl.Expr:
    """A column of numbers; the first that is none is named."""
    values = frame[column]
    if not values.dtype.is_numeric() and values.dtype != pl.Null:
        raise InputError(f"the values are {values.dtype}, not numbers", column=column, fix="give numbers or null")
    bad = (~values.cast(pl.Float64).is_finite()).fill_null(False).arg_true()
    if len(bad):
        row = int(bad[0])
        raise InputError(
            f"the value is {values[row]}", row=row + 1, column=column, fix="make it null where it is missing"
        )
    return pl.col(column).cast(pl.Float64)


def _one_romanizer(frame: pl.DataFrame) -> None:
    """A language whose romanised rows come from two schemes mixes two treatments under one name."""
    if "romanizer" not in frame.columns:
        return
    romanized = frame.filter(pl.col("condition") == ROMANIZED)
    schemes = romanized.group_by("language").agg(pl.col("romanizer").drop_nulls().unique().sort()).sort("language")
    for language, names in schemes.iter_rows():
        if len(names) > 1:
            raise InputError(
                f"romanised rows of '{language}' come from different schemes ({', '.join(names)})",
                column="romanizer",
                fix="audit one scheme at a time",
            )


def _pair(rows: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """Native and romanised rows of the same translation, side by side."""
    romanized = rows.filter(pl.col("condition") == ROMANIZED)
    both = pl.col("language").is_in(romanized["language"].unique().to_list())
    native = rows.filter((pl.col("condition") == NATIVE) & both)
    # A language at home in Latin and another script, such as Serbian, is romanised from the other one.
    abroad = pl.col("script") != "Latn"
    native = native.filter(abroad | ~abroad.any().over(_TRANSLATION))
    for side, name in ((native, "native"), (romanized, "romanised")):
        twice = side.filter(pl.struct(_TRANSLATION).is_duplicated()).head(1)
        if twice.height and romanized.height:
            key = ", ".join(f"{c} '{twice[c][0]}'" for c in _TRANSLATION)
            fix = "keep one row per id, language and system in each condition"
            raise InputError(f"two {name} rows of one translation ({key})", fix=fix)
    carried = [c for c in ("human", "severity") if c in rows.columns]
    beside = [c for c in ("human", "target") if c in rows.columns]
    joined = native.join(
        romanized.select(*_TRANSLATION, "score", *beside),
        on=_TRANSLATION,
        how="inner",
        nulls_equal=True,
        suffix="_romanized",
    ).rename({"score": "native", "score_romanized": "romanized"})
    notes = [
        f"{counted(count, f'{name} row')} have no {other} row of the same id, language and system, and are not paired."
        for count, name, other in (
            (native.height - joined.height, "native", "romanised"),
            (romanized.height - joined.height, "romanised", "native"),
        )
        if count
    ]
    if "human" in carried:
        # A person rated the translation once; where only the romanised copy carries the score it is as good.
        differ = joined.filter(pl.col("human") != pl.col("human_romanized")).height
        if differ:
            notes.append(f"{counted(differ, 'pair')} have two human scores that differ; the native row's is used.")
        joined = joined.with_columns(pl.coalesce("human", "human_romanized"))
    same = (pl.col("target") == pl.col("target_romanized")).fill_null(False) if "target" in beside else pl.lit(False)
    joined = joined.with_columns(same.alias("same_text"))
    columns = ["id", *CELL, "system", "native", "romanized", "same_text", *carried]
    return joined.select(columns).sort([*CELL, "id", "system"]), notes
