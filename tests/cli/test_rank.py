"""`equiglot rank` and `equiglot gate` on the example of the documentation, end to end."""

from __future__ import annotations

from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "romanized.jsonl"


@pytest.fixture
def scored(equiglot, tmp_path):
    path = tmp_path / "scored.parquet"
    assert equiglot("score", EXAMPLE, "-m", "chrf", "-o", path).code == 0
    return path


def test_the_policy_changes_the_order(equiglot, scored, tmp_path):
    run = equiglot("rank", scored, "-m", "chrf", "--report", tmp_path / "report", "--json")
    assert run.code == 0, run.err
    ranks = {
        (row["system"], row["measure"]): row["value"]
        for row in run.json["systems"]
        if row["language"] is None and row["measure"].startswith("rank_")
    }
    assert ranks["beta (simulated)", "rank_aware"] == ranks["alpha (simulated)", "rank_valid"] == 1
    assert ranks["alpha (simulated)", "rank_aware"] == ranks["beta (simulated)", "rank_valid"] == 2
    assert (tmp_path / "report" / "charts" / "chrf-leaderboard.png").stat().st_size > 5000
    assert "beta (simulated) is first" in (tmp_path / "report" / "report.html").read_text("utf-8")


def test_without_a_metric_systems_are_ranked_by_their_valid_answers(equiglot):
    default, named = (equiglot("rank", EXAMPLE, "--json", *options) for options in ((), ("-m", "valid")))
    assert default.code == 0, default.err
    assert default.json["systems"] == named.json["systems"]
    assert default.json["metrics"] == ["valid"]
    assert default.json["headline"].startswith("By share of valid answers, beta (simulated) is first with 1.000")


def test_notes_that_were_told_when_the_table_was_made_are_counted(equiglot, scored):
    run = equiglot("rank", scored, "-m", "chrf")
    assert "languages were read" not in run.err
    assert "note: 5 earlier notes of this table in --json" in run.err
    assert len([note for note in equiglot("rank", scored, "--json").json["notes"] if "were read" in note]) == 1


def test_copying_is_answered_in_a_sentence(equiglot, scored):
    run = equiglot("rank", scored, "-m", "chrf")
    assert "Does chrf reward copying? No in kn-Latn; can't tell in hi-Latn, te-Latn." in " ".join(run.out.split())
    assert "Cell" not in run.out


def test_a_validated_table_ranks_the_same(equiglot, scored, tmp_path):
    assert equiglot("validate", scored, "-o", tmp_path / "valid.parquet").code == 0
    one, other = (equiglot("rank", path, "-m", "chrf", "--json").json for path in (scored, tmp_path / "valid.parquet"))
    assert [row["value"] for row in one["systems"]] == [row["value"] for row in other["systems"]]


def test_a_gate_passes_and_fails_with_its_exit_code(equiglot, scored):
    passed = equiglot("gate", scored, "--max-invalid", 0.05, "--system", "beta (simulated)")
    assert passed.code == 0, passed.err
    assert passed.out.count("pass") == 3
    assert passed.out.splitlines()[3:] == ["PASS: 3 of 3 checks"]
    told = equiglot("gate", scored, "--max-invalid", 0.05)
    assert len(told.out.splitlines()) == 7
    assert told.out.splitlines()[-1] == "FAIL: 3 of 6 checks"
    failed = equiglot("gate", scored, "--max-invalid", 0.05, "--json")
    assert failed.code == 1
    assert [check["passed"] for check in failed.json["checks"]].count(False) == 3


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["rank", "{}", "-m", "nonesuch"], "nonesuch"),
        (["rank", "{}", "-m", "chrf", "--invalid-score", "ter"], "not METRIC=NUMBER"),
        (["rank", "{}", "-m", "chrf", "--invalid-score", "ter=1"], "'ter' is not ranked by"),
        (["gate", "{}"], "nothing is asked"),
        (["gate", "{}", "--max-drop", "1"], "--metric"),
        (["gate", "{}", "-m", "chrf", "--max-drop", "1"], "--baseline"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(equiglot, scored, arguments, problem):
    run = equiglot(*(argument.format(scored) for argument in arguments))
    assert run.code == 2
    assert problem in run.err
    assert len(run.err.strip().splitlines()) == 1
