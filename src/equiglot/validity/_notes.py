r"""What is said of the blocks of a file, as it is said of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["FileNotes"]

_SHOWN = 8
_LISTS = (
    re.compile(r"(?P<head>.*: )?languages were read: (?P<items>.*?)(?P<more> and \d+ more)?"),
    re.compile(r"(?P<head>.*: )?no text shows the script, so the usual one was taken: (?P<items>.*?)(?P<more>)"),
)
_WORDS = (
    "languages were read: {}",
    "nothing says which script is expected, so the usual one was taken ({}); say --script, or name the language as in "
    "te-Latn, where it is another",
)
_COUNTED = re.compile(
    r"(?P<head>.*text with .* in it was kept as it is in )(?P<rows>\d+) rows, first in row (?P<first>\d+)"
)
_OF_LINES = re.compile(r".*\d+ of \d+ lines end in \\r\\n and the others in \\n.*")
"""Said of the whole file by :func:`equiglot.validity.check_file`."""


class FileNotes:
    r"""Notes gathered from blocks: lists put together, rows counted through the file, each said once.

    >>> notes = FileNotes()
    >>> notes.add(["a.csv: languages were read: hin as hi"], 0)
    >>> notes.add(["a.csv: languages were read: hin as hi, tel as te"], 4096)
    >>> notes.told
    ('a.csv: languages were read: hin as hi, tel as te',)
    """

    def __init__(self) -> None:
        self._kinds: dict[str, int | None] = {}
        self._items: dict[str, dict[str, None]] = {}
        self._more: set[str] = set()
        self._rows: dict[str, tuple[int, int]] = {}

    def add(self, notes: Iterable[str], before: int) -> None:
        """Gather those of a block that stands after so many rows."""
        for note in notes:
            if counted := _COUNTED.fullmatch(note):
                self._kinds.setdefault(counted["head"])
                rows, first = self._rows.get(counted["head"], (0, before + int(counted["first"])))
                self._rows[counted["head"]] = (rows + int(counted["rows"]), first)
            elif not _OF_LINES.fullmatch(note):
                self._add_listed(note)

    def _add_listed(self, note: str) -> None:
        for kind, pattern in enumerate(_LISTS):
            if listed := pattern.fullmatch(note):
                key = f"{listed['head'] or ''}{_WORDS[kind]}"
                self._kinds.setdefault(key, kind)
                self._items.setdefault(key, {}).update(dict.fromkeys(listed["items"].split(", ")))
                self._more |= {key} if listed["more"] else set()
                return
        self._kinds.setdefault(note)

    @property
    def told(self) -> tuple[str, ...]:
        """What is to be said, in the order in which it was met."""
        return tuple(self._worded(key) for key in self._kinds)

    def _worded(self, key: str) -> str:
        if key in self._rows:
            rows, first = self._rows[key]
            return f"{key}{rows} rows, first in row {first}"
        if key not in self._items:
            return key
        items = list(self._items[key])
        # A block names a few of many, so how many more there are is not known.
        more = " and more" if len(items) > _SHOWN or key in self._more else ""
        return key.format(", ".join(items[:_SHOWN]) + more)
