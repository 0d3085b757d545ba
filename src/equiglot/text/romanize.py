"""The same segments in Latin script: rows appended to the table, the human score carried over.

Paper 1 compares a metric on native text with the metric on the same text romanised, the person's score
unchanged. For metrics that read a reference, target and reference are romanised alike (paper 1's table 7
needs it); leaving the reference native is an option, and the ``romanizer`` column then says so, because what
drops is then mostly the match of scripts.

A scheme is one of :data:`SCHEMES`, or ``column:NAME`` (or ``column:NAME,REFNAME``) for romanised targets (and
references) that the table already has. Scripts for the Indic schemes come from each row. What a scheme leaves
native is counted and said in the notes. Every unique text is romanised once; uroman's results, at
milliseconds a sentence, are kept on disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.measures import MeasureInfo
from equiglot.models import cache_folder
from equiglot.table import Segments
from equiglot.text._schemes import SCHEMES, caveats, romanizer, romanizer_name
from equiglot.text._text_cache import TextCache
from equiglot.text._texts import Texts, as_list
from equiglot.text.residue import residual_letters
from equiglot.text.scripts import script_profile

__all__ = ["SCHEMES", "romanize", "romanize_texts"]

_BLOCK = 256
_COLUMN = "column:"
_SCRIPT = "_script of the text"


def romanize_texts(
    texts: Texts,
    scheme: str = "uroman",
    *,
    language: str | None = None,
    script: str | None = None,
    progress: Progress = silent,
    cache: bool = True,
) -> list[str | None]:
    """Texts of one language and script in Latin letters, in their order.

    Args:
        texts: one per row; missing ones stay missing.
        scheme: one of :data:`SCHEMES`.
        language: BCP 47; uroman has rules for some languages, and it tells the script where that isn't given.
        script: ISO 15924; where it is ``Latn`` the texts are returned as they are.
        progress: told of unique texts done.
        cache: whether uroman's results are kept on disk, under :func:`~equiglot.models.cache_folder`.

    >>> romanize_texts(["नमस्ते", None], "iso15919", language="hi", script="Deva")
    ['namastē', None]

    Raises:
        InputError: no such scheme, or one that does not know the script.
    """
    rows = as_list(texts)
    name = romanizer_name(scheme)
    if script == "Latn":
        return rows
    unique = list(dict.fromkeys(text for text in rows if text is not None))
    convert = romanizer(scheme, language, script)
    store = None
    if cache and scheme == "uroman":
        store = TextCache(cache_folder("romanized"), {"romanizer": name, "language": language or ""})
    done = store.get(unique) if store else {}
    missing = [text for text in unique if text not in done]
    what = f"romanising {language}" if language else "romanising"
    progress(what, len(done), len(unique))
    for start in range(0, len(missing), _BLOCK):
        block = {text: convert(text) for text in missing[start : start + _BLOCK]}
        done.update(block)
        if store:
            store.put(block)
        progress(what, len(done), len(unique))
    if store:
        store.close()
    return [None if text is None else done[text] for text in rows]


def romanize(
    segments: Segments,
    scheme: str = "uroman",
    *,
    reference: bool = True,
    progress: Progress = silent,
    cache: bool = True,
) -> Segments:
    """The table with a romanised row for every native one not in Latin, in the same order, after the others.

    A romanised row has ``condition`` ``romanized``, ``script`` ``Latn``, the romanised target (and
    reference), and all else as in its native row, but for measures and other columns of fractions: those are
    null, since a score of the native text is not one of this text. People's scores stay. The column
    ``romanizer`` names scheme and version; native rows keep what they have there, or null.

    Args:
        segments: the table; needs ``target``.
        scheme: one of :data:`SCHEMES`, ``column:NAME`` or ``column:NAME,REFNAME``.
        reference: whether the reference is romanised too.
        progress: told of unique texts done, language by language.
        cache: whether uroman's results are kept on disk.

    Raises:
        InputError: the table has romanised rows already, no such scheme or column, or a script that the
        scheme does not know.
    """
    segments.require("target", why="is what is romanised")
    frame = segments.frame
    if (frame["condition"] == "romanized").any():
        row = int((frame["condition"] == "romanized").fill_null(False).arg_max() or 0) + 1
        fix = "leave them out, or don't romanise again"
        raise segments.error("the table has romanised rows already", fix=fix, row=row, column="condition")
    native, notes = _rows_to_romanize(frame)
    if scheme.startswith(_COLUMN):
        romanized, name, more = _from_columns(segments, native, scheme, reference=reference)
    else:
        romanized, name, more = _by_scheme(native, scheme, reference=reference, progress=progress, cache=cache)
    scored = _scored(frame, segments.measures)
    carried = [name for name in scored if name not in segments.measures]
    if carried and romanized.height:
        columns = ", ".join(f"'{name}'" for name in carried)
        more = [*more, f"romanised rows have no number in {columns}: those of the native rows are not theirs"]
    rows = _without_scores(romanized.drop(_SCRIPT), scored).with_columns(
        pl.lit("romanized").alias("condition"), pl.lit("Latn").alias("script"), pl.lit(name).alias("romanizer")
    )
    was = pl.col("romanizer").cast(pl.String) if "romanizer" in frame.columns else pl.lit(None, pl.String)
    before = frame.with_columns(was.alias("romanizer"))
    empty = [name for name, kind in before.schema.items() if kind == pl.Null and rows.schema.get(name) == pl.String]
    before = before.with_columns(pl.col(empty).cast(pl.String))
    both = pl.concat([before, rows], how="diagonal")
    return replace(segments, frame=both).noted(*notes, *more, *_residues(rows, name))


def _rows_to_romanize(frame: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """The native rows that are not in Latin script, with the script in one more column, and what to note of the others.

    Where the table doesn't say the script, the letters of the target do.
    """
    native = (frame["condition"] == "native").fill_null(False)
    script = frame["script"].cast(pl.String)
    if script.null_count():
        script = script.fill_null(script_profile(frame["target"], frame["language"].to_list())["script"])
    latin = native & (script == "Latn").fill_null(False)
    chosen = native & ~latin
    notes: list[str] = []
    if latin.any():
        notes.append(f"{latin.sum():,} native rows are in Latin script already and were not romanised")
    if not native.all():
        notes.append(f"{(~native).sum():,} rows of a condition other than native were not romanised")
    if not chosen.any():
        notes.append("no native row is in a script other than Latin: nothing was romanised")
    return frame.with_columns(script.alias(_SCRIPT)).filter(chosen), notes


def _by_scheme(
    native: pl.DataFrame, scheme: str, *, reference: bool, progress: Progress, cache: bool
) -> tuple[pl.DataFrame, str, list[str]]:
    """The rows with target and reference romanised, cell by cell, and what to note."""
    name = romanizer_name(scheme)
    columns = [c for c in ("target", "reference") if c in native.columns and (c == "target" or reference)]
    done: dict[str, list[object]] = {column: [None] * native.height for column in columns}
    notes: list[str] = []
    needed = native.select("language", _SCRIPT, *columns)  # without the user's columns, so that "_at" is no name of one
    for cell in needed.with_row_index("_at").partition_by("language", _SCRIPT, maintain_order=True):
        language, script = cell["language"][0], cell[_SCRIPT][0]
        texts = {column: cell[column].to_list() for column in columns}
        flat = [text for values in texts.values() for text in _flat(values)]
        made = romanize_texts(flat, scheme, language=language, script=script, progress=progress, cache=cache)
        latin = dict(zip(flat, made, strict=True))
        for column, values in texts.items():
            for at, value in zip(cell["_at"], values, strict=True):
                done[column][at] = _mapped(value, latin)
        notes += caveats(scheme, language, script, flat)
    if "reference" in native.columns and not reference and native["reference"].null_count() < native.height:
        name += "+native-reference"
    series = [pl.Series(column, values, dtype=native.schema[column]) for column, values in done.items()]
    return native.with_columns(series), name, notes


def _flat(values: Sequence[str | Sequence[str] | None]) -> list[str]:
    """All texts of a column, whose values are texts or lists of texts."""
    return [
        text
        for value in values
        if value is not None
        for text in ([value] if isinstance(value, str) else value)
        if text is not None  # pyright: ignore[reportUnnecessaryComparison]
    ]


def _mapped(value: str | Sequence[str] | None, latin: Mapping[str, str | None]) -> object:
    if value is None or isinstance(value, str):
        return None if value is None else latin[value]
    return [latin.get(text) for text in value]


def _from_columns(
    segments: Segments, native: pl.DataFrame, scheme: str, *, reference: bool
) -> tuple[pl.DataFrame, str, list[str]]:
    """The rows with target and reference taken from columns of the user's."""
    target, _, ref = scheme.removeprefix(_COLUMN).partition(",")
    has_reference = "reference" in native.columns and native["reference"].null_count() < native.height
    text = pl.String()
    expected = [(target, text), *([(ref, native.schema["reference"] if has_reference else text)] if ref else [])]
    for column, kind in expected:
        segments.require(column, why=f"the scheme '{scheme}' takes romanised text from", by=_COLUMN)
        if native.schema[column] != kind:
            problem = f"the column holds {native.schema[column]}, not {kind}"
            raise segments.error(problem, fix="name a column of romanised text", column=column)
    notes: list[str] = []
    absent = native[target].null_count()
    if absent:
        notes.append(f"{absent:,} of {native.height:,} romanised targets are missing in column '{target}'")
    made = [pl.col(target).alias("target")]
    name = f"{_COLUMN}{target}"
    if ref and reference:
        made.append(pl.col(ref).alias("reference"))
        name += f",{ref}"
    elif has_reference and not reference:
        name += "+native-reference"
    elif has_reference:
        made.append(pl.lit(None, native.schema["reference"]).alias("reference"))
        notes.append(
            f"romanised rows have no reference: name a column of romanised references, {name},COLUMN, "
            "for metrics that read one"
        )
    return native.with_columns(made), name, notes


