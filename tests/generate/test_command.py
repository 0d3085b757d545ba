"""`equiglot generate` as a process: killed and resumed, and nowhere a trace of the key."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest


def command(stub: Any, *arguments: object) -> list[str]:
    given = ["generate", "prompts.csv", "--model", "stub", "--base-url", stub.url, "--timeout", 2, *arguments]
    return [sys.executable, "-m", "equiglot", *map(str, given)]


def run(stub: Any, folder: Path, *arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(stub, *arguments),
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def write_prompts(folder: Path, *prompts: str) -> None:
    pl.DataFrame({"id": range(len(prompts)), "prompt": prompts}).write_csv(folder / "prompts.csv")


def test_prompts_in_and_answers_out(stub: Any, tmp_path: Path) -> None:
    write_prompts(tmp_path, "How are you?", "[fenced] b", "[400] c")
    done = run(stub, tmp_path, "--language", "hi-Latn", "--language", "kn-Latn", "-o", "a.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["headline"].startswith("stub answered 4 of 6 prompts in 2 languages.")
    assert "prompts have no answer" in done.stderr
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()]
    assert [row["target"] for row in rows[:3]] == ["jawab: How are you?", "jawab: [fenced] b", None]
    assert {row["language"] for row in rows} == {"hi", "kn"}


def test_answers_go_on_to_the_next_command(stub: Any, tmp_path: Path) -> None:
    write_prompts(tmp_path, "a", "b")
    assert run(stub, tmp_path, "--language", "hi-Latn", "-o", "a.parquet").returncode == 0
    scored = subprocess.run(
        [sys.executable, "-m", "equiglot", "score", "a.parquet", "--map", "reference=romanized_query", "-m", "chrf",
         "--json"], cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert scored.returncode == 0, scored.stderr


def test_a_killed_run_goes_on_and_asks_nothing_twice(stub: Any, tmp_path: Path) -> None:
    answered = [f"p{i}" for i in range(30)]
    waiting = [f"[gate] p{i}" for i in range(4)]
    write_prompts(tmp_path, *answered, *waiting)
    arguments = ("--language", "hi", "-o", "a.parquet", "--concurrency", 4, "--timeout", 60)
    process = subprocess.Popen(command(stub, *arguments), cwd=tmp_path)
    try:
        # Four workers: when all four waiting prompts have come in, all others have been answered, and what remains is
        # to see them kept.
        while not set(waiting) <= set(stub.prompts()):
            assert process.poll() is None
            time.sleep(0.05)
        while kept(tmp_path) < len(answered):
            assert process.poll() is None
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
    assert not (tmp_path / "a.parquet").exists()
    stub.open_gate()
    done = run(stub, tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    times = Counter(stub.prompts())
    assert {times[prompt] for prompt in answered} == {1}
    assert {times[prompt] for prompt in waiting} == {2}
    assert pl.read_parquet(tmp_path / "a.parquet")["target"].to_list() == [f"jawab: {p}" for p in answered + waiting]


def kept(folder: Path) -> int:
    """How many answers are on disk, as another process sees it."""
    import sqlite3

    database = sqlite3.connect(folder / "cache" / "answers" / "answers.sqlite", timeout=10)
    try:
        return database.execute("SELECT count(*) FROM replies").fetchone()[0]
    finally:
        database.close()


def test_a_stopped_run_keeps_what_was_answered(stub: Any, tmp_path: Path) -> None:
    write_prompts(tmp_path, "p0", "p1", "[gate] p")
    arguments = ("--language", "hi", "-o", "a.parquet", "--concurrency", 3, "--timeout", 60)
    # Where these tests run in the background of a shell, a child would inherit that the signal is ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command(stub, *arguments), cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, before)
    # The two that are answered at once have to be on disk first: a reply that nobody has read yet may be lost.
    while len(stub.prompts()) < 3 or kept(tmp_path) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    stub.open_gate()
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert kept(tmp_path) == 3
    assert run(stub, tmp_path, *arguments).returncode == 0
    assert sorted(stub.prompts()) == ["[gate] p", "p0", "p1"]


def test_the_key_is_nowhere(stub: Any, tmp_path: Path) -> None:
    """The server repeats the key in refusals and in answers, and the client's own log is on."""
    work = tmp_path / "work"
    work.mkdir()
    write_prompts(work, "a", "[400] b", "[always 500] c", "[leak] d", "[429] e")
    arguments = ("--language", "hi", "--attempts", 2, "-o")
    done = run(stub, work, *arguments, "a.parquet", OPENAI_LOG="debug")
    again = run(stub, work, *arguments, "a.csv", "--json")
    refused = run(stub, work, *arguments, "b.jsonl", "--system", "B", "--max-tokens", 9, "--key-env", "WRONG",
                  WRONG=f"{stub.key}-more")  # fmt: skip
    assert [d.returncode for d in (done, again, refused)] == [0, 0, 2], refused.stderr
    assert "refuses the API key" in refused.stderr
    assert not any(stub.key in d.stdout + d.stderr for d in (done, again, refused))
    files = [path for folder in (work, tmp_path / "cache") for path in folder.rglob("*") if path.is_file()]
    assert {"answers.sqlite", "a.parquet", "a.csv"} <= {path.name for path in files}
    assert "jawab [API key]: [leak] d" in (work / "a.csv").read_text("utf-8")
    assert not [path for path in files if stub.key.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--language", "hi", "-o", "no-such-folder/a.parquet"], "no such folder"),
        (["--language", "hi", "-o", "a.xlsx"], "not a format"),
        (["--language", "hi", "-o", "a.csv", "--template", "none.txt"], "neither hi.txt nor default.txt"),
        (["--language", "hi-Deva", "-o", "a.csv"], "write hi-Latn"),
        (["-o", "a.csv"], "no column for the language"),
    ],
)
def test_bad_input_is_one_line_before_anything_is_asked(
    stub: Any, tmp_path: Path, arguments: list[str], says: str
) -> None:
    write_prompts(tmp_path, "a")
    done = run(stub, tmp_path, *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert stub.prompts() == []
