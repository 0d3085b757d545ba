"""`equiglot run`: a whole study from one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiglot.cli import _options as opt

__all__ = ["run"]


def run(
    study: Annotated[Path, typer.Argument(help="A study file (YAML).", metavar="STUDY.yaml", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Results folder (default: results/STUDY).", show_default=False)
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Read, romanise, profile, score, audit, normalise and report; stopped at any point, it goes on from there."""
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_results
    from equiglot.study import read_study, run_study

    config = read_study(study)
    with watching() as progress:
        results = run_study(config, output or Path("results") / study.stem, progress=progress)
    print_results(results, as_json)
