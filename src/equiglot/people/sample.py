"""Which rows people should see: a sample stratified by what is hard, balanced over languages and systems.

A row belongs to every stratum whose predicate it meets and is sampled for one of them. Strata share the sample by their
shares (largest remainder). Scarce strata choose first; a row that two strata could have goes where it leaves the fewest
places empty overall (augmenting paths), so a stratum that runs short really has no more rows. Places that stay empty
are not given to other strata: the sample is smaller, and says by how much.

Within a stratum the next row comes from the (language, system) pair that has the fewest so far, and from a prompt not
yet sampled while there is one. Rows with the same language, source and target count once. The order is random, and the
same for the same rows and seed, whatever order they come in.

Rows are chosen for their failures, so shares of failures in the sample say nothing of the systems' own (paper 3,
section 3.5.1: 72 responses from six strata).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from equiglot.errors import InputError
from equiglot.measures import Measure, result_table, signature
from equiglot.people._sample_columns import MADE, add_columns, choose_metrics
from equiglot.people._sample_fill import fill
from equiglot.people._sample_left_out import left_out_note
from equiglot.people.strata import Strata, Stratum, read_strata
from equiglot.table import KEY, Segments

__all__ = ["Sample", "draw_sample"]

_VALIDITY = ("valid", "failure", "failures", "remarks")
_ENGLISH_TASK = "english_task"
"""A column of rows whose right answer may be the prompt itself, such as mending English; such rows are no copies."""
_NOT_RATES = "rows were chosen for their failures: shares of failures in the sample are not those of the systems"


@dataclass(frozen=True, slots=True)
class Sample:
    """A stratified sample.

    Attributes:
        segments: the rows sampled, with a column ``stratum``, in random order.
        strata: a result table with the key ``stratum`` and the measures ``candidates``, ``wanted``, ``sampled`` and
            ``short``, in rows.
        cells: rows sampled by language, script and system.
        headline: the answer in words.
        signature: all that decides which rows are sampled.
    """

    segments: Segments
    strata: pl.DataFrame
    cells: pl.DataFrame
    headline: str
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """The result for JSON, without the rows."""
        return {
            "headline": self.headline,
            "strata": self.strata.to_dicts(),
            "cells": self.cells.to_dicts(),
            "signature": self.signature,
        }


@dataclass(slots=True)
class _Group:
    """A stratum while it is being filled: which rows it may have, how many it wants, why it can't run."""

    stratum: Stratum
    wanted: int
    rows: list[int] = field(default_factory=list[int])
    reason: str | None = None


def draw_sample(
    segments: Segments, n: int = 120, *, strata: Strata | None = None, metrics: Sequence[str] = (), seed: int = 0
) -> Sample:
    """``n`` rows for people to rate, from strata.

    Args:
        segments: with ``target``, and whatever the strata's predicates read.
        n: rows wanted.
        strata: :func:`equiglot.people.read_strata` of a file; the six of paper 3 where None.
        metrics: the score columns that the predicates call ``metric`` and ``other_metric``; where none is named, the
            table's first two that have a direction.
        seed: of the choice and the order.

    Raises:
        InputError: a predicate that can't be evaluated; a metric that the table lacks; no stratum has any row.

    >>> from equiglot.table import from_frame
    >>> rows = from_frame(pl.DataFrame({"target": ["aa", "b", "cc"], "language": ["hi", "hi", "te"]}))
    >>> long = Strata("mine", (Stratum("long", "long answers", "length(target) > 1"),), {})
    >>> draw_sample(rows, 3, strata=long).headline
    '2 of 3 rows were sampled, of 2 languages and 1 system; 0 of 1 strata are full. Short: long answers by 1 of 3.'
    """
    segments.require("target", why="is what people rate")
    strata = strata or read_strata()
    metrics = choose_metrics(segments, metrics)
    segments = _with_validity(segments, strata)
    frame = _unique_rows(_shuffled(add_columns(segments, metrics), seed), strata)
    groups = [
        _candidates(stratum, wanted, frame) for stratum, wanted in zip(strata.strata, _shares(strata, n), strict=True)
    ]
    cells = list(zip(frame["language"], frame["system"], strict=True))
    prompts = list(zip(frame["language"], frame["id"], strict=True))
    chosen = fill([group.rows for group in groups], [group.wanted for group in groups], cells, prompts)
    names = {row: group.stratum.name for group, rows in zip(groups, chosen, strict=True) for row in rows}
    if not names:
        reasons = "; ".join(f"{g.stratum.name}: {g.reason or 'no row meets its predicate'}" for g in groups)
        raise InputError(f"no stratum has any row ({reasons})", fix="name your own strata with --strata FILE")
    rows = frame[sorted(names)].with_columns(stratum=pl.Series([names[row] for row in sorted(names)]))
    sampled = rows.select(*segments.frame.drop("stratum", strict=False).columns, "stratum")
    said = signature(
        sample=strata.name, n=n, seed=seed, metric=metrics[0] if metrics else None, other=(*metrics, None, None)[1]
    )
    counts = [len(rows) for rows in chosen]
    met = {row for group in groups for row in group.rows}
    left_out = left_out_note(segments.frame, frame, met, metrics)
    return Sample(
        segments=replace(segments, frame=sampled).noted(_NOT_RATES, *left_out, *_metric_notes(metrics)),
        strata=_strata_table(groups, counts, said),
        cells=sampled.group_by("language", "script", "system").len("rows").sort("language", "script", "system"),
        headline=_headline(groups, counts, n, sampled),
        signature=said,
    )


