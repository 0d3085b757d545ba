"""The bundled study, written out as files of the kind that users bring."""

from __future__ import annotations

from pathlib import Path

from equiglot.demo import demo_parallel, demo_segments

__all__ = ["write_demo_study"]

_STUDY = """\
title: "equiglot demo: chrF and e5 on six languages, in native script and romanised"
# Translations written for equiglot, and three systems made from them by known edits. `constructed` is the quality that
# the edits leave, by construction; it is not a human rating, and stands in for one so that the whole job can be shown.
data: demo.parquet
parallel: parallel.parquet
human: constructed
raters: the construction
severity: severity
romanize: uroman
tokenizers: [pkg:xlmr]
language_model: pkg:gemma3-270m
metrics: [chrf, e5]
"""


def write_demo_study(folder: Path) -> Path:
    """Write the demo's tables and study file below ``folder``, and return the path of the study file."""
    place = folder / "study"
    place.mkdir(parents=True, exist_ok=True)
    demo_segments().write_parquet(place / "demo.parquet")
    demo_parallel().write_parquet(place / "parallel.parquet")
    study = place / "demo.yaml"
    study.write_text(_STUDY, "utf-8")
    return study
