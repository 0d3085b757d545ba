"""May these scores be compared? One module per question, each answering in words, with the evidence as tables."""

from equiglot.audit._reading import read_scores, scores_from_frame
from equiglot.audit.agreement import pooled_agreement
from equiglot.audit.alternatives import AlternativesAudit, alternatives_audit
from equiglot.audit.confound import ConfoundAudit, ConfoundRule, confound_audit
from equiglot.audit.metrics import MetricsAudit, metrics_audit
from equiglot.audit.minimal_pairs import MinimalPairsAudit, PairColumns, minimal_pairs, read_minimal_pairs
from equiglot.audit.ranking import RankingAudit, ranking_audit
from equiglot.audit.scores import ScoreOptions, ScoreTable
from equiglot.audit.script import ScriptAudit, script_audit
from equiglot.audit.stability import StabilityAudit, stability_audit
from equiglot.audit.verdicts import Rule, Verdict

__all__ = [
    "AlternativesAudit",
    "ConfoundAudit",
    "ConfoundRule",
    "MetricsAudit",
    "MinimalPairsAudit",
    "PairColumns",
    "RankingAudit",
    "Rule",
    "ScoreOptions",
    "ScoreTable",
    "ScriptAudit",
    "StabilityAudit",
    "Verdict",
    "alternatives_audit",
    "confound_audit",
    "metrics_audit",
    "minimal_pairs",
    "pooled_agreement",
    "ranking_audit",
    "read_minimal_pairs",
    "read_scores",
    "scores_from_frame",
    "script_audit",
    "stability_audit",
]
