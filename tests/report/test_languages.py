"""Names of languages, their own names, and the fonts that show them."""

from __future__ import annotations

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import langcodes
import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont

from equiglot import report
from equiglot.report import cell_label
from equiglot.report.fonts import FAMILIES, font_faces
from equiglot.report.languages import _endonyms, endonym
from equiglot.table import language_name

FONTS = Path(report.__file__).parent / "fonts"


@pytest.mark.parametrize(
    ("language", "script", "label"),
    [
        ("ta", "Taml", "Tamil (ta-Taml)"),
        ("ta", "Latn", "Tamil (ta-Latn)"),
        ("zh", "Hans", "Chinese (zh-Hans)"),
        ("hi", None, "Hindi (hi)"),
        ("", "Latn", "Latn"),
        (None, None, "–"),
        ("<b>", "Latn", "<b>-Latn"),
        ("qqx", "Zyyy", "qqx-Zyyy"),
    ],
)
def test_cell_labels(language: str | None, script: str | None, label: str) -> None:
    assert cell_label(language, script) == label


def test_names_that_are_none() -> None:
    assert language_name("") == ""
    assert language_name("xx") == "xx"
    assert language_name("not a tag at all") == "not a tag at all"


def test_own_names_are_those_of_langcodes_and_inked() -> None:
    assert len(_endonyms()) >= 30
    for tag, own in _endonyms().items():
        language = langcodes.Language.get(tag)
        assert own.name == language.autonym()
        assert own.script == language.maximize().script
        pen = BoundsPen(None)
        parse_path(own.path, pen)
        left, top, right, bottom = pen.bounds
        assert -300 < left < right < own.width + 300
        assert -1500 < top < bottom < 800


def test_own_names_go_with_their_script_alone() -> None:
    assert endonym("ta", "Taml") is not None
    assert endonym("ta", "Latn") is None
    assert endonym("pa", "Arab") is None
    assert endonym("en", "Latn") is None


def test_fonts_are_free_named_and_small() -> None:
    files = sorted(FONTS.glob("*.ttf"))
    readme = (FONTS / "README.md").read_text("utf-8")
    assert len(files) == len(FAMILIES) == 11
    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text("utf-8")
    for file in files:
        assert file.name in readme
        assert file.stat().st_size < 200_000
        names = TTFont(file)["name"]
        assert "SIL Open Font License" in names.getDebugName(13)
        version = re.search(r"[\d.]+", names.getDebugName(5))
        assert version is not None
        assert f"{file.name} | {version[0]}" in readme


def faces(css: str) -> dict[str, TTFont]:
    found = re.findall(r"font-family:'([^']+)';src:url\(data:font/woff;base64,([^)]+)\)", css)
    return {family: TTFont(BytesIO(b64decode(data))) for family, data in found}


def test_a_page_embeds_what_it_shows_and_no_more() -> None:
    fonts = faces(font_faces("தமிழ் नमस्ते क्\u200dष abc 中文", latin="axis 0.1"))
    assert set(fonts) == {"Noto Sans", "Noto Sans Devanagari", "Noto Sans Tamil"}
    assert set(fonts["Noto Sans"].getBestCmap()) == set(map(ord, "axis 0.1"))
    deva = fonts["Noto Sans Devanagari"]
    assert {ord(c) for c in "नमस्तेक्ष\u200d"} == set(deva.getBestCmap())
    assert "GSUB" in deva
    assert len(deva.getGlyphOrder()) > len(deva.getBestCmap()) + 3  # conjuncts are there


def test_conjuncts_survive_in_the_bundled_fonts() -> None:
    for family, letters in {"Devanagari": "क्ष", "Tamil": "க்ஷ", "Malayalam": "ക്ഷ", "Bengali": "ক্ষ"}.items():
        font = TTFont(FONTS / f"NotoSans{family}-Regular.ttf")
        assert {ord(c) for c in letters} <= set(font.getBestCmap())
        features = {record.FeatureTag for record in font["GSUB"].table.FeatureList.FeatureRecord}
        assert features & {"akhn", "half", "pres", "psts", "blws"}


def test_plain_pages_embed_nothing() -> None:
    assert font_faces("plain English, naïve 中文 as well") == ""
