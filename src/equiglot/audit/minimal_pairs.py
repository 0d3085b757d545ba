"""Minimal pairs (BLiMP, MultiBLiMP): how often does a model find the grammatical sentence likelier than its twin?

    accuracy    share of pairs whose good sentence scores strictly better than the bad one; a tie is no success
    interval    Wilson's, at 95%
    verdict     above guessing where the interval is above 0.5 and the exact binomial test, two-sided, has p < 0.05
                (of 5 pairs Wilson's interval is above 0.5 where all are right, and p is 0.0625)

A pair is one row with two score columns, or two rows that share an id and say ``good`` or ``bad``. Where there are ids,
no two rows of one language, model and part of it may share one, else a pair would count twice. The score is the
NLL of the whole sentence unless the caller names another; dividing by tokens changes the verdict on pairs of unlike
length. Guessing gives 0.5. Fewer than 100 pairs of a language are warned of beside the answer: an accuracy of 0.5 is
then known to ten points on either side, or less well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from equiglot.audit._raw_table import Raw, measure_info, numbered_column, open_raw, optional_names, plain_text, renamed
from equiglot.audit._reading_checks import check_metrics, checked_score
from equiglot.audit._reading_models import joined_names
from equiglot.audit._words import counted, listed, p_value, range_of, two_digits
from equiglot.audit.answers import MetricAnswer, as_document
from equiglot.audit.scores import MODEL_COLUMNS, ScoreOptions
from equiglot.errors import InputError
from equiglot.measures import RESULT_COLUMNS, Direction, Measure, MeasureInfo, result_table, signature
from equiglot.stats import Estimate, proportion
from equiglot.table import language_name, parse_language
from equiglot.table.columns import names
from equiglot.table.languages import Tag

__all__ = ["MinimalPairsAudit", "PairColumns", "minimal_pairs", "read_minimal_pairs"]

FEW = 100
"""Fewer pairs than this settle nothing, and are warned of."""

_SIDES = ((True, "good"), (False, "bad"))
_TAKEN = frozenset(("id", "language", "model", "good", "bad", "_good", "_score", *RESULT_COLUMNS))
"""Names that the table of pairs, or of results, has for something else."""
_KINDS = {"good": True, "grammatical": True, "bad": False, "ungrammatical": False}


@dataclass(frozen=True, slots=True)
class PairColumns:
    """Where the pairs are.

    Attributes:
        good, bad: the columns with the score of the good and of the bad sentence, one row per pair.
        kind: or the column that says ``good`` or ``bad``, one row per sentence; pairs share an id. Where there is no
            ``kind``, ``condition`` is read if it says so.
        score: then the column of scores.
        by: a column to split each language by, such as the phenomenon.
        model: the columns that together name a model; by default model, lm, system, tokenizer and vocab_size, but
            none whose values are good and bad.
        direction: which way is better, where the score's name doesn't say it.
        rename: from our names (``id``, ``language``) to the file's.
        quotes: whether ``"`` quotes in CSV and TSV.
    """

    good: str | None = None
    bad: str | None = None
    kind: str = "kind"
    score: str = "sent_nll"
    by: str | None = None
    model: Sequence[str] | None = None
    direction: Direction | None = None
    rename: dict[str, str] | None = None
    quotes: bool = True


@dataclass(frozen=True, slots=True)
class MinimalPairsAudit:
    """What was found.

    Attributes:
        headline: the answer in a few sentences.
        answers: per model, whether it knows the grammar of every language.
        accuracy: keys language, model and, where asked for, the column ``by``; accuracy, and ties.
        notes: what a reader must be told.
        signature: how it was made.
    """

    headline: str
    answers: tuple[MetricAnswer, ...]
    accuracy: pl.DataFrame
    notes: tuple[str, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON; what could not be had is None."""
        return as_document(self)


@dataclass(frozen=True, slots=True)
class _Group:
    """The pairs of one language and model (and kind)."""

    keys: dict[str, Any]
    accuracy: Estimate
    p: float
    ties: int
    failed: int

    @property
    def above(self) -> bool:
        """Whether the model does better than guessing."""
        interval = self.accuracy.interval
        return interval is not None and interval.low > 0.5 and self.p < 1 - interval.level


def read_minimal_pairs(path: str | Path, columns: PairColumns | None = None) -> MinimalPairsAudit:
    """The accuracy on the pairs in a file; otherwise as :func:`minimal_pairs`."""
    columns = columns or PairColumns()
    return _audit(open_raw(path, quotes=columns.quotes), columns)


