"""Question 1 answered for one metric: audited as it is, put on one axis, and audited again there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import polars as pl

from equiglot.audit import ScriptAudit, script_audit
from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.normalize import QuantileNormalizer
from equiglot.quality import METRICS, floors
from equiglot.quality.scorer import Options
from equiglot.table import Segments

__all__ = ["ScriptAnswer", "answer_script"]

_FLOOR_PAIRS = 100
"""Pairs of each cell that the floors are estimated from; they have intervals."""

_USUAL = Options()


@dataclass(frozen=True, slots=True)
class ScriptAnswer:
    """One metric's audit, the correction fitted to it, and the table with the corrected column added.

    Where no native row has a score there is nothing to map onto: then ``normalizer`` and ``corrected`` are None, and a
    note of the table says so.
    ``floors`` is the result table of what copies and random pairs score, for a metric that can be run here, just as the
    table's scores were made, on texts with sources and references; else None.
    """

    audit: ScriptAudit
    normalizer: QuantileNormalizer | None
    corrected: ScriptAudit | None
    segments: Segments
    floors: pl.DataFrame | None

    @property
    def comparable(self) -> bool:
        """Whether the scores may be compared as they are, so that nothing has to be normalised."""
        return self.audit.verdicts[0].answer == "yes"


def answer_script(
    segments: Segments,
    metric: str,
    *,
    options: Options = _USUAL,
    raters: str = "people",
    severity: str | None = None,
    seed: int = 0,
    resamples: int = 1000,
    permutations: int = 1000,
    normalized: str | None = None,
    progress: Progress = silent,
) -> ScriptAnswer:
    """Audit ``metric``, fit COMET-QN to it on the same table, and audit the corrected column ``<metric>_qn``.

    The correction is fitted and read on the same rows, so its cell means are equal by construction; to compare
    languages, fit on a matched calibration set (`equiglot normalize fit`) and apply elsewhere. ``options`` are those
    that the metric is computed with, and ``normalized`` says in words where the corrected column will lie.

    Raises:
        InputError: no such score, or none in any row; as :func:`equiglot.audit.script_audit`.
    """

    def judged(table: Segments, column: str, normalized: str | None = None) -> ScriptAudit:
        return script_audit(
            table,
            column,
            raters=raters,
            severity=severity,
            seed=seed,
            resamples=resamples,
            permutations=permutations,
            normalized=normalized,
        )

    segments.require(metric, why="holds the score to judge", by="--metric ")
    floor = partial(_floors, segments, metric, options, seed, progress)
    if not segments.frame.filter(condition="native")[metric].count():
        why = f"{metric} was not normalised: no native row has a score to map onto."
        return ScriptAnswer(judged(segments, metric), None, None, segments.noted(why), floor())
    normalizer = QuantileNormalizer.fit(segments, metric)
    mapped = normalizer.transform(segments)
    return ScriptAnswer(
        judged(segments, metric, normalized), normalizer, judged(mapped, f"{metric}_qn"), mapped, floor()
    )


def _floors(segments: Segments, metric: str, options: Options, seed: int, progress: Progress) -> pl.DataFrame | None:
    frame = segments.frame
    texts = all(c in frame.columns and frame[c].null_count() < frame.height for c in ("source", "reference"))
    if metric not in METRICS or not texts or _signature(metric, options) != segments.info(metric).signature:
        return None
    return floors(
        segments,
        metric,
        metric_model=options.metric_model,
        layer=options.layer,
        sample=_FLOOR_PAIRS,
        seed=seed,
        progress=progress,
    )


def _signature(metric: str, options: Options) -> str | None:
    """What signs the scores that this metric gives here and now; None where it can't be run."""
    try:
        return METRICS[metric](options).info.signature
    except InputError:
        return None
