"""Question 1 answered for one metric: audited as it is, put on one axis, and audited again there."""

from __future__ import annotations

from dataclasses import dataclass

from equiglot.audit import ScriptAudit, script_audit
from equiglot.normalize import QuantileNormalizer
from equiglot.table import Segments

__all__ = ["ScriptAnswer", "answer_script"]


@dataclass(frozen=True, slots=True)
class ScriptAnswer:
    """One metric's audit, the correction fitted to it, and the table with the corrected column added."""

    audit: ScriptAudit
    normalizer: QuantileNormalizer
    corrected: ScriptAudit
    segments: Segments


def answer_script(
    segments: Segments,
    metric: str,
    *,
    raters: str = "people",
    severity: str | None = None,
    seed: int = 0,
    resamples: int = 1000,
    permutations: int = 1000,
) -> ScriptAnswer:
    """Audit ``metric``, fit COMET-QN to it on the same table, and audit the corrected column ``<metric>_qn``.

    The correction is fitted and read on the same rows, so its cell means are equal by construction; to compare
    languages, fit on a matched calibration set (`equiglot normalize fit`) and apply elsewhere.
    """

    def judged(table: Segments, column: str) -> ScriptAudit:
        return script_audit(
            table,
            column,
            raters=raters,
            severity=severity,
            seed=seed,
            resamples=resamples,
            permutations=permutations,
        )

    normalizer = QuantileNormalizer.fit(segments, metric)
    normalized = normalizer.transform(segments)
    return ScriptAnswer(judged(segments, metric), normalizer, judged(normalized, f"{metric}_qn"), normalized)
