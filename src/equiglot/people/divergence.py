"""How far metrics are from people: between systems, row by row, and on failures (paper 3, sections 4.4 and 5.1).

Gaps between systems: :mod:`.divergence_gaps`. Row by row: Spearman's rho of the metric with people's scores, by
language and over all rows, in the metric's own sign. Failures that metrics miss: :mod:`.divergence_missed`. A judge,
such as a language model that gives ratings on people's scale, is one more metric, and has two numbers more:

    mad   mean of |judge - human| over rows
    bias  mean of judge - human; above 0 the judge is more lenient

Metrics count as they are scored: an invalid row is not set to 0 here, for what is asked is what the metric itself sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from equiglot.measures import Measure, MeasureInfo, result_table, signature
from equiglot.people._estimates import as_measure
from equiglot.people.divergence_gaps import system_gaps
from equiglot.people.divergence_missed import CELL_KEYS, failing_rows, missed_rows, missed_shares
from equiglot.people.divergence_words import headline
from equiglot.stats import bootstrap_mean, bootstrap_spearman
from equiglot.table import Segments
from equiglot.validity import brought, validate
from equiglot.validity.brought import yes_or_no

__all__ = ["Divergence", "measure_divergence"]

_ENGLISH_TASK = "english_task"
_UNEVEN = 0.05


@dataclass(frozen=True, slots=True)
class Divergence:
    """How far metrics are from people.

    Attributes:
        headline: the answer in words.
        metrics: what was compared with people, in the order asked for.
        gaps: result table with keys ``metric``, ``language``, ``script``, ``condition`` (null: all rows), ``system``
            (which people put higher), ``other_system``; measures ``human_gap``, ``metric_gap``, ``gap_ratio``, the same
            with ``_sd``, and ``gap_lost``.
        rows: keys ``metric``, ``language``, ``script``, ``condition``; measures ``rho``, and ``mad`` and ``bias`` of
            judges.
        missed: keys ``metric``, ``failure``; measure ``missed``.
        failures: the failures themselves, one row per metric (:func:`.divergence_missed.missed_rows`).
        notes: what the reader must know.
    """

    headline: str
    metrics: tuple[MeasureInfo, ...]
    gaps: pl.DataFrame
    rows: pl.DataFrame
    missed: pl.DataFrame
    failures: pl.DataFrame
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it; of the failures those that a metric misses."""
        return {
            "headline": self.headline,
            "metrics": [info.name for info in self.metrics],
            **{name: getattr(self, name).to_dicts() for name in ("gaps", "rows", "missed")},
            "failures": self.failures.filter("missed").to_dicts(),
            "notes": list(self.notes),
        }


def measure_divergence(
    segments: Segments, metrics: Sequence[str], *, judges: Sequence[str] = (), seed: int = 0, resamples: int = 1000
) -> Divergence:
    """How far metrics are from people.

    Args:
        segments: rows with ``system``, ``human`` (null where nobody rated) and the metrics; validated here where
            there are texts and no column ``valid``.
        metrics: score columns.
        judges: score columns on people's own scale, compared with them value by value too.
        seed, resamples: of the intervals.

    Raises:
        InputError: no human scores; an unknown metric, or one of which neither end is better.
    """
    segments.require("human", why="holds people's scores", by="--human ")
    infos = tuple(segments.info(name) for name in dict.fromkeys((*metrics, *judges)))
    for info in infos:
        if info.direction == "neutral":
            raise segments.error(f"neither end of '{info.name}' is better", fix="name a score that has a better end")
    judged = _validated(segments)
    frame = judged.frame
    rated = frame.filter(pl.col("human").is_not_null())
    made = {info.name: _signature(info, judged, seed, resamples) for info in infos}
    gaps = result_table(
        ({"metric": info.name, **keys, **systems}, measure)
        for info in infos
        for keys, part in _groups(rated)
        for systems, measure in system_gaps(part, info, seed=seed, resamples=resamples, signature=made[info.name])
    )
    rows = result_table(
        ({"metric": info.name, **keys}, measure)
        for info in infos
        for keys, part in _groups(rated)
        for measure in _row_measures(
            part, info, judge=info.name in judges, seed=seed, resamples=resamples, made=made[info.name]
        )
    )
    failing = failing_rows(frame)
    failures = missed_rows(frame, failing, infos)
    missed = result_table(missed_shares(failures, made))
    return Divergence(
        headline=headline(gaps, rows, missed, infos, failing),
        metrics=infos,
        gaps=gaps,
        rows=rows,
        missed=missed,
        failures=failures,
        notes=tuple(dict.fromkeys((*judged.notes, *_notes(rated, infos)))),
    )


