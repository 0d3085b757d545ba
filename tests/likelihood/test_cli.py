"""The command, as a user runs it: a process of its own, with a tiny model."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory, make: Callable[..., Path]) -> Path:
    """A folder with a model and a table of two languages."""
    folder = tmp_path_factory.mktemp("cli")
    make(folder / "model", "gpt2")
    pl.DataFrame({
        "id": ["1", "2", "1", "2"], "language": ["en", "en", "hi", "hi"], "system": ["a"] * 4,
        "source": ["the cat", "the mat"] * 2, "target": ["the cat", "the mat", "बिल्ली", ""],
    }).write_parquet(folder / "texts.parquet")  # fmt: skip
    return folder


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "equiglot", "likelihood", "texts.parquet", "--lm", "model", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_answer_the_table_and_the_tokens(table: Path) -> None:
    done = _run(table, "--tokens", "tokens.parquet", "-o", "scored.parquet", "--bos", "both", "--cut", "5", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["headline"].startswith("By sentence NLL model finds ")
    rows = {(row["language"], row["measure"]): row for row in document["languages"]}
    assert (rows["hi", "bpb"]["n"], rows["hi", "bpb"]["n_failed"]) == (1, 1)
    assert rows["en", "sent_nll_no_bos"]["value"] is not None
    assert any("were cut at 5 tokens" in note for note in document["notes"])
    scored, tokens = pl.read_parquet(table / "scored.parquet"), pl.read_parquet(table / "tokens.parquet")
    assert {"sent_nll", "token_nll", "ppl", "bpb", "bpc", "bpec", "mrr", "n_scored", "n_bytes", "n_chars"} <= set(
        scored.columns
    )
    sums = tokens.group_by("row").agg(pl.sum("nll")).sort("row")["nll"].to_list()
    assert sums == pytest.approx(scored["sent_nll"].drop_nulls().to_list())
    assert scored["sent_nll_reason"].to_list()[3] == "the text is empty"


def test_for_people(table: Path) -> None:
    done = _run(table, "--resamples", "100")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("By sentence NLL model finds ")
    assert "Per sentence, and per character of the source" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--window", "1000"], "more than the model's context"),
        (["--tokens", "tokens.xlsx"], "not a format"),
        (["--bos", "maybe"], "maybe"),
        (["--cut", "0"], "--cut"),
        (["--tokens", "one.parquet", "-o", "./one.parquet"], "name one file"),
        (["--tokens", "texts.parquet"], "written over the table"),
    ],
)
def test_bad_input_is_told(table: Path, arguments: list[str], told: str) -> None:
    before = {path: path.stat().st_mtime_ns for path in table.iterdir()}
    done = _run(table, *arguments)
    assert done.returncode == 2
    assert {path: path.stat().st_mtime_ns for path in table.iterdir()} == before
    assert told in done.stderr
    assert not done.stdout
