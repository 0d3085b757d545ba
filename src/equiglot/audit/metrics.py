"""Which metric agrees best with people? Meta-evaluation as WMT does it, cell by cell.

:mod:`equiglot.audit.metrics_statistics` defines the statistics, :mod:`equiglot.audit.metrics_clusters` how metrics are
sorted into clusters that a permutation test can't tell apart. Everything is found within one language, script and
condition, because scores of different cells need not share a range; ``all cells`` is the plain mean over cells (WMT's
average over tasks), but for pairwise accuracy the share of all cells' pairs together (Kocmi et al. 2021).

Cells count alike in the mean, however many rows they have; a cell in which a statistic has no value is left out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from equiglot.audit._sampling import Sampling
from equiglot.audit._words import counted, listed
from equiglot.audit.metrics_clusters import Clusters, find_clusters
from equiglot.audit.metrics_statistics import RANKED, STATISTICS, Measured, Statistic, measure
from equiglot.audit.metrics_tables import PLACE, Tables, read_tables
from equiglot.audit.metrics_words import headline
from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.measures import Measure, MeasureInfo, result_table, signature
from equiglot.stats import pair_agreement, tie_threshold
from equiglot.table import Segments

__all__ = ["MetricsAudit", "metrics_audit"]

_CLUSTER_TYPES = {
    **dict.fromkeys(PLACE, pl.String),
    **dict.fromkeys(("granularity", "statistic", "grouping", "metric"), pl.String),
    "value": pl.Float64,
    "cluster": pl.Int64,
}
_TEST_TYPES = {
    **dict.fromkeys(PLACE, pl.String),
    **dict.fromkeys(("granularity", "statistic", "grouping", "better", "worse"), pl.String),
    "difference": pl.Float64,
    "p": pl.Float64,
    "n": pl.Int64,
    "method": pl.String,
    "reason": pl.String,
}


@dataclass(frozen=True, slots=True)
class MetricsAudit:
    """What was found.

    Attributes:
        metrics: what is known of each.
        raters: who gave the scores that metrics are held against.
        headline: the answer in words.
        agreement: a result table with the keys language, script, condition (null: over all cells), metric,
            granularity (``system`` or ``segment``) and grouping; measures are the statistics' names, and ``epsilon``
            the tie threshold of acc_eq in the metric's unit.
        clusters: by cell and ranked statistic, each metric with its value and cluster, the best first.
        tests: by cell and ranked statistic, PERM-BOTH of each metric against each that stands below it.
        notes: what a reader must be told.
        signature: what made the numbers.
    """

    metrics: tuple[MeasureInfo, ...]
    raters: str
    headline: str
    agreement: pl.DataFrame
    clusters: pl.DataFrame
    tests: pl.DataFrame
    notes: tuple[str, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON; what could not be had is None."""
        return {
            "metrics": [asdict(info) for info in self.metrics],
            "raters": self.raters,
            "headline": self.headline,
            **{name: getattr(self, name).to_dicts() for name in ("agreement", "clusters", "tests")},
            "notes": list(self.notes),
            "signature": self.signature,
        }