def _validated(segments: Segments) -> Segments:
    """The table with a column ``valid``: its own, or what the failure-aware policy finds; without texts, as it is."""
    if "valid" in segments.frame.columns:
        return brought(segments)
    if "target" not in segments.frame.columns:
        return segments
    if _ENGLISH_TASK not in segments.frame.columns:
        return validate(segments)
    exempt = yes_or_no(segments, _ENGLISH_TASK, no=("", None))
    return validate(replace(segments, frame=segments.frame.with_columns(exempt)), may_copy=_ENGLISH_TASK)


def _signature(info: MeasureInfo, segments: Segments, seed: int, resamples: int) -> str:
    valid = segments.measures.get("valid")
    return signature(
        metric=info.name, of=info.signature, invalid="as-scored", valid=valid.signature if valid else None,
        bootstrap="segments", resamples=resamples, seed=seed,
    )  # fmt: skip


def _groups(frame: pl.DataFrame) -> Iterator[tuple[dict[str, str | None], pl.DataFrame]]:
    """All rows, and those of each language, script and condition where there are several."""
    cells = sorted(frame.partition_by(CELL_KEYS, as_dict=True).items(), key=lambda pair: tuple(map(str, pair[0])))
    if len(cells) != 1:
        yield dict.fromkeys(CELL_KEYS), frame
    for keys, part in cells:
        yield dict(zip(CELL_KEYS, map(str, keys), strict=True)), part


def _row_measures(
    part: pl.DataFrame, info: MeasureInfo, *, judge: bool, seed: int, resamples: int, made: str
) -> Iterator[Measure]:
    both = part.drop_nulls(info.name)
    score, human = both[info.name].to_numpy(), both["human"].to_numpy()
    failed = part.height - both.height
    rho = bootstrap_spearman(score, human, seed=seed, resamples=resamples)
    yield as_measure("rho", rho, "rho", info.direction, n_failed=failed, signature=made)
    if judge:
        for name, apart in (("mad", abs(score - human)), ("bias", score - human)):
            mean = bootstrap_mean(apart, seed=seed, resamples=resamples)
            yield as_measure(name, mean, "points of people's scale", n_failed=failed, signature=made)


def _notes(rated: pl.DataFrame, infos: Sequence[MeasureInfo]) -> Iterator[str]:
    for info in infos:
        if gone := rated[info.name].null_count():
            yield f"{info.name}: {gone:,} of {rated.height:,} rated rows have no score and are left out of its numbers"
    if rated["system"].n_unique() < 2:
        yield "there is one system with human scores, so there is no gap between systems"
    if _mixes_differ(rated):
        yield (
            "systems were rated on different mixes of languages, which moves their means over all rows; "
            "compare them by language"
        )


def _mixes_differ(rated: pl.DataFrame) -> bool:
    """Whether some language's share of the rows differs between systems by more than :data:`_UNEVEN`."""
    sizes = dict(rated["system"].value_counts().iter_rows())
    for part in rated.partition_by(CELL_KEYS):
        own = dict(part["system"].value_counts().iter_rows())
        shares = [own.get(system, 0) / size for system, size in sizes.items()]
        if max(shares) - min(shares) > _UNEVEN:
            return True
    return False
