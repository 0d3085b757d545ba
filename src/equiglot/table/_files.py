"""The bytes of a file, checked before anything is made of them.

Text is UTF-8 and nothing else: a byte that is not is an error that says where. A byte-order mark at the start
is dropped, and the caller says so. Nothing else is changed.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path

from equiglot.errors import InputError

__all__ = ["BOM_NOTE", "format_suffix", "read_bytes", "utf8_text"]

_BOM = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

BOM_NOTE = "the byte-order mark at its start was dropped"


def format_suffix(path: Path) -> str:
    """The suffix that names the format, lower-cased, with any ``.gz`` left out.

    >>> format_suffix(Path("scores.TSV.gz"))
    '.tsv'
    """
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix


def read_bytes(path: Path) -> bytes:
    """What a file holds, unpacked where its name ends in ``.gz``.

    Raises:
        InputError: no such file (the nearest name in its folder is told), a folder, not readable, not gzip.
    """
    if not path.exists():
        near = get_close_matches(path.name, _names_beside(path), n=1)
        fix = f"did you mean '{path.with_name(near[0])}'?" if near else "check the path"
        raise InputError("there is no such file", fix=fix, path=path)
    if path.is_dir():
        raise InputError("this is a folder", fix="name a file in it", path=path)
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix.lower() == ".gz" else data
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"this is not a whole gzip file ({error})", fix="pack it again", path=path) from error
    except OSError as error:
        problem = error.strerror or "the file cannot be read"
        raise InputError(problem, fix="name a file that can be read", path=path) from error


def _names_beside(path: Path) -> list[str]:
    try:
        return [other.name for other in path.parent.iterdir()]
    except OSError:
        return []


def utf8_text(
    data: bytes, path: Path, place: Callable[[bytes, int], tuple[int | None, str | None]]
) -> tuple[str, bool]:
    """The text of UTF-8 bytes without its byte-order mark, and whether it had one.

    Args:
        data: the bytes.
        path: their file, for errors.
        place: given the bytes without the mark and an offset in them, the row and the column it lies in.

    Raises:
        InputError: a byte that is not UTF-8, with its offset in the file, counted from 0; an empty file.
    """
    marked = data.startswith(_BOM)
    body = data[len(_BOM) :] if marked else data
    if not body:
        raise InputError("the file is empty", fix="name a file that has rows", path=path)
    try:
        return body.decode("utf-8"), marked
    except UnicodeDecodeError as error:
        utf16 = data.startswith(_UTF16_MARKS)
        row, column = (None, None) if utf16 else place(body, error.start)
        offset = error.start + (len(_BOM) if marked else 0)
        raise InputError(
            f"byte 0x{body[error.start]:02x} at offset {offset} is not UTF-8",
            fix="the file looks like UTF-16: save it as UTF-8" if utf16 else "save the file as UTF-8",
            path=path,
            row=row,
            column=column,
        ) from error
