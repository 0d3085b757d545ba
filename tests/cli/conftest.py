"""Run the command line as a user does: a process of its own, with its exit code and what it printed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


class Run:
    """One finished command."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.out = done.stdout.decode("utf-8")
        self.err = done.stderr.decode("utf-8")

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def equiglot(tmp_path: Path) -> Callable[..., Run]:
    """``equiglot("profile", path, ...)``, run in the test's own folder."""

    def run(*arguments: object, timeout: float = 900) -> Run:
        command = [sys.executable, "-m", "equiglot", *map(str, arguments)]
        return Run(subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=timeout, check=False))

    return run


@pytest.fixture(scope="session")
def run_once() -> Callable[..., Any]:
    """``run_once("audit", ...)``: the JSON of a command whose result several tests share."""

    def run(*arguments: object) -> Any:
        command = [sys.executable, "-m", "equiglot", *map(str, arguments)]
        done = Run(subprocess.run(command, capture_output=True, timeout=900, check=False))
        assert done.code == 0, done.err
        return done.json

    return run


@pytest.fixture
def refused(equiglot: Callable[..., Run]) -> Callable[..., str]:
    """Run a command that must be refused, and return its one line of error."""

    def run(*arguments: object) -> str:
        done = equiglot(*arguments)
        assert done.code == 2, done.err
        assert len(done.err.splitlines()) == 1, done.err
        assert done.out == ""
        return done.err

    return run
