"""`equiglot demo`: the main job on bundled data."""

from __future__ import annotations

from pathlib import Path

from equiglot.cli import _options as opt

__all__ = ["demo"]


def demo(
    output: opt.Folder = Path("demo-report"),
    as_json: opt.Json = False,
) -> None:
    """Run a whole study on the bundled texts with real models, offline, and write its report."""
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_results
    from equiglot.study import read_study, run_study, write_demo_study

    study = write_demo_study(output)
    with watching() as progress:
        results = run_study(read_study(study), output, progress=progress)
    print_results(results, as_json)
