"""The script of rows that neither a column nor a language tag gives one.

The text decides, but for a whole cell and not row by row: the script that most rows of a language and condition
are in is the script of all of them, so that one untranslated English copy does not found a cell of its own.
Rows that differ are counted in a note. This room knows nothing of text, so the caller hands in what tells a
text's script.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import polars as pl

from equiglot.errors import InputError
from equiglot.table.languages import usual_script
from equiglot.table.segments import Segments

__all__ = ["SCRIPT_UNKNOWN", "ScriptOf", "fill_scripts"]

SCRIPT_UNKNOWN = None
"""The script of a row before it is known."""

ScriptOf = Callable[[pl.Series, pl.Series], pl.Series]
"""From texts (String, may be null) and the language of each to its ISO 15924 code, null where it has no letters or no
one script. The language counts: kanji with kana are one script in Japanese (``Jpan``).
"""

_GROUP = ("language", "condition")


def fill_scripts(segments: Segments, script_of: ScriptOf | None) -> Segments:
    """The table with a script in rows that have none.

    It is the majority script of the targets of the same language and condition, or, where they have no text,
    the language's usual script by CLDR (Latin in the condition ``romanized``), which is noted. Without
    ``script_of``, rows of languages and conditions that have text are left as they are.

    Raises:
        InputError: as many rows in one script as in another, and neither is the language's usual one; no text,
            and a language whose script CLDR does not know.
    """
    frame = segments.frame
    unknown = frame["script"].is_null()
    if not unknown.any():
        return segments
    target = pl.col("target") if "target" in frame.columns else pl.lit(None, pl.String)
    rows = frame.filter(unknown).select(*_GROUP, target.alias("target"))
    found = (
        pl.repeat(None, rows.height, dtype=pl.String, eager=True)
        if script_of is None
        else script_of(rows["target"], rows["language"])
    )
    rows = rows.with_columns(found.cast(pl.String).alias("found"))
    chosen: list[dict[str, str | None]] = []
    notes: list[str] = []
    assumed: list[str] = []
    for (language, condition), group in rows.group_by(_GROUP, maintain_order=True):
        script, differing = _choose(str(language), str(condition), group, script_of is None)
        chosen.append({"language": str(language), "condition": str(condition), "chosen": script})
        notes += [differing] if differing else []
        if script and not group["found"].count():
            assumed.append(f"{script} for {language} ({condition})")
    if assumed:
        notes.append(f"no text shows the script, so the usual one was taken: {', '.join(assumed)}")
    choices = pl.DataFrame(chosen, schema=dict.fromkeys((*_GROUP, "chosen"), pl.String))
    filled = frame.join(choices, on=_GROUP, how="left", maintain_order="left")
    filled = filled.with_columns(pl.coalesce("script", "chosen").alias("script")).drop("chosen")
    return replace(segments, frame=filled).noted(*notes)


def _choose(language: str, condition: str, rows: pl.DataFrame, blind: bool) -> tuple[str | None, str | None]:
    """The script of one language and condition, and what must be said of texts in another."""
    usual = "Latn" if condition == "romanized" else usual_script(language)
    counts = rows["found"].drop_nulls().value_counts(sort=True)
    if not counts.height:
        if blind and rows["target"].count():
            return SCRIPT_UNKNOWN, None
        if usual is None:
            problem = f"no text shows which script '{language}' is in"
            raise InputError(problem, fix="add a column 'script'", column="script")
        return usual, None
    best = counts.filter(pl.col("count") == pl.col("count").max())["found"].sort().to_list()
    if len(best) > 1 and usual not in best:
        problem = f"{language} ({condition}) has as many rows in {best[0]} as in {best[1]}"
        raise InputError(problem, fix="add a column 'script'", column="script")
    script = usual if usual in best else best[0]
    others = counts.filter(pl.col("found") != script).sort("count", "found", descending=[True, False])
    if not others.height:
        return script, None
    listed = ", ".join(f"{found} {count}" for found, count in others.iter_rows())
    rows_of = f"{others['count'].sum()} of {rows.height} rows of {language} ({condition})"
    return script, f"{rows_of} have a target in another script than {script}, the others' ({listed})"
