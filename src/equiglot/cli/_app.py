"""The application: its commands in the order of a reader's first day."""

from __future__ import annotations

import typer

from equiglot.cli import (
    agreement,
    audit,
    card,
    demo,
    divergence,
    gate,
    generate,
    lab,
    likelihood,
    minimal_pairs,
    normalize,
    profile,
    rank,
    rate,
    report,
    romanize,
    run,
    sample,
    score,
    setup,
    validate,
)

__all__ = ["app"]

app = typer.Typer(
    name="equiglot",
    help="Tells which evaluation scores of different languages, scripts and tokenisers may be compared, "
    "and puts on one axis those that can be.",
    epilog="Start with `equiglot demo`, or with `equiglot report FILE --metric SCORE` on a table of your own.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _version(asked: bool) -> None:
    if asked:
        from equiglot import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    pass


app.command("demo")(demo.demo)
app.command("report")(report.report)
app.command("profile")(profile.profile)
app.command("romanize")(romanize.romanize)
app.command("generate")(generate.generate)
app.command("score")(score.score)
app.command("likelihood")(likelihood.likelihood)
app.command("validate")(validate.validate)
app.command("rank")(rank.rank)
app.command("gate")(gate.gate)
app.add_typer(audit.app, name="audit")
app.command("minimal-pairs")(minimal_pairs.minimal_pairs)
app.add_typer(normalize.app, name="normalize")
app.command("card")(card.card)
app.command("sample")(sample.sample)
app.command("rate")(rate.rate)
app.command("agreement")(agreement.agreement)
app.command("divergence")(divergence.divergence)
app.command("run")(run.run)
app.add_typer(lab.app, name="lab")
app.add_typer(setup.app, name="setup")
