"""The section of a report and its chart."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from equiglot.report import validity_section, write_report
from equiglot.report.charts.failures import failures_chart
from equiglot.report.drawing import to_svg
from equiglot.report.theme import LIGHT
from equiglot.table import Segments
from equiglot.validity import Policy, Validation, validate

EVIL = "<script>alert('x')</script> | \"a\""


@pytest.fixture(scope="module")
def whole() -> Validation:
    texts = ["", "वह ghar", "Please come home early today", "haan " * 30, "ghar aao", "२ baje", EVIL]
    rows = [
        (str(i), language, "Latn", "romanized", system, "Please come home early today", text)
        for language in ("hi", "te")
        for system in ("one", EVIL)
        for i, text in enumerate(texts if system == EVIL else texts[3:])
    ]
    schema = ["id", "language", "script", "condition", "system", "source", "target"]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return Validation.of(validate(Segments(frame), policy=Policy().count_also("native digits")))


def test_the_section_says_what_was_found(whole):
    section = validity_section(whole)
    assert section.lead.startswith(whole.headline)
    assert [table.name for table in section.tables] == ["failures", "spilled", "examples"]
    assert "Telugu (te-Latn)" in section.charts[0].alt


def test_without_a_failure_there_is_no_chart(whole):
    frame = pl.DataFrame({"id": ["1"], "language": "hi", "script": "Latn", "condition": "native", "system": "a",
                          "target": ["ghar"]})  # fmt: skip
    section = validity_section(Validation.of(validate(Segments(frame))))
    assert section.charts == ()
    assert section.lead.startswith("None of 1 answers")


@pytest.mark.parametrize("width", [720, 336])
def test_the_chart_fits_and_keeps_to_the_theme(whole, width):
    svg = to_svg(failures_chart(whole.failures, whole.summary.filter(measure="invalid"), width))
    assert width * 0.85 <= float(ET.fromstring(svg).attrib["width"]) <= width + 12
    assert set(re.findall(r"#[0-9a-fA-F]{6}\b", svg)) <= set(LIGHT.values())
    said = {"".join(e.itertext()) for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}
    rows = [label for label in said if label.startswith(("Hindi", "Telugu"))]
    assert len(rows) == 4  # a bar and its value share one row
    assert {"empty", "copy", "spillage", "degenerate", "native digits", "invalid answers (%)"} <= said


def test_a_report_holds_any_name(whole, tmp_path):
    page = write_report(tmp_path, title=EVIL, sections=[validity_section(whole)], card={"Signature": whole.signature})
    text = page.read_text("utf-8")
    assert "<script>alert" not in text
    assert (tmp_path / "charts" / "failures.png").is_file()
    assert (tmp_path / "tables" / "examples.csv").is_file()
