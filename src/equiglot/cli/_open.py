"""From what the user gave on the command line to a segment table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from equiglot.errors import InputError

if TYPE_CHECKING:
    from equiglot.table import Segments

__all__ = ["open_input", "parse_renames"]


def open_input(
    file: Path | None,
    sources: Path | None = None,
    targets: list[Path] | None = None,
    references: Path | None = None,
    language: str | None = None,
    rename: list[str] | None = None,
    *,
    quotes: bool = True,
    human: str = "human",
    metric: str | None = None,
    lower_is_better: bool = False,
) -> Segments:
    """The table in ``file``, or the one that aligned plain-text files make.

    ``metric`` names a score column to be read as a measure.
    """
    from equiglot.study import open_lines, open_table

    if file is None and not targets:
        raise InputError(
            "no input", fix="give a table (FILE) or plain-text files (-s SOURCES -t TARGETS -r REFERENCES)"
        )
    if file is not None and targets:
        raise InputError("both a table and plain-text files were given", fix="give one of them")
    if file is None:
        if language is None:
            raise InputError("plain-text files do not say their language", fix="add it, e.g. --language hi")
        return open_lines(sources, targets or [], references, language=language)
    return open_table(
        file,
        columns=parse_renames(rename),
        language=language,
        quotes=quotes,
        human=human,
        scores=[metric] if metric else (),
        lower_is_better=[metric] if metric and lower_is_better else (),
    )


def parse_renames(options: list[str] | None) -> dict[str, str]:
    """``["target=translation,human=score"]`` as ``{"target": "translation", "human": "score"}``."""
    names: dict[str, str] = {}
    for pair in ",".join(options or []).split(","):
        ours, equals, theirs = pair.partition("=")
        if pair and not (ours and equals and theirs):
            raise InputError(f"--map '{pair}' is not OURS=YOURS", fix="write e.g. --map target=translation,human=score")
        if pair:
            names[ours.strip()] = theirs.strip()
    return names
