"""`equiglot gate`: does a system meet its thresholds? Exit code 1 where not, for a CI job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiglot.cli import _options as opt
from equiglot.cli.rank import InvalidScores, judged, parse_scores

__all__ = ["gate"]

_FAILED = 1


def gate(
    file: opt.File = None,
    *,
    metric: Annotated[
        list[str] | None, typer.Option("-m", "--metric", help="Score column; may be repeated.", show_default=False)
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", help="The system that is to pass (default: all).", show_default=False)
    ] = None,
    max_invalid: Annotated[
        float | None,
        typer.Option("--max-invalid", min=0, max=1, help="Largest share of invalid answers.", show_default=False),
    ] = None,
    max_rank: Annotated[
        int | None, typer.Option("--max-rank", min=1, help="Worst rank among the systems.", show_default=False)
    ] = None,
    max_drop: Annotated[
        float | None,
        typer.Option(
            "--max-drop", min=0, help="Largest loss against the baseline, in the metric's unit.", show_default=False
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="The table that a drop is measured from.", show_default=False)
    ] = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    lower_is_better: opt.LowerIsBetter = False,
    invalid_score: InvalidScores = None,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    as_json: opt.Json = False,
) -> None:
    """Pass or fail: share of invalid answers, rank, and score against a baseline; exit code 1 if any fails."""
    from equiglot.cli._open import parse_renames
    from equiglot.cli._show import print_json, print_lines, print_notes, told_before
    from equiglot.errors import InputError
    from equiglot.rank import VALID, Limits, Ranking, check, rank_systems
    from equiglot.study import open_table

    metrics = metric or []
    if file is None:
        raise InputError("no input", fix="give a table: equiglot gate FILE --max-invalid 0.05")
    if not metrics and (max_rank is not None or max_drop is not None):
        raise InputError("a rank or a drop is by a metric", fix="name a score column with --metric")

    def ranked(path: Path) -> Ranking:
        scored = [name for name in metrics if name != VALID]
        segments = open_table(
            path, columns=parse_renames(rename), language=language, quotes=quotes, scores=scored,
            lower_is_better=scored if lower_is_better else (),
        )  # fmt: skip
        worst = parse_scores(invalid_score)
        return rank_systems(judged(segments, path), metrics, invalid_scores=worst, seed=seed, resamples=resamples)

    limits = Limits(max_invalid, max_rank, max_drop)
    before = None if baseline is None else ranked(baseline)
    now = ranked(file)
    checks = check(now, limits, system=system, baseline=before)
    notes = tuple(dict.fromkeys((*(before.notes if before else ()), *now.notes)))
    failed = sum(not c.passed for c in checks)
    if as_json:
        print_json({"passed": not failed, "checks": [c.to_dict() for c in checks], "notes": notes})
    else:
        print_lines(f"{'pass' if c.passed else 'FAIL'}  {c.sentence}" for c in checks)
        print_lines(
            [f"FAIL: {failed} of {len(checks)} checks" if failed else f"PASS: {len(checks)} of {len(checks)} checks"]
        )
    print_notes(notes, earlier=told_before(file, baseline))
    if failed:
        raise typer.Exit(_FAILED)
