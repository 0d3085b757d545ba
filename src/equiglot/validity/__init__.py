"""Is an answer an answer? Empty, copied, spilled into another script, or repeated without end.

Needs no model and no configuration. An invalid answer scores zero and stays in the denominator (paper 3); that is for
rankings to do, this room says which answers are invalid, where, and why.
"""

from equiglot.validity.brought import brought
from equiglot.validity.copies import word_overlap
from equiglot.validity.expected import expected_scripts
from equiglot.validity.filecheck import FileFacts, check_file
from equiglot.validity.findings import Finding
from equiglot.validity.policy import INVALID, KINDS, Policy
from equiglot.validity.result import Validation, failure_summary
from equiglot.validity.stream import validate_files, validate_lines
from equiglot.validity.validate import validate

__all__ = [
    "INVALID",
    "KINDS",
    "FileFacts",
    "Finding",
    "Policy",
    "Validation",
    "brought",
    "check_file",
    "expected_scripts",
    "failure_summary",
    "validate",
    "validate_files",
    "validate_lines",
    "word_overlap",
]
