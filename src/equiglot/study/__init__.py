"""Whole studies: the stages put together in the order in which data flows, in one resumable results folder."""

from equiglot.study.answer import ScriptAnswer, answer_script
from equiglot.study.config import StudyConfig, read_study
from equiglot.study.profile import profile
from equiglot.study.results import write_results
from equiglot.study.run import run_study

__all__ = ["ScriptAnswer", "StudyConfig", "answer_script", "profile", "read_study", "run_study", "write_results"]
