"""Which system is best? Failures counted, intervals and significance beside every mean; and gates for a CI job."""

from equiglot.rank.gate import Check, Limits, check
from equiglot.rank.ranking import Ranking, rank_systems

__all__ = ["Check", "Limits", "Ranking", "check", "rank_systems"]
