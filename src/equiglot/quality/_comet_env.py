"""The environment that COMET runs in: where it is found, how it is made.

unbabel-comet 2.2.7 pins numpy < 2 and transformers < 5 and equiglot needs both newer, so COMET gets an
interpreter of its own, and texts and scores travel between the two as files. The torchmetrics that it pins
imports ``pkg_resources``, which setuptools 82 dropped, and neither puts a bound on setuptools: a plain
``pip install unbabel-comet`` gives an environment that cannot ``import comet``. Hence the bound in
:data:`PINS`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from equiglot.errors import InputError
from equiglot.models import cache_folder

__all__ = ["COMET_VERSION", "comet_environment", "setup_comet"]

COMET_VERSION = "2.2.7"
PINS = (f"unbabel-comet=={COMET_VERSION}", "setuptools<82")
_TORCH = "torch==2.13.0"
_VARIABLE = "EQUIGLOT_COMET_PYTHON"
_PYTHONS = ((3, 10), (3, 12))
"""torch 2.13 needs Python 3.10, and numpy < 2 has no build for Python 3.13."""


def comet_environment() -> Path | None:
    """The interpreter of COMET's environment, or None where there is none.

    It is what the environment variable ``EQUIGLOT_COMET_PYTHON`` names, otherwise what :func:`setup_comet`
    made in equiglot's cache folder.

    Raises:
        InputError: the variable is set and names no file.
    """
    named = os.environ.get(_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise InputError(
                f"{_VARIABLE} is '{named}', which is no file",
                fix="set it to the python of an environment that has unbabel-comet, or unset it",
            )
        return Path(named)
    made = _interpreter(cache_folder() / "comet")
    return made if made.is_file() else None


def setup_comet(
    *, python: str | None = None, torch: str = _TORCH, on_line: Callable[[str], None] | None = None
) -> Path:
    """Make COMET's environment in equiglot's cache folder and return its interpreter.

    It takes 1.4 GB with a CPU build of torch. It is built beside its place, tried, and only then renamed,
    so that a killed or failed run leaves nothing that looks whole; one that is there and works is kept. The
    rename breaks its console scripts, which hold the old path: for ``comet-score`` use ``python -m
    comet.cli.score``.

    Args:
        python: the interpreter to build with, Python 3.10 to 3.12; the running one by default.
        torch: the requirement for torch, installed first, so that the build that pip finds for it serves.
        on_line: told each line that pip prints.

    Raises:
        InputError: the interpreter is unfit, or the installation failed; one line with the last error.
    """
    place = cache_folder() / "comet"
    if _interpreter(place).is_file() and _works(_interpreter(place)):
        return _interpreter(place)
    if place.exists() and not (place / "pyvenv.cfg").is_file() and any(place.iterdir()):
        raise InputError("this folder is in the way and holds no environment", path=place, fix="move it away")
    base = python or sys.executable
    _check_version(base)
    with tempfile.TemporaryDirectory(prefix="comet-", dir=place.parent, ignore_cleanup_errors=True) as folder:
        built = Path(folder) / "comet"
        _run([base, "-I", "-m", "venv", str(built)], on_line)
        pip = [
            str(_interpreter(built)),
            "-I",
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--no-input",
        ]
        _run([*pip, torch], on_line)
        _run([*pip, *PINS], on_line)
        _run([str(_interpreter(built)), "-I", "-W", "ignore", "-c", "import comet"], on_line)
        if place.exists():
            shutil.rmtree(place)
        built.rename(place)
    return _interpreter(place)


def _interpreter(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _works(python: Path) -> bool:
    """Whether that interpreter imports the version of COMET that equiglot was tested with."""
    code = f"import comet; assert comet.__version__ == '{COMET_VERSION}'"
    return subprocess.run([python, "-I", "-c", code], capture_output=True, check=False).returncode == 0


def _check_version(python: str) -> None:
    code = "import sys; print(*sys.version_info[:2])"
    try:
        said = subprocess.run([python, "-I", "-c", code], capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise InputError(f"'{python}' is not a Python that runs", fix="name one of 3.10 to 3.12") from error
    version = tuple(map(int, said.split()))
    if not _PYTHONS[0] <= version <= _PYTHONS[1]:
        found = ".".join(map(str, version))
        raise InputError(
            f"'{python}' is Python {found}, and COMET {COMET_VERSION} needs 3.10 to 3.12",
            fix="name such a Python: `equiglot setup comet --python python3.11`",
        )


def _run(command: list[str], on_line: Callable[[str], None] | None) -> None:
    """Run one step, hand its lines on; when it fails, its last line that says error is the reason."""
    lines: list[str] = []
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            lines.append(line.rstrip())
            if on_line:
                on_line(line.rstrip())
    if process.returncode:
        said = [line for line in lines if line.strip()]
        errors = [line for line in said if "error" in line.lower()]
        last = (errors or said or ["no output"])[-1].strip()
        raise InputError(
            f"COMET's environment could not be made: {last}",
            fix=f"see that pip can reach a package index, or set {_VARIABLE} to the python of an "
            f"environment that has {' and '.join(PINS)}",
        )
