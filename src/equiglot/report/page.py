"""The page: one HTML file that needs no network, no script and no other file.

The answer stands first, in words; then the evidence; then how it was made. Jinja2 escapes everything that isn't markup
of ours: titles, names, reasons and notes may hold any text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from equiglot._version import __version__
from equiglot.report._numbers import typeset
from equiglot.report.drawing import inline_svg
from equiglot.report.fonts import FAMILIES, font_faces
from equiglot.report.glossary import glossary
from equiglot.report.markup import is_numeric
from equiglot.report.model import Answer, ReportChart, ReportTable, Section
from equiglot.report.theme import css_variables

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["Card", "Drawn", "Files", "page"]

Card = Mapping[str, str | Sequence[str]]
"""What a paper would print of how numbers were made: a name, and one value or several."""

Drawn = Mapping[str, tuple[str, str]]
"""By the chart's name, its SVG document drawn wide and drawn narrow."""

Files = Sequence[tuple[str, str]]
"""What a file holds, in words, and its path from the page's folder."""

_FOLDER = Path(__file__).parent / "templates"
_MOST_INTERVALS_IN_LINE = 2
_ANSWERS = {"yes": ("Yes", "yes"), "no": ("No", "no"), "can't tell": ("Can't tell", "unclear")}


def page(
    *,
    title: str,
    sections: Sequence[Section],
    card: Card,
    notes: Sequence[str],
    drawn: Drawn,
    files: Files = (),
) -> str:
    """The report as an HTML document.

    Args:
        title: of the page.
        sections: in order; the names of their charts and tables are those of the files.
        card: how it was made.
        notes: what the reader must be told.
        drawn: the charts.
        files: what lies beside the page, linked below the answer.
    """
    from jinja2 import Environment, FileSystemLoader
    from markupsafe import Markup

    env = Environment(loader=FileSystemLoader(_FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    env.filters["words"] = _words
    ids = _ids([section.title for section in sections])
    shown = [
        {
            "id": identity,
            "title": section.title,
            "lead": section.lead,
            "answers": [_answer(answer) for answer in section.answers],
            "tables": [_table(table) for table in section.tables],
            "charts": [_chart(chart, *drawn[chart.name]) for chart in section.charts],
        }
        for section, identity in zip(sections, ids, strict=True)
    ]
    values: dict[str, Any] = {
        "title": title,
        "sections": shown,
        "card": [(name, [value] if isinstance(value, str) else list(value)) for name, value in card.items()],
        "notes": list(notes),
        "files": [(words, quote(path)) for words, path in files],
        "version": __version__,
    }
    template = env.get_template("report.html.j2")
    words = template.render(style="", **values)
    values["glossary"] = glossary(re.sub(r"<[^>]*>", " ", words))
    families = ", ".join(f'"{family}"' for family in FAMILIES[1:])
    style = env.get_template("report.css").render(
        light=css_variables(dark=False), dark=css_variables(dark=True), families=Markup(families)
    )
    charts = "".join(wide + narrow for wide, narrow in drawn.values())
    faces = font_faces(re.sub(r"<[^>]*>", "", words), latin=re.sub(r"<[^>]*>", "", charts))
    return template.render(style=Markup(f"{faces}\n{style}"), **values)


def _answer(answer: Answer) -> dict[str, str]:
    word, kind = _ANSWERS.get(answer.answer, (answer.answer, "unclear"))
    return {"word": word, "kind": kind, "question": answer.question, "sentence": answer.sentence, "fix": answer.fix}


def _chart(chart: ReportChart, wide: str, narrow: str) -> dict[str, str]:
    from markupsafe import Markup

    return {
        "title": chart.title,
        "file": chart.name,
        "note": chart.note,
        "wide": Markup(inline_svg(wide, name=f"{chart.name}-w", alt=chart.alt)),
        "narrow": Markup(inline_svg(narrow, name=f"{chart.name}-n", alt=chart.alt)),
    }


def _table(table: ReportTable) -> dict[str, Any]:
    frame = table.frame
    rows = [[_cell(value) for value in row] for row in frame.iter_rows()]
    with_intervals = {i for row in rows for i, cell in enumerate(row) if cell["interval"]}
    return {
        "title": table.title,
        "file": table.name,
        "columns": [{"head": name, "numeric": is_numeric(frame[name])} for name in frame.columns],
        "rows": rows,
        "roomy": len(with_intervals) <= _MOST_INTERVALS_IN_LINE,
        "footnotes": table.footnotes,
    }


def _cell(value: object) -> dict[str, str]:
    """A cell's value and its interval apart, so that the interval can stand below."""
    text = "–" if value is None else str(value)
    found = re.fullmatch(r"(.*\S) (\[[^\[\]]*\])", text)
    return {"value": found[1], "interval": found[2]} if found else {"value": text, "interval": ""}


def _words(text: str) -> Markup:
    """Prose as HTML: escaped, with `code` in backquotes as it stands and mathematics as print has it."""
    from markupsafe import Markup, escape

    prose_and_code = re.split(r"`([^`]+)`", text)
    parts = [
        f"<code>{escape(part)}</code>" if i % 2 else str(escape(typeset(part))) for i, part in enumerate(prose_and_code)
    ]
    return Markup("".join(parts))


def _ids(titles: Sequence[str]) -> list[str]:
    """An id for each title, none of them twice, none of them one that the page has of its own."""
    return [f"s{i}-{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')}" for i, title in enumerate(titles, 1)]
