"""Scripts that no column and no tag gives come from the texts, as the language writes them."""

from __future__ import annotations

import polars as pl
import pytest

from equiglot.study import open_frame


@pytest.mark.parametrize(
    ("language", "texts", "script"),
    [
        ("ja", ["私は明日東京へ行きます。", "東京都", "カタカナ"], "Jpan"),
        ("ko", ["나는 내일 서울에 간다", "大韓民國"], "Kore"),
        ("zh", ["我明天去北京"], "Hani"),
        ("hi", ["मैं कल दिल्ली जा रहा हूँ", "AI"], "Deva"),
    ],
)
def test_a_script_is_that_of_the_language_s_writing(language: str, texts: list[str], script: str) -> None:
    frame = pl.DataFrame({"language": language, "target": texts})
    assert set(open_frame(frame).frame["script"]) == {script}
    mixed = pl.concat([frame, pl.DataFrame({"language": "de", "target": ["Ich gehe."]})])
    assert open_frame(mixed).frame.filter(language=language)["script"].unique().to_list() == [script]
