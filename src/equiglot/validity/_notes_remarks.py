"""What was found and changes nothing: remarks that whoever ranks or passes a system must still hear of."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from equiglot.table import Segments

__all__ = ["TOLD", "also_invalid", "by_system", "remarks_note"]

TOLD = ("near copy", "placeholder", "no letters", "loop", "short loop")
"""Remarks that may be no answers, told in the headline where they are found and not counted."""

_NO_ANSWERS = ("placeholder", "no letters")
"""Those of which nothing is an answer, told wherever systems are ranked or passed."""

_SHOWN = 3


def also_invalid(kinds: Iterable[str]) -> str:
    """The options that count kinds as failures.

    >>> also_invalid(["placeholder", "no letters"])
    "--also-invalid placeholder --also-invalid 'no letters'"
    """
    return " ".join(f"--also-invalid {shlex.quote(kind)}" for kind in kinds)


def by_system(counts: Mapping[str, str]) -> str:
    """Systems with what is said of each, a few of many, the order kept.

    >>> by_system({"a": "2", "b": "1"})
    '2 of a, 1 of b'
    """
    shown = ", ".join(f"{said} of {system}" for system, said in list(counts.items())[:_SHOWN])
    more = len(counts) - _SHOWN
    return shown + (f" and {more} more system{'' if more == 1 else 's'}" if more > 0 else "")


def remarks_note(segments: Segments, file: Path) -> list[str]:
    """One note of placeholders and answers without letters that count as valid, by system; none where there are none.

    Args:
        segments: with ``remarks``, a list of kinds; without it nothing is known.
        file: the table, for the command that counts them.
    """
    if "remarks" not in segments.frame.columns:
        return []
    rows = dict(segments.frame.group_by("system").len().iter_rows())
    said: dict[str, str] = {}
    for kind in _NO_ANSWERS:
        has = segments.frame.filter("valid", pl.col("remarks").list.contains(kind).fill_null(False))
        found = sorted(has.group_by("system").len().iter_rows(), key=lambda row: (-row[1] / rows[row[0]], str(row[0])))
        if found:
            said[kind] = by_system({s: f"{n:,} ({100 * n / rows[s]:.1f}%)" for s, n in found})
    if not said:
        return []
    kinds = "; ".join(f"{kind}: {systems}" for kind, systems in said.items())
    command = f"equiglot validate {shlex.quote(str(file))} {also_invalid(said)} -o judged.parquet"
    return [
        f"answers that count as valid, though they may be none: {kinds}; to count them, use what `{command}` writes"
    ]
