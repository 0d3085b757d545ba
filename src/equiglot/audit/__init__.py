"""May these scores be compared? One module per question, each answering in words, with the evidence as tables."""

from equiglot.audit.agreement import pooled_agreement
from equiglot.audit.script import ScriptAudit, script_audit
from equiglot.audit.verdicts import Rule, Verdict

__all__ = ["Rule", "ScriptAudit", "Verdict", "pooled_agreement", "script_audit"]
