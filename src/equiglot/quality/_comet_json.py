"""Read what ``comet-score --to_json`` wrote.

The format, as COMET 2.2.7 writes it: an object that maps each system, named by its file, to a list of
segments ``{"src": text, "mt": text, "ref": text, "COMET": score}``; ``ref`` is there only with references,
and XCOMET adds ``errors`` to segments that have some. ``comet-score`` leaves out what lies past the end of
the shortest file, so the count is worth comparing with one's own, and its scores are half-precision
numbers.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from equiglot.errors import InputError

__all__ = ["CometRow", "read_comet_json", "read_comet_rows"]

_FORMAT = "name a file that `comet-score --to_json` of COMET 2 wrote"


@dataclass(frozen=True, slots=True)
class CometRow:
    """A segment as ``comet-score`` had it: its score, target and source; a text is None where it is not there."""

    score: float
    mt: str | None
    src: str | None


def read_comet_json(path: str | Path, *, systems: int | None = None) -> dict[str, list[float]]:
    """The scores in a file of ``comet-score --to_json``: by system, one per segment in the file's order.

    The arguments and errors are those of :func:`read_comet_rows`.
    """
    return {system: [row.score for row in rows] for system, rows in read_comet_rows(path, systems=systems).items()}


def read_comet_rows(path: str | Path, *, systems: int | None = None) -> dict[str, list[CometRow]]:
    """The segments in a file of ``comet-score --to_json``: by system, in the file's order.

    Args:
        path: the file.
        systems: how many systems there should be, where that is known.

    Raises:
        InputError: not that format; a score that is not a finite number; another number of systems;
            systems that differ in their number of segments or in a source. Rows count from 1.
    """
    data = _load(path)
    if systems is not None and len(data) != systems:
        raise InputError(
            f"there are {len(data)} systems ({', '.join(data)}), not {systems}",
            path=path,
            fix="give comet-score one file per system, each with a name of its own",
        )
    found = {system: _rows(path, system, rows) for system, rows in data.items()}
    first, *others = data
    for system in others:
        if len(data[system]) != len(data[first]):
            raise InputError(
                f"system '{system}' has {len(data[system])} segments and '{first}' has {len(data[first])}",
                path=path,
                fix="score both against the same sources",
            )
        for i, (a, b) in enumerate(zip(data[first], data[system], strict=True), 1):
            if a.get("src") != b.get("src"):
                raise InputError(
                    f"systems '{first}' and '{system}' differ in their source",
                    path=path,
                    row=i,
                    column="src",
                    fix="score both against the same sources",
                )
    return found


def _load(path: str | Path) -> dict[str, list[dict[str, Any]]]:
    try:
        data = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", path=path, fix="name a file that can be read") from error
    except RecursionError as error:
        raise InputError("the JSON is nested too deeply", path=path, fix=_FORMAT) from error
    except ValueError as error:
        raise InputError(f"this is not JSON ({error})", path=path, fix=_FORMAT) from error
    if not isinstance(data, dict) or not data:
        raise InputError("this is not an object with a list of segments per system", path=path, fix=_FORMAT)
    for system, rows in data.items():
        if not isinstance(rows, list) or not rows:
            raise InputError(f"system '{system}' is not a list of segments", path=path, fix=_FORMAT)
        for i, row in enumerate(rows, 1):
            if not isinstance(row, dict):
                raise InputError(f"system '{system}' has no segment here", path=path, row=i, fix=_FORMAT)
    return data


def _rows(path: str | Path, system: str, rows: list[dict[str, Any]]) -> list[CometRow]:
    found: list[CometRow] = []
    for i, row in enumerate(rows, 1):
        score: object = row.get("COMET")
        if isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) < math.inf:
            raise InputError(
                f"the score of system '{system}' is {json.dumps(score)}, not a finite number",
                path=path,
                row=i,
                column="COMET",
                fix="score that segment again",
            )
        mt, src = (value if isinstance(value, str) else None for value in (row.get("mt"), row.get("src")))
        found.append(CometRow(float(score), mt, src))
    return found
