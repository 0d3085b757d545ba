"""A report as a folder: the page, and every chart and table as files of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from equiglot.errors import InputError
from equiglot.report.drawing import to_png, to_svg
from equiglot.report.markup import to_csv, to_latex, to_markdown
from equiglot.report.model import Section
from equiglot.report.page import Card, Files, page

__all__ = ["write_report"]

_WIDE, _NARROW = 720, 336


def write_report(
    folder: str | Path,
    *,
    title: str,
    sections: Sequence[Section],
    card: Card,
    notes: Sequence[str] = (),
    files: Files = (),
) -> Path:
    """Write ``report.html``, ``charts/NAME.svg`` and ``.png``, ``tables/NAME.csv``, ``.md`` and ``.tex``.

    Each file is written under a temporary name and renamed, the page last, so that what is there is whole. The same
    report is written as the same bytes. Files of an earlier report under other names are left where they are.

    Args:
        folder: made if it isn't there.
        title: of the page.
        sections: in order; their leads are the answer at the top.
        card: how the numbers were made (signatures, versions, seeds, n, what was left out), printed as it stands.
        notes: what the reader must be told; each is said once.
        files: what else lies in the folder: in words, and its path from there; linked below the answer.

    Returns:
        The path of the page.

    Raises:
        InputError: the folder can't be written to.
    """
    place = Path(folder)
    sections = _with_file_names(sections)
    charts = [chart for section in sections for chart in section.charts]
    drawn = {chart.name: (to_svg(chart.draw(_WIDE)), to_svg(chart.draw(_NARROW))) for chart in charts}
    html = page(title=title, sections=sections, card=card, notes=list(dict.fromkeys(notes)), drawn=drawn, files=files)
    for name, (wide, _) in drawn.items():
        _write(place / "charts" / f"{name}.svg", wide.encode())
        _write(place / "charts" / f"{name}.png", to_png(wide))
    for table in [table for section in sections for table in section.tables]:
        for suffix, text in (("csv", to_csv(table)), ("md", to_markdown(table)), ("tex", to_latex(table))):
            _write(place / "tables" / f"{table.name}.{suffix}", text.encode())
    _write(place / "report.html", html.encode())
    return place / "report.html"


def _with_file_names(sections: Sequence[Section]) -> list[Section]:
    """The sections with names of charts and tables that are safe as file names on any system, none used twice."""
    charts, tables = set[str](), set[str]()
    return [
        replace(
            section,
            charts=tuple(replace(chart, name=_unused(chart.name, charts)) for chart in section.charts),
            tables=tuple(replace(table, name=_unused(table.name, tables)) for table in section.tables),
        )
        for section in sections
    ]


def _unused(name: str, taken: set[str]) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "unnamed"
    unique, number = stem, 2
    while unique in taken:
        unique, number = f"{stem}-{number}", number + 1
    taken.add(unique)
    return unique


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise InputError(
            f"the report can't be written ({error.strerror or error})", path=path, fix="name a folder you may write to"
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink()
