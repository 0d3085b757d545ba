"""How the audits of language-model scores are shown: words and tables, JSON, and a report where one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equiglot.audit import AlternativesAudit, ConfoundAudit, MinimalPairsAudit, RankingAudit, StabilityAudit

__all__ = ["show"]


_LONGEST = 20
"""Rows of the longest table that is printed."""


def show(
    *,
    scores: Sequence[Path],
    as_json: bool,
    report: Path | None,
    confound: ConfoundAudit | None = None,
    alternatives: AlternativesAudit | None = None,
    stability: StabilityAudit | None = None,
    ranking: RankingAudit | None = None,
    minimal_pairs: MinimalPairsAudit | None = None,
) -> None:
    """Print one audit, and write its report."""
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written
    from equiglot.report import likelihood_section, write_report

    section = likelihood_section(
        confound=confound,
        alternatives=alternatives,
        stability=stability,
        ranking=ranking,
        minimal_pairs=minimal_pairs,
    )
    audit = confound or alternatives or stability or ranking or minimal_pairs
    assert audit is not None
    if report is not None:
        names = ", ".join(path.name for path in scores)
        card = {"Scores": names, "Signature": audit.signature}
        print_written(write_report(report, title=names, sections=[section], card=card, notes=audit.notes))
    if as_json:
        print_json(audit.to_dict())
    else:
        print_sentences([audit.headline])
        for table in section.tables:
            if table.frame.height <= _LONGEST:
                print_table(table, table.title)
    print_notes(audit.notes)
    longer = [table.title for table in section.tables if table.frame.height > _LONGEST]
    if longer and not as_json:
        print_notes([f"longer tables are in the report (--report) and in --json: {'; '.join(longer)}"])
