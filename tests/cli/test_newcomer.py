"""A newcomer's own table, through the commands of the README: what is printed, and what is not."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

TEXTS = {"hi": "मैं कल दिल्ली जा रहा हूँ", "ta": "நான் நாளை டெல்லி செல்கிறேன்"}


@pytest.fixture
def write(tmp_path):
    """Write a table of two languages, with people's scores that the metric follows."""

    def made(name="scores.tsv", n=40, gap=0.0, **changes):
        rng = np.random.default_rng(2)
        rows = []
        for language, text in TEXTS.items():
            for i in range(n):
                quality = rng.normal() + gap * (language == "ta")
                rows.append((language, f"{text} {i}", round(0.8 + 0.05 * quality, 4), round(70 + 8 * quality, 2)))
        frame = pl.DataFrame(rows, schema=["language", "target", "comet", "human"], orient="row")
        for column, (row, value) in changes.items():
            at = pl.int_range(pl.len()) == row - 1
            frame = frame.with_columns(pl.when(at).then(pl.lit(value)).otherwise(column).alias(column))
        frame.write_csv(tmp_path / name, separator="\t")
        return name

    return made


def words(done):
    assert done.code == 0, done.err
    return " ".join(done.out.split())


def test_yes_needs_no_normalising(equiglot, write, tmp_path):
    out = words(equiglot("report", write(n=200, gap=1.0), "-m", "comet", "-o", "out"))
    assert "Tamil (ta-Taml) is better than Hindi (hi-Deva) by comet and by people." in out
    assert "Normalised scores (not needed here): out/segments.parquet" in out
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "not needed for comet" in page
    assert "comet across scripts" in page


def test_a_report_points_to_the_scores_that_it_wrote(equiglot, write):
    out = words(equiglot("report", write(n=25), "-m", "comet", "-o", "out"))
    assert "segments.parquet, column comet_qn" in out
    assert "normalize fit" not in out
    assert "too coarse" in out


def test_a_slip_of_scale_stands_beside_the_answer(equiglot, write, tmp_path):
    name = write(comet=(55, 86.0), target=(3, ""))
    for command in (["audit", "script", name, "-m", "comet"], ["report", name, "-m", "comet", "-o", "out"]):
        out = words(equiglot(*command))
        assert "row 55 has 86.0, where the median of Tamil (ta-Taml) is" in out
        assert "1 has a score and no text (row 3)" in out
    assert "row 55 has 86.0" in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_no_table_says_only_what_it_groups_by(equiglot, write):
    done = equiglot("audit", "script", write(), "-m", "comet")
    table = done.out[done.out.index("Share of variance") :]
    assert "Groups by" not in table
    assert "η²" in table


def test_a_profile_without_sources_says_what_it_can_t(equiglot, write):
    done = equiglot("profile", write(n=8), "--romanize", "iso15919")
    out = words(done)
    assert out.startswith("Under xlmr@")
    assert "add a column `source`" in out
    assert "What the tokeniser costs (xlmr@" in out
    assert "What romanisation costs" not in out
