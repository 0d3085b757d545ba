"""Corrections held against each other on rows that they were not fitted on (paper 1, table 4).

In each language the translations that are there in both conditions are split in two by their segment, so that all
systems' translations of one segment lie on one side. Every correction is fitted on one half and read on the other:

    abs_delta   mean over languages of |mean of T(romanised) - mean of T(native)|     P1: what is left of the shift
    rho_within  mean over languages of Spearman's rho of T(romanised) with people     P2: what no such map can mend
    rho_pooled  Spearman's rho of T(romanised) with people, all languages together    what the correction is for
    pooled_gain     rho_pooled less that of the scores as they are
    behind_best     the highest rho_pooled of all corrections less this one's

T maps native scores too, which under ``native-own`` stay as they are. The last row, the native scores, is the ceiling.
``abs_delta`` counts every translation that is scored twice, the rhos those that people rated. Intervals are percentile
bootstrap over the rows read, within languages, with the fitted maps as they are; that of ``abs_delta`` is of absolute
values and so lies off 0 where the shift is nothing but chance.

Differences from the paper: it prints no intervals and one reference; here both are shown, and the split is by segment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.measures import Direction, Measure, MeasureInfo, result_table, signature
from equiglot.normalize._cells import located
from equiglot.normalize._comparison_words import headline
from equiglot.normalize._pairs import rated_pairs
from equiglot.normalize._reference import Reference
from equiglot.normalize._resampling import interval_of, rho_draws, strata_counts
from equiglot.normalize.correction import Method
from equiglot.normalize.methods import fit_correction
from equiglot.stats import spearman
from equiglot.table import Segments

__all__ = ["CEILING", "Comparison", "compare_corrections"]

Vector = NDArray[np.float64]

_Row = tuple[dict[str, str | None], Measure]

CEILING = "native score"
"""The name of the last row: what the romanised scores could reach at best."""

_COMPARED: tuple[tuple[Method, Literal["native-own", "native-pooled"]], ...] = (
    ("identity", "native-own"),
    ("shift", "native-own"),
    ("affine", "native-own"),
    ("isotonic", "native-own"),
    ("qn", "native-own"),
    ("shift", "native-pooled"),
    ("affine", "native-pooled"),
    ("qn", "native-pooled"),
)
_FEWEST = 20
"""Rated translations in both conditions that a language must have: half of them are read."""
_FEWEST_READ = 3
"""Rated translations that each half must have; fewer have no correlation."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found; both tables are result tables.

    Attributes:
        metric: the score that was corrected.
        headline: the answer in words.
        table: by correction and reference: ``abs_delta``, ``rho_within``, ``rho_pooled``.
        languages: the same language by language: ``delta`` (signed) and ``rho``.
        signature: of the whole comparison.
        notes: what a reader must be told.
    """

    metric: MeasureInfo
    headline: str
    table: pl.DataFrame
    languages: pl.DataFrame
    signature: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON."""
        return {
            "metric": asdict(self.metric),
            "headline": self.headline,
            "table": self.table.to_dicts(),
            "languages": self.languages.to_dicts(),
            "signature": self.signature,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class _Read:
    """One correction's scores on the rows that are read, stratum by stratum.

    ``native`` is what ``romanized`` is held against.
    """

    romanized: Vector
    native: Vector


def compare_corrections(
    segments: Segments, metric: str, *, human: str = "human", seed: int = 42, resamples: int = 1000
) -> Comparison:
    """Fit every correction on one half of each language and read it on the other.

    Args:
        segments: translations in both conditions, scored, with people's scores in ``human``.
        metric: the score column.
        human: people's scores, larger is better.
        seed: of the split and of the intervals (the paper's is 42).
        resamples: of the bootstrap.

    Raises:
        InputError: no such measure or column, no language with enough translations in both conditions that people
            rated.
    """
    info = segments.info(metric)
    segments.require(human, why="says how good the translations are")
    with located(segments):
        pairs, notes = rated_pairs(segments, metric, human, fewest=_FEWEST)
        fitted_on, read = _halves(pairs, seed)
    if lopsided := sorted(set(pairs["language"]) - set(read["language"])):
        notes.append(f"Too few segments to split in two: {', '.join(lopsided)} left out.")
    fit_table, read_table = _both_sides(segments, fitted_on), _both_sides(segments, read)
    found: dict[tuple[str, str], _Read] = {
        (method, ref): _read(fit_table, read_table, metric, method, ref) for method, ref in _COMPARED
    }
    raw = found["identity", "native-own"]
    found[CEILING, "none"] = _Read(raw.native, raw.native)
    made = signature(compare="corrections", metric=info.signature, human=human, seed=seed, resamples=resamples)
    readings = _measured(read, found, info, made, seed=seed, resamples=resamples)
    notes.append(
        f"Fitted on {fitted_on.height:,} translations and read on {read.height:,} others; intervals are of the reading "
        "alone, with the maps as fitted."
    )
    table, languages = (result_table(rows) for rows in readings)
    return Comparison(info, headline(info, table, languages), table, languages, made, tuple(notes))


def _halves(pairs: pl.DataFrame, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The translations of half of each language's segments, and those of the other half.

    A language whose segments don't make two halves with rated translations in each is left out of both.

    Raises:
        InputError: no language has rated translations of enough segments for two halves.
    """
    first: list[pl.DataFrame] = []
    for own in pairs.partition_by("language", maintain_order=True):
        ids = own["id"].unique().sort()
        order = np.random.default_rng(seed).permutation(len(ids))
        half = ids.gather(order[: len(ids) // 2]).to_frame("id")
        first.append(half.select(pl.lit(own["language"][0]).alias("language"), "id"))
    chosen = pl.concat(first)
    keys = ["language", "id"]
    halves = (
        pairs.join(chosen, on=keys, how="semi", maintain_order="left"),
        pairs.join(chosen, on=keys, how="anti", maintain_order="left"),
    )
    whole = [
        set(half.group_by("language").agg(pl.col("human").count()).filter(pl.col("human") >= _FEWEST_READ)["language"])
        for half in halves
    ]
    kept = sorted(whole[0] & whole[1])
    if not kept:
        raise InputError(
            f"no language has {_FEWEST_READ} rated translations in each half of its segments",
            fix="give more segments, and the same id to translations of one segment only",
        )
    fitted_on, read = (half.filter(pl.col("language").is_in(kept)) for half in halves)
    return fitted_on, read


def _both_sides(segments: Segments, pairs: pl.DataFrame) -> Segments:
    """The native rows of the pairs and below them the romanised ones, in the pairs' order."""
    rows = pl.concat([pairs["native"], pairs["romanized"]])
    return Segments(segments.frame[rows.to_list()], segments.measures)


def _read(fit: Segments, read: Segments, metric: str, method: Method, reference: Reference) -> _Read:
    correction = fit_correction(fit, metric, method, reference=reference)
    mapped = correction.transform(read).frame[correction.column].to_numpy()
    half = mapped.size // 2
    return _Read(mapped[half:], mapped[:half])


def _measured(
    read: pl.DataFrame,
    found: Mapping[tuple[str, str], _Read],
    info: MeasureInfo,
    made: str,
    *,
    seed: int,
    resamples: int,
) -> tuple[list[_Row], list[_Row]]:
    """The rows of both tables."""
    cells = read.select("language", "script").unique(maintain_order=True).rows()
    language = read["language"]
    rated = read["human"].is_not_null().to_numpy()
    human = read["human"].fill_null(0.0).to_numpy()
    strata = [(language == cell[0]).to_numpy() for cell in cells]
    deltas, rhos, pooled = _drawn(strata, rated, human, list(found.values()), seed=seed, resamples=resamples)

    table: list[_Row] = []
    by_language: list[_Row] = []
    rho_pooled = [spearman(one.romanized[rated], human[rated]) for one in found.values()]
    better: Direction = "lower" if info.direction == "lower" else "higher"
    turn = -1.0 if info.direction == "lower" else 1.0
    ranked = [i for i, (name, _) in enumerate(found) if rho_pooled[i] is not None and name != CEILING]
    best = max(ranked, key=lambda i: turn * (rho_pooled[i] or 0.0), default=0)
    for i, ((correction, reference), one) in enumerate(found.items()):
        key: dict[str, str | None] = {
            "correction": correction,
            "reference": None if correction in ("identity", CEILING) else reference,
        }
        own_deltas = [float((one.romanized[s] - one.native[s]).mean()) for s in strata]
        own_rhos = [spearman(one.romanized[s & rated], human[s & rated]) for s in strata]
        known = [rho for rho in own_rhos if rho is not None]
        within = float(np.mean(known)) if len(known) == len(own_rhos) else None
        off, n, n_rated = np.abs(deltas[:, :, i]).mean(axis=1), read.height, int(rated.sum())
        rho = partial(_measure, n=n_rated, unit="rho", direction=better, made=made)
        gap = partial(_measure, n=n, unit=info.unit, made=made)
        table += [
            (key, gap("abs_delta", float(np.abs(own_deltas).mean()), off, direction="lower")),
            (key, rho("rho_within", within, rhos[:, :, i].mean(axis=1))),
            (key, rho("rho_pooled", rho_pooled[i], pooled[:, i])),
        ]
        if correction not in ("identity", CEILING):
            for name, first, second in (("pooled_gain", i, 0), ("behind_best", best, i)):
                drawn = pooled[:, first] - pooled[:, second]
                table.append((key, rho(name, _difference(rho_pooled[first], rho_pooled[second]), drawn)))
        for k, (language, script) in enumerate(cells):
            where = {"language": language, "script": script, **key}
            own, mine = int(strata[k].sum()), int((strata[k] & rated).sum())
            by_language += [
                (where, gap("delta", own_deltas[k], deltas[:, k, i], n=own, direction="neutral")),
                (where, rho("rho_within", own_rhos[k], rhos[:, k, i], n=mine)),
            ]
    return table, by_language


def _difference(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


def _measure(
    name: str, value: float | None, drawn: Vector, *, n: int, unit: str, direction: Direction, made: str
) -> Measure:
    interval = None if value is None else interval_of(drawn)
    reason = "the scores, or people's, are all the same" if value is None else None
    return Measure(name, value, unit, direction, n, interval=interval, reason=reason, signature=made)


def _drawn(
    strata: Sequence[NDArray[np.bool_]],
    rated: NDArray[np.bool_],
    human: Vector,
    found: Sequence[_Read],
    *,
    seed: int,
    resamples: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Resampled deltas and rhos (resamples x languages x corrections), and pooled rhos (resamples x corrections)."""
    sizes = [int(s.sum()) for s in strata]
    gaps = [one.romanized - one.native for one in found]
    deltas: list[NDArray[np.float64]] = []
    for counts in strata_counts(sizes, seed=seed, resamples=resamples):
        parts = [np.stack([counts[:, s] @ gap[s] / s.sum() for gap in gaps], axis=1) for s in strata]
        deltas.append(np.stack(parts, axis=1))
    mine = [s[rated] for s in strata]
    scores, people = [one.romanized[rated] for one in found], human[rated]
    rhos: list[NDArray[np.float64]] = []
    pooled: list[NDArray[np.float64]] = []
    for counts in strata_counts([int(s.sum()) for s in mine], seed=seed, resamples=resamples):
        within = [rho_draws([one[s] for one in scores], people[s], counts[:, s]) for s in mine]
        rhos.append(np.stack(within, axis=1))
        pooled.append(rho_draws(scores, people, counts))
    return np.concatenate(deltas), np.concatenate(rhos), np.concatenate(pooled)
