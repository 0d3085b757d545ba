r"""What is wrong with a text file itself, whatever its rows say.

Line files are read differently by different tools: one of eight lines reads as 8, 9 or 13 where it holds U+2028, NEL,
form feeds or a lone ``\r``. Counted are those, byte-order marks (at the start and inside), NUL and mixed line ends. A
byte that is not UTF-8 is an error. One pass in blocks, so size is no matter.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from equiglot.errors import InputError
from equiglot.table._files import read_bytes

__all__ = ["FileFacts", "check_file", "line_blocks", "open_bytes"]

BLOCK = 1 << 22
_BOM = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BREAKS = {
    "U+2028 LINE SEPARATOR": "\u2028".encode(),
    "U+2029 PARAGRAPH SEPARATOR": "\u2029".encode(),
    "U+0085 NEXT LINE": "\u0085".encode(),
    "U+000B VERTICAL TAB": b"\x0b",
    "U+000C FORM FEED": b"\x0c",
    "U+001C FILE SEPARATOR": b"\x1c",
    "U+001D GROUP SEPARATOR": b"\x1d",
    "U+001E RECORD SEPARATOR": b"\x1e",
}
"""Characters that end a line for some readers (``str.splitlines``) and not for others."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    r"""What one pass over a file finds.

    Attributes:
        path: the file.
        size: bytes, unpacked.
        lines: as ``\n`` ends them, a last one without an end among them.
        returns: lines that end in ``\r\n``.
        lone_returns: ``\r`` elsewhere.
        ended: whether the last line ends.
        marked: whether a byte-order mark stands at the start.
        marks: byte-order marks elsewhere.
        zeros: NULs.
        breaks: other characters that end a line for some readers: how many, and the line of the first.
    """

    path: Path
    size: int
    lines: int
    returns: int
    lone_returns: int
    ended: bool
    marked: bool
    marks: int
    zeros: int
    breaks: dict[str, tuple[int, int]]

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong, a sentence each; nothing where all is well."""
        said: list[str] = []
        if self.marked:
            said.append("it begins with a byte-order mark (U+FEFF), which other tools take for text; save it without")
        if self.marks:
            said.append(f"{_times(self.marks, 'byte-order mark')} inside the text, as files put together leave them")
        if 0 < self.returns < self.lines - (not self.ended):
            said.append(f"line ends are mixed: {self.returns:,} of {self.lines:,} lines end in \\r\\n; use \\n")
        if self.lone_returns:
            said.append(
                f"{_times(self.lone_returns, 'carriage return')} inside lines, at which some tools end the line"
            )
        for name, (count, line) in self.breaks.items():
            said.append(f"{_times(count, name)}, first in line {line:,}, at which some tools end the line")
        if self.zeros:
            said.append(f"{_times(self.zeros, 'NUL')}, which is no text")
        return tuple(f"{self.path.name}: {sentence}" for sentence in said)


def _times(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("s" if count != 1 and not what.startswith(("U+", "NUL")) else "")


def check_file(path: Path, *, header: bool = False) -> FileFacts:
    """Look through a text file (.gz or not).

    Args:
        path: the file.
        header: whether its first line is no row, in errors.

    Raises:
        InputError: no such file, not gzip, empty, or a byte that is not UTF-8, with its offset and row.
    """
    size = lines = returns = all_returns = marks = zeros = 0
    marked, ended = False, True
    breaks: dict[str, tuple[int, int]] = {}
    for block in line_blocks(path):
        if not size:
            marked = block.startswith(_BOM)
            _check_encoding(block, path)
        _check_utf8(block, path, size, lines - header)
        if b"\r" in block:
            returns += block.count(b"\r\n")
            all_returns += block.count(b"\r")
        for name, character in _BREAKS.items():
            if count := block.count(character):
                before, line = breaks.get(name, (0, lines + block.count(b"\n", 0, block.find(character)) + 1))
                breaks[name] = (before + count, line)
        marks += block.count(_BOM)
        zeros += block.count(b"\0")
        lines += block.count(b"\n")
        size += len(block)
        ended = block.endswith(b"\n")
    if not size or (marked and size == len(_BOM)):
        raise InputError("the file is empty", fix="name a file that has rows", path=path)
    lines += not ended
    return FileFacts(path, size, lines, returns, all_returns - returns, ended, marked, marks - marked, zeros, breaks)


def _check_encoding(block: bytes, path: Path) -> None:
    if block.startswith(_UTF16_MARKS):
        raise InputError("the file looks like UTF-16", fix="save it as UTF-8", path=path)


def _check_utf8(block: bytes, path: Path, before: int, rows: int) -> None:
    try:
        block.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte 0x{block[error.start]:02x} at offset {before + error.start} is not UTF-8",
            fix="save the file as UTF-8",
            path=path,
            row=rows + block.count(b"\n", 0, error.start) + 1 or None,  # none in the header
        ) from error


def open_bytes(path: Path) -> IO[bytes] | gzip.GzipFile:
    """A file's bytes, unpacked where its name ends in ``.gz``.

    Raises:
        InputError: no such file (the nearest name in its folder is told), a folder, or what can be read only once.
    """
    if not path.exists() or path.is_dir():
        read_bytes(path)  # says what is there instead
    if not path.is_file():
        raise InputError("this is not a file, and it is read twice", fix="save it to a file first", path=path)
    return gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb")


def line_blocks(path: Path, size: int = BLOCK) -> Iterator[bytes]:
    r"""The bytes of a file in blocks of whole lines (as ``\n`` ends them), the last one perhaps without an end.

    Raises:
        InputError: the file can't be read, or is not whole gzip.
    """
    import zlib

    try:
        with open_bytes(path) as file:
            while block := file.read(size):
                yield block if block.endswith(b"\n") else block + file.readline()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"this is not a whole gzip file ({error})", fix="pack it again", path=path) from error
    except OSError as error:
        problem = error.strerror or "the file cannot be read"
        raise InputError(problem, fix="name a file that can be read", path=path) from error
