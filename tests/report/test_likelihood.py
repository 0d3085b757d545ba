"""The section on language-model scores: its answers, its charts at both widths, its page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest

from equiglot.audit import (
    PairColumns,
    alternatives_audit,
    confound_audit,
    minimal_pairs,
    ranking_audit,
    scores_from_frame,
    stability_audit,
)
from equiglot.report import likelihood_section, write_report
from equiglot.report.charts import confound_scatter, rank_heatmap
from equiglot.report.charts.stability import _apart
from equiglot.report.drawing import to_svg

TEXT = "{http://www.w3.org/2000/svg}text"
LANGUAGES = {"en": 30, "de": 41, "fi": 38, "zh": 25, "ru": 60}


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(0)
    rows = [
        (str(i), tag, f"{model}", 100 + model / 1000 + float(rng.normal()), 3 * size, 2 * size, size - model // 2000)
        for i in range(30)
        for tag, size in LANGUAGES.items()
        for model in (8192, 32768)
    ]
    columns = ["id", "language", "vocab_size", "sent_nll", "n_bytes", "n_chars", "n_scored"]
    return scores_from_frame(pl.DataFrame(rows, schema=columns, orient="row"))


@pytest.fixture(scope="module")
def section(scores):
    rng = np.random.default_rng(1)
    texts = [(str(i), t[:2], t, 90 + float(rng.normal())) for i in range(30) for t in ("en", "de", "de_ar")]
    german = scores_from_frame(pl.DataFrame(texts, schema=["id", "language", "text", "sent_nll"], orient="row"))
    pairs = pl.DataFrame(
        {"language": ["en", "de"] * 60, "good_sent_nll": [1.0, 2.0] * 60, "bad_sent_nll": [2.0, 1.0] * 60}
    )
    return likelihood_section(
        confound=confound_audit(scores, resamples=50),
        alternatives=alternatives_audit(german, resamples=50),
        stability=stability_audit(scores, sizes=[1, 5, 10], seeds=[0, 1, 2]),
        ranking=ranking_audit(scores, ["en", "de", "zh"], resamples=50),
        minimal_pairs=minimal_pairs(pairs, PairColumns(good="good_sent_nll", bad="bad_sent_nll")),
    )


def test_every_audit_answers_with_a_chart_and_a_table(section):
    assert section.title == "Which metric may rank languages?"
    assert {answer.answer for answer in section.answers} <= {"yes", "no", "can't tell"}
    charts = [chart.name for chart in section.charts]
    assert charts == [
        "confounds", "ranks", "alternatives", "sample-size", "sample-means", "expected-order", "minimal-pairs",
    ]  # fmt: skip
    assert {"confounds", "winners", "needed", "orders", "minimal-pairs"} <= {table.name for table in section.tables}
    assert all(chart.alt and chart.title for chart in section.charts)


@pytest.mark.parametrize("width", [720, 336])
def test_charts_fit_their_width_and_use_the_bundled_font(section, width):
    from fontTools.ttLib import TTFont

    from equiglot.report.fonts import _files

    letters = set(TTFont(_files()["Noto Sans"]).getBestCmap())
    for chart in section.charts:
        root = ET.fromstring(to_svg(chart.draw(width)))
        assert 0.85 * width <= float(root.attrib["width"]) <= width + 12, chart.name
        drawn = {c for e in root.iter("{http://www.w3.org/2000/svg}text") for c in "".join(e.itertext())}
        assert not {c for c in drawn if ord(c) not in letters}, chart.name


def test_the_numbers_are_in_the_drawing(section):
    ranks = next(chart for chart in section.charts if chart.name == "ranks")
    svg = to_svg(ranks.draw(720))
    texts = ["".join(e.itertext()) for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    n = len(LANGUAGES) * 2
    panels = 5
    assert sum(text.isdecimal() and 1 <= int(text) <= n for text in texts) == panels * n


def test_the_page_is_written_and_links_charts(section, tmp_path):
    page = write_report(tmp_path / "r", title="scores", sections=[section], card={"Signature": "s"}).read_text("utf-8")
    assert "Which metric may rank languages?" in page
    assert len(re.findall(r"<figure", page)) >= len(section.charts)
    assert (tmp_path / "r" / "charts" / "ranks.png").is_file()
    assert (tmp_path / "r" / "tables" / "confounds.csv").is_file()


def test_one_audit_alone_makes_a_section(scores):
    section = likelihood_section(ranking=ranking_audit(scores, ["en", "de"], resamples=50))
    assert [chart.name for chart in section.charts] == ["expected-order"]
    assert section.title == "Is the order of languages the expected one?"


def test_stability_asks_what_yes_or_no_answers_and_says_what_it_counts(scores):
    section = likelihood_section(stability=stability_audit(scores, sizes=[5], seeds=[0, 1, 2]))
    assert section.title == "How many sentences does it take?"
    assert section.answers[0].question.startswith("Are 30 sentences enough for the order of languages by")
    needed, agreement = (table.frame.columns for table in section.tables)
    assert "n" not in [*needed, *agreement]
    assert agreement[-1] == "Samples"


def test_a_table_of_models_and_sentences_has_no_n_for_both(scores):
    section = likelihood_section(confound=confound_audit(scores, resamples=50))
    assert "n" not in next(table.frame.columns for table in section.tables if table.name == "languages")


def test_no_correlation_no_scatter():
    frame = pl.DataFrame({"id": ["1", "1"], "language": ["en", "de"], "sent_nll": [1.0, 2.0]})
    section = likelihood_section(confound=confound_audit(scores_from_frame(frame), resamples=50))
    assert [chart.name for chart in section.charts] == ["ranks"]


@pytest.mark.parametrize(("models", "told"), [(1, False), (2, True), (6, True), (7, False)])
def test_up_to_six_models_are_told_apart_in_a_scatter(models, told):
    rows = [("PPL", "tokens", tag, f"model-{m}", 10.0 * i + m, 2.0 + i, "tokens", "perplexity")
            for m in range(models) for i, tag in enumerate(LANGUAGES)]  # fmt: skip
    columns = ["panel", "said", "language", "model", "x", "y", "x_title", "y_title"]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    texts = ["".join(e.itertext()) for e in ET.fromstring(to_svg(confound_scatter(frame, 720))).iter(TEXT)]
    assert ({f"model-{m}" for m in range(models)} <= set(texts)) == told
    assert set(LANGUAGES) <= set(texts)


@pytest.mark.parametrize(("names", "turned"), [(["8192", "32768"], False), (["gemma3-270m", "smollm2-135m"], True)])
def test_models_names_are_turned_where_they_are_wider_than_their_column(names, turned):
    rows = [(panel, "Hindi", name, 1.0) for panel in "abc" for name in names]
    frame = pl.DataFrame(rows, schema=["panel", "row", "column", "rank"], orient="row")
    texts = list(ET.fromstring(to_svg(rank_heatmap(frame, 720, columns="model"))).iter(TEXT))
    labels = [e for e in texts if "".join(e.itertext()) in names]
    assert len(labels) == 3 * len(names)
    assert all(("rotate" in e.attrib["transform"]) == turned for e in labels)


def test_a_panel_says_what_its_rho_is_over(section):
    scatter = next(chart for chart in section.charts if chart.name == "confounds")
    assert "over 10 pairs" in scatter.alt
    assert "over 5 languages" in scatter.alt


def test_names_that_lie_close_are_moved_apart():
    assert _apart([1.0, 5.0], 1.0) == [1.0, 5.0]
    assert _apart([1.0, 1.0, 1.0], 1.0) == [0.0, 1.0, 2.0]
    assert _apart([], 1.0) == []
