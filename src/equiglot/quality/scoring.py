"""Score a table: unique texts once, what can't be scored is null with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.engine import Cache, Progress, score_once, silent
from equiglot.errors import InputError
from equiglot.measures import Measure, MeasureInfo, result_table
from equiglot.models import cache_folder
from equiglot.quality._comet_json import CometRow, read_comet_rows
from equiglot.quality.comet import comet_scores
from equiglot.quality.metrics import METRICS
from equiglot.quality.scorer import NO_TEXT, Against, Options, Scorer
from equiglot.stats import bootstrap_mean
from equiglot.table import CELL, Segments, join_scores
from equiglot.table.joining import named_system
from equiglot.text import text_state

__all__ = ["NAMES", "READERS", "join_comet_json", "score", "score_table"]

NAMES = (*METRICS, "comet")
"""The metrics that :func:`score` knows."""

READERS = {"metric_model": ("bertscore", "cosine"), "layer": ("bertscore",)}
"""Options that few metrics read, with the beginnings of these metrics' names."""


def score(
    segments: Segments,
    metrics: Sequence[str],
    *,
    against: Against = "reference",
    tokenize: str = "13a",
    comet_model: str = "hf:Unbabel/wmt22-comet-da",
    metric_model: str | None = None,
    layer: int | None = None,
    max_cut: float = 0.1,
    cache: Path | Literal[True] | None = True,
    progress: Progress = silent,
) -> Segments:
    """The table with one column per metric added.

    Args:
        segments: needs ``target`` and ``reference`` (``source`` for COMET, and for embeddings against the source).
        metrics: of :data:`NAMES`.
        against: what metrics of embeddings (``e5``, ``cosine``, BERTScore) hold the target against.
        tokenize: BLEU's tokeniser (sacrebleu).
        comet_model: the model of ``comet``.
        metric_model: the model of BERTScore and ``cosine``: ``hf:NAME``, a folder, or ``pkg:NAME``.
        layer: the model's layer that BERTScore reads; None takes the usual one of a model that bert-score knows.
        max_cut: the largest share of rows (0 to 1) that BERTScore or ``cosine`` may score by a beginning alone, because
            a text is longer than the model reads. Such rows are always counted in a note.
        cache: folder of stored scores; True is the user's cache, None stores nothing.
        progress: told of each metric's progress.

    Raises:
        InputError: an unknown metric, a column that is missing, no environment for COMET, no such model, too many texts
            that the model would cut.

    >>> from equiglot.table import from_frame
    >>> frame = pl.DataFrame({"target": ["ja", ""], "reference": ["ja", "nein"]})
    >>> scored = score(from_frame(frame, language="de", script="Latn"), ["chrf"], cache=None)
    >>> scored.frame.select("chrf", "chrf_reason").rows()
    [(100.0, None), (None, 'target is empty')]
    """
    options = Options(against, tokenize, metric_model, layer)
    if not 0 <= max_cut <= 1:
        raise InputError(f"{max_cut:g} is no share of rows", fix="take 0 to 1")
    for metric in metrics:
        if metric not in NAMES:
            raise InputError(f"no metric '{metric}'", fix=f"use one of {', '.join(NAMES)}, or bring a score column")
    _check_used(metrics, {"metric_model": metric_model, "layer": layer})
    folder = cache_folder("scores") if cache is True else cache
    for metric in metrics:
        if metric == "comet":
            scored = _with_comet(segments, comet_model, progress)
        else:
            scored = _with_scorer(segments, METRICS[metric](options), max_cut, folder, progress)
        segments = scored.noted(*_replaced(segments, scored, metric), *_left_out(scored.frame, metric))
    return segments


def _check_used(metrics: Sequence[str], given: Mapping[str, str | int | None]) -> None:
    """An option that none of the metrics reads is a mistake that would go unseen."""
    for option, names in READERS.items():
        if given[option] is not None and not any(metric.startswith(names) for metric in metrics):
            problem = f"--{option.replace('_', '-')} is given, and no metric that is asked for reads it"
            raise InputError(problem, fix=f"leave it out, or ask for {' or '.join(names)} with --metric")


def join_comet_json(segments: Segments, path: Path) -> Segments:
    """The table with the scores that ``comet-score --to_json`` wrote for the same systems, in the same order.

    Raises:
        InputError: not such a file; other systems, numbers of segments or texts than the table's. Texts are compared
            without white space at their ends, which ``comet-score`` strips.
    """
    info = MeasureInfo("comet", "score", "higher", "metric:comet|origin:comet-score")
    note = "comet-score 2.2 computes in half precision: its scores are steps of about 0.0005 apart, so near ones tie"
    rows = read_comet_rows(path)
    joined = join_scores(segments, {name: [row.score for row in own] for name, own in rows.items()}, info)
    _check_texts(segments.frame, rows, path)
    return joined.noted(note, *_replaced(segments, joined, info.name))


def _check_texts(frame: pl.DataFrame, rows: Mapping[str, Sequence[CometRow]], path: Path) -> None:
    """Raise :class:`InputError` at the first segment whose text is not that of the table's row."""
    systems = frame["system"].unique(maintain_order=True).to_list()
    for name, own in rows.items():
        part = frame.filter(pl.col("system") == named_system(name, systems, len(rows) == 1))
        for column, key in (("target", "mt"), ("source", "src")):
            if column not in frame.columns:
                continue
            given = [row.mt if key == "mt" else row.src for row in own]
            for i, (text, told) in enumerate(zip(part[column].to_list(), given, strict=True), 1):
                if (text or "").strip() != (told or "").strip():
                    raise InputError(
                        f"the text is not the table's (system '{name}')",
                        fix="score the same segments, in the table's order",
                        path=path,
                        row=i,
                        column=key,
                    )