def metrics_audit(
    segments: Segments,
    metrics: Sequence[str],
    *,
    human: str = "human",
    raters: str = "people",
    item: str = "id",
    sample: int | None = None,
    seed: int = 0,
    resamples: int = 1000,
    permutations: int = 1000,
    level: float = 0.95,
    alpha: float = 0.05,
    progress: Progress = silent,
) -> MetricsAudit:
    """Hold metrics against people's scores, at system and at segment level.

    Args:
        segments: rows with people's scores; those without are counted and left out.
        metrics: score columns; their directions are those of ``segments.measures``.
        human: people's scores, larger is better.
        raters: who gave them, in words.
        item: the column that says which rows are translations of the same segment by different systems.
        sample: how many items of a cell are drawn at most, so that many rows take less time; None takes all.
        seed: of the sample, intervals, permutations and the soft accuracy's p.
        resamples: of the bootstrap.
        permutations: of PERM-BOTH, and of the test in the soft accuracy.
        level: of the intervals.
        alpha: at which one metric counts as better than another.
        progress: told of each cell's progress.

    Raises:
        InputError: no metrics, one named twice, no such column, a value that is no finite number, no person's score,
            two rows of one system for one item.

    >>> human = [3.0, 1.0, 2.0, 5.0, 4.0, 1.0, 6.0, 5.0, 3.0]
    >>> frame = pl.DataFrame({"id": ["1", "2", "3"] * 3, "system": [s for s in "abc" for _ in range(3)],
    ...     "language": "hi", "script": "Deva", "condition": "native", "human": human, "chrf": human})
    >>> table = Segments(frame, {"chrf": MeasureInfo("chrf", "score", "higher", "metric:chrf")})
    >>> found = metrics_audit(table, ["chrf"], resamples=100, permutations=100)
    >>> found.agreement.filter(measure="acc_eq", language="hi")["value"].to_list()
    [1.0]
    """
    if not metrics or len(set(metrics)) < len(metrics):
        raise InputError("no metric is named, or one twice", fix="name each score column once")
    if sample is not None and sample < 2:
        raise InputError(f"a sample of {sample} leaves nothing to compare", fix="take 2 items or more")
    cells, notes = read_tables(segments, metrics, human, item, sample=sample, seed=seed)
    if not cells:
        raise InputError("no row has language, script, system, item and a person's score", fix="fill these columns in")
    infos = tuple(segments.info(metric) for metric in metrics)
    made = signature(
        audit="metrics",
        metric="+".join(info.signature for info in infos),
        human=human,
        item=item,
        sample=sample,
        seed=seed,
        resamples=resamples,
        permutations=permutations,
    )
    sampling = Sampling(seed, resamples, permutations, level)
    what, total = "holding metrics against people", len(cells) * (len(metrics) * len(STATISTICS) + len(RANKED))
    step = _counter(progress, what, total)
    found: list[tuple[Tables, str, Statistic, Measured]] = []
    sorted_out: list[tuple[Tables, Statistic, Clusters]] = []
    for tables in cells:
        values: dict[Statistic, dict[str, float]] = {statistic: {} for statistic in RANKED}
        for metric in metrics:
            for statistic in STATISTICS:
                one = measure(statistic, tables, metric, sampling)
                found.append((tables, metric, statistic, one))
                if statistic in values and one.value is not None:
                    values[statistic][metric] = one.value
                step()
        for statistic, own in values.items():
            sorted_out.append((tables, statistic, find_clusters(statistic, tables, own, sampling, alpha)))
            step()
    clusters = pl.DataFrame(list(_cluster_rows(sorted_out)), schema=_CLUSTER_TYPES, orient="row")
    agreement = result_table([*_each(found, made), *_over_cells(found, made)])
    return MetricsAudit(
        metrics=infos,
        raters=raters,
        headline=headline(agreement, clusters, raters, alpha),
        agreement=agreement,
        clusters=clusters,
        tests=pl.DataFrame(list(_test_rows(sorted_out)), schema=_TEST_TYPES, orient="row"),
        notes=(*notes, *_warnings(cells, metrics, item)),
        signature=made,
    )


def _counter(progress: Progress, what: str, total: int) -> Callable[[], None]:
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        progress(what, done, total)

    return step


def _each(
    found: list[tuple[Tables, str, Statistic, Measured]], made: str
) -> Iterator[tuple[dict[str, str | None], Measure]]:
    """Every statistic of every metric in every cell, and acc_eq's threshold."""
    for tables, metric, statistic, one in found:
        keys: dict[str, str | None] = {
            **tables.place,
            "metric": metric,
            "granularity": statistic.granularity,
            "grouping": statistic.grouping,
        }
        failed = tables.lacking(metric)
        yield (
            keys,
            Measure(statistic.name, one.value, statistic.unit, "higher", one.n, failed, one.interval, one.reason, made),
        )
        if statistic.name == "acc_eq":
            epsilon = None if one.value is None else float(tie_threshold(tables.scores[metric], tables.human))
            yield keys, Measure("epsilon", epsilon, "score", "neutral", one.n, failed, None, one.reason, made)


