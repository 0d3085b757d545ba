"""Does a score depend on the script that the text is written in (paper 1; METHODS section 4)?

The same translations are scored in native script and romanised; content and people's scores are the same, so what
changes is the metric's own doing. Two faults are judged apart, because only one of them can be mended afterwards:
P1, cells lie in different ranges (an order-preserving map repairs it), and P2, the order within a script is worse (no
such map can). :mod:`equiglot.audit.verdicts` says by which rule.

Rows count as independent, as in the paper; several systems' translations of one source are not quite, so intervals are
somewhat too narrow.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from equiglot.audit._cells import burden_table, cell_table
from equiglot.audit._content import content_words, refuse_copied_scores
from equiglot.audit._doubtful import doubtful_words
from equiglot.audit._gaps import compare_gaps, gaps_table
from equiglot.audit._headline import headline
from equiglot.audit._languages import compare_languages, language_table
from equiglot.audit._native_order import native_orders
from equiglot.audit._outliers import outlier_words
from equiglot.audit._ranges import compare_ranges, ranges_table
from equiglot.audit._rows import NATIVE, ROMANIZED, Rows, read_rows
from equiglot.audit._sampling import Sampling
from equiglot.audit._sentences import judge_order, judge_place
from equiglot.audit._severity import severity_table
from equiglot.audit.agreement import pooled_table
from equiglot.audit.verdicts import Evidence, Rule, Verdict
from equiglot.errors import InputError
from equiglot.measures import Interval, MeasureInfo, result_table, signature
from equiglot.stats import Estimate
from equiglot.table import CELL, Segments

__all__ = ["ScriptAudit", "script_audit"]

_TABLES = ("cells", "languages", "gaps", "ranges", "pooled", "severity", "burden")
_DEFAULT_RULE = Rule()


@dataclass(frozen=True, slots=True)
class ScriptAudit:
    """What was found; every table is a result table.

    Attributes:
        metric: the audited score.
        human: the column of people's scores, or None where there are none.
        raters: who gave them.
        headline: the answer in one to three sentences.
        verdicts: P1 and P2.
        rule: when a difference counted.
        cells: mean, median, quartiles, p5 and p95 per language, script and condition, and people's mean.
        languages: per language, native against romanised: means, shift, rhos, drop, tests with Holm-adjusted p.
        gaps: native cells held against each other, in SD within cells: ``gap_metric``, ``gap_human`` and
            ``gap_excess``, positive where (language, script) is better than (other_language, other_script), which are
            null where the other is the mean of all others; with p and Holm-adjusted p. Empty without people's scores.
        ranges: ANOVA of the score, and of people's scores, by script and by cell, per condition.
        pooled: agreement with people over all cells.
        severity: shift per severity level.
        burden: share of segments whose SBI reaches the flag.
        cautions: what in the rows themselves may make the answer wrong, to be said beside it: scores of another scale,
            rows that may be no translation. Nothing of it was left out.
        notes: what else a reader must be told.
    """

    metric: MeasureInfo
    human: str | None
    raters: str
    headline: str
    verdicts: tuple[Verdict, ...]
    rule: Rule
    cells: pl.DataFrame
    languages: pl.DataFrame
    gaps: pl.DataFrame
    ranges: pl.DataFrame
    pooled: pl.DataFrame
    severity: pl.DataFrame
    burden: pl.DataFrame
    cautions: tuple[str, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON; what could not be had is None."""
        return {
            "metric": asdict(self.metric),
            "human": self.human,
            "raters": self.raters,
            "headline": self.headline,
            "verdicts": [asdict(verdict) for verdict in self.verdicts],
            "rule": asdict(self.rule),
            **{name: getattr(self, name).to_dicts() for name in _TABLES},
            "cautions": list(self.cautions),
            "notes": list(self.notes),
        }