def _scored(frame: pl.DataFrame, measures: Mapping[str, MeasureInfo]) -> list[str]:
    """Columns that are, or may be, scores of the native text: measures, and any others of fractions.

    A score whose name is not known is not a measure yet; carried over, it would say that the script changes nothing.
    """
    fractions = [name for name, kind in frame.schema.items() if kind.is_float()]
    return [name for name in dict.fromkeys((*measures, *fractions)) if name in frame.columns and name != "human"]


def _without_scores(rows: pl.DataFrame, scored: Sequence[str]) -> pl.DataFrame:
    """The rows with every score null, and the reason beside it, but where the user has numbers under that name."""
    texts = (pl.String(), pl.Null())
    reason = pl.lit("the text was romanised after it was scored: score it again")
    return rows.with_columns(
        *(pl.lit(None, rows.schema[m]).alias(m) for m in scored),
        *(reason.alias(f"{m}_reason") for m in scored if rows.schema.get(f"{m}_reason", pl.Null()) in texts),
    )


def _residues(rows: pl.DataFrame, name: str) -> list[str]:
    """By language, what was left native in the targets."""
    notes: list[str] = []
    for part in rows.partition_by("language", maintain_order=True):
        left = residual_letters(part["target"])
        if left.letters:
            notes.append(f"{name}, {part['language'][0]}: {left}")
    return notes