def minimal_pairs(frame: pl.DataFrame, columns: PairColumns | None = None) -> MinimalPairsAudit:
    """Accuracy on minimal pairs by language, with n and an interval.

    Args:
        frame: one row per pair, or per sentence.
        columns: where the pairs are.

    Raises:
        InputError: no such columns, no language, a score whose direction is not known, two rows of one pair (two good
            ones, where a pair is two rows), no pair with both scores.

    >>> scores = {"good_sent_nll": [1.0, 2.0, 3.0], "bad_sent_nll": [2.0, 3.0, 1.0]}
    >>> frame = pl.DataFrame({"language": ["en"] * 3, **scores})
    >>> audit = minimal_pairs(frame, PairColumns(good="good_sent_nll", bad="bad_sent_nll"))
    >>> round(audit.accuracy["value"][0], 3)
    0.667
    """
    return _audit(Raw(frame, "frame"), columns or PairColumns())


def _audit(raw: Raw, columns: PairColumns) -> MinimalPairsAudit:
    raw = renamed(raw, columns.rename or {})
    if "language" not in raw.frame.columns:
        raise raw.error(
            f"there is no column for the language; the columns are {', '.join(raw.frame.columns)}",
            fix="name it with --map language=YOUR_COLUMN",
        )
    pairs, info = _wide(raw, columns) if columns.good or columns.bad else _long(raw, columns)
    made = signature(audit="minimal-pairs", score=info.signature, direction=info.direction, ties="fail")
    whole = _groups(pairs, ["language", "model"], info)
    if not any(group.accuracy.n for group in whole):
        raise _no_pair(raw, columns, pairs)
    parts = _groups(pairs, ["language", "model", columns.by], info) if columns.by else []
    return MinimalPairsAudit(
        headline=_headline(whole),
        answers=tuple(_answers(whole)),
        accuracy=result_table(_rows([*whole, *parts], made)),
        notes=(*(f"{raw.name}: {note}" for note in raw.notes), *_notes(whole, parts)),
        signature=made,
    )


def _no_pair(raw: Raw, columns: PairColumns, pairs: pl.DataFrame) -> InputError:
    if columns.good:
        return raw.error(f"no row has both scores, {columns.good} and {columns.bad}", fix="fill the scores in")
    score = columns.score
    if pairs["good"].null_count() == pairs["bad"].null_count() == pairs.height:
        return raw.error(f"no row has a value of {score}", fix="fill the scores in")
    same = "language" if pairs["model"].n_unique() == 1 else "language and model"
    return raw.error(
        f"no pair is complete: no id has a good and a bad sentence, each with a value of {score}, in one {same}",
        fix=f"give the two sentences of a pair the same id and {same}",
    )


def _wide(raw: Raw, columns: PairColumns) -> tuple[pl.DataFrame, MeasureInfo]:
    """One row per pair."""
    if columns.good is None or columns.bad is None:
        raise InputError("one of the two columns of scores was named", fix="name both, --good and --bad")
    if columns.good == columns.bad:
        raise raw.error(f"'{columns.good}' was named as both scores", fix="name one with --good, the other with --bad")
    for column in (columns.good, columns.bad):
        if column not in raw.frame.columns:
            raise raw.error(f"there is no column '{column}'", fix=f"the columns are {', '.join(raw.frame.columns)}")
        check_metrics(raw, ScoreOptions(metrics=(column,)), "--good and --bad")
    known = re.sub(r"^good_|_good$", "", columns.good)
    info = measure_info(raw, known, columns.direction)
    good, bad = (checked_score(raw, numbered_column(raw, c), known) for c in (columns.good, columns.bad))
    keys = _keys(raw, columns, (columns.good, columns.bad))
    if (ids := optional_names(raw, "id")) is not None:
        _check_unique(raw, keys.with_columns(ids.alias("id")))
    return keys.with_columns(good.alias("good"), bad.alias("bad")), info


