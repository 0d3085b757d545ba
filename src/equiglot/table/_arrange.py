"""From the columns of a file to a segment table: what every reader of tables does last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

import polars as pl

from equiglot.errors import InputError
from equiglot.measures import Direction
from equiglot.table._raw import Raw
from equiglot.table.columns import KNOWN_COLUMNS, LANGUAGE_PAIR, name_columns, names, texts
from equiglot.table.keys import check_unique, conditions_by_script, languages, named, numbered, scripts
from equiglot.table.scores import known_measure, numbers, read_measures
from equiglot.table.scripts import ScriptOf, fill_scripts
from equiglot.table.segments import KEY, TEXT_COLUMNS, Segments

__all__ = ["ReadOptions", "arrange"]

_CONDITIONS = {"native": "native", "romanized": "romanized", "romanised": "romanized"}


class ReadOptions(TypedDict, total=False):
    """How a table's columns are read; :func:`equiglot.table.read_segments` says what each option does."""

    rename: Mapping[str, str] | None
    language: str | None
    script: str | None
    system: str | None
    condition: str | None
    human: str | None
    measures: Mapping[str, Direction] | None
    script_of: ScriptOf | None


def arrange(raw: Raw, options: ReadOptions) -> Segments:
    """The segment table that the columns make.

    Raises:
        InputError: whatever makes them unusable, with file, row and column.
    """
    if not raw.frame.height:
        raise raw.error("there are no rows", fix="name a file that has rows")
    asked = options.get("measures") or {}
    raw = _under_our_names(raw, options, asked)
    text = {c: texts(raw, c) for c in TEXT_COLUMNS if c in raw.frame.columns}
    scores, infos = read_measures(raw, asked, (*KNOWN_COLUMNS, LANGUAGE_PAIR))
    human = [numbers(raw, "human")] if "human" in raw.frame.columns else []
    if not ("target" in text or scores or human):
        raise raw.error(
            f"there is neither a text nor a score to read; the columns are {', '.join(raw.frame.columns)}",
            fix="name the column of translations with --map target=YOUR_COLUMN",
        )
    keys, notes = _keys(raw, options, text)
    romanizer = [names(raw, "romanizer", missing=True)] if "romanizer" in raw.frame.columns else []
    frame = keys.with_columns(*text.values(), *human, *romanizer, *scores)
    carried = raw.frame.drop(*frame.columns, LANGUAGE_PAIR, strict=False)
    frame = frame.with_columns(carried.get_columns())
    check_unique(raw, frame)
    return Segments(frame, infos, raw.told, raw.path).noted(*(f"{raw.name}: {note}" for note in (*raw.notes, *notes)))


def _under_our_names(raw: Raw, options: ReadOptions, asked: Mapping[str, Direction]) -> Raw:
    rename = dict(options.get("rename") or {})
    human = options.get("human")
    if human is not None:
        if rename.get("human", human) != human:
            raise InputError(f"both '{human}' and '{rename['human']}' are named as human", fix="name one of them")
        rename["human"] = human
    constants = [c for c in ("language", "script", "system", "condition") if options.get(c) is not None]
    return name_columns(raw, rename, constants, [*asked, *filter(known_measure, rename)])


def _keys(raw: Raw, options: ReadOptions, text: Mapping[str, pl.Series]) -> tuple[pl.DataFrame, list[str]]:
    tags, notes = languages(raw, options.get("language"))
    system = named(raw, "system", options.get("system"))
    if system is None:
        notes.append("there is no column 'system', so all rows are of one, 'system'")
    condition = named(raw, "condition", options.get("condition"))
    if condition is not None:
        words = {word: _CONDITIONS.get(word.casefold(), word) for word in condition.unique(maintain_order=True)}
        changed = {word: ours for word, ours in words.items() if word != ours}
        condition = condition.replace(changed)
        notes += [f"the condition '{word}' was read as '{ours}'" for word, ours in changed.items()]
    frame = tags.with_columns(
        scripts(raw, options.get("script"), tags["script"]).alias("script"),
        pl.lit("native").alias("condition") if condition is None else condition.alias("condition"),
        pl.lit("system").alias("system") if system is None else system.alias("system"),
        *([text["target"]] if "target" in text else []),
    )
    try:
        filled = fill_scripts(Segments(frame), options.get("script_of"))
    except InputError as error:
        raise raw.error(error.problem, fix=error.fix, column=error.column) from error
    frame, notes = filled.frame, [*notes, *filled.notes]
    if condition is None:
        by_script, said = conditions_by_script(frame)
        frame, notes = frame.with_columns(by_script.alias("condition")), [*notes, *said]
    if "id" in raw.frame.columns:
        ids, said = names(raw, "id"), list[str]()
    else:
        ids, said = numbered(raw, frame, text.get("source"))
    return frame.with_columns(ids.alias("id")).select(KEY), [*notes, *said]
