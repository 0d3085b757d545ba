"""Reports: the answer in words, tables and charts, as one self-contained page and as files for a paper."""

from equiglot.report.languages import cell_label, language_name
from equiglot.report.model import Answer, ReportChart, ReportTable, Section
from equiglot.report.parity import parity_section
from equiglot.report.reading import reading_table, report_table
from equiglot.report.script import script_section
from equiglot.report.write import write_report

__all__ = [
    "Answer",
    "ReportChart",
    "ReportTable",
    "Section",
    "cell_label",
    "language_name",
    "parity_section",
    "reading_table",
    "report_table",
    "script_section",
    "write_report",
]
