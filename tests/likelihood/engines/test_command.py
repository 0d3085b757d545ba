"""The command with engines, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pl.DataFrame({
        "id": ["1", "2", "1", "2"], "language": ["en", "en", "hi", "hi"],
        "source": ["the cat", "the mat"] * 2, "target": ["the cat", "the mat", "बिल्ली", ""],
    }).write_parquet(tmp_path / "texts.parquet")  # fmt: skip
    return tmp_path


def _run(folder: Path, lm: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "equiglot", "likelihood", "texts.parquet", "--lm", lm, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


def test_an_endpoint_and_then_the_scores_that_it_gave(stub: Any, folder: Path) -> None:
    served = _run(folder, f"endpoint:{stub.url('vllm')},tiny", "-o", "scored.parquet", "--json")
    assert served.returncode == 0, served.stderr
    document = json.loads(served.stdout)
    assert document["headline"].startswith("By sentence NLL tiny finds ")
    again = _run(folder, "scores:scored.parquet", "--json")
    assert again.returncode == 0, again.stderr
    values = [
        {(row["language"], row["measure"]): row["value"] for row in found["languages"]}
        for found in (document, json.loads(again.stdout))
    ]
    assert values[0] == values[1]
    assert _run(folder, f"endpoint:{stub.url('vllm')},tiny").stdout.startswith("By sentence NLL tiny finds ")


@pytest.mark.parametrize(
    ("lm", "arguments", "told"),
    [
        ("endpoint:nowhere", [], "not the address of an endpoint"),
        ("endpoint:http://127.0.0.1:9/v1,m", [], "nothing answers at"),
        ("endpoint:http://127.0.0.1:9/v1,m", ["--tokens", "t.csv"], "--tokens is for models that are run here"),
        ("endpoint:http://127.0.0.1:9/v1,m", ["--bos", "both"], "can't be had from an endpoint"),
        ("scores:none.parquet", [], "none.parquet"),
        ("scores:texts.parquet", [], "no column of sent_nll"),
    ],
)
def test_bad_input_is_told(folder: Path, lm: str, arguments: list[str], told: str) -> None:
    done = _run(folder, lm, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
