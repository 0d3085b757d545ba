"""What the README shows runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import equiglot

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def _block(kind: str, holding: str) -> str:
    return next(block for name, block in BLOCKS if name == kind and holding in block)


def test_the_python_example_runs_on_the_table_shown(tmp_path):
    (tmp_path / "scores.tsv").write_text(_block("", "language\ttarget\tcomet"), "utf-8")
    script = _block("python", "open_frame")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "comet is 0.850 for" in done.stdout


def test_the_command_of_question_1_runs_on_the_table_shown(tmp_path):
    (tmp_path / "scores.tsv").write_text(_block("", "language\ttarget\tcomet"), "utf-8")
    command = next(line for line in README.splitlines() if line.startswith("equiglot report scores.tsv"))
    arguments = command.split("#")[0].split()[1:]
    done = subprocess.run(
        [sys.executable, "-m", "equiglot", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "comet is 0.850 for" in " ".join(done.stdout.split())
    assert (tmp_path / "my-report" / "report.html").is_file()


def test_every_command_and_option_shown_exists():
    """Options are looked up in the help of the command they are shown with."""
    shell = "\n".join(block for name, block in BLOCKS if name == "sh")
    shown = re.findall(r"^equiglot .*?(?=  #|$)", shell, re.MULTILINE)
    assert len(shown) > 5
    for line in shown:
        words = line.split()
        command = [word for word in words[1:3] if re.fullmatch(r"[a-z]+", word)]
        command = command if command[0] in ("audit", "normalize", "setup") else command[:1]
        done = subprocess.run(
            [sys.executable, "-m", "equiglot", *command, "--help"],
            capture_output=True,
            text=True,
            check=True,
            env={"COLUMNS": "200", "NO_COLOR": "1"},
        )
        for option in (word for word in words if word.startswith("-")):
            assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", done.stdout), (line, option)


def test_the_front_door_opens():
    assert all(getattr(equiglot, name) for name in equiglot.__all__)
