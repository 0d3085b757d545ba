"""The comparability card: what paper 1 asks to be published with a score, in one place.

The normalised score, the diagnostics (SBI, IPI, Tax) with the tokeniser they were computed against, n, intervals, and
both faults by name: P1, ranges differ between cells; P2, order within a script is worse. A part that the table can't
give says so. Normalised means of cells are equal by construction where the map was fitted on the same rows; what they
can tell apart is systems, so those have a table of their own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from equiglot._version import __version__
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.normalize import EQUAL_MEANS_WARNING
from equiglot.report._numbers import shown_interval, shown_number
from equiglot.report.badge import badge_svg
from equiglot.report.drawing import to_png
from equiglot.report.languages import language_name
from equiglot.report.markup import latex_text, to_latex, to_markdown
from equiglot.report.model import Answer, ReportTable
from equiglot.report.reading import report_table, with_unit

__all__ = ["ComparabilityCard", "comparability_card"]

_FAULTS = ("P1", "P2")
_SHORT = (
    {"yes": "ranges agree", "no": "ranges differ", "can't tell": "ranges unclear"},
    {"yes": "order kept", "no": "order worse", "can't tell": "order unclear"},
)
"""What a badge says of each fault."""

_NOT_NORMALIZED = "There is no normalised score: no native row has a score to map onto."

_PARITY = ("tp", "ip", "ipi", "sbi", "tax")
_KEYS = ("language", "script", "condition")
_PAIR = "romanized/native"


@dataclass(frozen=True, slots=True)
class ComparabilityCard:
    """What is to be printed beside a score.

    Attributes:
        metric: its name.
        faults: P1 and P2, each with its question, answer and the numbers behind it.
        cells: a result table by language, script and condition: ``mean``, ``mean_normalized``, and of ``tp``, ``ip``,
            ``ipi``, ``sbi`` and ``tax`` those that are known.
        systems: a result table by system: ``mean_normalized`` of the native rows; empty where there is one system.
        facts: how the numbers were made: version, signatures, tokeniser, language model, n.
        notes: what a reader must be told.
    """

    metric: str
    faults: tuple[Answer, ...]
    cells: pl.DataFrame
    systems: pl.DataFrame
    facts: Mapping[str, str]
    notes: tuple[str, ...]

    def tables(self) -> list[ReportTable]:
        """The tables as they are read."""
        made = [report_table(f"{self.metric}-card", f"{self.metric} by language and script", self.cells, explain=True)]
        if self.systems.height:
            title = f"Normalised {self.metric} by system, native rows of all languages"
            made.append(report_table(f"{self.metric}-card-systems", title, self.systems))
        return made

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON."""
        return {
            "metric": self.metric,
            "faults": [{"fault": name, **asdict(answer)} for name, answer in zip(_FAULTS, self.faults, strict=True)],
            "cells": self.cells.to_dicts(),
            "systems": self.systems.to_dicts(),
            "facts": dict(self.facts),
            "notes": list(self.notes),
        }

    def to_markdown(self) -> str:
        """The card as Markdown."""
        lines = [f"# Comparability card: {_plain(self.metric)}", ""]
        for name, answer in zip(_FAULTS, self.faults, strict=True):
            lines += [f"**{name}. {answer.question}** {answer.answer.capitalize()}. {_plain(answer.sentence)}", ""]
        for table in self.tables():
            lines += [to_markdown(table)]
        lines += [f"- {name}: `{value}`" for name, value in self.facts.items()]
        return "\n".join([*lines, "", *(f"> {_plain(note)}\n" for note in self.notes)])

    def to_latex(self) -> str:
        """The card as LaTeX: a list of the faults and facts, and the tables; needs the package booktabs."""
        items = [
            rf"  \item[{name}] {latex_text(f'{a.question} {a.answer.capitalize()}. {a.sentence}')}"
            for name, a in zip(_FAULTS, self.faults, strict=True)
        ]
        for name, value in self.facts.items():
            # A signature is one word, and would run off the page.
            broken = latex_text(value).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
            items.append(rf"  \item[{latex_text(name)}] \texttt{{{broken}}}")
        listed = [
            rf"\paragraph{{Comparability card: {latex_text(self.metric)}}}",
            r"\begin{description}",
            *items,
            r"\end{description}",
            *(latex_text(note) for note in self.notes),
        ]
        return "\n".join(listed) + "\n\n" + "\n".join(to_latex(table) for table in self.tables())

    def badge(self) -> str:
        """The badge as SVG: both faults, what the score was normalised by, and the tokeniser."""
        fields = [
            (f"{name} {short.get(answer.answer, answer.answer)}", answer.answer)
            for name, short, answer in zip(_FAULTS, _SHORT, self.faults, strict=True)
        ]
        mapped = "not normalised" if self.facts["Normalised score"] == "none" else "qn"
        fields.append((f"{mapped}, n = {self.facts['n']}", ""))
        fields.append((f"tok {self.facts['Tokeniser']}", ""))
        return badge_svg(self.metric, fields)

    def write(self, folder: str | Path) -> list[Path]:
        """Write ``card-METRIC`` as .md, .tex, .json and .png.

        Raises:
            InputError: the folder can't be written to.
        """
        stem = "".join(c if c.isalnum() or c in "._+-" else "-" for c in self.metric)
        document = json.dumps(
            {"equiglot": __version__, **self.to_dict()}, ensure_ascii=False, allow_nan=False, indent=1
        )
        contents = {
            "md": self.to_markdown().encode(),
            "tex": self.to_latex().encode(),
            "json": f"{document}\n".encode(),
            "png": to_png(self.badge()),
        }
        paths = [Path(folder) / f"card-{stem}.{suffix}" for suffix in contents]
        for path, data in zip(paths, contents.values(), strict=True):
            _write(path, data)
        return paths


