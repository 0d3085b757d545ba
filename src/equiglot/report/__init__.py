"""Reports: the answer in words, tables and charts, as one self-contained page and as files for a paper."""

from equiglot.report.card import ComparabilityCard, comparability_card
from equiglot.report.card_sources import card_of_table, cards_of_results
from equiglot.report.corrections import calibration_section, corrections_section
from equiglot.report.languages import cell_label
from equiglot.report.likelihood import likelihood_section
from equiglot.report.meta import metrics_section, metrics_tables
from equiglot.report.model import Answer, ReportChart, ReportTable, Section
from equiglot.report.parity import parity_section
from equiglot.report.people import agreement_tables, divergence_tables, people_section
from equiglot.report.rank import rank_section
from equiglot.report.reading import reading_table, report_table
from equiglot.report.script import distinct_ranges, script_section
from equiglot.report.validity import validity_section
from equiglot.report.write import write_report

__all__ = [
    "Answer",
    "ComparabilityCard",
    "ReportChart",
    "ReportTable",
    "Section",
    "agreement_tables",
    "calibration_section",
    "card_of_table",
    "cards_of_results",
    "cell_label",
    "comparability_card",
    "corrections_section",
    "distinct_ranges",
    "divergence_tables",
    "likelihood_section",
    "metrics_section",
    "metrics_tables",
    "parity_section",
    "people_section",
    "rank_section",
    "reading_table",
    "report_table",
    "script_section",
    "validity_section",
    "write_report",
]
