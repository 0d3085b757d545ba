"""Sections of corrections: every number of the result is in the table, the charts are drawn, and words escape."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from equiglot.normalize import Comparison, ParityCalibration, calibrate_parity, compare_corrections
from equiglot.report import calibration_section, corrections_section, write_report
from equiglot.report.drawing import to_svg
from equiglot.table import Segments


@pytest.fixture(scope="module")
def comparison(segments: Segments, evil: str) -> Comparison:
    return compare_corrections(segments, evil, resamples=100)


@pytest.fixture(scope="module")
def calibration(segments: Segments, evil: str) -> ParityCalibration:
    frame = segments.frame.with_columns(target=segments.frame["id"], tp=segments.frame["human"] % 3)
    return calibrate_parity(Segments(frame, segments.measures), evil, resamples=100)


def test_the_comparison_shows_every_correction_and_its_lead(comparison: Comparison, evil: str) -> None:
    section = corrections_section(comparison)
    assert section.lead == comparison.headline
    table = section.tables[0].frame
    assert table["Correction"].to_list()[0] == "as it is"
    assert table["Correction"].to_list()[-1] == "native script"
    assert {"own native scores", "pooled native scores", "–"} == set(table["Reference"])
    assert section.tables[0].data is not None
    assert [chart.name for chart in section.charts] == [f"{evil}-rho_pooled", f"{evil}-abs_delta"]


@pytest.mark.parametrize("width", [336, 720])
def test_charts_keep_their_width(comparison: Comparison, calibration: ParityCalibration, width: int) -> None:
    sections = (corrections_section(comparison), calibration_section(calibration))
    for chart in [chart for section in sections for chart in section.charts]:
        root = ET.fromstring(to_svg(chart.draw(width)))
        assert float(root.get("width", "0")) <= width + 1


def test_what_is_drawn_is_said_in_words_too(comparison: Comparison, calibration: ParityCalibration) -> None:
    assert "quantile onto own native scores: " in corrections_section(comparison).charts[0].alt
    assert "Tamil (ta-Taml) boosting: " in calibration_section(calibration).charts[0].alt


def test_the_reports_are_written_and_escaped(
    comparison: Comparison, calibration: ParityCalibration, tmp_path_factory: pytest.TempPathFactory, evil: str
) -> None:
    makers: list[tuple[str, Callable[[], object]]] = [
        ("c", lambda: corrections_section(comparison)),
        ("p", lambda: calibration_section(calibration)),
    ]
    for name, make in makers:
        folder = tmp_path_factory.mktemp(name)
        path = write_report(folder, title=evil, sections=[make()], card={"Signature": evil})  # type: ignore[list-item]
        page = path.read_text("utf-8")
        assert "<script>alert" not in page
        assert page.count("<svg") >= 1
