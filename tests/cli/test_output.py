"""What a reader sees: tables that fit the terminal and cut nothing, the notes they need, and where everything lies."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from equiglot.cli._show import print_notes
from equiglot.cli._tables import laid_out

NUMBERS = re.compile(r"-?\d+\.\d+")
TEXTS = {"hi": "वह घर जाता है और बाज़ार में है", "ta": "நான் நாளை டெல்லி செல்கிறேன் அங்கே"}


@pytest.fixture
def run(tmp_path):
    """``run(80, "score", ...)`` in a terminal of that width; None where output goes to a file."""

    def run(width, *arguments):
        environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
        if width:
            environment["COLUMNS"] = str(width)
        command = [sys.executable, "-m", "equiglot", *map(str, arguments)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, env=environment, check=False)
        done.stdout, done.stderr = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def table(tmp_path):
    """Two languages, two systems, under other names of columns, with scores and no ids."""
    rows = [
        (
            lang,
            "I will go home tomorrow",
            " ".join(text.split()[i % 3 :]),
            text,
            system,
            0.5 + i / 50 + (lang == "ta") / 9,
        )
        for lang, text in TEXTS.items()
        for system in ("A", "B")
        for i in range(8)
    ]
    frame = pl.DataFrame(rows, schema=["lang", "src", "hyp", "ref", "system", "xcomet_score"], orient="row")
    frame.write_csv(tmp_path / "table.tsv", separator="\t")
    return tmp_path / "table.tsv"


def frame(rows=6, columns=4):
    values = {f"A measure number {c}": [f"{r}.{c}12 [{r}.001, {r}.999]" for r in range(rows)] for c in range(columns)}
    return pl.DataFrame(
        {"Language": [f"Language {r}" for r in range(rows)], "Condition": "native", **values, "n": "60"}
    )


@given(st.one_of(st.none(), st.integers(1, 200)), st.integers(1, 4), st.integers(1, 6))
def test_no_number_and_no_word_is_ever_cut(limit, rows, columns):
    table = frame(rows, columns)
    text = "\n".join(laid_out(table, limit))
    assert "…" not in text
    told = sorted(NUMBERS.findall(" ".join(" ".join(row) for row in table.iter_rows())))
    assert sorted(NUMBERS.findall(text)) == told
    heads = " ".join(name for name in table.columns if name.startswith("A measure"))
    assert set(heads.split()) <= set(re.findall(r"\w+", text))


@given(st.integers(30, 200))
def test_a_table_keeps_to_the_width_it_was_given(limit):
    assert max(map(cell_len, laid_out(frame(), limit))) <= max(limit, 50)


def test_without_a_limit_there_is_one_line_a_row():
    lines = laid_out(frame(rows=3, columns=12), None)
    assert len(lines) == 3 + 2 + 2
    assert lines[-1] == "In every row: Condition native, n 60"


def test_a_result_that_all_rows_share_stays_in_its_column():
    same = pl.DataFrame({"System": ["a", "b"], "Condition": "native", "Change": "0", "chrf": "17.2 [15.0, 19.4]"})
    lines = laid_out(same, None)
    assert lines[0].split() == ["System", "Change", "chrf"]
    assert lines[-1] == "In every row: Condition native"
    counts = laid_out(pl.DataFrame({"Language": ["Hindi", "Tamil"], "model_a": [2, 2]}), None)
    assert counts[0].split() == ["Language", "model_a"]
    assert not any("In every row" in line for line in counts)


def test_a_single_row_keeps_what_it_says_and_empty_columns_go():
    one = pl.DataFrame({"Language": ["Hindi"], "chrf": ["1.0"], "none": [None], "dash": ["–"], "n": ["6"]})
    assert laid_out(one, 80)[0].split() == ["Language", "chrf", "n"]


@pytest.mark.parametrize("width", [80, 100, 40, None])
def test_scores_can_be_read_at_any_width(run, table, width):
    out = run(width, "score", table, "-m", "chrf").stdout
    assert "…" not in out
    if width:
        assert max(map(cell_len, out.splitlines())) <= max(width, 45)
    rows = {
        row["measure"]: row for row in json.loads(run(None, "score", table, "-m", "chrf", "--json").stdout)["scores"]
    }
    for name in ("chrf", "xcomet_score"):
        row = rows[name]
        assert row["low"] <= row["value"] <= row["high"]
        assert row["level"] == 0.95
        decimals = 2 if name == "chrf" else 3
        assert f"{row['value']:.{decimals}f}" in out
    assert "0.95" not in out.splitlines()[0]


def test_seeds_of_intervals_are_told_and_tell(run, table):
    one, same, other = (
        json.loads(run(None, "score", table, "-m", "chrf", "--json", "--seed", seed).stdout) for seed in (1, 1, 2)
    )
    assert (one["seed"], other["seed"]) == (1, 2)
    assert one == same
    assert one["scores"] != other["scores"]


@pytest.mark.parametrize("width", [80, None])
def test_a_profile_leads_with_the_answer(run, table, width):
    out = run(width, "profile", table).stdout
    lead = " ".join(out.split("\n\n")[0].split())
    assert re.match(r"Under xlmr@\w+, (Tamil|Hindi) .* tokens for each one of the source", lead)
    assert "…" not in out
    assert re.search(r"TP\s+Fertility\s+Byte premium", out)
    assert "LP" not in out.replace("(LP", "")


def test_a_report_says_where_everything_lies(run, table, tmp_path):
    done = run(80, "report", table, "-m", "xcomet_score", "-o", "out")
    out = done.stdout
    for path in ("out/report.html", "out/segments.parquet", "out/qn-xcomet_score.json"):
        assert path in out
        assert (tmp_path / path).is_file()
    assert "column xcomet_score_qn" in out
    assert "xcomet_score_qn" in pl.read_parquet(tmp_path / "out" / "segments.parquet").columns
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "<h1>table.tsv</h1>" in page
    answer = page[page.index('class="answer"') : page.index("<nav")]
    assert 'href="segments.parquet"' in answer
    assert 'href="qn-xcomet_score.json"' in answer
    assert "romanize_reference" not in page
    assert "dtype" not in page


def test_only_what_was_done_to_the_data_is_noted_and_the_rest_is_counted(run, table, tmp_path):
    done = run(80, "report", table, "-m", "xcomet_score", "-o", "out")
    notes = [line for line in done.stderr.splitlines() if line.startswith("note: ")]
    assert [note for note in notes if "lang as language" in note and "hyp as target" in note] == [notes[-2]]
    assert any("rows were numbered" in note for note in notes)
    assert not any("Decision rule" in note for note in notes)
    results = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    hidden = set(results["notes"]) - set(results["data_notes"])
    assert notes[-1] == f"note: {len(hidden)} more notes in the report"
    assert any("Decision rule" in note for note in hidden)
    assert "Decision rule" in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_a_metric_that_is_no_column_is_told_of_the_columns_there_are(equiglot, table):
    pl.read_csv(table, separator="\t").drop("src").write_csv(table, separator="\t")
    done = equiglot("report", table, "-m", "comet")
    assert done.code == 2
    error = done.err.splitlines()[-1]
    assert error.startswith(f"equiglot: {table}: there is no column 'comet'; did you mean --metric xcomet_score?")
    assert "--map source=" in error


def test_notes_merge_the_columns_of_each_file(capsys):
    print_notes(
        ["a.tsv: column 'x' was read as id", "b: 3 rows were left out", "a.tsv: column 'it's' was read as target"],
        more=1,
    )
    assert capsys.readouterr().err.splitlines() == [
        "note: b: 3 rows were left out",
        "note: a.tsv: columns were read: x as id, it's as target",
        "note: 1 more note in the report",
    ]
