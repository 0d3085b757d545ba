"""Nothing is written over what it is made from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from equiglot.errors import InputError

__all__ = ["keep_inputs", "keep_lines"]


def keep_inputs(output: Path | None, made: str, **inputs: Path | None) -> None:
    """Raise where an output would take the place of an input.

    Args:
        output: the file to be written, if any.
        made: what is written to it, in words.
        inputs: the files that are read, each under what it is in words.

    Raises:
        InputError: the output is one of the inputs, under whatever name.
    """
    if output is None or not output.exists():
        return
    for name, path in inputs.items():
        if path is not None and path.exists() and output.samefile(path):
            raise InputError(f"{made} would be written over the {name}", path=output, fix="name another file")


def keep_lines(
    output: Path | None, sources: Path | None, targets: Sequence[Path] | None, references: Path | None = None
) -> None:
    """Raise where a table would take the place of a plain-text file that it is made from.

    Raises:
        InputError: as :func:`keep_inputs`.
    """
    for target in targets or ():
        keep_inputs(output, "the table", targets=target)
    keep_inputs(output, "the table", sources=sources, references=references)
