"""`equiglot card` as a user runs it: of a table, of a study's results, and of what is neither."""

from __future__ import annotations

import json

import polars as pl
import pytest

ROWS = "id\tlanguage\tscript\tcondition\tsystem\thuman\tcomet\n" + "".join(
    f"{i}\t{language}\t{script}\t{condition}\t{system}\t{i % 9}\t{0.5 + (i % 9) / 50 + shift + (i % 7) / 90}\n"
    for language, own in (("hi", "Deva"), ("ta", "Taml"))
    for condition, script, shift in (("native", own, 0.2), ("romanized", "Latn", 0.0))
    for system in ("one", "two")
    for i in range(40)
)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "in.tsv").write_text(ROWS, "utf-8")
    return "in.tsv"


def test_a_table_gets_all_four_files(equiglot, file, tmp_path):
    done = equiglot("card", file, "-m", "comet", "-o", "cards")
    assert done.code == 0, done.err
    names = {path.name for path in (tmp_path / "cards").iterdir()}
    assert names == {"card-comet.md", "card-comet.tex", "card-comet.json", "card-comet.png"}
    assert (tmp_path / "cards" / "card-comet.png").read_bytes().startswith(b"\x89PNG")
    card = json.loads((tmp_path / "cards" / "card-comet.json").read_text("utf-8"))
    assert [fault["fault"] for fault in card["faults"]] == ["P1", "P2"]
    assert card["facts"]["Tokeniser"] == "not stated"
    assert {row["system"] for row in card["systems"]} == {"one", "two"}
    assert any("SBI, IPI, Tax can't be shown" in note for note in card["notes"])
    assert all(row["low"] <= row["value"] <= row["high"] for row in card["cells"] if row["measure"] == "mean")


def test_without_a_folder_it_is_printed(equiglot, file):
    done = equiglot("card", file, "-m", "comet", "--resamples", 100)
    assert done.code == 0, done.err
    assert done.out.startswith("# Comparability card: comet\n")
    as_json = equiglot("card", file, "-m", "comet", "--resamples", 100, "--json")
    assert as_json.json["cards"][0]["metric"] == "comet"


def test_of_a_study_it_says_what_the_study_found(equiglot, file, tmp_path):
    assert equiglot("report", file, "-m", "comet", "--resamples", 100, "-o", "study").code == 0
    done = equiglot("card", "study", "--resamples", 100, "--json")
    assert done.code == 0, done.err
    (card,) = done.json["cards"]
    results = json.loads((tmp_path / "study" / "results.json").read_text("utf-8"))["answers"]["comet"]
    assert [f["answer"] for f in card["faults"]] == [v["answer"] for v in results["raw"]["verdicts"]]
    means = {(r["language"], r["script"]): r["value"] for r in results["raw"]["cells"] if r["measure"] == "mean"}
    assert means == {(r["language"], r["script"]): r["value"] for r in card["cells"] if r["measure"] == "mean"}
    assert card["facts"]["Normalised score"] == results["map"]
    assert equiglot("card", "study", "-m", "chrf").code == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("in.tsv",), "name one with --metric"),
        ((".",), "no results there"),
        (("nowhere.tsv", "-m", "comet"), "nowhere.tsv"),
        (("in.tsv", "-m", "comet", "-o", "in.tsv"), "can't be written"),
    ],
)
def test_what_is_no_card_is_refused_in_one_line(equiglot, file, arguments, says):
    done = equiglot("card", *arguments)
    errors = [line for line in done.err.splitlines() if not line.startswith("note: ")]
    assert done.code == 2, done.err
    assert len(errors) == 1
    assert says in errors[0]


def test_a_results_file_of_something_else(equiglot, tmp_path):
    (tmp_path / "results.json").write_text('{"answers": {"comet": {}}, "profile": []}')
    pl.DataFrame({"language": ["hi"], "target": ["a"]}).write_parquet(tmp_path / "segments.parquet")
    done = equiglot("card", ".")
    assert done.code == 2
    assert "this holds no study's results" in done.err
