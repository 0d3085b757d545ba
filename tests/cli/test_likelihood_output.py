"""Where `equiglot likelihood` writes: two names of one file, and a table that has scores already."""

from __future__ import annotations

import json

import polars as pl
import pytest

_SCORED = "target,sent_nll,n_scored\nthe cat,{0},4\nthe mat,{1},5\n"
_REPLACED = "the table had scores already"


@pytest.fixture
def scored(equiglot, tmp_path):
    """Score a table by the costs that stand in a file of one's own; what was noted."""
    (tmp_path / "in.csv").write_text("id,language,target\n1,en,the cat\n2,en,the mat\n", "utf-8")
    (tmp_path / "a.csv").write_text(_SCORED.format(20, 21), "utf-8")
    (tmp_path / "b.csv").write_text(_SCORED.format(30, 31), "utf-8")

    def run(table, costs, output):
        done = equiglot("likelihood", table, "--lm", f"scores:{costs}", "-o", output, "--resamples", "100", "--json")
        assert done.code == 0, done.err
        return [note for note in json.loads(done.out)["notes"] if note.startswith(_REPLACED)]

    return run


@pytest.mark.parametrize("there", [True, False], ids=["there", "yet to be written"])
def test_a_link_to_the_other_output_is_the_same_file(equiglot, tmp_path, there):
    if there:
        (tmp_path / "y.csv").write_text("kept", "utf-8")
    (tmp_path / "l.csv").symlink_to("y.csv")
    for output, tokens in (("y.csv", "l.csv"), ("l.csv", "y.csv")):
        done = equiglot("likelihood", "in.csv", "--lm", "model", "-o", output, "--tokens", tokens)
        assert done.code == 2
        assert "-o and --tokens name one file" in done.err
    assert (tmp_path / "l.csv").is_symlink()
    assert (tmp_path / "y.csv").exists() == there


def test_columns_added_to_ones_own_table_need_no_word(scored, tmp_path):
    assert not scored("in.csv", "a.csv", "in.csv")
    assert pl.read_csv(tmp_path / "in.csv")["sent_nll"].to_list() == [20, 21]


def test_scores_of_another_making_are_told_of_when_they_are_replaced(scored, tmp_path):
    scored("in.csv", "a.csv", "t.parquet")
    assert not scored("t.parquet", "a.csv", "t.parquet")  # the same file's again
    (note,) = scored("t.parquet", "b.csv", "t.parquet")
    assert "sent_nll" in note
    assert pl.read_parquet(tmp_path / "t.parquet")["sent_nll"].to_list() == [30, 31]


def test_scores_in_a_csv_are_of_unknown_making(scored):
    scored("in.csv", "a.csv", "in.csv")
    (note,) = scored("in.csv", "a.csv", "in.csv")
    assert "sent_nll, token_nll, ppl, bpb, bpc" in note
