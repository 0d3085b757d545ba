"""Small multiples: one chart per question side by side, as many in a line as a width holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    import altair as alt

__all__ = ["in_lines", "panel_width"]

_GAP = 22


def panel_width(width: int, per_line: int, axis: int) -> int:
    """The pixels that each of ``per_line`` panels has for its marks, when each also has an axis of ``axis`` pixels."""
    per_line = max(per_line, 1)
    return (width - _GAP * (per_line - 1)) // per_line - axis


def in_lines(names: Sequence[str], per_line: int, draw: Callable[[str, bool], Any]) -> alt.TopLevelMixin:
    """A panel per name; ``draw`` is told whether the panel is the first of its line. Without any, it says why."""
    import altair as alt

    if not names:
        return alt.Chart(pl.DataFrame({"why": ["no row has a value"]})).mark_text().encode(text="why:N")
    lines = [names[i : i + per_line] for i in range(0, len(names), per_line)]
    drawn = [alt.hconcat(*(draw(name, name == line[0]) for name in line), spacing=_GAP) for line in lines]
    return alt.vconcat(*drawn, spacing=_GAP) if len(drawn) > 1 else drawn[0]
