"""`equiglot audit`: may these scores be compared? One command per question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from equiglot.cli import _options as opt
from equiglot.cli import audit_likelihood as likelihood
from equiglot.cli.audit_metrics import metrics

if TYPE_CHECKING:
    import polars as pl

__all__ = ["app"]

_TABLES = {
    "languages": "By language",
    "gaps": "How far apart cells lie, in the metric and by people's scores",
    "ranges": "Share of variance between scripts and cells",
}
"""The audit's tables that are printed."""

app = typer.Typer(help="Ask whether scores may be compared.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command("script")
def script(
    file: opt.File = None,
    *,
    metric: opt.Metric,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    human: opt.Human = "human",
    severity: opt.Severity = None,
    lower_is_better: opt.LowerIsBetter = False,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    permutations: Annotated[int, typer.Option("--permutations", min=100, help="Of the PERM-BOTH test.")] = 1000,
    as_json: opt.Json = False,
) -> None:
    """Does the score depend on the script? Ranges between cells (P1) and order within a cell (P2), judged apart."""
    from equiglot.audit import script_audit
    from equiglot.cli._open import open_input
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table
    from equiglot.report import distinct_ranges, report_table

    segments = open_input(
        file,
        language=language,
        rename=rename,
        quotes=quotes,
        human=human,
        metric=metric,
        lower_is_better=lower_is_better,
    )
    audit = script_audit(segments, metric, severity=severity, seed=seed, resamples=resamples, permutations=permutations)
    if as_json:
        print_json({**audit.to_dict(), "notes": [*segments.notes, *audit.notes]})
    else:
        said = [f"{v.question} {v.answer}: {v.sentence} {v.fix}" for v in audit.verdicts]
        print_sentences([audit.headline, *audit.cautions, *said])
        for name, title in _TABLES.items():
            found: pl.DataFrame = getattr(audit, name)
            table = distinct_ranges(found) if name == "ranges" else found
            if table.height:
                print_table(report_table(name, "", table), title)
    print_notes(segments.notes, more=len(audit.notes), where="with --json")


app.command("confound")(likelihood.confound)
app.command("alternatives")(likelihood.alternatives)
app.command("stability")(likelihood.stability)
app.command("ranking")(likelihood.ranking)
app.command("metrics")(metrics)
