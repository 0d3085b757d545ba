"""Scores that the likelihood audits, and folders that the lab, can't use: one line and exit code 2."""

from __future__ import annotations

import polars as pl
import pytest

_EMPTY = {"id": ["1", "1"], "language": ["en", "ru"], "sent_nll": [None, None], "n_scored": [0, 0]}


@pytest.mark.parametrize("audit", [["confound"], ["stability"], ["ranking", "--expected", "en,ru"]])
def test_scores_without_a_value(refused, tmp_path, audit):
    path = tmp_path / "none.parquet"
    pl.DataFrame(_EMPTY, schema_overrides={"sent_nll": pl.Float64}).write_parquet(path)
    assert "no row has a value of sent_nll" in refused("audit", audit[0], path, *audit[1:])


@pytest.mark.parametrize(
    ("seeds", "told"),
    [("0-99999999999", "more than 100,000"), ("9" * 5000, "not a list of numbers"), ("1-", "not a list of numbers")],
)
def test_numbers_that_are_too_many_or_none(refused, tmp_path, seeds, told):
    assert told in refused("audit", "stability", tmp_path / "any.parquet", "--seeds", seeds)


def test_a_lab_in_the_place_of_a_file(refused, tmp_path):
    (tmp_path / "lab.yaml").write_text("texts: t.tsv\n", "utf-8")
    (tmp_path / "file").write_text("", "utf-8")
    assert "is a file" in refused("lab", "train", tmp_path / "lab.yaml", "-o", tmp_path / "file")