def score_table(segments: Segments, *, seed: int = 0, resamples: int = 1000) -> pl.DataFrame:
    """The mean of every measure by language, script, condition and system, as a result table.

    Args:
        segments: the scored table.
        seed, resamples: of the bootstrap over rows behind each mean's 95% interval.
    """
    keys = ["language", "script", "condition", "system"]
    rows: list[tuple[dict[str, str | None], Measure]] = []
    for group, part in segments.frame.group_by(keys, maintain_order=True):
        for name, info in segments.measures.items():
            values = part[name].drop_nulls()
            mean = bootstrap_mean(values.to_numpy(), seed=seed, resamples=resamples)
            measure = Measure(
                name,
                mean.value,
                unit=info.unit,
                direction=info.direction,
                n=len(values),
                n_failed=part.height - len(values),
                interval=mean.interval,
                reason=mean.reason if len(values) else "no row could be scored",
                signature=info.signature,
            )
            rows.append((dict(zip(keys, group, strict=True)), measure))
    return result_table(rows)


def _with_scorer(
    segments: Segments, scorer: Scorer, max_cut: float, folder: Path | None, progress: Progress
) -> Segments:
    name = scorer.info.name
    for column in scorer.needs:
        segments.require(column, why=f"{name} needs")
    reasons = _reasons(segments.frame, scorer)
    rows = np.flatnonzero([reason is None for reason in reasons])
    texts = [segments.frame[column].to_list() for column in scorer.needs]
    items = [tuple(column[row] for column in texts) for row in rows]
    notes = _cut_notes(segments.frame[rows], name, scorer.cut(items), max_cut)
    identity = {"signature": scorer.identity or scorer.info.signature}
    cache = None if folder is None else Cache(folder, identity, width=scorer.width)
    found = score_once(
        items, scorer.compute, width=scorer.width, block=scorer.block, cache=cache, what=f"scoring {name}",
        progress=progress,
    )[:, scorer.column]  # fmt: skip
    values = np.full(len(reasons), np.nan)
    values[rows] = found
    for row in rows[np.isnan(found)]:
        reasons[row] = f"{name} gave no number"
    note = scorer.note(items)
    scored = segments.with_measure(scorer.info, pl.Series(values).fill_nan(None), reasons)
    return scored.noted(*notes, *([note] if note else []))


def _cut_notes(frame: pl.DataFrame, name: str, cut: NDArray[np.bool_], most: float) -> list[str]:
    """Which rows are scored by a beginning alone, said before it is done.

    Raises:
        InputError: too large a share of them.
    """
    if not cut.any():
        return []
    shares = frame.with_columns(pl.Series("cut", cut)).group_by(CELL).agg(pl.col("cut").mean()).sort(CELL)
    by = ", ".join(f"{language}-{script} {share:.1%}" for language, script, share in shares.iter_rows() if share)
    said = f"{name}: in {cut.sum():,} of {cut.size:,} rows a text is longer than the model reads"
    if cut.mean() > most:
        fix = f"use a model that reads more, or allow it with --max-cut {np.ceil(cut.mean() * 100) / 100:g}"
        raise InputError(f"{said} ({by})", fix=fix)
    return [f"{said}, and its end does not count ({by})"]


def _with_comet(segments: Segments, model: str, progress: Progress) -> Segments:
    frame = segments.frame
    for column in ("source", "target"):
        segments.require(column, why="comet needs")
    references = frame["reference"].to_list() if "reference" in frame.columns else None
    result = comet_scores(
        frame["source"].to_list(), frame["target"].to_list(), references, model=model, progress=progress
    )
    info = MeasureInfo("comet", "score", "higher", result.signature)
    notes = [f"{result.model}: {result.licence}"]
    if result.n_truncated:
        cut = frame[sorted({cut.row for cut in result.truncated})]["language"].value_counts()
        cut = cut.sort("count", "language", descending=[True, False])
        by = ", ".join(f"{language} {count:,}" for language, count in cut.iter_rows())
        notes.append(f"COMET's encoder cut {result.n_truncated:,} rows at its length limit ({by})")
    return segments.with_measure(info, result.scores, result.reasons).noted(*notes)


def _replaced(before: Segments, after: Segments, name: str) -> list[str]:
    """That the table had other numbers under that name, if it had."""
    was = before.measures.get(name)
    if name not in before.frame.columns or (was is not None and was == after.info(name)):
        return []
    return [f"the table's own column '{name}' was replaced by {name} as it was scored now"]


def _left_out(frame: pl.DataFrame, name: str) -> list[str]:
    """How many rows have no score, by reason."""
    reason = f"{name}_reason"
    if reason not in frame.columns:
        return []
    counts = frame[reason].drop_nulls().value_counts().sort("count", reason, descending=[True, False])
    listed = ", ".join(f"{count:,} {why}" for why, count in counts.iter_rows())
    return [f"{name}: {counts['count'].sum():,} of {frame.height:,} rows have no score ({listed})"]


def _reasons(frame: pl.DataFrame, scorer: Scorer) -> list[str | None]:
    """By row, the first text that can't be scored and why."""
    reasons: list[str | None] = [None] * frame.height
    for column in reversed(scorer.needs):
        for row, (text, state) in enumerate(zip(frame[column], text_state(frame[column]), strict=True)):
            if state != "text":
                reasons[row] = f"{column} is {NO_TEXT[state]}"
            elif fault := scorer.fault(text):
                reasons[row] = f"{column} {fault}"
    return reasons
