"""`equiglot audit metrics` end to end: from a file to words, a table, JSON and a report, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import polars as pl
import pytest


@pytest.fixture
def run(tmp_path):
    def command(*arguments):
        line = [sys.executable, "-m", "equiglot", "audit", "metrics", *map(str, arguments)]
        return subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)

    return command


@pytest.fixture
def table(tmp_path):
    """Four systems, 25 items; ``close`` follows people, ``errors`` is better when lower and follows them less."""
    rng = np.random.default_rng(0)
    human = np.round(10 + 2 * (np.arange(4)[:, None] + 2 * rng.normal(size=(4, 25))))
    frame = pl.DataFrame(
        {
            "id": [f"s{i}" for i in range(25)] * 4,
            "language": "hi",
            "system": [f"m{i}" for i in range(4) for _ in range(25)],
            "target": "अच्छा काम",
            "human": human.ravel(),
            "close": (human + rng.normal(size=human.shape)).ravel(),
            "errors": (-human + 6 * rng.normal(size=human.shape)).ravel(),
        }
    )
    path = tmp_path / "scored.csv"
    frame.write_csv(path)
    return path


_SCORES = ("-m", "close", "-m", "errors", "--lower-is-better", "errors", "--resamples", 100, "--permutations", 100)


def test_words_table_and_report(run, table, tmp_path):
    done = run(table, *_SCORES, "-o", "agreement.parquet", "--report", "report")
    assert done.returncode == 0, done.stderr
    assert "close agrees best with people" in done.stdout
    assert "acc_eq" in done.stdout
    assert "turned round" in done.stderr
    agreement = pl.read_parquet(tmp_path / "agreement.parquet")
    errors = agreement.filter(metric="errors", measure="pearson", grouping="none", granularity="segment")
    assert errors["value"][0] > 0.2, "turned round, so agreement is positive"
    report = tmp_path / "report"
    assert (report / "report.html").exists()
    assert (report / "charts" / "acc-eq.png").exists()
    assert (report / "tables" / "agreement-hi-deva-native.csv").exists()


def test_a_sample_is_said(run, table):
    done = run(table, "-m", "close", "--sample", 10, "--resamples", 100, "--permutations", 100, "--json")
    assert done.returncode == 0, done.stderr
    assert "At most 10 items of each cell were drawn, with seed 0: 10 of 25." in json.loads(done.stdout)["notes"]
    assert "sample:10" in json.loads(done.stdout)["signature"]


def test_json(run, table):
    found = json.loads(run(table, *_SCORES, "--json").stdout)
    assert {"headline", "agreement", "clusters", "tests", "signature", "notes", "equiglot"} <= found.keys()
    assert [row["metric"] for row in found["clusters"] if row["statistic"] == "acc_eq"] == ["close", "errors"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-m", "comet"), "comet"),
        (("-m", "close", "--item", "document"), "no column 'document'"),
        (("-m", "close", "--human", "stars"), "stars"),
        (("-m", "close", "-m", "close"), "twice"),
        (("-m", "close", "--report", "scored.csv"), "is a file"),
        (("-m", "close", "-o", "nowhere/x.parquet"), "nowhere"),
    ],
)
def test_what_cannot_be_used_ends_with_2(run, table, arguments, said):
    done = run(table, *arguments, "--resamples", 100, "--permutations", 100)
    assert done.returncode == 2, done.stdout
    assert said in done.stderr
    assert "Traceback" not in done.stderr
