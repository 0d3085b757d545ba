"""Charts: the numbers that are drawn, a width that is kept, and looks that don't rest on colour."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.likelihood import zone
from equiglot.report.charts import ZONES, agreement_chart, bar_chart, box_chart, box_summary, zone_chart
from equiglot.report.charts._common import with_rows
from equiglot.report.charts._widths import label_width
from equiglot.report.drawing import inline_svg, to_svg
from equiglot.report.fonts import FAMILIES
from equiglot.report.languages import endonym
from equiglot.report.theme import LIGHT

KEYS = ("language", "script", "condition")
CELLS = [
    ("ml", "Mlym", "native"),
    ("ml", "Latn", "romanized"),
    ("hi", "Deva", "native"),
    ("hi", "Latn", "romanized"),
    ("de", "Latn", "native"),
    ("mni-x-longest", "Beng", "field notes"),
]


def values(cells: list[tuple[str, str, str]], *numbers: float | None) -> pl.DataFrame:
    rows = [
        (*cell, number, *(None if number is None or i % 2 else number + d for d in (-0.05, 0.05)))
        for i, (cell, number) in enumerate(zip(cells, numbers, strict=True))
    ]
    schema = {**dict.fromkeys(KEYS, pl.String), **dict.fromkeys(("value", "low", "high"), pl.Float64)}
    return pl.DataFrame(rows, schema=schema, orient="row")


def scores() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    rows = [(*cell, float(x)) for cell in CELLS for x in rng.normal(80, 9, 30)]
    return pl.DataFrame(rows, schema=[*KEYS, "comet"], orient="row").with_columns(comet_qn=pl.col("comet") + 1)


PAIRS = [("ml", "Mlym", c) for c in ("native", "romanized")] + [("hi", "Deva", c) for c in ("native", "romanized")]
DRAWN: dict[str, Callable[[int], Any]] = {
    "boxes": lambda w: box_chart(
        box_summary(scores(), {"comet": "raw", "comet_qn": "mapped"}), w, axis="COMET (points)"
    ),
    "one box": lambda w: box_chart(box_summary(scores(), {"comet": "raw"}), w, axis="COMET (points)"),
    "zones": lambda w: zone_chart(values(CELLS, 0.45, 0.8, 0.9, 0.5, 0.01, 1.4), w),
    "agreement": lambda w: agreement_chart(values(PAIRS, 0.65, 0.46, -0.42, None), w, axis="rho"),
    "bars": lambda w: bar_chart(values(CELLS, 1.2, 1.8, 1.2, None, 1.1, 0.0), w, axis="TP (ratio)", parity=1.0),
}


@pytest.fixture(scope="module")
def drawn() -> dict[tuple[str, int], str]:
    return {(name, width): to_svg(draw(width)) for name, draw in DRAWN.items() for width in (720, 336)}


def texts(svg: str) -> list[str]:
    return ["".join(e.itertext()) for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_charts_fit_the_width_they_were_given(drawn: dict[tuple[str, int], str]) -> None:
    for (name, width), svg in drawn.items():
        found = float(ET.fromstring(svg).attrib["width"])
        assert width * 0.85 <= found <= width + 12, (name, width, found)


def test_all_text_is_in_the_bundled_latin_font(drawn: dict[tuple[str, int], str]) -> None:
    from fontTools.ttLib import TTFont

    from equiglot.report.fonts import _files

    assert FAMILIES[0] == "Noto Sans"
    known = set(TTFont(_files()["Noto Sans"]).getBestCmap())
    for svg in drawn.values():
        assert set(re.findall(r'font-family="([^"]+)"', svg)) == {"Noto Sans, sans-serif"}
        assert {c for text in texts(svg) for c in text if ord(c) not in known} == set()


def test_charts_use_the_colours_of_the_theme_alone(drawn: dict[tuple[str, int], str]) -> None:
    for svg in drawn.values():
        assert set(re.findall(r"#[0-9a-fA-F]{6}\b", svg)) <= set(LIGHT.values())


def test_conditions_differ_in_fill_and_are_named(drawn: dict[tuple[str, int], str]) -> None:
    for name in ("boxes", "agreement", "bars"):
        svg = drawn[name, 720]
        assert {"native script", "romanised"} <= set(texts(svg))
        marks = set(re.findall(r'fill="(#\w+)" stroke="(#\w+)"', svg))
        assert (LIGHT["native"], LIGHT["native"]) in marks
        assert (LIGHT["paper"], LIGHT["romanized"]) in marks


def test_rows_are_labelled_and_own_names_are_drawn_where_there_is_room(drawn: dict[tuple[str, int], str]) -> None:
    wide, narrow = drawn["zones", 720], drawn["zones", 336]
    for svg in (wide, narrow):
        assert {"Malayalam (ml-Mlym)", "Hindi (hi-Deva)", "German (de-Latn)"} <= set(texts(svg))
    shapes = [len(re.findall(r'd="M[^"]{600,}"', svg)) for svg in (wide, narrow)]
    assert shapes == [2, 0]


def test_own_names_stand_next_to_their_labels(drawn: dict[tuple[str, int], str]) -> None:
    """Each ends where its label begins, less a small gap, and none lies over it or outside the picture."""
    for name in ("zones", "bars"):
        svg = drawn[name, 720]
        lefts = [float(x) for x in re.findall(r'translate\((-[\d.]+),[\d.]+\)" d="M[^"]{600,}"', svg)]
        labels = {"Malayalam (ml-Mlym)": "ml", "Hindi (hi-Deva)": "hi"}
        expected = []
        for label, language in labels.items():
            own = endonym(language, {"ml": "Mlym", "hi": "Deva"}[language])
            assert own is not None
            expected.append(-6 - label_width(label) - 0.012 * own.width)
        assert lefts == pytest.approx(expected, abs=12)
        assert all(left < at for left, at in zip(lefts, expected, strict=True))


def test_axes_have_titles_with_units(drawn: dict[tuple[str, int], str]) -> None:
    assert texts(drawn["boxes", 720]).count("COMET (points)") == 2
    assert "TP (ratio)" in texts(drawn["bars", 336])
    assert "IPI = |IP - 1|; 0 is parity" in texts(drawn["zones", 720])


def test_values_are_labelled_and_nulls_left_out(drawn: dict[tuple[str, int], str]) -> None:
    assert {"0.65", "0.46", "-0.42"} <= set(texts(drawn["agreement", 720]))
    assert {"0.45", "0.80", "0.90", "0.50", "0.01", "1.40"} <= set(texts(drawn["zones", 720]))
    assert texts(drawn["bars", 720]).count("1.20") == 2


def test_zones_end_where_the_likelihood_room_says() -> None:
    for name, (start, end) in ZONES.items():
        assert zone((start + end) / 2) == name
    assert [zone(end - 1e-9) for _, end in ZONES.values()] == list(ZONES)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_box_quantiles_are_numpys(numbers: list[float]) -> None:
    frame = pl.DataFrame({"language": "ta", "script": "Taml", "condition": "native", "x": [*numbers, None]})
    row = box_summary(frame, {"x": "raw"}).row(0, named=True)
    expected = np.quantile(numbers, [0.05, 0.25, 0.5, 0.75, 0.95])
    np.testing.assert_allclose([row[k] for k in ("low", "q1", "middle", "q3", "high")], expected, atol=1e-9)
    assert row["n"] == len(numbers)


def test_box_summary_puts_native_first_and_skips_cells_without_scores() -> None:
    rows = [("hi", "Latn", "romanized", 1.0), ("ta", "Taml", "native", None), ("hi", "Deva", "native", 2.0)]
    frame = pl.DataFrame(rows, schema=[*KEYS, "x"], orient="row")
    assert box_summary(frame, {"x": "raw"})["script"].to_list() == ["Deva", "Latn"]


def test_a_page_may_hold_one_chart_twice(drawn: dict[tuple[str, int], str]) -> None:
    parts = [inline_svg(drawn["boxes", 720], name=name, alt='a "<b>"') for name in ("one", "two")]
    roots = [ET.fromstring(part) for part in parts]
    ids = [{e.attrib["id"] for e in root.iter() if "id" in e.attrib} for root in roots]
    assert not ids[0] & ids[1]
    assert all(root.attrib["aria-label"] == 'a "<b>"' for root in roots)
    assert not any("aria-" in key for root in roots for e in root.iter() if e is not root for key in e.attrib)
    assert "var(--native,#0072b2)" in parts[0]
    assert all(texts(part) == texts(drawn["boxes", 720]) for part in parts)


def test_words_of_users_are_text_in_the_picture() -> None:
    summary = box_summary(scores(), {"comet": "<script>x</script>"})
    svg = to_svg(box_chart(summary, 720, axis="<b>&"))
    assert "<script>x</script>" in texts(svg)
    assert "<b>&" in texts(svg)
    assert "<script" not in svg


def test_conditions_of_one_cell_have_a_row_each() -> None:
    """Bars of one row would be stacked, and boxes drawn on top of each other."""
    cells = [("hi", "Deva", "native"), ("hi", "Deva", "formal"), ("ta", "Taml", "native")]
    rows = ["Hindi (hi-Deva), native script", "Hindi (hi-Deva), formal", "Tamil (ta-Taml)"]
    for made in (values(cells, 1.0, 2.0, 3.0), values(cells[:1], 1.0)):
        labels = with_rows(made, apart=True)["row"].to_list()
        assert labels == (rows if made.height > 1 else ["Hindi (hi-Deva)"])
    svg = to_svg(bar_chart(values(cells, 1.0, 2.0, 3.0), 720, axis="TP (ratio)"))
    assert set(rows) <= set(texts(svg))
