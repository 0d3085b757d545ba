"""The one exception that equiglot raises for input it cannot use.

Its text is one line that says where, what is wrong and what to do, so that the command line can print it as it is
and end with exit code 2.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["InputError"]


class InputError(ValueError):
    """Input that cannot be used, and the way out.

    Args:
        problem: what is wrong, e.g. ``"'xx' is not a language code"``.
        fix: what to do about it, e.g. ``"use a BCP 47 tag such as 'hi' or 'hin_Latn'"``.
        path: the file it was found in.
        row: the row, counted from 1 as an editor counts lines of data (the header is not a row).
        column: the column.

    >>> str(InputError("'xx' is not a language code", fix="use a BCP 47 tag", path="a.tsv", row=3, column="language"))
    "a.tsv, row 3, column 'language': 'xx' is not a language code; use a BCP 47 tag"
    """

    def __init__(
        self,
        problem: str,
        *,
        fix: str,
        path: str | Path | None = None,
        row: int | None = None,
        column: str | None = None,
    ) -> None:
        self.problem, self.fix, self.row, self.column = problem, fix, row, column
        self.path = None if path is None else str(path)
        super().__init__(problem)

    def __str__(self) -> str:
        place = [
            *([self.path] if self.path else []),
            *([f"row {self.row}"] if self.row is not None else []),
            *([f"column '{self.column}'"] if self.column else []),
        ]
        line = f"{self.problem}; {self.fix}"
        if place:
            line = f"{', '.join(place)}: {line}"
        return line.replace("\r", "\\r").replace("\n", "\\n")

    def located(self, path: str | Path | None) -> InputError:
        """The same error with the file named, where the one who found it did not know the file."""
        if self.path or path is None:
            return self
        return InputError(self.problem, fix=self.fix, path=path, row=self.row, column=self.column)
