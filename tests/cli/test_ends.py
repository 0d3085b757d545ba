"""How a command ends where it can't go on: wrong usage, no place to write to, Ctrl-C, a reader that left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

ROWS = "id\tlanguage\tsource\ttarget\treference\tcomet\n" + "".join(
    f"{i}\thi\tI go {i}\tमैं जाता {i}\tमैं जाता हूँ {i}\t0.{i}\n" for i in range(1, 9)
)
MAIN = "from equiglot.cli import main\nmain(sys.argv[1:])\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.tsv"
    path.write_text(ROWS, "utf-8")
    return path


@pytest.mark.parametrize(
    ("arguments", "says", "where"),
    [
        (["profile", "--no-such", "x"], "--no-such", "equiglot profile --help"),
        (["run"], "STUDY.yaml", "equiglot run --help"),
        (["audit", "script", "x.tsv"], "--metric", "equiglot audit script --help"),
        (["nonsense"], "nonsense", "equiglot --help"),
        (["score", "--against", "nothing", "x"], "'nothing' is not one of", "equiglot score --help"),
        (["profile", "x", "--seed", "-1"], "--seed", "equiglot profile --help"),
    ],
)
def test_wrong_usage_is_one_line(refused, arguments, says, where):
    line = refused(*arguments)
    assert line.startswith("equiglot: ")
    assert says in line
    assert where in line


def test_help_is_still_laid_out(equiglot):
    done = equiglot("score", "--help")
    assert done.code == 0
    assert len(done.out.splitlines()) > 20


@pytest.mark.parametrize(
    "command",
    [
        ["profile"],
        ["score"],
        ["romanize"],
        ["normalize", "fit", "-m", "x"],
        ["normalize", "apply", "--correction", "x"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("no/such/out.parquet", "no such folder"),
        (".", "this is a folder"),
        ("out.xlsx", "'.xlsx' is not a format"),
        ("out", "'' is not a format"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_before_the_work(refused, tmp_path, command, place, says):
    # The input is not there either: had the work begun, that would be the error.
    assert says in refused(*command, "in.tsv", "-o", place)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_the_right_to_write(refused, table, tmp_path):
    (tmp_path / "shut").mkdir(mode=0o500)
    assert "can't be written" in refused("score", table, "-o", "shut/out.parquet")


@pytest.mark.parametrize("module", ["typer", "equiglot.cli._app", "polars", "numpy.random", "equiglot.audit"])
def test_a_stop_while_modules_are_loaded_leaves_no_traceback(table, module):
    stop = (
        "import os, signal, sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Stop())\n"
    )
    command = [sys.executable, "-c", stop + MAIN, "audit", "script", str(table), "-m", "comet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 130, done.stderr
    assert done.stderr == "equiglot: stopped\n"  # an audit keeps nothing


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        (["score", "in.tsv"], True),
        (["profile", "in.tsv", "--lm", "pkg:smollm2-135m"], True),
        (["profile", "in.tsv"], False),
        (["validate", "in.tsv"], False),
    ],
)
def test_a_stop_says_that_something_is_kept_only_where_it_is(monkeypatch, capsys, arguments, kept):
    from equiglot import cli

    def stopped(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run", stopped)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit, match="130"):
        cli.main(arguments)
    signal.signal(signal.SIGINT, before)
    said = "; what was done is kept, the same command goes on from there" if kept else ""
    assert capsys.readouterr().err == f"equiglot: stopped{said}\n"


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there are no such pipes here")
@pytest.mark.parametrize("arguments", [["--help"], ["audit", "script", "in.tsv", "-m", "comet"], ["score", "in.tsv"]])
@pytest.mark.parametrize("as_json", [False, True])
def test_a_reader_that_leaves_is_not_told_of_it(table, arguments, as_json):
    reading, writing = os.pipe()
    os.close(reading)
    more = ["--json"] if as_json and arguments != ["--help"] else []
    command = [sys.executable, "-m", "equiglot", *arguments, *more]
    with os.fdopen(writing, "wb") as output:
        done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, cwd=table.parent, check=False)
    assert done.returncode == 141, done.stderr
    assert all(line.startswith("note: ") for line in done.stderr.splitlines()), done.stderr


def test_what_was_asked_for_is_written_before_it_is_printed(table):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "equiglot", "profile", str(table), "-o", "out.csv"]
    with os.fdopen(writing, "wb") as output:
        subprocess.run(command, stdout=output, stderr=subprocess.PIPE, cwd=table.parent, check=False)
    assert (table.parent / "out.csv").is_file()


def test_an_error_found_after_reading_names_the_file_and_the_way_out(refused, table):
    line = refused("audit", "script", table, "-m", "comet", "--severity", "severty")
    assert f"{table}: " in line
    assert "--severity YOUR_COLUMN" in line
    line = refused("romanize", table, "--scheme", "column:romanised", "-o", "out.parquet")
    assert f"{table}: " in line
    assert "column:YOUR_COLUMN" in line
    table.write_text(ROWS.replace("reference", "refrence", 1), "utf-8")
    line = refused("score", table, "-m", "chrf")
    assert f"{table}: " in line
    assert "--map reference=refrence" in line


@pytest.mark.parametrize("option", ["--tokenizer", "--lm"])
def test_a_hub_out_of_reach_is_one_line(refused, table, tmp_path, monkeypatch, option):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    assert "'hf:some/model' is not in the hub's local cache" in refused("profile", table, option, "hf:some/model")