def _long(raw: Raw, columns: PairColumns) -> tuple[pl.DataFrame, MeasureInfo]:
    """One row per sentence; a pair shares id, language and model."""
    instead = columns.kind == "kind" and "kind" not in raw.frame.columns and "condition" in raw.frame.columns
    if instead and _tells_kinds(plain_text(raw, "condition")):
        columns = replace(columns, kind="condition")
    for column in ("id", columns.kind, columns.score):
        if column not in raw.frame.columns:
            raise raw.error(
                f"there is no column '{column}'; the columns are {', '.join(raw.frame.columns)}",
                fix="name the columns of scores with --good and --bad, or the one that says good or bad with --kind",
            )
    check_metrics(raw, ScoreOptions(metrics=(columns.score,)), "--score")
    words = plain_text(raw, columns.kind).str.to_lowercase()
    wrong = (~words.is_in(list(_KINDS))).fill_null(True)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        fix = f"write {' or '.join(_KINDS)}"
        raise raw.error(f"'{words[row]}' is neither good nor bad", fix=fix, row=row + 1, column=columns.kind)
    keys = _keys(raw, columns, (columns.kind, columns.score)).with_columns(
        optional_names(raw, "id").alias("id"),  # pyright: ignore[reportOptionalMemberAccess]
        words.replace_strict(_KINDS, return_dtype=pl.Boolean).alias("_good"),
        checked_score(raw, numbered_column(raw, columns.score)).alias("_score"),
    )
    key = ["id", *(c for c in keys.columns if c not in ("id", "_good", "_score"))]
    _check_unique(raw, keys.select(*key, "_good"))
    sides = [keys.filter(pl.col("_good") == good).drop("_good").rename({"_score": name}) for good, name in _SIDES]
    pairs = sides[0].join(sides[1], on=key, how="full", coalesce=True, nulls_equal=True, maintain_order="left_right")
    return pairs, measure_info(raw, columns.score, columns.direction)


def _check_unique(raw: Raw, keys: pl.DataFrame) -> None:
    """Raise where two rows are of one pair, or of one side of it: both would count."""
    twice = keys.is_duplicated()
    if not twice.any():
        return
    first = int(twice.arg_max() or 0)
    row = keys.row(first, named=True)
    same = keys.select(pl.all_horizontal(pl.col(c).eq_missing(pl.lit(value)) for c, value in row.items())).to_series()
    second = int(same.arg_true()[1])
    what = {None: "rows", True: "good sentences", False: "bad sentences"}[row.get("_good")]
    raise raw.error(
        f"there are two {what} of pair {row['id']}, in rows {first + 1} and {second + 1}",
        fix="give each pair an id of its own, or name the columns that tell pairs apart with --model and --by",
        row=second + 1,
    )


def _tells_kinds(names: pl.Series) -> bool:
    """Whether a column says which sentences are good: a ``system`` that does names no models."""
    words = names.str.to_lowercase()
    return words.n_unique() > 1 and words.is_in(list(_KINDS)).all()


def _keys(raw: Raw, columns: PairColumns, read: Sequence[str]) -> pl.DataFrame:
    """language, model and what to split by, which is none of the columns that are read as scores or kinds.

    A language that is there in several scripts counts as one language per script.
    """
    for column in columns.model or ():
        if column not in raw.frame.columns:
            raise raw.error(f"there is no column '{column}'", fix=f"the columns are {', '.join(raw.frame.columns)}")
    given = optional_names(raw, "language")
    assert given is not None
    tags: dict[str, Tag] = {}
    for value in given.unique(maintain_order=True):
        try:
            tags[value] = parse_language(value)
        except InputError as error:
            row = int((given == value).arg_max() or 0)
            raise raw.error(error.problem, fix=error.fix, row=row + 1, column="language") from error
    language, script = (
        given.replace_strict({value: tag[i] for value, tag in tags.items()}, return_dtype=pl.String) for i in (0, 1)
    )
    if "script" in raw.frame.columns and "script" not in (columns.by, *(columns.model or ()), *read):
        script = names(raw, "script", missing=True).zip_with(raw.frame["script"].is_not_null(), script)
    whole = pl.concat_str("language", "script", separator="-", ignore_nulls=True)
    several = pl.col("script").n_unique().over("language") > 1
    frame = pl.DataFrame({"language": language, "script": script})
    frame = frame.select(pl.when(several).then(whole).otherwise("language").alias("language"))
    found = [optional_names(raw, c) for c in columns.model or MODEL_COLUMNS if c in raw.frame.columns]
    varying = [name for name in found if name is not None and name.n_unique() > 1]
    if not columns.model:
        varying = [name for name in varying if not _tells_kinds(name)]
    label = joined_names(pl.DataFrame(varying)) if varying else pl.lit("model")
    frame = frame.with_columns(label.alias("model"))
    if columns.by is None:
        return frame
    if columns.by in _TAKEN or columns.by in read:
        raise raw.error(f"a language can't be split by '{columns.by}'", fix="name another column, or rename this one")
    if columns.by not in raw.frame.columns:
        fix = f"the columns are {', '.join(raw.frame.columns)}"
        raise raw.error(f"there is no column '{columns.by}'", fix=fix)
    return frame.with_columns(plain_text(raw, columns.by).alias(columns.by))


