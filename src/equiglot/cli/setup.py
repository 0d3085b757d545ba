"""`equiglot setup`: install what needs an environment of its own."""

from __future__ import annotations

import typer

from equiglot.cli import _options as opt

__all__ = ["app"]

app = typer.Typer(help="Install what needs an environment of its own.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command("comet")
def comet(as_json: opt.Json = False) -> None:
    """Make the environment in which COMET runs (its pins contradict those of current libraries)."""
    import sys

    from equiglot.cli._show import print_json, print_written
    from equiglot.quality.comet import setup_comet

    python = setup_comet(on_line=lambda line: print(line, file=sys.stderr))
    if as_json:
        print_json({"python": str(python)})
    print_written(python)
