"""Which system is best? Failures counted, intervals and significance beside every mean; and gates for a CI job."""

from equiglot.rank._rows import VALID
from equiglot.rank.gate import Check, Limits, check
from equiglot.rank.ranking import Ranking, rank_systems

__all__ = ["VALID", "Check", "Limits", "Ranking", "check", "rank_systems"]