def _over_cells(
    found: list[tuple[Tables, str, Statistic, Measured]], made: str
) -> Iterator[tuple[dict[str, str | None], Measure]]:
    """The mean over cells, where there are several; of pairwise accuracy, the share of all pairs."""
    if len({tuple(tables.place.values()) for tables, *_ in found}) < 2:
        return
    for metric, statistic in dict.fromkeys((metric, statistic) for _, metric, statistic, _ in found):
        own = [(tables, one) for tables, m, s, one in found if (m, s) == (metric, statistic)]
        keys: dict[str, str | None] = {
            **dict.fromkeys(PLACE),
            "metric": metric,
            "granularity": statistic.granularity,
            "grouping": statistic.grouping,
        }
        values = [one.value for _, one in own if one.value is not None]
        n, failed = sum(one.n for _, one in own if one.value is not None), sum(t.lacking(metric) for t, _ in own)
        reason = None if values else "no cell has a value"
        value = float(np.mean(values)) if values else None
        if statistic.name == "accuracy" and values:
            known = [t for t, one in own if one.value is not None]
            agree, pairs = np.sum([pair_agreement(t.scores[metric], t.human) for t in known], axis=0)
            value = float(agree / pairs)
        if values and len(values) < len(own):
            reason = f"{counted(len(own) - len(values), 'cell')} without a value left out"
        yield keys, Measure(statistic.name, value, statistic.unit, "higher", n, failed, None, reason, made)


def _cluster_rows(found: list[tuple[Tables, Statistic, Clusters]]) -> Iterator[tuple[Any, ...]]:
    for tables, statistic, own in found:
        for metric, value, cluster in zip(own.metrics, own.values, own.clusters, strict=True):
            place = tables.place.values()
            yield (*place, statistic.granularity, statistic.name, statistic.grouping, metric, value, cluster)


def _test_rows(found: list[tuple[Tables, Statistic, Clusters]]) -> Iterator[tuple[Any, ...]]:
    for tables, statistic, own in found:
        keys = (*tables.place.values(), statistic.granularity, statistic.name, statistic.grouping)
        for (better, worse), test in own.tests.items():
            yield (*keys, better, worse, test.statistic, test.p, test.n, test.method, test.reason)


def _warnings(cells: list[Tables], metrics: Sequence[str], item: str) -> list[str]:
    notes: list[str] = []
    rows = sum(tables.rows for tables in cells)
    lacking: dict[int, list[str]] = {}
    for metric in metrics:
        lacking.setdefault(sum(tables.lacking(metric) for tables in cells), []).append(metric)
    notes += [
        f"{counted(missing, 'row')} of {rows:,} lack a person's score or one of {listed(names)} and are left out."
        for missing, names in lacking.items()
        if missing
    ]
    few = [len(tables.systems) for tables in cells]
    if max(few) > 1 and not any(tables.shared_items() for tables in cells):
        notes.append(
            f"No two systems share a value of '{item}', so nothing can be grouped by item; name the column that they "
            "share, e.g. --item source."
        )
    if min(few) < 10:
        notes.append(
            f"System level rests on as few as {counted(min(few), 'system')}: its values are coarse, its intervals wide."
        )
    if any(0 < tables.shared_items() < tables.human.shape[1] for tables in cells):
        notes.append(
            "Items with a single rated system don't count by item or in acc_eq, and those that lack any system not in "
            "soft accuracy."
        )
    names = [" ".join(tables.place.values()) for tables in cells if len(tables.systems) == 1]
    if names:
        notes.append(f"One system only: {listed(names)}; there is nothing to rank.")
    return notes
