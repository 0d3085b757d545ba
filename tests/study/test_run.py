"""Question 1 end to end: a study from one file, stopped and taken up again."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from struct import pack

import polars as pl
import pytest

from equiglot.demo import demo_segments
from equiglot.study import read_study, run_study
from equiglot.table import read_segments

STUDY = """\
data: table.parquet
human: constructed
raters: the construction
severity: severity
romanize: iso15919
metrics: [{metrics}]
resamples: 200
permutations: 200
"""


@pytest.fixture
def study(tmp_path: Path) -> Callable[..., Path]:
    """A study file on some rows of the bundled data."""

    def write(metrics: str, rows: int, more: str = "") -> Path:
        table = demo_segments().filter(pl.col("language").is_in(["hi", "te"])).sort("id")
        table.head(rows).write_parquet(tmp_path / "table.parquet")
        path = tmp_path / "study.yaml"
        path.write_text(STUDY.format(metrics=metrics) + more, "utf-8")
        return path

    return write


def test_a_study_answers_in_words_tables_and_pictures(study, tmp_path):
    results = run_study(read_study(study("chrf", 240)), tmp_path / "out")
    answer = results.answers["chrf"]
    assert answer.audit.headline
    assert "people" not in answer.audit.headline
    assert {verdict.fault for verdict in answer.audit.verdicts} == {"P1", "P2"}
    page = results.report.read_text("utf-8")
    assert answer.audit.headline.split(".")[0] in page.replace("&#39;", "'").replace("&#x27;", "'")
    written = {path.name for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert {
        "report.html",
        "results.json",
        "segments.parquet",
        "qn-chrf.json",
        "chrf-cells.svg",
        "chrf-cells.png",
    } <= written
    json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    scored = read_segments(tmp_path / "out" / "segments.parquet")
    assert scored.frame.height == 480
    assert scored.measures["chrf_qn"].signature.startswith("metric:chrf|norm:qn|ref:native-pooled|")


def test_running_again_changes_nothing(study, tmp_path):
    path = study("chrf", 60)
    first = run_study(read_study(path), tmp_path / "out").to_dict()
    assert run_study(read_study(path), tmp_path / "out").to_dict() == first


def test_a_column_of_the_users_is_judged_and_not_scored_again(study, tmp_path):
    path = study("chrf", 60)
    table = pl.read_parquet(tmp_path / "table.parquet").with_columns(chrf=pl.lit(0.5) + pl.int_range(pl.len()))
    table.write_parquet(tmp_path / "table.parquet")
    path.write_text(path.read_text("utf-8").replace("romanize: iso15919\n", ""), "utf-8")
    results = run_study(read_study(path), tmp_path / "out")
    assert results.answers["chrf"].audit.metric.signature == "metric:chrf|origin:brought"
    assert results.answers["chrf"].segments.frame["chrf"].to_list() == table["chrf"].to_list()


def test_a_killed_run_goes_on_from_what_it_had(study, tmp_path):
    """What was stored before the kill is not scored again: a mark left in the store comes out at the end."""
    path = study("ter", 240)
    cache = tmp_path / "cache"
    command = [sys.executable, "-m", "equiglot", "run", str(path), "-o", str(tmp_path / "out")]
    environment = {**os.environ, "EQUIGLOT_CACHE": str(cache)}
    running = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    store = _wait_for_scores(cache, running)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert not (tmp_path / "out" / "report.html").exists()
    with sqlite3.connect(store) as db:
        before = db.execute("SELECT count(*) FROM scores").fetchone()[0]
        db.execute("UPDATE scores SET value = ? WHERE key = (SELECT min(key) FROM scores)", (pack("<d", 4321.0),))
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(store) as db:
        assert db.execute("SELECT count(*) FROM scores").fetchone()[0] > before
    assert read_segments(tmp_path / "out" / "segments.parquet").frame["ter"].max() == 4321.0


def _wait_for_scores(cache: Path, running: subprocess.Popen[bytes]) -> Path:
    until = time.monotonic() + 300
    while time.monotonic() < until and running.poll() is None:
        for store in (cache / "scores").glob("*.sqlite"):
            with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as db:
                try:
                    if db.execute("SELECT count(*) FROM scores").fetchone()[0]:
                        return store
                except sqlite3.OperationalError:
                    pass  # not made yet
        time.sleep(0.02)
    raise AssertionError(f"no score was stored: {running.communicate()[1].decode()}")


def test_real_models_end_to_end(study, tmp_path):
    """Gemma, XLM-R's tokeniser and e5 on a handful of rows."""
    more = "tokenizers: [pkg:xlmr]\nlanguage_model: pkg:gemma3-270m\n"
    results = run_study(read_study(study("e5", 12, more)), tmp_path / "out")
    found = {(row["measure"], row["language"], row["condition"]): row["value"] for row in results.profile.to_dicts()}
    for language in ("hi", "te"):
        assert found["ip", language, "romanized"] < found["ip", language, "native"]
        assert found["tax", language, "romanized/native"] > 1
    assert results.answers["e5"].audit.burden.height
