"""The columns that name a row (:data:`equiglot.table.KEY`), from what a file has of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import polars as pl

from equiglot.errors import InputError
from equiglot.table._raw import Raw
from equiglot.table.columns import LANGUAGE_PAIR, names
from equiglot.table.languages import Tag, is_romanized, parse_language, parse_script, usual_script
from equiglot.table.segments import KEY

__all__ = ["IDS_NUMBERED", "check_unique", "conditions_by_script", "languages", "named", "numbered", "scripts"]

IDS_NUMBERED = "there is no column 'id', so rows were numbered in file order"
"""How the note begins that tells of ids made up by place, which need not mean the same content."""

_HAN = {"Hani", "Hans", "Hant"}
_Meaning = TypeVar("_Meaning")


def languages(raw: Raw, constant: str | None) -> tuple[pl.DataFrame, list[str]]:
    """Language and, where its tag names one, script of each row; and which tags were read as what.

    Raises:
        InputError: no column and no ``constant``; a value that is missing or not a language.
    """
    columns = raw.frame.columns
    if constant is not None:
        tag = parse_language(constant)
        values = pl.repeat(constant, raw.frame.height, dtype=pl.String, eager=True)
        meanings = {constant: tag}
    elif "language" in columns:
        values = names(raw, "language")
        meanings = _meanings(raw, values, parse_language)
    elif LANGUAGE_PAIR in columns:
        values = names(raw, LANGUAGE_PAIR)
        meanings = _meanings(raw, values, _target_of_pair)
    else:
        raise raw.error(
            f"there is no column for the language; the columns are {', '.join(columns)}",
            fix="say the language of all rows with --language, or name the column with --map language=YOUR_COLUMN",
        )
    read = [
        f"{value} as {tag.language}" + (f" in {tag.script}" if tag.script else "")
        for value, tag in meanings.items()
        if value != tag.language
    ]
    more = f" and {len(read) - 8} more" if len(read) > 8 else ""
    notes = [f"languages were read: {', '.join(read[:8])}{more}"] if read else []
    tags = pl.DataFrame(
        {
            "language": _translated(values, {value: tag.language for value, tag in meanings.items()}),
            "script": _translated(values, {value: tag.script for value, tag in meanings.items()}),
        }
    )
    return tags, notes


def _target_of_pair(pair: str) -> Tag:
    parts = pair.split("-")
    if len(parts) != 2:
        raise InputError(f"'{pair}' is not a language pair", fix="write it as SOURCE-TARGET, e.g. 'en-hi'")
    return parse_language(parts[1])


def _meanings(raw: Raw, values: pl.Series, parse: Callable[[str], _Meaning]) -> dict[str, _Meaning]:
    """What each distinct value stands for; an error names the first row that has it."""
    meanings: dict[str, _Meaning] = {}
    for value in values.drop_nulls().unique(maintain_order=True):
        try:
            meanings[value] = parse(value)
        except InputError as error:
            row = (values == value).arg_max() or 0
            raise raw.error(error.problem, fix=error.fix, row=row + 1, column=values.name) from error
    return meanings


def _translated(values: pl.Series, meanings: dict[str, str] | dict[str, str | None]) -> pl.Series:
    return values.replace_strict(list(meanings), list(meanings.values()), default=None, return_dtype=pl.String)


def scripts(raw: Raw, constant: str | None, tagged: pl.Series) -> pl.Series:
    """The script of each row by ``constant`` or the column, else by the language's tag, else null.

    Raises:
        InputError: not a script; a column and a tag that do not agree.
    """
    if constant is not None:
        given = pl.repeat(parse_script(constant), raw.frame.height, dtype=pl.String, eager=True)
    elif "script" in raw.frame.columns:
        values = names(raw, "script", missing=True)
        given = _translated(values, _meanings(raw, values, parse_script))
    else:
        return tagged
    both_han = given.is_in(_HAN) & tagged.is_in(_HAN)
    differ = ((given != tagged) & ~both_han).fill_null(False)
    if differ.any():
        row = differ.arg_max() or 0
        raise raw.error(
            f"the script is {given[row]}, and the language's tag says {tagged[row]}",
            fix="mend one of them",
            row=row + 1,
            column="script",
        )
    return given.zip_with(given.is_not_null(), tagged)


def named(raw: Raw, column: str, constant: str | None) -> pl.Series | None:
    """The column as text, or ``constant`` in every row, or None where there is neither."""
    if constant is not None:
        return pl.repeat(constant, raw.frame.height, dtype=pl.String, eager=True)
    return names(raw, column) if column in raw.frame.columns else None


def conditions_by_script(frame: pl.DataFrame) -> tuple[pl.Series, list[str]]:
    """``romanized`` where a language is in Latin and its usual script is another, else ``native``."""
    cells = frame.select("language", "script").unique(maintain_order=True)
    romanized = [(language, script) for language, script in cells.iter_rows() if is_romanized(language, script)]
    notes = [
        f"rows of {language} in {script} were taken as romanized; its usual script is {usual_script(language)}"
        for language, script in romanized
    ]
    in_latin = (frame["script"] == "Latn").fill_null(False)
    is_one = in_latin & frame["language"].is_in([language for language, _ in romanized])
    native, roman = (pl.Series([word], dtype=pl.String) for word in ("native", "romanized"))
    return roman.zip_with(is_one, native), notes


def numbered(raw: Raw, frame: pl.DataFrame, source: pl.Series | None) -> tuple[pl.Series, list[str]]:
    """Ids for a file without any: 1, 2, ... in file order within each language, system and condition.

    Translations of one source then share an id where every system has the same sources in the same order.

    Raises:
        InputError: two rows of one language would share an id and have different sources.
    """
    group = ["language", "system", "condition"]
    ids = frame.select(id=pl.int_range(1, pl.len() + 1).over(group).cast(pl.String)).to_series()
    notes = [f"{IDS_NUMBERED} within language, system and condition"]
    sizes = frame.group_by(group, maintain_order=True).len()["len"].unique()
    if sizes.len() > 1:
        notes.append(f"these have between {sizes.min()} and {sizes.max()} rows, so the ids may not align")
    if source is not None:
        _check_sources(raw, frame.with_columns(ids, source.alias("source")))
    return ids, notes


def _check_sources(raw: Raw, frame: pl.DataFrame) -> None:
    rows = frame.with_row_index("row").filter(pl.col("source").is_not_null())
    first = pl.col("source", "system", "condition").first().over("language", "id").name.prefix("first_")
    wrong = rows.with_columns(first).filter(pl.col("source") != pl.col("first_source"))
    if wrong.height:
        row = wrong.row(0, named=True)
        raise raw.error(
            f"without ids, segment {row['id']} of {row['language']} has another source here "
            f"({row['system']}, {row['condition']}) than in {row['first_system']}, {row['first_condition']}",
            fix="add a column 'id' that translations of one source share",
            row=row["row"] + 1,
            column="source",
        )


def check_unique(raw: Raw, frame: pl.DataFrame) -> None:
    """Raise :class:`InputError` where two rows have one key, naming both."""
    key = frame.select(KEY)
    twice = key.is_duplicated()
    if not twice.any():
        return
    first = twice.arg_max() or 0
    same = key.select(pl.all_horizontal(pl.col(c).eq_missing(pl.lit(key[c][first])) for c in KEY)).to_series()
    second = int(same.arg_true()[1])
    absent = [c for c in ("system", "condition", "script") if c not in raw.frame.columns]
    fix = f"add a column that tells them apart ({' or '.join(absent)})" if absent else "give each row an id of its own"
    values = ", ".join(str(value) for value in key.row(first))
    raise raw.error(
        f"rows {first + 1} and {second + 1} have the same {', '.join(KEY)} ({values})",
        fix=fix,
        row=second + 1,
    )