def comparability_card(
    info: MeasureInfo,
    *,
    faults: Sequence[Answer],
    cells: pl.DataFrame,
    languages: pl.DataFrame,
    normalized: pl.DataFrame,
    parity: pl.DataFrame,
    systems: pl.DataFrame,
    map_signature: str | None,
    notes: Sequence[str] = (),
) -> ComparabilityCard:
    """Put a card together from what an audit, a normalisation and a profile found.

    Args:
        info: the score.
        faults: P1 and P2; the card keeps the answers and gives the numbers in a sentence of its own.
        cells: a result table by language, script and condition with the measure ``mean``.
        languages: a result table by language with the measures ``delta`` and ``rho_drop``.
        normalized: the same of the normalised scores; empty where there are none.
        parity: a result table with the same keys and any of ``tp``, ``ip``, ``ipi``, ``sbi`` and ``tax``; a pair of
            conditions is ``romanized/native`` and is shown with the romanised row.
        systems: a result table by ``system`` with ``mean_normalized``.
        map_signature: of the normalised scores; None where no native row has a score to map onto.
        notes: what else a reader must be told.
    """
    means = cells.filter(measure="mean")
    known = _with_pairs(parity, means) if parity.height else parity
    parts = [means]
    if normalized.height:
        parts.append(normalized.filter(measure="mean").with_columns(measure=pl.lit("mean_normalized")))
    if known.height:
        parts.append(known.filter(pl.col("measure").is_in(_PARITY)))
    table = pl.concat([part.select(*_KEYS, *(c for c in means.columns if c not in _KEYS)) for part in parts])
    named = set(known["measure"]) if known.height else set[str]()
    missing = [shown for name, shown in (("sbi", "SBI"), ("ipi", "IPI"), ("tax", "Tax")) if name not in named]
    said = list(notes)
    if missing:
        said.append(
            f"{', '.join(missing)} can't be shown: the table has no information parity. A study with a language model "
            "adds it (equiglot run), and a card can be made of its results."
        )
    facts = {
        "equiglot": __version__,
        "Score": info.signature,
        "Normalised score": map_signature or "none",
        "Tokeniser": _named(known, "tp", "tok") or "not stated",
        "n": f"{int(means['n'].sum()):,}",
    }
    if model := _named(known, "ip", "lm"):
        facts["Language model"] = model
    said.append(EQUAL_MEANS_WARNING if map_signature else _NOT_NORMALIZED)
    return ComparabilityCard(info.name, tuple(_shorter(faults, languages, info)), table, systems, facts, tuple(said))


def _shorter(faults: Sequence[Answer], languages: pl.DataFrame, info: MeasureInfo) -> list[Answer]:
    """The faults with the ends of what was measured per language, where that is known."""
    said = (
        ("delta", f"Romanised, the mean of {with_unit(info.name, info.unit)} shifts by {{}}."),
        ("rho_drop", "Romanised, Spearman's rho with people drops by {}."),
    )
    short: list[Answer] = []
    for answer, (measure, sentence) in zip(faults, said, strict=True):
        found = languages.filter(measure=measure).drop_nulls("value").sort("value") if languages.height else languages
        ends = list(
            dict.fromkeys(
                _end(row) for row in (*found.head(1).iter_rows(named=True), *found.tail(1).iter_rows(named=True))
            )
        )
        words = sentence.format(" to ".join(ends)) if ends else answer.sentence
        short.append(replace(answer, sentence=words))
    return short


def _end(row: Mapping[str, Any]) -> str:
    decimals = 3 if abs(row["value"]) < 10 else 2
    number = shown_number(row["value"], decimals, signed=row["measure"] == "delta")
    return f"{number}{shown_interval(row['low'], row['high'], decimals)} ({language_name(row['language'])})"


def _with_pairs(parity: pl.DataFrame, means: pl.DataFrame) -> pl.DataFrame:
    """Measures of a pair of conditions put with the language's romanised row."""
    scripts = means.filter(condition="romanized").select("language", pl.col("script").alias("other")).unique("language")
    pair = pl.col("condition") == _PAIR
    return (
        parity.join(scripts, on="language", how="left", maintain_order="left")
        .with_columns(
            script=pl.when(pair).then(pl.coalesce("other", "script")).otherwise("script"),
            condition=pl.when(pair).then(pl.lit("romanized")).otherwise("condition"),
        )
        .drop("other")
    )


def _named(table: pl.DataFrame, measure: str, key: str) -> str | None:
    """What the signature of a measure says of a key; None where rows differ or there are none."""
    if not table.height:
        return None
    signatures = table.filter(measure=measure)["signature"].drop_nulls().unique().to_list()
    found = {
        value for text in signatures for part, _, value in (p.partition(":") for p in text.split("|")) if part == key
    }
    return found.pop() if len(found) == 1 else None


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        problem = f"the card can't be written ({error.strerror or error})"
        raise InputError(problem, path=path, fix="name a folder you may write to") from error
    finally:
        with suppress(OSError):
            part.unlink()


def _plain(text: str) -> str:
    """A text in which nothing is Markdown."""
    return "".join(f"\\{c}" if c in "\\*_`[]<>#|" else c for c in " ".join(text.split()))
