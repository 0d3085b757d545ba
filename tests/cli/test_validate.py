"""`equiglot validate` as a user runs it."""

from __future__ import annotations

import json

import polars as pl
import pytest

ANSWERS = ["gaon mein baarish hai", "It is raining in the village", "gaon में baarish hai", "", "haan " * 40]
SOURCE = "It is raining in the village"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "src.txt").write_text(f"{SOURCE}\n" * len(ANSWERS), "utf-8")
    (tmp_path / "hyp.txt").write_text("".join(f"{answer}\n" for answer in ANSWERS), "utf-8")
    rows = [
        {"id": i, "lang": lang, "system": system, "src": SOURCE, "hyp": answer}
        for lang in ("hi-Latn", "te-Latn")
        for system in ("A", "B")
        for i, answer in enumerate(ANSWERS)
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return tmp_path


def test_two_files_and_a_language_are_enough(equiglot, files):
    done = equiglot("validate", "-s", "src.txt", "-t", "hyp.txt", "--language", "hi-Latn", "-o", "out.parquet")
    assert done.code == 0, done.err
    assert "4 of 5 answers are invalid: 80.0%" in done.out
    assert "at 5–8" in done.out
    frame = pl.read_parquet(files / "out.parquet")
    assert frame["failure"].to_list() == [None, "copy", "spillage", "empty", "degenerate"]


def test_a_table_with_a_report(equiglot, files):
    done = equiglot("validate", "in.jsonl", "--report", "rep", "--json")
    assert done.code == 0, done.err
    assert done.json["counts"] == {"empty": 4, "copy": 4, "spillage": 4, "degenerate": 4}
    assert {row["measure"] for row in done.json["summary"]} >= {"invalid", "empty", "copy", "spillage", "degenerate"}
    assert "script:column" in done.json["signature"]
    assert (files / "rep" / "report.html").is_file()


def test_a_file_for_each_system(equiglot, files):
    rows = [json.dumps({"prompt": SOURCE, "response": answer, "lang": "hi-Latn"}) + "\n" for answer in ANSWERS]
    (files / "one.jsonl").write_text("".join(rows), "utf-8")
    (files / "two.jsonl").write_text("".join(rows[:1] * len(rows)), "utf-8")
    done = equiglot("validate", "one.jsonl", "two.jsonl", "-o", "out.parquet")
    assert done.code == 0, done.err
    assert "4 of 10 answers are invalid" in done.out
    assert "row n of each file is taken to answer the same prompt" in done.err
    assert "no column 'system'" not in done.err
    frame = pl.read_parquet(files / "out.parquet")
    assert frame.group_by("system", maintain_order=True).agg("id").rows() == [
        (system, ["1", "2", "3", "4", "5"]) for system in ("one", "two")
    ]
    ranked = equiglot("rank", "out.parquet")
    assert "two is first with 1.000" in ranked.out


def test_two_files_with_rows_of_one_key_are_refused(equiglot, files):
    (files / "again.jsonl").write_bytes((files / "in.jsonl").read_bytes())
    done = equiglot("validate", "in.jsonl", "again.jsonl")
    assert done.code == 2
    assert "row 1 of in.jsonl and row 1 here have the same id" in done.err


def test_what_is_wrong_with_the_file_is_said(equiglot, files):
    (files / "odd.txt").write_bytes("\ufeffek\r\ndo\u2028aur\nteen\u200b\n".encode())
    done = equiglot("validate", "-t", "odd.txt", "--language", "hi-Latn")
    assert done.code == 0, done.err
    for says in ("byte-order mark", "mixed", "U+2028", "U+200B ZERO WIDTH SPACE"):
        assert says in done.out


def test_policy_options(equiglot, files):
    usual = ("validate", "-t", "hyp.txt", "-s", "src.txt", "--language", "hi-Latn", "--json")
    less = equiglot(*usual, "--allow", "spillage", "--allow", "copy", "--repeats", "50")
    assert less.json["invalid"] == 1
    more = equiglot(*usual, "--script", "Deva,Latn")
    assert more.json["invalid"] == 3
    assert "script:Deva+Latn" in more.json["signature"]
    limit = equiglot(*usual, "--tokenizer", "pkg:xlmr", "--max-tokens", "30")
    assert limit.json["counts"]["token limit"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "no input"),
        (("in.jsonl", "-t", "hyp.txt"), "both"),
        (("-t", "hyp.txt"), "--language"),
        (("in.jsonl", "--allow", "copies"), "the kinds are"),
        (("in.jsonl", "-o", "no/out.parquet"), "no such folder"),
        (("in.jsonl", "--map", "target=answer"), "answer"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(equiglot, files, arguments, says):
    done = equiglot("validate", *arguments)
    assert done.code == 2, done.out
    assert says in done.err
    assert len(done.err.splitlines()) == 1
    assert done.out == ""
