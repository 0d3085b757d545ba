"""A small audit and profile, and the report written from them once for all tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from equiglot.audit import ScriptAudit, script_audit
from equiglot.measures import Interval, Measure, MeasureInfo, result_table
from equiglot.normalize import QuantileNormalizer
from equiglot.report import parity_section, script_section, write_report
from equiglot.table import Segments

EVIL = "<script>alert('x')</script> & \"quotes\""
"""Stands in every place where a user's own words can get into a report."""

FILE = "beside/a #1 file?.json"


@pytest.fixture(scope="session")
def segments() -> Segments:
    """Two languages in both conditions, people's scores, a severity; the metric's name is the user's own."""
    rng = np.random.default_rng(5)
    n, parts = 60, []
    for language, script, level in (("ta", "Taml", 85.0), ("hi", "Deva", 72.0)):
        human = rng.uniform(5, 25, n).round()
        common = {"id": [str(i) for i in range(n)], "language": language, "system": EVIL, "human": human}
        severity = np.where(human > 15, "Low", "High")
        for condition, tag, shift in (("native", script, 0.0), ("romanized", "Latn", -12.0)):
            scores = level + shift + (human - 15) * 0.4 + rng.normal(0, 3, n)
            parts.append(
                pl.DataFrame({**common, "script": tag, "condition": condition, EVIL: scores, "severity": severity})
            )
    return Segments(pl.concat(parts), {EVIL: MeasureInfo(EVIL, "points", "higher", f"metric:{EVIL}")})


@pytest.fixture(scope="session")
def normalized(segments: Segments) -> Segments:
    return QuantileNormalizer.fit(segments, EVIL).transform(segments)


@pytest.fixture(scope="session")
def audit(segments: Segments) -> ScriptAudit:
    return script_audit(segments, EVIL, severity="severity", resamples=50, permutations=100)


@pytest.fixture(scope="session")
def profile() -> pl.DataFrame:
    """A profile of two languages and one tokeniser, with a value that could not be had and one that leaves rows out."""

    def measure(name: str, value: float, unit: str = "ratio") -> Measure:
        return Measure(name, value, unit, "neutral", 60, interval=Interval(value * 0.9, value * 1.1), signature="s")

    rows: list[tuple[dict[str, str | None], Measure]] = []
    for language, script, tp, tp_rom, ipi, ipi_rom in (
        ("ta", "Taml", 1.319, 2.347, 0.455, 0.826),
        ("hi", "Deva", 1.210, 1.660, 0.364, 0.735),
    ):
        for tag, condition, value, index in ((script, "native", tp, ipi), ("Latn", "romanized", tp_rom, ipi_rom)):
            cell = {"language": language, "script": tag, "condition": condition, "tokenizer": "xlmr@0b44a9d7"}
            rows += [(cell, measure("tp", value)), (cell, measure("fertility", value, "tokens per word"))]
            text = {**cell, "tokenizer": None}
            rows += [(text, measure("ipi", index)), (text, measure("ip", 1 - index))]
            rows.append((text, Measure("mattr", None, "ratio", "neutral", 0, 60, reason=EVIL)))
            rows.append((text, Measure("words", 900, "words", "neutral", 58, 2, reason="2 left out: target is empty")))
        pair = {"language": language, "script": script, "condition": "romanized/native", "tokenizer": "xlmr@0b44a9d7"}
        rows.append((pair, measure("tp_change_pct", 100 * (tp_rom / tp - 1), "%")))
    return result_table(rows)


@pytest.fixture(scope="session")
def folder(
    tmp_path_factory: pytest.TempPathFactory, audit: ScriptAudit, normalized: Segments, profile: pl.DataFrame
) -> Path:
    """A folder with a whole report."""
    folder = tmp_path_factory.mktemp("report") / "new"
    write_whole(folder, audit, normalized, profile)
    return folder


def write_whole(folder: Path, audit: ScriptAudit, normalized: Segments, profile: pl.DataFrame) -> Path:
    corrected = script_audit(normalized, f"{EVIL}_qn", resamples=50, permutations=100)
    (folder / "beside").mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text("here")
    return write_report(
        folder,
        title=EVIL,
        files=[(EVIL, FILE)],
        sections=[script_section(audit, normalized, corrected=corrected), parity_section(profile)],
        card={EVIL: [EVIL, "metric:chrf|nc:6"], "Seed": "0"},
        notes=[*normalized.notes, EVIL, EVIL, "தமிழ் நாடு and हिन्दी"],
    )


@pytest.fixture(scope="session")
def evil() -> str:
    return EVIL


@pytest.fixture(scope="session")
def page(folder: Path) -> str:
    return (folder / "report.html").read_text("utf-8")
