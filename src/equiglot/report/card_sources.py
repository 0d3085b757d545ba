"""Where a comparability card comes from: a scored table, or the results folder of a study."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from equiglot.audit import script_audit
from equiglot.errors import InputError
from equiglot.likelihood import information_profile
from equiglot.measures import RESULT_COLUMNS, Measure, MeasureInfo, result_table
from equiglot.normalize import QuantileNormalizer
from equiglot.report.card import ComparabilityCard, comparability_card
from equiglot.report.model import Answer
from equiglot.stats import bootstrap_mean
from equiglot.table import Segments, read_segments

__all__ = ["card_of_table", "cards_of_results"]

_KEYS = ("language", "script", "condition")
_FEWEST_PERMUTATIONS = 100
"""Of a test whose p the card does not print."""


def card_of_table(
    segments: Segments, metric: str, *, human: str = "human", seed: int = 0, resamples: int = 1000
) -> ComparabilityCard:
    """Audit, normalise and describe a scored table; parity comes from its columns ``tp``, ``ip`` and ``sbi``.

    Raises:
        InputError: no such measure; as :func:`equiglot.audit.script_audit`.
    """
    audit = script_audit(
        segments, metric, human=human, seed=seed, resamples=resamples, permutations=_FEWEST_PERMUTATIONS
    )
    known = partial(
        comparability_card,
        audit.metric,
        faults=[Answer(v.question, v.answer, v.sentence, v.fix) for v in audit.verdicts],
        cells=audit.cells,
        languages=audit.languages,
        parity=_parity(segments, seed=seed, resamples=resamples),
    )
    if not segments.frame.filter(condition="native")[metric].count():
        nothing = result_table([])
        return known(normalized=nothing, systems=nothing, map_signature=None)
    normalizer = QuantileNormalizer.fit(segments, metric)
    normalized = normalizer.transform(segments)
    after = script_audit(
        normalized, normalizer.column, human=human, seed=seed, resamples=resamples, permutations=_FEWEST_PERMUTATIONS
    )
    return known(
        normalized=after.cells,
        systems=_systems(normalized, normalizer.column, seed=seed, resamples=resamples),
        map_signature=normalizer.signature,
        notes=normalizer.notes,
    )


def cards_of_results(folder: Path, *, seed: int = 0, resamples: int = 1000) -> list[ComparabilityCard]:
    """One card per metric of a study, from its ``results.json`` and ``segments.parquet``.

    Raises:
        InputError: no such folder, or it holds no study's results.
    """
    path = folder / "results.json"
    fix = "name the folder that `equiglot run` or `equiglot report` wrote, or a table"
    try:
        document = json.loads(path.read_text("utf-8"))
        answers: dict[str, Any] = document["answers"]
        profile = _frame(document["profile"])
        segments = read_segments(folder / "segments.parquet")
        return [
            comparability_card(
                MeasureInfo(**answer["raw"]["metric"]),
                faults=[Answer(v["question"], v["answer"], v["sentence"], v["fix"]) for v in answer["raw"]["verdicts"]],
                cells=_frame(answer["raw"]["cells"]),
                languages=_frame(answer["raw"]["languages"]),
                normalized=_frame((answer["normalized"] or {"cells": []})["cells"]),
                parity=profile,
                systems=_systems(segments, answer["normalized_column"], seed=seed, resamples=resamples),
                map_signature=answer["map"],
            )
            for answer in answers.values()
        ]
    except OSError as error:
        raise InputError(f"no results there ({error.strerror or error})", path=path, fix=fix) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"this holds no study's results ({error})", path=path, fix=fix) from error


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """A result table that was written as JSON; of several tokenisers' rows, those of the first."""
    frame = pl.DataFrame(rows, infer_schema_length=None)
    if "tokenizer" in frame.columns:
        first = frame["tokenizer"].drop_nulls().unique(maintain_order=True).head(1).to_list()
        frame = frame.filter(pl.col("tokenizer").is_null() | pl.col("tokenizer").is_in(first)).drop("tokenizer")
    return frame.cast({name: kind for name, kind in RESULT_COLUMNS.items() if name in frame.columns})


def _parity(segments: Segments, *, seed: int, resamples: int) -> pl.DataFrame:
    """TP, IP, IPI, SBI and the tax by cell, as far as the table has them."""
    tables: list[pl.DataFrame] = []
    if "tp" in segments.measures:
        tables.append(_means(segments, "tp", "tp", list(_KEYS), seed=seed, resamples=resamples))
    if "ip" in segments.measures:
        tables.append(information_profile(segments, seed=seed, resamples=resamples))
    return pl.concat(tables, how="diagonal") if tables else result_table([])


def _systems(segments: Segments, column: str | None, *, seed: int, resamples: int) -> pl.DataFrame:
    """Normalised means of the native rows by system, where there is more than one."""
    native = Segments(segments.frame.filter(condition="native"), segments.measures)
    if column is None or native.frame["system"].n_unique() < 2:
        return result_table([])
    return _means(native, column, "mean_normalized", ["system"], seed=seed, resamples=resamples)


def _means(segments: Segments, column: str, name: str, keys: list[str], *, seed: int, resamples: int) -> pl.DataFrame:
    info = segments.info(column)
    rows: list[tuple[dict[str, Any], Measure]] = []
    for group, part in segments.frame.sort(keys, maintain_order=True).group_by(keys, maintain_order=True):
        values = part[column].drop_nulls()
        mean = bootstrap_mean(values.to_numpy(), seed=seed, resamples=resamples)
        lost = part.height - len(values)
        reason = mean.reason or (f"{lost} rows have none" if lost else None)
        measure = Measure(
            name, mean.value, info.unit, info.direction, len(values), lost, mean.interval, reason, info.signature
        )
        rows.append((dict(zip(keys, group, strict=True)), measure))
    return result_table(rows)
