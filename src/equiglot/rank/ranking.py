"""Which system is best, failures counted: one metric after another, by language and together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo, result_table
from equiglot.rank._rows import VALID, boards, invalid_score, with_validity
from equiglot.rank._words import copying_answers, headline
from equiglot.rank.evidence import categories, copying, disagreement, failures, first_failures, usage
from equiglot.rank.standings import Options, standings
from equiglot.table import Segments
from equiglot.validity import Policy

__all__ = ["Ranking", "rank_systems"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Systems ranked under the failure-aware policy.

    Attributes:
        headline: the answer in words.
        metrics: what was ranked by, in the order asked for.
        worst: by metric, what an invalid row scores.
        systems: result table with keys ``metric``, ``language``, ``script``, ``condition`` (null: all together),
            ``system``; measures ``mean_aware``, ``mean_valid``, ``invalid``, ``rank_aware``, ``rank_valid``,
            ``rank_change``, ``cluster``.
        pairs: the same keys and ``other_system``; measures ``difference``, ``segments``, ``p_permutation``,
            ``p_holm``, ``p_bootstrap``; the signature says whether every sign flip was taken.
        failures: shares of failures by language and system (:func:`equiglot.validity.failure_summary`).
        first_failures: invalid rows by their first failure, so that each counts once.
        copying, disagreement, usage, categories: see :mod:`equiglot.rank.evidence`.
        notes: what the reader must know.
    """

    headline: str
    metrics: tuple[MeasureInfo, ...]
    worst: Mapping[str, float]
    systems: pl.DataFrame
    pairs: pl.DataFrame
    failures: pl.DataFrame
    first_failures: pl.DataFrame
    copying: pl.DataFrame
    disagreement: pl.DataFrame
    usage: pl.DataFrame
    categories: pl.DataFrame
    notes: tuple[str, ...]

    @property
    def copying_answers(self) -> list[str]:
        """Whether each metric rewards copying, in a sentence each."""
        return copying_answers(self.copying)

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        tables = ("systems", "pairs", "failures", "first_failures", "copying", "disagreement", "usage", "categories")
        return {
            "headline": self.headline,
            "copying_answers": self.copying_answers,
            "metrics": [info.name for info in self.metrics],
            "invalid_scores": dict(self.worst),
            **{name: getattr(self, name).to_dicts() for name in tables},
            "notes": list(self.notes),
        }


def rank_systems(
    segments: Segments,
    metrics: Sequence[str],
    *,
    policy: Policy | None = None,
    invalid_scores: Mapping[str, float] | None = None,
    seed: int = 0,
    resamples: int = 1000,
    permutations: int = 1000,
    alpha: float = 0.05,
) -> Ranking:
    """Rank the systems of a table by each metric, invalid rows counted.

    Args:
        segments: rows with ``system`` and the metrics; with ``valid`` where it has been validated already.
        metrics: score columns, or ``valid``, the share of valid answers, which every table has; none ranks nothing
            and counts failures.
        policy: of validity, where the table has no column ``valid``; default: paper 3's.
        invalid_scores: what an invalid row scores, by metric; 0 unless said, and to be said of a metric that is
            better when smaller.
        seed, resamples, permutations: of the random steps.
        alpha: below which an adjusted p opens a new cluster.

    Raises:
        InputError: an unknown metric, or one that is better when smaller without its invalid score.
    """
    names = tuple(dict.fromkeys(metrics))
    scored = tuple(_info(segments, name) for name in names if name != VALID)
    judged = with_validity(segments, policy)
    valid = judged.measures[VALID]
    infos = tuple(valid if name == VALID else next(s for s in scored if s.name == name) for name in names)
    given = dict(invalid_scores or {})
    if unknown := [name for name in given if name not in {info.name for info in infos}]:
        raise InputError(f"'{unknown[0]}' is not ranked by", fix=f"give invalid scores of {', '.join(metrics)}")
    worst = {info.name: invalid_score(info, given) for info in infos}
    options = Options(seed, resamples, permutations, alpha)
    rows, pairs, notes = [], [], list(_worst_notes(judged, scored, worst))
    for info in infos:
        for board in boards(judged, info.name, worst[info.name]):
            made = standings(board, info, valid, worst[info.name], options)
            rows += made.systems
            pairs += made.pairs
            notes += made.notes
            if board.left_out:
                where = "-".join(board.keys[k] for k in ("language", "script")) if board.keys else "all together"
                notes.append(
                    f"{info.name}, {where}: {board.left_out:,} items left out, which not every system has with a score"
                )
    systems = result_table(rows)
    return Ranking(
        headline=headline(systems, infos, alpha),
        metrics=infos,
        worst=worst,
        systems=systems,
        pairs=result_table(pairs),
        failures=failures(judged),
        first_failures=first_failures(judged),
        copying=copying(judged, scored, seed=seed, resamples=resamples),
        disagreement=disagreement(judged, scored),
        usage=usage(judged, seed=seed, resamples=resamples),
        categories=categories(judged, infos, worst, seed=seed, resamples=resamples),
        notes=tuple(dict.fromkeys((*judged.notes, *notes))),
    )


def _info(segments: Segments, name: str) -> MeasureInfo:
    """What is known of a score, which is a number of each row."""
    if name in segments.frame.columns and name not in segments.measures:
        have = ", ".join(segments.measures) or "none"
        fix = f"name a column of numbers (scores: {have})"
        raise segments.error("there is no number in this column", fix=fix, column=name)
    info = segments.info(name)
    if not segments.frame[name].dtype.is_numeric():
        raise segments.error("this column is not of numbers", fix="name a column of scores", column=name)
    return info


def _worst_notes(segments: Segments, infos: Sequence[MeasureInfo], worst: Mapping[str, float]) -> list[str]:
    """Where valid rows score worse than an invalid one would."""
    notes: list[str] = []
    valid = segments.frame.filter("valid")
    for info in infos:
        scores, floor = valid[info.name].drop_nulls(), worst[info.name]
        below = int((scores < floor).sum() if info.direction == "higher" else (scores > floor).sum())
        if below:
            notes.append(
                f"{below:,} valid {'row has' if below == 1 else 'rows have'} a worse {info.name} than invalid ones "
                f"get ({floor:g}); "
                f"--invalid-score {info.name}=WORST sets it"
            )
    return notes