def _groups(pairs: pl.DataFrame, keys: list[str], info: MeasureInfo) -> list[_Group]:
    from scipy.stats import binomtest

    found: list[_Group] = []
    for values, group in pairs.sort(keys, maintain_order=True).group_by(keys, maintain_order=True):
        known = group.drop_nulls(["good", "bad"])
        first, second = ("good", "bad") if info.direction == "higher" else ("bad", "good")
        correct, ties = int((known[first] > known[second]).sum()), int((known["good"] == known["bad"]).sum())
        accuracy = proportion(correct, known.height)
        p = float(binomtest(correct, known.height, 0.5).pvalue) if known.height else 1.0
        found.append(_Group(dict(zip(keys, values, strict=True)), accuracy, p, ties, group.height - known.height))
    return found


def _rows(groups: list[_Group], made: str) -> Iterator[tuple[dict[str, Any], Measure]]:
    for group in groups:
        found = group.accuracy
        n, reason = found.n, None if found.value is not None else "no pair has both scores"
        yield (
            group.keys,
            Measure("accuracy", found.value, "share", "higher", n, group.failed, found.interval, reason, made),
        )
        yield group.keys, Measure("ties", group.ties, "pairs", "neutral", n, group.failed, signature=made)


def _answers(groups: list[_Group]) -> Iterator[MetricAnswer]:
    """Per model: above guessing in every language?"""
    for model in dict.fromkeys(group.keys["model"] for group in groups):
        own = [g for g in groups if g.keys["model"] == model]
        named = "" if len({g.keys["model"] for g in groups}) == 1 else f" ({model})"
        question = f"Does the model tell grammatical sentences from ungrammatical ones in every language{named}?"
        rest = [g for g in own if not g.above]
        few = [g for g in rest if g.accuracy.n < FEW]
        said = "; ".join(_words(g, test=True) for g in own) + "."
        if warned := _few(own):
            said += f" {warned}."
        fix = f"Add pairs, at least {FEW} per language." if warned else ""
        if not rest:
            yield MetricAnswer(model, question, "yes", f"Above guessing in each: {said}", fix)
        elif len(few) < len(rest):
            guessing = listed([language_name(g.keys["language"]) for g in rest if g not in few])
            yield MetricAnswer(model, question, "no", f"No better than guessing in {guessing}: {said}", fix)
        else:
            wanting = listed([language_name(g.keys["language"]) for g in few])
            yield MetricAnswer(model, question, "can't tell", f"Too few pairs to tell in {wanting}: {said}", fix)


def _words(group: _Group, *, test: bool = False) -> str:
    language, found = language_name(group.keys["language"]), group.accuracy
    if found.value is None:
        return f"{language} no pair with both scores"
    exact = f", exact {p_value(group.p)}" if test else ""
    return f"{language} {two_digits(found.value)} ({range_of(found.interval, 'two_digits')}, n = {found.n:,}{exact})"


def _few(groups: list[_Group]) -> str:
    """The warning of languages with few pairs, each said once with the fewest that it has; empty without any."""
    sizes: dict[str, int] = {}
    for group in (g for g in groups if g.accuracy.n < FEW):
        language = language_name(group.keys["language"])
        sizes[language] = min(group.accuracy.n, sizes.get(language, FEW))
    if not sizes:
        return ""
    shown = listed([f"{language} has {counted(n, 'pair')}" for language, n in sizes.items()])
    return f"Fewer than {FEW} pairs settle little: {shown}"


def _headline(groups: list[_Group]) -> str:
    models = list(dict.fromkeys(group.keys["model"] for group in groups))
    said: list[str] = []
    for model in models:
        own = [g for g in groups if g.keys["model"] == model]
        own.sort(key=lambda g: -(g.accuracy.value if g.accuracy.value is not None else -1.0))
        said.append((f"{model}: " if len(models) > 1 else "Accuracy on minimal pairs: ") + "; ".join(map(_words, own)))
    warned = _few(groups)
    return ". ".join([*said, "Guessing gives 0.50", *([warned] if warned else [])]) + "."


def _notes(whole: list[_Group], parts: list[_Group]) -> Iterator[str]:
    few = [g for g in whole if g.accuracy.n < FEW]
    if few:
        spans = [g.accuracy.interval for g in few if g.accuracy.interval is not None]
        points = round(100 * max(span.high - span.low for span in spans)) if spans else 0
        wide = f"; an interval is then up to {points} points wide" if spans else ""
        yield f"f{_few(few)[1:]}{wide}"
    if small := sum(g.accuracy.n < FEW for g in parts):
        have = "has" if small == 1 else "have"
        yield f"{small} of {counted(len(parts), 'part')} of languages {have} fewer than {FEW} pairs"
    if ties := sum(g.ties for g in whole):
        yield f"{counted(ties, 'tie')} between the two sentences of a pair, counted as failures"
    if failed := sum(g.failed for g in whole):
        yield f"{counted(failed, 'pair')} without both scores, left out"
