"""What a study leaves behind: one folder with the report, the numbers behind it, and the fitted corrections."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
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

__all__ = ["Results", "write_results"]


@dataclass(frozen=True, slots=True)
class Results:
    """A finished study."""

    report: Path
    answers: Mapping[str, ScriptAnswer]
    profile: pl.DataFrame
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON."""
        return {
            "report": str(self.report),
            "answers": {
                metric: {
                    "raw": answer.audit.to_dict(),
                    "normalized": answer.corrected.to_dict(),
                    "map": answer.normalizer.signature,
                    "floors": [] if answer.floors is None else answer.floors.to_dicts(),
                }
                for metric, answer in self.answers.items()
            },
            "profile": self.profile.to_dicts(),
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
    said = dict.fromkeys(segments.notes)
    for metric, answer in answers.items():
        column = f"{metric}_qn"
        normalized = answer.segments
        segments = segments.with_measure(normalized.measures[column], normalized.frame[column])
        answer.normalizer.save(folder / f"qn-{metric}.json")
        said |= dict.fromkeys((*answer.audit.notes, *normalized.notes))
    notes = tuple(said)
    write_segments(segments.noted(*notes), folder / "segments.parquet")
    sections = [
        script_section(answer.audit, answer.segments, corrected=answer.corrected, floors=answer.floors)
        for answer in answers.values()
    ]
    sections += [parity_section(profile)]
    report = write_report(
        folder, title=config.title, sections=sections, card=_card(config, segments, answers, profile), notes=notes
    )
    results = Results(report, answers, profile, notes)
    text = json.dumps(results.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)
    part = folder / "results.json.part"
    part.write_text(text, "utf-8")
    part.replace(folder / "results.json")
    return results


def _card(
    config: StudyConfig, segments: Segments, answers: Mapping[str, ScriptAnswer], profile: pl.DataFrame
) -> dict[str, str]:
    """What a paper must print beside the numbers: what they were made with."""
    settings = {
        key: value
        for key, value in dataclasses.asdict(config).items()
        if value not in (None, (), {}) and key not in ("data", "parallel", "title")
    }
    card = {
        "equiglot": __version__,
        "Data": f"{config.data.name}, {segments.frame.height:,} rows",
        "Settings": ", ".join(f"{key} = {_plain(value)}" for key, value in settings.items()),
    }
    for metric, answer in answers.items():
        card[f"Signature of {metric}"] = answer.audit.metric.signature
        card[f"Signature of {metric}, normalised"] = answer.normalizer.signature
    if "tokenizer" in profile.columns:
        card["Tokeniser"] = ", ".join(map(str, profile["tokenizer"].drop_nulls().unique(maintain_order=True)))
    used = [*config.tokenizers, *([config.language_model] if config.language_model else [])]
    used += ["pkg:e5-small"] if "e5" in config.metrics else []
    for name, entry in EMBEDDED.items():
        if f"pkg:{name}" in used:
            card[f"Licence of pkg:{name}"] = f"{entry.licence} ({entry.describes})"
    return card


def _plain(value: object) -> str:
    return ", ".join(map(str, cast("tuple[object, ...]", value))) if isinstance(value, tuple) else str(value)
