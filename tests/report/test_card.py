"""The card: what it holds with and without parity, that LaTeX and Markdown escape, and that the badge fits its text."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from equiglot.measures import MeasureInfo
from equiglot.report import ComparabilityCard, card_of_table
from equiglot.report.badge import badge_svg
from equiglot.table import Segments


@pytest.fixture(scope="module")
def with_parity(segments: Segments, evil: str) -> Segments:
    """The segments with TP, IP and SBI whose means are known."""
    romanized = segments.frame["condition"] == "romanized"
    columns = {"tp": pl.Series([1.5]), "ip": pl.Series([0.5]), "sbi": pl.Series([3.0])}
    high = {"tp": 3.0, "ip": 0.25, "sbi": 12.0}
    table = segments
    for name, low in columns.items():
        values = [high[name] if rom else low[0] for rom in romanized]
        made = f"metric:{name}|{'tok:xlmr@0b44a9d7' if name == 'tp' else 'lm:gemma@1|tok:9f'}|v:0.1.0"
        table = table.with_measure(MeasureInfo(name, "ratio", "neutral", made), values)
    return table


@pytest.fixture(scope="module")
def card(with_parity: Segments, evil: str) -> ComparabilityCard:
    return card_of_table(with_parity, evil, resamples=100)


def value(card: ComparabilityCard, measure: str, condition: str) -> float:
    rows = card.cells.filter(measure=measure, condition=condition, language="ta")
    return rows["value"].item()


def test_it_holds_what_the_paper_asks_for(card: ComparabilityCard) -> None:
    assert value(card, "sbi", "romanized") == 12.0
    assert value(card, "ipi", "native") == 0.5
    # LP = 3 / 1.5, EP = 0.5 / 0.25, shown with the romanised row.
    assert value(card, "tax", "romanized") == pytest.approx(4.0)
    assert card.cells.filter(measure="tax")["script"].unique().to_list() == ["Latn"]
    assert card.facts["Tokeniser"] == "xlmr@0b44a9d7"
    assert card.facts["Language model"] == "gemma@1"
    assert card.facts["n"] == "240"
    assert [a.question.startswith("May scores") for a in card.faults] == [True, False]
    assert not any("can't be shown" in note for note in card.notes)
    assert "cannot rank languages" in card.notes[-1]


def test_normalised_means_are_there_with_their_intervals(card: ComparabilityCard) -> None:
    rows = card.cells.filter(measure="mean_normalized")
    assert rows.height == 4
    assert rows["low"].null_count() == 0
    assert rows["value"].max() - rows["value"].min() < 0.5  # type: ignore[operator]


def test_markdown_and_latex_escape_what_users_wrote(card: ComparabilityCard) -> None:
    assert "<script>" not in re.sub(r"`[^`]*`", "", card.to_markdown()).replace("\\<script\\>", "")
    latex = card.to_latex()
    assert r"\textless{}script\textgreater{}" in latex
    assert not re.search(r"(?<!\\)[&#%](?!.*\\\\)", latex.replace(r"% needs \usepackage{booktabs}", ""))


def test_the_json_form_is_plain(card: ComparabilityCard) -> None:
    import json

    document = card.to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_files_are_written_under_a_safe_name(card: ComparabilityCard, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("cards") / "new"
    paths = card.write(folder)
    assert {path.suffix for path in paths} == {".md", ".tex", ".json", ".png"}
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in paths)
    assert all("<" not in path.name and "/" not in path.name for path in paths)


def test_the_badge_is_as_wide_as_its_text_and_escapes_it() -> None:
    short = ET.fromstring(badge_svg("a", [("b", "yes")]))
    long = ET.fromstring(badge_svg("a", [("b" * 40, "yes")]))
    assert float(long.get("width", "0")) > float(short.get("width", "0")) + 200
    svg = badge_svg("<&>", [('"x"', "no")])
    assert ET.fromstring(svg) is not None
    assert "&lt;&amp;&gt;" in svg


def test_without_a_native_score_the_faults_are_answered_and_nothing_is_normalised(
    segments: Segments, evil: str
) -> None:
    made = card_of_table(replace(segments, frame=segments.frame.filter(condition="romanized")), evil, resamples=100)
    assert [answer.answer for answer in made.faults] == ["can't tell"] * 2
    assert set(made.cells["measure"]) == {"mean"}
    assert made.facts["Normalised score"] == "none"
    assert made.notes[-1] == "There is no normalised score: no native row has a score to map onto."
    assert "not normalised, n = " in made.badge()


def test_the_order_of_rows_changes_nothing(segments: Segments, evil: str) -> None:
    shuffled = replace(segments, frame=segments.frame.sample(fraction=1.0, shuffle=True, seed=2))
    one, other = (card_of_table(table, evil, resamples=100).to_dict() for table in (segments, shuffled))
    assert one == other