def _with_validity(segments: Segments, strata: Strata) -> Segments:
    """The table with what a predicate reads of validity, judged now where the table lacks it."""
    from equiglot.validity import brought, validate
    from equiglot.validity.brought import yes_or_no

    if _ENGLISH_TASK in segments.frame.columns:
        said = yes_or_no(segments, _ENGLISH_TASK, no=("", None))
        segments = replace(segments, frame=segments.frame.with_columns(said))
    read = {column for stratum in strata.strata for column in stratum.columns()}
    if read & {*_VALIDITY} <= set(segments.frame.columns):
        return brought(segments)
    return validate(segments, may_copy=_ENGLISH_TASK if _ENGLISH_TASK in segments.frame.columns else None)


def _shuffled(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    import numpy as np

    order = np.random.default_rng(seed).permutation(frame.height)
    return frame.sort(*KEY)[order]


def _unique_rows(frame: pl.DataFrame, strata: Strata) -> pl.DataFrame:
    """Rows that can be rated, each text once, with the strata's defaults for columns that the table lacks."""
    same = [column for column in ("language", "source", "target") if column in frame.columns]
    defaults = {k: pl.lit(v) for k, v in strata.defaults.items() if k not in frame.columns}
    return (
        frame.filter(pl.col("target").is_not_null())
        .unique(same, keep="first", maintain_order=True)
        .with_columns(**defaults)
    )


def _shares(strata: Strata, n: int) -> list[int]:
    """How many rows each stratum wants: n by the shares, remainders to the largest fractions."""
    total = sum(stratum.share for stratum in strata.strata)
    exact = [n * stratum.share / total for stratum in strata.strata]
    whole = [int(value) for value in exact]
    by_rest = sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])
    for i in by_rest[: n - sum(whole)]:
        whole[i] += 1
    return whole


def _candidates(stratum: Stratum, wanted: int, frame: pl.DataFrame) -> _Group:
    group = _Group(stratum, wanted)
    missing = [column for column in stratum.columns() if column not in frame.columns]
    if missing:
        group.reason = _why_missing(missing[0])
        return group
    try:
        met = frame.with_columns(met=stratum.predicate())["met"]
        group.rows = met.arg_true().to_list()
    except (pl.exceptions.PolarsError, ValueError) as error:
        said = " ".join(str(error).split())[:160]
        fix = "make it true or false for every row"
        raise InputError(f"the predicate of stratum '{stratum.name}' fails ({said})", fix=fix) from None
    return group


def _why_missing(column: str) -> str:
    if column in MADE and column != "source_word_share":
        second = "a second metric is" if column == "other_metric" else "a metric is"
        return f"{second} needed: name it with --metric"
    return "there is no column 'source'" if column == "source_word_share" else f"there is no column '{column}'"


def _strata_table(groups: Sequence[_Group], counts: Sequence[int], said: str) -> pl.DataFrame:
    rows: list[tuple[Mapping[str, Any], Measure]] = []
    for group, count in zip(groups, counts, strict=True):
        values = {
            "candidates": None if group.reason else len(group.rows),
            "wanted": group.wanted,
            "sampled": count,
            "short": group.wanted - count,
        }
        rows += [
            (
                {"stratum": group.stratum.name},
                Measure(
                    name,
                    value,
                    unit="rows",
                    direction="neutral",
                    n=len(group.rows),
                    reason=group.reason if value is None else None,
                    signature=said,
                ),
            )
            for name, value in values.items()
        ]
    return result_table(rows)


def _headline(groups: Sequence[_Group], counts: Sequence[int], n: int, sampled: pl.DataFrame) -> str:
    languages, systems = sampled["language"].n_unique(), sampled["system"].n_unique()
    of = f"{_count(languages, 'language')} and {_count(systems, 'system')}"
    full = sum(count == group.wanted for group, count in zip(groups, counts, strict=True))
    said = f"{sampled.height} of {n} rows were sampled, of {of}; {full} of {len(groups)} strata are full."
    short = [
        f"{group.stratum.title} by {group.wanted - count} of {group.wanted}"
        + (f" ({group.reason})" if group.reason else "")
        for group, count in zip(groups, counts, strict=True)
        if count < group.wanted
    ]
    return f"{said} Short: {'; '.join(short)}." if short else said


def _metric_notes(metrics: Sequence[str]) -> list[str]:
    return [f"strata read {name} as {ours}" for name, ours in zip(metrics, ("metric", "other_metric"), strict=False)]


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
