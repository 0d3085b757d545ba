"""From files or frames to a table of language-model scores (:mod:`equiglot.audit.scores`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from equiglot.audit._derive import COUNTS, SIX, derived
from equiglot.audit._lengths import lengths_of, measured_lengths
from equiglot.audit._raw_table import Raw, measure_info, numbered_column, open_raw, optional_names, plain_text, renamed
from equiglot.audit._reading_checks import check_counts, check_metrics, checked_flags, checked_score
from equiglot.audit._reading_models import FileScores, joined_names, model_columns, named_by_file, text_columns
from equiglot.audit._words import counted, listed
from equiglot.audit.scores import CELL, MODEL_COLUMNS, FirstToken, ScoreOptions, ScoreTable, natural
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table import known_measure, parse_language
from equiglot.table.languages import Tag

__all__ = ["read_scores", "scores_from_frame"]


def read_scores(
    paths: Sequence[str | Path], texts: str | Path | None = None, options: ScoreOptions | None = None
) -> ScoreTable:
    """The scores in one file or several, each then a model of its own if it doesn't name one.

    Args:
        paths: .parquet, .csv, .tsv, .jsonl or .json; a table that `equiglot likelihood` wrote, or any other.
        texts: the parallel texts: one column per language (or text), or one row per text with ``language``.
        options: how columns are read.

    Raises:
        InputError: a file that can't be read; no language, id or score; a language that is none; two rows of one text
            and model; a metric whose direction is not known. It names file, row and column.
    """
    options = options or ScoreOptions()
    raws = [open_raw(path, quotes=options.quotes) for path in paths]
    if not raws:
        raise InputError("no scores", fix="give a table of scores")
    files: list[FileScores] = []
    infos: dict[str, MeasureInfo] = {}
    notes: list[str] = []
    for raw in raws:
        part, told, said = _arranged(raw, options)
        files.append(FileScores(raw, part, told))
        notes += said
        for name, info in told.items():
            if infos.setdefault(name, info).direction != info.direction:
                raise raw.error(f"'{name}' has another direction here than in the other files", fix="rename one")
    parts = named_by_file(files, options)
    frame = pl.concat(parts, how="diagonal_relaxed")
    _check_files(raws, parts, frame, options)
    beside = None if texts is None else open_raw(texts, quotes=options.quotes)
    where = listed([str(path) for path in paths])
    try:
        return replace(_finished(frame, infos, options, notes, beside), path=where)
    except InputError as error:
        raise error.located(where) from error


def scores_from_frame(
    frame: pl.DataFrame, texts: pl.DataFrame | None = None, options: ScoreOptions | None = None
) -> ScoreTable:
    """The scores in a frame; otherwise as :func:`read_scores`.

    >>> frame = pl.DataFrame({"sentence": [0, 0], "language": ["en", "de"], "sent_nll": [20.0, 25.0]})
    >>> scores_from_frame(frame).frame.select("id", "language", "model", "sent_nll").rows()
    [('0', 'en', 'model', 20.0), ('0', 'de', 'model', 25.0)]
    """
    options = options or ScoreOptions()
    part, infos, notes = _arranged(Raw(frame, "frame"), options)
    return _finished(part, infos, options, notes, None if texts is None else Raw(texts, "texts"))


def _arranged(raw: Raw, options: ScoreOptions) -> tuple[pl.DataFrame, dict[str, MeasureInfo], list[str]]:
    """One file under our names, its measures and counts as numbers."""
    raw = renamed(raw, options.rename or {})
    columns = raw.frame.columns
    if "language" not in columns:
        raise raw.error(
            f"there is no column for the language; the columns are {', '.join(columns)}",
            fix="name it with --map language=YOUR_COLUMN",
        )
    check_metrics(raw, options)
    notes = [f"{raw.name}: {note}" for note in raw.notes]
    for column in ("script", "condition", "text"):
        if column in columns:
            plain_text(raw, column)
    frame = pl.DataFrame({"_language": optional_names(raw, "language")})
    if _condition_tells_texts(raw, options):
        _check_conditions(raw)
        notes.append(f"{raw.name}: 'condition' was read as the name of the text, for a language has several")
        spare = raw.frame.drop("text", strict=False)
        raw = replace(raw, frame=spare.rename({"condition": "text"}))
    ids = optional_names(raw, "id")
    if ids is None:
        notes.append(f"{raw.name}: there is no column 'id', so rows were numbered in file order in each language")
    for column in _key_columns(raw, options):
        frame = frame.with_columns(optional_names(raw, column))
    group = [c for c in frame.columns if c != "id"]
    frame = frame.with_columns(
        pl.int_range(1, pl.len() + 1).over(group).cast(pl.String).alias("id") if ids is None else ids.alias("id")
    )
    infos: dict[str, MeasureInfo] = {}
    own = [metric for metric in options.metrics if metric not in raw.measures and known_measure(metric) is None]
    ours = not options.metrics or {*SIX, "sent_nll_uncut"} & set(options.metrics)
    for column in dict.fromkeys((*(SIX if ours else ()), *options.metrics)):
        if column in columns:
            told = column in raw.measures or known_measure(column)
            # Beside a score of the user's own, the direction is that one's; a known metric has its own.
            infos[column] = measure_info(raw, column, None if told and own else options.direction)
            frame = frame.with_columns(checked_score(raw, numbered_column(raw, column)))
    if not infos:
        raise raw.error(
            f"there is no score that is known ({', '.join(SIX)}); the columns are {', '.join(columns)}",
            fix="name your score with --metric and say which way is better with --direction",
        )
    frame = frame.with_columns(numbered_column(raw, c) for c in COUNTS if c in columns)
    if "truncated" in columns:
        frame = frame.with_columns(checked_flags(raw, "truncated"))
    elif "n_cut" in columns:
        frame = frame.with_columns(numbered_column(raw, "n_cut"))
        frame = frame.with_columns((pl.col("n_cut") > 0).fill_null(False).alias("truncated"))
    check_counts(raw, frame, infos)
    frame = frame.with_columns(plain_text(raw, c) for c in ("first", "target") if c in columns)
    frame = _languages(raw, frame, options)
    _check_unique(raw, frame, options)
    return frame, infos, notes


def _key_columns(raw: Raw, options: ScoreOptions) -> list[str]:
    """Script and condition, the model's columns and that of the text."""
    columns = raw.frame.columns
    for column in (*(options.model or ()), *([options.text] if options.text else [])):
        if column not in columns:
            raise raw.error(f"there is no column '{column}'", fix=f"the columns are {', '.join(columns)}")
    if options.text in {"id", "language", *(options.model or ())}:
        role = options.text if options.text in ("id", "language") else "model"
        raise raw.error(f"'{options.text}' can't be both {role} and text", fix="name another column with --text")
    wanted = ["script", "condition", *(options.model or MODEL_COLUMNS)]
    found = [c for c in wanted if c in columns and raw.frame[c].null_count() < raw.frame.height]
    if options.text:
        found.append(options.text)
    elif "text" in columns and _names_variants(raw.frame):
        found.append("text")
    return list(dict.fromkeys(found))


