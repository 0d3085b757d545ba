"""A table of texts laid out for a terminal: in columns where they fit, else a block of lines for each row.

Nothing is ever cut: a number that doesn't fit moves to a line of its own.
"""

from __future__ import annotations

import re
import textwrap
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["laid_out"]

_GAP = "  "
_INTERVAL = re.compile(r" (?=\[[^\[\]]*\]$)")

_Rows = list[list[str]]


def laid_out(frame: pl.DataFrame, limit: int | None) -> list[str]:
    r"""The lines of a table.

    Columns without any value are left out. What names rows, and n, is said once, below, where all of several rows share
    it; a result that all share stays in its column.

    Args:
        frame: texts, null where there is none.
        limit: the width of the terminal; None is as wide as it takes.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"Language": ["Hindi", "Tamil"], "chrf": ["17.2 [15.0, 19.4]", "9.0 [8.1, 9.9]"]})
    >>> print("\n".join(laid_out(frame.with_columns(n=pl.lit("60")), 30)))
    Language               chrf
    ───────────────────────────
    Hindi     17.2 [15.0, 19.4]
    Tamil        9.0 [8.1, 9.9]
    <BLANKLINE>
    In every row: n 60
    >>> print("\n".join(laid_out(frame, 24)))
    Language          chrf
    ──────────────────────
    Hindi             17.2
              [15.0, 19.4]
    Tamil              9.0
                [8.1, 9.9]
    """
    frame, shared = _telling(frame)
    below = ["", f"In every row: {', '.join(f'{name} {value}' for name, value in shared.items())}"] if shared else []
    if not frame.width:
        return below[1:]
    cells = [["–" if value is None else str(value) for value in row] for row in frame.iter_rows()]
    right = _numeric(frame)
    for heads_wrap, intervals_below in ((False, False), (True, False), (True, True)):
        lines = _columns(frame.columns, cells, right, heads_wrap, intervals_below)
        if limit is None or max(map(_width, lines)) <= limit:
            return [*lines, *below]
    return [*_blocks(frame.columns, cells, right), *below]


def _telling(frame: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, str]]:
    """The columns that say something of each row, and what all rows share."""
    empty = [c for c in frame.columns if all(value in (None, "", "–") for value in frame[c])]
    frame = frame.drop(empty)
    if frame.height < 2:
        return frame, {}
    names = {c for c, numeric in zip(frame.columns, _numeric(frame), strict=True) if not numeric or c == "n"}
    shared = {c: str(frame[c][0]) for c in frame.columns if c in names and frame[c].n_unique() == 1}
    return frame.drop(shared), shared


def _numeric(frame: pl.DataFrame) -> list[bool]:
    from equiglot.report.markup import is_numeric

    return [is_numeric(frame[column]) for column in frame.columns]


def _columns(heads: list[str], cells: _Rows, right: list[bool], heads_wrap: bool, intervals_below: bool) -> list[str]:
    """Header, rule and rows; every cell is a stack of lines."""
    stacked = [[_INTERVAL.split(cell) if intervals_below else [cell] for cell in row] for row in cells]
    widths: list[int] = []
    top: list[list[str]] = []
    for i, head in enumerate(heads):
        needed = max(_width(line) for row in stacked for line in row[i])
        words = max(_width(word) for word in head.split())
        top.append(textwrap.wrap(head, max(needed, words), break_long_words=False) if heads_wrap else [head])
        widths.append(max(needed, *map(_width, top[-1])))

    def lines(stacks: list[list[str]]) -> list[str]:
        rows = zip_longest(*stacks, fillvalue="")
        return [_GAP.join(_padded(*cell) for cell in zip(row, widths, right, strict=True)).rstrip() for row in rows]

    rule = "─" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    return [*lines(top), rule, *(line for row in stacked for line in lines(row))]


def _blocks(heads: list[str], cells: _Rows, right: list[bool]) -> list[str]:
    """A paragraph for each row: what it is of, and a line for each number."""
    numbers = [i for i, numeric in enumerate(right) if numeric]
    names = max((_width(heads[i]) for i in numbers), default=0)
    blocks = [
        [
            ", ".join(row[i] for i, numeric in enumerate(right) if not numeric and row[i]),
            *(f"{_GAP}{_padded(heads[i], names, False)}{_GAP}{row[i]}" for i in numbers if row[i]),
        ]
        for row in cells
    ]
    return [line for i, block in enumerate(blocks) for line in ([""] if i else []) + block]


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)
