r"""Aligned plain-text files, one segment per line, as sacrebleu and ``comet-score`` take them.

A line ends at ``\n`` and nowhere else: readers that also split at U+2028, NEL, VT, FF or a lone CR find more
lines in one file than in its partner, and pair the wrong ones. One ``\r`` at the end is dropped where every
line has it, and this is noted, as is a dropped byte-order mark. Nothing else is changed, empty lines are
segments, and files that differ in length are an error: they are never zipped to the shorter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from equiglot.errors import InputError
from equiglot.table._arrange import ReadOptions, arrange
from equiglot.table._files import BOM_NOTE, read_bytes, utf8_text
from equiglot.table._raw import Raw
from equiglot.table.scripts import ScriptOf
from equiglot.table.segments import Segments

__all__ = ["read_lines"]


def read_lines(
    source: str | Path | None,
    targets: str | Path | Sequence[str | Path],
    reference: str | Path | None = None,
    *,
    language: str,
    script: str | None = None,
    condition: str | None = None,
    script_of: ScriptOf | None = None,
) -> Segments:
    r"""The segment table of one source file, one file per system and one reference file (.gz or not).

    Args:
        source: the sources, or None where there are none.
        targets: one file for each system, which takes the file's name without its suffix (and its folder's
            before it where two are alike).
        reference: the references, or None.
        language: of the targets, e.g. ``hi``.
        script, condition, script_of: as in :func:`equiglot.table.read_segments`.

    Returns:
        Rows by system in the order given, then by line; ``id`` is the line's number, from 1.

    Raises:
        InputError: a file that is not there, empty or not UTF-8; files of different length; one file twice.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "en.txt").write_bytes(b"One\nTwo\n"), (folder / "a.txt").write_bytes("Eins\u2028\nZwei".encode())
    >>> read_lines(folder / "en.txt", folder / "a.txt", language="de", script="Latn").frame["target"].to_list()
    ['Eins\u2028', 'Zwei']
    """
    paths = [Path(p) for p in ([targets] if isinstance(targets, str | Path) else targets)]
    if not paths:
        raise InputError("no file of translations is named", fix="name at least one")
    sides = {"source": source, "reference": reference}
    shared = {side: Path(path) for side, path in sides.items() if path is not None}
    notes: list[str] = []
    texts = {path: _lines(path, notes) for path in (*shared.values(), *paths)}
    first, *others = texts.items()
    for other in others:
        _check_length(first, other)
    systems = _system_names(paths)
    ids = [str(number) for number in range(1, len(first[1]) + 1)]
    parts = [
        pl.DataFrame(
            {"id": ids, **{side: texts[file] for side, file in shared.items()}, "target": texts[path]},
            schema_overrides=dict.fromkeys(("id", *shared, "target"), pl.String),
        ).with_columns(system=pl.lit(system))
        for system, path in zip(systems, paths, strict=True)
    ]
    options: ReadOptions = {"language": language, "script": script, "condition": condition, "script_of": script_of}
    raw = Raw(pl.concat(parts), paths[0].name if len(paths) == 1 else f"{len(paths)} files")
    made = arrange(raw, options)
    return Segments(made.frame, made.measures).noted(*notes, *made.notes)


def _lines(path: Path, notes: list[str]) -> list[str]:
    """The lines of a file; what was dropped is added to the notes."""
    data = read_bytes(path)
    text, marked = utf8_text(data, path, lambda body, offset: (body.count(b"\n", 0, offset) + 1, None))
    if marked:
        notes.append(f"{path.name}: {BOM_NOTE}")
    lines = text.split("\n")
    unended = lines.pop()  # what follows the last line end
    if lines and all(line.endswith("\r") for line in lines):
        lines = [line[:-1] for line in lines]
        notes.append(f"{path.name}: every line ended in \\r\\n, and the \\r was dropped")
    elif returns := sum(line.endswith("\r") for line in lines):
        notes.append(f"{path.name}: {returns} of {len(lines)} lines end in \\r\\n; the \\r was kept as text")
    if zeros := sum("\0" in line for line in lines):
        notes.append(f"{path.name}: NUL was kept as text in {zeros} lines")
    return [*lines, unended] if unended else lines


def _check_length(one: tuple[Path, list[str]], other: tuple[Path, list[str]]) -> None:
    (short, few), (long, many) = sorted((one, other), key=lambda side: len(side[1]))
    if len(few) != len(many):
        raise InputError(
            f"there are {len(many)} lines here and {len(few)} in {short}, so this line has no partner",
            fix="give files that are aligned line by line",
            path=long,
            row=len(few) + 1,
        )


def _system_names(paths: Sequence[Path]) -> list[str]:
    stems = [path.name.removesuffix(".gz").rsplit(".", 1)[0] or path.name for path in paths]
    alike = {stem for stem, count in Counter(stems).items() if count > 1}
    named = [f"{p.absolute().parent.name}/{s}" if s in alike else s for p, s in zip(paths, stems, strict=True)]
    for name, count in Counter(named).items():
        if count > 1:
            same = " and ".join(str(path) for path, n in zip(paths, named, strict=True) if n == name)
            raise InputError(f"{same} would both be the system '{name}'", fix="give each file a name of its own")
    return named
