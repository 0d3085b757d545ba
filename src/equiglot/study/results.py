"""What a study leaves behind: one folder with the report, the numbers behind it, and the fitted corrections."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import polars as pl

from equiglot import __version__
from equiglot.models import EMBEDDED
from equiglot.report import parity_section, script_section, write_report
from equiglot.study.answer import ScriptAnswer
from equiglot.study.config import StudyConfig
from equiglot.table import Segments, write_segments

__all__ = ["SEGMENTS_FILE", "Results", "write_results"]

SEGMENTS_FILE = "segments.parquet"
"""The table with every score, in the results folder."""


@dataclass(frozen=True, slots=True)
class Results:
    """A finished study.

    Attributes:
        report: the page.
        segments: the table with every score, normalised ones too.
        maps: by metric, the file of the fitted correction, of those metrics that have one.
        answers: by metric.
        profile: a result table.
        data_notes: what was made of the data before anything was judged: read, romanised, scored.
        notes: these and what the judging had to say.
    """

    report: Path
    segments: Path
    maps: Mapping[str, Path]
    answers: Mapping[str, ScriptAnswer]
    profile: pl.DataFrame
    data_notes: tuple[str, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON."""
        return {
            "report": str(self.report),
            "segments": str(self.segments),
            "answers": {
                metric: {
                    "raw": answer.audit.to_dict(),
                    "normalized": None if answer.corrected is None else answer.corrected.to_dict(),
                    "normalized_column": None if answer.corrected is None else answer.corrected.metric.name,
                    "map": None if answer.normalizer is None else answer.normalizer.signature,
                    "map_file": str(self.maps[metric]) if metric in self.maps else None,
                    "floors": [] if answer.floors is None else answer.floors.to_dicts(),
                }
                for metric, answer in self.answers.items()
            },
            "profile": self.profile.to_dicts(),
            "data_notes": list(self.data_notes),
            "notes": list(self.notes),
        }


def write_results(
    folder: Path,
    config: StudyConfig,
    *,
    segments: Segments,
    answers: Mapping[str, ScriptAnswer],
    profile: pl.DataFrame,
) -> Results:
    """Write the report with its charts and tables, ``results.json``, ``segments.parquet`` and ``qn-METRIC.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    said, data_notes, table_notes = dict.fromkeys(segments.notes), segments.notes, segments.notes
    maps = _map_files(folder, [metric for metric, answer in answers.items() if answer.normalizer is not None])
    for metric, answer in answers.items():
        normalized = answer.segments
        if answer.normalizer is not None:
            column = answer.normalizer.column
            segments = segments.with_measure(normalized.measures[column], normalized.frame[column])
            answer.normalizer.save(maps[metric])
        said |= dict.fromkeys((*answer.audit.notes, *normalized.notes))
        table_notes = tuple(dict.fromkeys((*table_notes, *normalized.notes)))
    notes = tuple(said)
    table = folder / SEGMENTS_FILE
    write_segments(segments.noted(*table_notes), table)
    sections = [
        script_section(answer.audit, answer.segments, corrected=answer.corrected, floors=answer.floors)
        for answer in answers.values()
    ]
    sections += [parity_section(profile)] if profile.height else []
    report = write_report(
        folder,
        title=config.title or config.data.name,
        sections=sections,
        card=_card(config, segments, answers, profile),
        notes=notes,
        files=_files(table, maps, [metric for metric in maps if answers[metric].comparable]),
    )
    results = Results(report, table, maps, answers, profile, data_notes, notes)
    text = json.dumps(results.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)
    part = folder / "results.json.part"
    part.write_text(text, "utf-8")
    part.replace(folder / "results.json")
    return results


def _map_files(folder: Path, metrics: Sequence[str]) -> dict[str, Path]:
    """By metric, the file of its map: no two in one, on systems that don't tell capitals apart either."""
    files: dict[str, Path] = {}
    taken = set[str]()
    for metric in metrics:
        stem = f"qn-{re.sub(r'[^A-Za-z0-9._+-]+', '-', metric)}"
        unique, number = stem, 2
        while unique.casefold() in taken:
            unique, number = f"{stem}-{number}", number + 1
        taken.add(unique.casefold())
        files[metric] = folder / f"{unique}.json"
    return files


def _files(table: Path, maps: Mapping[str, Path], comparable: Sequence[str]) -> list[tuple[str, str]]:
    """What lies beside the page, in words; scores that are comparable as they are need no normalising."""
    if not maps:
        return [("All rows", table.name)]
    columns = ", ".join(f"{metric}_qn" for metric in maps)
    many = "columns" if len(maps) > 1 else "column"
    idle = f"; not needed for {', '.join(comparable)}" if comparable else ""
    return [
        (f"Normalised scores of all rows ({many} {columns}{idle})", table.name),
        *((f"The map of {metric}", path.name) for metric, path in maps.items()),
    ]


def _card(
    config: StudyConfig, segments: Segments, answers: Mapping[str, ScriptAnswer], profile: pl.DataFrame
) -> dict[str, str]:
    """What a paper must print beside the numbers: what they were made with."""
    settings = {
        key: value
        for key, value in dataclasses.asdict(config).items()
        if value not in (None, (), {}) and key not in {"data", "parallel", "title", *_without_effect(config, answers)}
    }
    card = {
        "equiglot": __version__,
        "Data": f"{config.data.name}, {segments.frame.height:,} rows",
        "Settings": ", ".join(f"{key} = {_plain(value)}" for key, value in settings.items()),
    }
    for metric, answer in answers.items():
        card[f"Signature of {metric}"] = answer.audit.metric.signature
        if answer.normalizer is not None:
            card[f"Signature of {metric}, normalised"] = answer.normalizer.signature
    if "tokenizer" in profile.columns:
        card["Tokeniser"] = ", ".join(map(str, profile["tokenizer"].drop_nulls().unique(maintain_order=True)))
    used = [*config.tokenizers, config.language_model, config.metric_model]
    used += ["pkg:e5-small"] if "e5" in config.metrics else []
    for name, entry in EMBEDDED.items():
        if f"pkg:{name}" in used:
            card[f"Licence of pkg:{name}"] = f"{entry.licence} ({entry.describes})"
    return card


def _without_effect(config: StudyConfig, answers: Mapping[str, ScriptAnswer]) -> set[str]:
    """Settings that nothing in this study depended on."""
    idle: set[str] = set()
    if config.language_model is None:
        idle |= {"bos", "dtype"}
    if config.romanize is None:
        idle |= {"romanize_reference"}
    if config.data.name.lower().split(".")[-1] not in ("csv", "tsv", "gz"):
        idle |= {"quotes"}
    if all(answer.audit.human is None for answer in answers.values()):
        idle |= {"human", "raters"}
    return idle


def _plain(value: object) -> str:
    return ", ".join(map(str, cast("tuple[object, ...]", value))) if isinstance(value, tuple) else str(value)