def _condition_tells_texts(raw: Raw, options: ScoreOptions) -> bool:
    """Whether ``condition`` says which text of a language a row is of: of several in one script, with no ``text``."""
    columns = raw.frame.columns
    if options.text or not {"condition", "script"} <= set(columns) or "condition" in (options.model or ()):
        return False
    if "text" in columns and _names_variants(raw.frame):
        return False
    kinds = raw.frame.group_by("language", "script").agg(pl.col("condition").n_unique())
    return raw.frame["condition"].null_count() == 0 and kinds["condition"].max() != 1


def _check_conditions(raw: Raw) -> None:
    """Raise where all languages share their conditions: zero and few shots, say, are no texts of a language."""
    kinds = raw.frame.group_by("language").agg(pl.col("condition").unique().sort())
    if kinds.height > 1 and kinds["condition"].n_unique() == 1:
        raise raw.error(
            f"every language has the same conditions ({listed(kinds['condition'][0].to_list())})",
            fix="say --model condition if they tell models or prompts apart, or --text condition if they are texts",
            column="condition",
        )


def _names_variants(frame: pl.DataFrame) -> bool:
    """Whether ``text`` says which text of a language it is, rather than being the text."""
    distinct = frame["text"].drop_nulls().n_unique()
    return frame["text"].null_count() == 0 and distinct <= max(2 * frame["language"].n_unique(), frame.height // 3)


def _languages(raw: Raw, frame: pl.DataFrame, options: ScoreOptions) -> pl.DataFrame:
    """``language`` as tags; with the script, or the condition, where a language is there in several."""
    tags: dict[str, Tag] = {}
    for value in frame["_language"].unique(maintain_order=True):
        try:
            tags[value] = parse_language(value)
        except InputError as error:
            row = int((frame["_language"] == value).arg_max() or 0)
            raise raw.error(error.problem, fix=error.fix, row=row + 1, column="language") from error
    language, script = ({value: tag[i] for value, tag in tags.items()} for i in (0, 1))
    frame = frame.with_columns(
        pl.col("_language").replace_strict(language, return_dtype=pl.String).alias("language"),
        pl.col("_language").replace_strict(script, return_dtype=pl.String).alias("_script"),
    )
    taken = (options.text, *(options.model or ()))
    kinds = [pl.col(c) for c in ("script", "_script", "condition") if c in frame.columns and c not in taken]
    for kind in kinds:
        if frame.group_by("language").agg(kind.n_unique().alias("kinds"))["kinds"].max() != 1:
            name = pl.concat_str(["language", kind], separator="-", ignore_nulls=True)
            return frame.with_columns(name.alias("language"))
    return frame


def _check_unique(raw: Raw, frame: pl.DataFrame, options: ScoreOptions) -> None:
    key = ["id", "language", *model_columns(frame, options), *text_columns(frame, options)]
    twice = frame.select(key).is_duplicated()
    if not twice.any():
        return
    first = int(twice.arg_max() or 0)
    same = frame.select(pl.all_horizontal(pl.col(c).eq_missing(pl.lit(frame[c][first])) for c in key)).to_series()
    second = int(same.arg_true()[1])
    values = ", ".join(str(value) for value in frame.select(key).row(first))
    raise raw.error(
        f"rows {first + 1} and {second + 1} have the same {', '.join(key)} ({values})",
        fix="name the columns that tell models apart with --model, or the texts of a language with --text",
        row=second + 1,
    )


def _check_files(
    raws: Sequence[Raw], parts: Sequence[pl.DataFrame], frame: pl.DataFrame, options: ScoreOptions
) -> None:
    """Raise where two files score the same text by the same model: both would count."""
    if len(parts) == 1:
        return
    of = pl.Series("_file", [i for i, part in enumerate(parts) for _ in range(part.height)])
    key = ["id", "language", *model_columns(frame, options), *text_columns(frame, options)]
    twice = frame.select(key).with_columns(of).filter(pl.struct(key).is_duplicated())
    if twice.height:
        same = twice.filter(pl.all_horizontal(pl.col(c).eq_missing(pl.lit(twice[c][0])) for c in key))
        first, second = (raws[i].path or raws[i].name for i in same["_file"].head(2))
        values = ", ".join(f"{name.strip('_')} {value}" for name, value in same.select(key).row(0, named=True).items())
        problem = "it was given twice" if first == second else f"it scores what {first} scores too ({values})"
        fix = "give each score once, or name the columns that tell models apart with --model"
        raise raws[same["_file"][1]].error(problem, fix=fix)


def _finished(
    frame: pl.DataFrame, infos: dict[str, MeasureInfo], options: ScoreOptions, notes: list[str], texts: Raw | None
) -> ScoreTable:
    columns = model_columns(frame, options)
    varying = [c for c in columns if frame[c].n_unique() > 1]
    label = joined_names(frame.select(varying)) if varying else pl.lit("model")
    text = text_columns(frame, options)
    frame = frame.with_columns(label.alias("model"), pl.col(text[0] if text else "language").alias("text"))
    if texts is not None:
        lengths, said = lengths_of(texts, options.rename or {})
        frame, more = _with_lengths(frame, lengths, texts)
        notes += [*said, *more]
    elif "target" in frame.columns:
        frame = _own_lengths(frame)
    first = options.first_token or _told_first(frame, infos)
    frame, made, said = derived(frame, infos, first or "skipped")
    notes += said
    metrics = options.metrics or [name for name in (*SIX, "sent_nll_uncut") if name in made]
    for metric in metrics:
        if metric not in made:
            have = ", ".join(made) or "none"
            raise InputError(f"no score '{metric}' in the table (scores: {have})", fix="name one of its columns")
    if all(frame[metric].null_count() == frame.height for metric in metrics):
        raise InputError(f"no row has a value of {listed(list(metrics) or list(infos))}", fix="fill the scores in")
    kept = ["id", *CELL, *made, *(c for c in (*COUNTS, "truncated", *_LENGTHS) if c in frame.columns)]
    chosen = {metric: made[metric] for metric in metrics}
    table = ScoreTable(frame.select(kept), chosen, tuple(varying), first, tuple(dict.fromkeys(notes)))
    return replace(table, notes=(*table.notes, *_truncation(table), *_unmatched(table), *_lacking(table)))


_LENGTHS = ("text_bytes", "text_chars", "text_bytes_nospace", "text_chars_nospace")


def _with_lengths(frame: pl.DataFrame, lengths: pl.DataFrame, texts: Raw) -> tuple[pl.DataFrame, list[str]]:
    """The rows with the lengths of their texts, looked up by the text's name, else by the language's."""
    known = set(lengths["text"])
    given = pl.when(pl.col("text").is_in(known)).then("text").when(pl.col("_language").is_in(known)).then("_language")
    frame = frame.with_columns(given.otherwise("language").alias("_key"))
    joined = frame.join(lengths, left_on=["id", "_key"], right_on=["id", "text"], how="left", maintain_order="left")
    missing = joined.filter(pl.col("text_bytes").is_null())
    if missing.height == joined.height:
        raise texts.error(
            "no text belongs to any of the scores (matched by id and by the name of the language or text)",
            fix="name the column of ids with --map id=YOUR_COLUMN, and the columns of texts as the languages of SCORES",
        )
    where = listed(missing["text"].unique().sort().to_list())
    notes = [f"{texts.name} lacks the texts of {counted(missing.height, 'row')} ({where})"] if missing.height else []
    return joined, notes


def _own_lengths(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(measured_lengths(pl.col("target")))


def _told_first(frame: pl.DataFrame, infos: Mapping[str, MeasureInfo]) -> FirstToken | None:
    """What the table says of the first token: in a column ``first``, or in the signature of a measure."""
    told: set[Any] = set(frame["first"].drop_nulls()) if "first" in frame.columns else set()
    for info in infos.values():
        told |= {part.partition(":")[2] for part in info.signature.split("|") if part.startswith("first:")}
    known: list[FirstToken] = [first for first in ("scored", "skipped") if first in told]
    return known[0] if len(known) == 1 else None


def _truncation(table: ScoreTable) -> list[str]:
    """Where texts were cut before they were scored, which is never silent."""
    if "truncated" not in table.frame.columns:
        return []
    cut = (
        table.frame.group_by("model", "language")
        .agg(pl.col("truncated").sum(), pl.len())
        .filter(pl.col("truncated") > 0)
    )
    rows = sorted(cut.iter_rows(), key=lambda row: (natural(row[0]), row[1]))
    if not rows:
        return []
    said = [
        f"{language} {n:,} of {of:,}" + (f" ({model})" if table.model_columns else "")
        for model, language, n, of in rows
    ]
    return [f"texts were cut before they were scored: {listed(said)}; a sum such as sent_nll is too small there"]


def _unmatched(table: ScoreTable) -> list[str]:
    """Whether all languages hold the same sentences."""
    ids = table.frame.select("id", "language").unique()
    sizes = dict(ids.group_by("language").len().sort("language").iter_rows())
    every = ids["id"].n_unique()
    short = [f"{language} has {n:,}" for language, n in sizes.items() if n < every]
    if not short:
        return []
    return [f"content is not matched: of {every:,} sentences {listed(short)}, so part of a difference may be content"]


def _lacking(table: ScoreTable) -> list[str]:
    """Which scores are missing where another language has that of the same sentence.

    From the same model, or, where a model has one language alone, from any such model.
    """
    languages = pl.col("language").n_unique().over("model")
    frame = table.frame.with_columns(pl.when(languages > 1).then("model").alias("_scope"))
    where: dict[str, list[str]] = {}
    for metric in table.measures:
        known = pl.col(metric).is_not_null().any().over("id", "_scope")
        rows = frame.select("model", "language", (known & pl.col(metric).is_null()).alias("lost"))
        cells = rows.group_by("model", "language").agg(pl.sum("lost"), pl.len()).filter(pl.col("lost") > 0)
        said = [
            f"{language} {n:,} of {of:,}" + (f" ({model})" if table.model_columns else "")
            for model, language, n, of in sorted(cells.iter_rows(), key=lambda row: (natural(row[0]), row[1]))
        ]
        if said:
            where.setdefault(listed(said), []).append(metric)
    return [
        f"rows lack {', '.join(metrics)} where other languages have it of the same sentence: {said}; "
        "part of a difference may be content"
        for said, metrics in where.items()
    ]
