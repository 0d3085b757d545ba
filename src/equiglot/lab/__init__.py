"""A controlled experiment on one's own corpus: one language model per language and vocabulary, all else alike.

Paper 2's first experiment, for any parallel corpus: the same sentences in every language, one byte-level BPE tokeniser
and one GPT-2-style model per language and vocabulary size, and what each makes of held-out parallel text. Whatever then
differs between languages under a metric is the language's or the metric's, not the data's.
"""

from equiglot.lab.config import LabConfig, read_lab
from equiglot.lab.run import LabResult, run_lab

__all__ = ["LabConfig", "LabResult", "read_lab", "run_lab"]
