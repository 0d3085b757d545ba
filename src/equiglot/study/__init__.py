"""Whole studies: the stages put together in the order in which data flows, in one resumable results folder."""

from equiglot.study.answer import ScriptAnswer, answer_script
from equiglot.study.config import StudyConfig, read_study
from equiglot.study.demo import write_demo_study
from equiglot.study.profile import profile
from equiglot.study.reading import open_frame, open_lines, open_table
from equiglot.study.results import Results, write_results
from equiglot.study.run import run_study

__all__ = [
    "Results",
    "ScriptAnswer",
    "StudyConfig",
    "answer_script",
    "open_frame",
    "open_lines",
    "open_table",
    "profile",
    "read_study",
    "run_study",
    "write_demo_study",
    "write_results",
]