def script_audit(
    segments: Segments,
    metric: str,
    *,
    human: str = "human",
    raters: str = "people",
    severity: str | None = None,
    seed: int = 0,
    resamples: int = 1000,
    permutations: int = 1000,
    sbi_flag: float = 3.0,
    rule: Rule = _DEFAULT_RULE,
    normalized: str | None = None,
) -> ScriptAudit:
    """Audit one score for its dependence on script.

    Args:
        segments: rows whose condition is ``native`` or ``romanized``; pairs share id, language and system.
        metric: the score column; its direction is that of ``segments.measures``.
        human: people's scores, larger is better. May be absent, and then agreement is not judged.
        raters: who gave those scores, in words; what stands in for people must not be called people.
        severity: a column of error severities, for the shift per level.
        seed: of every interval and of the permutation test.
        resamples: of the bootstrap.
        permutations: of PERM-BOTH.
        sbi_flag: SBI from which a segment counts as overburdened, where there is a column ``sbi``.
        rule: thresholds of the verdicts.
        normalized: where the quantile-normalised scores lie, if they are there already: what the words then name
            instead of the command that makes them.

    Raises:
        InputError: no such measure or column, a value that is no finite number, two rows of one translation in one
            condition, two romanisers in one language, romanised rows that repeat the scores of their native rows.

    >>> native, n = [50.0 + i for i in range(40)], 40
    >>> frame = pl.DataFrame({"id": [f"s{i}" for i in range(n)] * 2, "language": "ta", "system": "a",
    ...     "script": ["Taml"] * n + ["Latn"] * n, "condition": ["native"] * n + ["romanized"] * n,
    ...     "chrf": native + [score - 30 for score in native]})
    >>> table = Segments(frame, {"chrf": MeasureInfo("chrf", "points", "higher", "metric:chrf")})
    >>> audit = script_audit(table, "chrf", resamples=200)
    >>> [(verdict.fault, verdict.answer) for verdict in audit.verdicts]
    [('P1', 'no'), ('P2', "can't tell")]
    """
    info = segments.info(metric)
    if human != "human" and human not in segments.frame.columns:
        have = ", ".join(segments.frame.columns)
        raise segments.error(f"no column '{human}'; the columns are {have}", fix="name the column of people's scores")
    try:
        rows = read_rows(segments, metric, human, severity)
        refuse_copied_scores(rows, info)
    except InputError as error:
        raise error.located(segments.path) from error
    sampling = Sampling(seed, resamples, permutations)
    made = signature(
        audit="script", metric=info.signature, human=human, seed=seed, resamples=resamples, permutations=permutations
    )
    pairs = compare_languages(rows, info.direction, sampling)
    ranges = compare_ranges(rows, metric, sampling.level)
    gaps = compare_gaps(rows, info.direction, rule.min_rows, sampling)
    orders = native_orders(rows, pairs, info.direction, sampling)
    cells = cell_table(rows.frame, info, sampling, made)
    nothing = result_table([])
    by_severity, severity_notes = severity_table(rows, info, sampling, made) if severity else (nothing, list[str]())
    evidence = Evidence(
        metric=metric,
        pairs=pairs,
        ranges=ranges,
        gaps=gaps,
        rated=rows.rated,
        cells=_cell_count(rows),
        content=content_words(rows),
        means=_native_means(cells, "mean"),
        people=_native_means(cells, "human_mean"),
        orders=orders,
        raters=raters,
        mapped=_is_mapped(info.signature),
        normalized=normalized,
    )
    place, order = judge_place(evidence, rule), judge_order(evidence, rule)
    has_burden = "sbi" in rows.frame.columns
    return ScriptAudit(
        metric=info,
        human=human if rows.rated else None,
        raters=raters,
        headline=headline(evidence, place, order, rule),
        verdicts=(place, order),
        rule=rule,
        cells=cells,
        languages=language_table(
            rows, pairs, {o.cell: o.rho for o in orders}, info=info, sampling=sampling, signature=made
        ),
        gaps=gaps_table(gaps, made),
        ranges=ranges_table(ranges, made),
        pooled=pooled_table(rows.frame, info.direction, sampling, made) if rows.rated else nothing,
        severity=by_severity,
        burden=burden_table(rows.frame, sbi_flag, sampling, made) if has_burden else nothing,
        cautions=tuple(filter(None, (*outlier_words(segments, info, human), doubtful_words(segments, metric, human)))),
        notes=(*rows.notes, *_notes(rows, info), *severity_notes, str(rule)),
    )


def _is_mapped(signed: str) -> bool:
    """Whether a correction put every cell onto one reference: not so ``identity``, nor a map onto each language's own.

    >>> [_is_mapped(f"metric:chrf|norm:{norm}|v:0.1.0") for norm in ("shift|ref:native-pooled", "qn|ref:native-own")]
    [True, False]
    """
    made = {key: value for key, _, value in (part.partition(":") for part in signed.split("|"))}
    return made.get("norm", "identity") != "identity" and made.get("ref") != "native-own"


def _notes(rows: Rows, info: MeasureInfo) -> list[str]:
    notes: list[str] = []
    if info.direction == "lower":
        notes.append(
            f"{info.name} is better when lower, so its rho with people is negative where the two agree; rho_drop is "
            "the fall of agreement, positive where romanised order is worse."
        )
    if info.direction == "neutral":
        notes.append(f"Neither way is better for {info.name}; its agreement is judged as if more were better.")
    unpaired = sorted(set(rows.condition(NATIVE)["language"]) - set(rows.pairs["language"]))
    if unpaired:
        notes.append(f"No romanised rows for {', '.join(unpaired)}: native only.")
    if "sbi" not in rows.frame.columns:
        notes.append("No column 'sbi', so the share of overburdened segments is not shown.")
    return notes


def _cell_count(rows: Rows) -> int:
    return rows.frame.filter(pl.col("condition").is_in([NATIVE, ROMANIZED])).select(CELL).n_unique()


def _native_means(cells: pl.DataFrame, measure: str) -> dict[str, Estimate]:
    """The means that there are, by the cell's name."""
    if not cells.height:
        return {}
    own = cells.filter(pl.col("value").is_not_null(), condition=NATIVE, measure=measure).sort(CELL)
    return {
        f"{row['language']}-{row['script']}": Estimate(
            row["value"],
            None if row["low"] is None else Interval(row["low"], row["high"], row["level"], row["method"]),
            row["n"],
        )
        for row in own.iter_rows(named=True)
    }
