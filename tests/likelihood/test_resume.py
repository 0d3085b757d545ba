"""Runs that are killed and runs side by side: in processes of their own, with a tiny model."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import polars as pl
import pytest

_SCRIPT = """
import sys
from contextlib import closing, suppress
from pathlib import Path
import polars as pl
import equiglot.likelihood._run as run
from equiglot.likelihood import load_language_model, score_texts

run._BLOCK_WORK = {"cpu": 1e9}  # many blocks, as a large model has
model, texts, cache, out = sys.argv[1:]
scored = score_texts(pl.read_parquet(texts)["text"], load_language_model(model, dtype="float32"), detail="ranks",
                     cache=False if cache == "-" else Path(cache))
scored.write_parquet(out)
"""


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory, make: Callable[..., Path]) -> tuple[Path, Path]:
    """A tiny model and ten thousand texts, and some of them twice."""
    folder = tmp_path_factory.mktemp("job")
    rng = random.Random(0)
    words = ["the", "cat", "sat", "on", "mat", "and", "looked", "at", "other", "बिल्ली", "चटाई", "पर", "बैठी", "थी"]
    texts = [" ".join(rng.choices(words, k=rng.randint(1, 6))) + f" {i % 9_900}" for i in range(10_000)]
    pl.DataFrame({"text": texts}).write_parquet(folder / "texts.parquet")
    return make(folder / "model", "llama"), folder / "texts.parquet"


def _start(job: tuple[Path, Path], cache: str | Path, out: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", _SCRIPT, *map(str, (*job, cache, out))]
    return subprocess.Popen(command, env=environment)


@pytest.fixture(scope="module")
def plain(job: tuple[Path, Path]) -> pl.DataFrame:
    """What one run gives that keeps nothing and is not disturbed."""
    out = job[1].with_name("plain.parquet")
    assert _start(job, "-", out).wait(300) == 0
    return pl.read_parquet(out)


def _stored(folder: Path) -> int:
    """How many texts the cache holds so far."""
    counts: list[int] = []
    for path in folder.glob("*.sqlite"):
        with closing(sqlite3.connect(path, timeout=60)) as database, suppress(sqlite3.OperationalError):
            # Just begun, a file has no tables yet.
            counts.append(database.execute("SELECT count(*) FROM scores").fetchone()[0])
    return max(counts, default=0)


def test_ten_thousand_texts_killed_and_resumed(job: tuple[Path, Path], plain: pl.DataFrame, tmp_path: Path) -> None:
    cache, out = tmp_path / "cache", tmp_path / "out.parquet"
    point = random.randint(500, 9_000)
    run = _start(job, cache, out)
    while run.poll() is None and (not cache.exists() or _stored(cache) < point):
        time.sleep(0.1)
    run.send_signal(signal.SIGKILL)
    run.wait(60)
    before = _stored(cache)
    assert 0 < before < 9_900, f"killed at {point}"
    assert not out.exists()
    assert _start(job, cache, out).wait(300) == 0
    assert pl.read_parquet(out).equals(plain), f"killed at {point}"


def test_two_processes_on_one_cache(job: tuple[Path, Path], plain: pl.DataFrame, tmp_path: Path) -> None:
    outs = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    runs = [_start(job, tmp_path / "cache", out) for out in outs]
    for run in runs:
        assert run.wait(300) == 0
    assert all(pl.read_parquet(out).equals(plain) for out in outs)
    assert _stored(tmp_path / "cache") == pl.read_parquet(job[1])["text"].n_unique()
