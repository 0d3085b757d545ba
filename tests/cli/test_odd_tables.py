"""Commands on tables that other commands wrote as text, and on outputs that would destroy their input."""

from __future__ import annotations

import json

import polars as pl
import pytest

ROWS = [
    {"id": str(i), "language": "hi-Latn", "system": system, "source": f"Where is house number {i}?",
     "target": (f"ghar number {i} kahan hai", f"Where is house number {i}?", "", "yeh घर hai")[(i + k) % 4],
     "reference": f"ghar {i} kahan hai", "chrf": 50 + i + k, "output_tokens": 9, "english_task": "no"}
    for i in range(8) for k, system in enumerate(("a", "language"))
]  # fmt: skip


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


def refused(run, says: str) -> None:
    assert run.code == 2, run.err
    assert says in run.err
    assert len(run.err.splitlines()) == 1
    assert run.out == ""


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_a_validated_table_goes_on_in_any_format(equiglot, rows, tmp_path, suffix):
    judged = f"judged{suffix}"
    assert equiglot("validate", rows, "-o", judged).code == 0
    for command in (
        ["rank", judged, "-m", "chrf", "--json"],
        ["gate", judged, "--max-invalid", "1"],
        ["sample", judged, "--n", "4", "-m", "chrf", "-o", "sample.csv"],
        ["score", judged, "-m", "ter", "-o", "scored.csv"],
    ):
        run = equiglot(*command)
        assert run.code == 0, run.err
        if command[0] == "rank":
            plain = equiglot("rank", rows, "-m", "chrf", "--json").json
            for table in ("systems", "failures", "usage"):
                # Kinds that were not found are no rows where the signature, which names them, was lost.
                one, other = (
                    [(row["measure"], row["value"]) for row in of[table] if row["value"]] for of in (run.json, plain)
                )
                assert one == other
    assert set(pl.read_csv(tmp_path / "scored.csv")["failures"].drop_nulls()) >= {"copy", "empty", "spillage"}


def test_a_sample_is_not_written_over_its_table(equiglot, rows):
    before = rows.read_bytes()
    refused(equiglot("sample", rows, "--n", 2, "-m", "chrf", "-o", rows), "written over the table")
    assert rows.read_bytes() == before


def test_answers_are_not_written_over_their_prompts(equiglot, tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("id,prompt\n1,a\n")
    run = equiglot(
        "generate", path, "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--language", "hi", "-o", path
    )
    refused(run, "written over the prompts")
    assert path.read_text() == "id,prompt\n1,a\n"


def test_what_has_no_place_in_a_format_is_said_before_the_work(equiglot, rows, tmp_path):
    pl.read_ndjson(rows).with_columns(picture=pl.lit(b"x")).write_parquet(tmp_path / "p.parquet")
    refused(equiglot("score", "p.parquet", "-m", "chrf", "-o", "p.csv"), "column 'picture'")
    assert not (tmp_path / "p.csv").exists()


def test_options_that_nothing_reads_are_refused(equiglot, rows):
    refused(equiglot("score", rows, "-m", "chrf", "--metric-model", "pkg:e5-small"), "--metric-model is given")
    refused(equiglot("score", rows, "-m", "chrf", "--layer", 3), "--layer is given")
    twice = ("--invalid-score", "chrf=1", "--invalid-score", "chrf=2")
    refused(equiglot("rank", rows, "-m", "chrf", *twice), "two invalid scores of 'chrf'")
    refused(equiglot("gate", rows, "-m", "chrf", "--max-drop", "inf", "--baseline", rows), "--max-drop")


def test_ratings_are_not_written_over_items(equiglot, rows, tmp_path):
    from equiglot.people import read_rubric
    from equiglot.people.app import open_or_create
    from equiglot.table import read_segments

    core = read_rubric("core-12")
    open_or_create(tmp_path / "in.ratings.db", read_segments(rows), "1", None, default_rubric=core)
    before = rows.read_bytes()
    refused(equiglot("rate", "--items", rows, "--export", rows), "written over the items")
    assert rows.read_bytes() == before
    assert equiglot("rate", "--items", rows, "--export", "ratings.csv").code == 0


@pytest.mark.parametrize("command", ["profile", "divergence", "agreement"])
def test_a_result_is_not_written_over_what_it_is_made_from(equiglot, rows, command):
    before = rows.read_bytes()
    options = ("-m", "chrf") if command == "divergence" else ()
    refused(equiglot(command, rows, *options, "-o", rows), "would be written over the")
    assert rows.read_bytes() == before


@pytest.mark.parametrize("command", ["profile", "validate", "score", "romanize", "likelihood"])
@pytest.mark.parametrize("over", ["s.csv", "t.csv"])
def test_a_table_is_not_written_over_its_plain_texts(equiglot, tmp_path, command, over):
    for name in ("s.csv", "t.csv"):
        (tmp_path / name).write_text("one line\n" * 3)
    model = ("--lm", "pkg:smollm2-135m") if command == "likelihood" else ()
    run = equiglot(command, "-s", "s.csv", "-t", "t.csv", "--language", "de", *model, "-o", over)
    refused(run, f"would be written over the {'sources' if over == 's.csv' else 'targets'}")
    assert (tmp_path / over).read_text() == "one line\n" * 3
