"""The section that answers: which metric may rank languages, and how far the order of languages is to be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from equiglot.audit import AlternativesAudit, ConfoundAudit, MinimalPairsAudit, RankingAudit, StabilityAudit
from equiglot.report._likelihood_charts import (
    accuracy_chart,
    agreement_over_size,
    curves_over_size,
    differences_chart,
    expected_ranks,
    rank_chart,
    scatter_chart,
)
from equiglot.report._likelihood_tables import counting, in_words, orders_table, winners_table
from equiglot.report.model import Answer, ReportChart, ReportTable, Section
from equiglot.report.reading import report_table

__all__ = ["likelihood_section"]

_RANK = "Which metric may rank languages?"
_POINT = ["metric", "confound", "points"]
_METRICS = ("sent_nll", "sent_nll_uncut", "bpb", "bpc", "token_nll", "ppl", "mrr")


@dataclass(frozen=True, slots=True)
class _Part:
    """What one audit adds; its question heads the section where it is alone."""

    question: str
    lead: str
    answers: Sequence[Answer]
    charts: Sequence[ReportChart]
    tables: Sequence[ReportTable]


def likelihood_section(
    *,
    confound: ConfoundAudit | None = None,
    alternatives: AlternativesAudit | None = None,
    stability: StabilityAudit | None = None,
    ranking: RankingAudit | None = None,
    minimal_pairs: MinimalPairsAudit | None = None,
) -> Section:
    """The audits of language-model scores as a section of a report; those that were not made are left out.

    Args:
        confound: does a metric follow bytes, characters or tokens?
        alternatives: does the better language hold whichever translation is scored?
        stability: how many sentences does the comparison need?
        ranking: is the order of languages the expected one?
        minimal_pairs: accuracy on grammatical pairs.
    """
    parts = [
        *([_confound(confound)] if confound else []),
        *([_alternatives(alternatives)] if alternatives else []),
        *([_stability(stability)] if stability else []),
        *([_ranking(ranking)] if ranking else []),
        *([_minimal_pairs(minimal_pairs)] if minimal_pairs else []),
    ]
    return Section(
        title=parts[0].question if len(parts) == 1 else _RANK,
        lead=" ".join(part.lead for part in parts),
        answers=tuple(answer for part in parts for answer in part.answers),
        charts=tuple(chart for part in parts for chart in part.charts),
        tables=tuple(table for part in parts for table in part.tables),
    )


def _answers(
    audit: ConfoundAudit | AlternativesAudit | StabilityAudit | RankingAudit | MinimalPairsAudit,
) -> Iterator[Answer]:
    for answer in audit.answers:
        yield Answer(answer.question, answer.answer, answer.sentence, answer.fix)


def _confound(audit: ConfoundAudit) -> _Part:
    asked = audit.confounds.filter((pl.col("measure") == "p_holm") & pl.col("value").is_not_null())
    primary, beside = (
        audit.confounds.join(asked, on=_POINT, how=how, maintain_order="left") for how in ("semi", "anti")
    )
    several = audit.cells["model"].n_unique() > 1
    languages = "Languages: means over models" if several else "Languages"
    tables = [
        report_table("confounds", "What each metric follows", in_words(primary), explain=True),
        counting(report_table("languages", languages, audit.languages, measures=_languages(audit), explain=True)),
        report_table("models", "Languages and models", audit.cells, measures=(*_METRICS, "ctc"), explain=True),
        report_table(
            "rank-shares", "What ranks follow: the model or the language", in_words(audit.rank_shares), explain=True
        ),
    ]
    tables += (
        [report_table("confounds-beside", "What stands beside these tests", in_words(beside))] if beside.height else []
    )
    scatter = scatter_chart(audit)
    kept = tables if several else [table for table in tables if table.name not in ("models", "rank-shares")]
    charts = [*([scatter] if scatter else []), rank_chart(audit)]
    return _Part(_RANK, audit.headline, list(_answers(audit)), charts, kept)


def _languages(audit: ConfoundAudit) -> list[str]:
    return [*(m for m in _METRICS if m in set(audit.languages["measure"])), "bytes", "chars"]


def _alternatives(audit: AlternativesAudit) -> _Part:
    tables = [
        winners_table(audit),
        report_table(
            "differences", f"{audit.texts.base} less each alternative", in_words(audit.differences), explain=True
        ),
    ]
    question = "Does the winner hold whichever translation is scored?"
    return _Part(question, audit.headline, list(_answers(audit)), [differences_chart(audit)], tables)


def _stability(audit: StabilityAudit) -> _Part:
    tables = [
        counting(report_table("needed", "Sentences that the comparison needs", in_words(audit.needed), explain=True)),
        counting(
            report_table("agreement", "Samples that agree with all sentences", in_words(audit.totals), explain=True),
            "Samples",
        ),
    ]
    charts = [agreement_over_size(audit), curves_over_size(audit)]
    return _Part("How many sentences does it take?", audit.headline, list(_answers(audit)), charts, tables)


def _ranking(audit: RankingAudit) -> _Part:
    tables = [
        orders_table(audit),
        counting(
            report_table(
                "order-agreement", "Agreement with the expected order", in_words(audit.agreement), explain=True
            ),
            "Languages",
        ),
    ]
    question = "Is the order of languages the expected one?"
    return _Part(question, audit.headline, list(_answers(audit)), [expected_ranks(audit)], tables)


def _minimal_pairs(audit: MinimalPairsAudit) -> _Part:
    table = report_table("minimal-pairs", "Accuracy on minimal pairs", audit.accuracy, explain=True)
    question = "Does the model know the grammar of every language?"
    return _Part(question, audit.headline, list(_answers(audit)), [accuracy_chart(audit)], [table])
