"""`equiglot audit confound | alternatives | stability | ranking`: which metric may rank languages?"""

from __future__ import annotations

from typing import Annotated

import typer

from equiglot.cli import _options as opt
from equiglot.cli import _scores as given

__all__ = ["alternatives", "confound", "ranking", "stability"]


def confound(
    scores: given.Scores,
    *,
    texts: given.Texts = None,
    rename: opt.Rename = None,
    model: given.Model = None,
    text: given.Text = None,
    metric: given.Metrics = None,
    direction: given.Direction = None,
    first_token: given.FirstToken = None,
    quotes: opt.Quotes = True,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    report: opt.Report = None,
    as_json: opt.Json = False,
) -> None:
    """Does a metric follow the number of bytes, characters or tokens that it divides by, rather than the model?"""
    from equiglot.audit import confound_audit
    from equiglot.cli._likelihood_report import show

    table = given.open_scores(
        scores,
        texts,
        rename=rename,
        model=model,
        text=text,
        metrics=metric,
        direction=direction,
        first_token=first_token,
        quotes=quotes,
    )
    show(confound=confound_audit(table, seed=seed, resamples=resamples), as_json=as_json, report=report, scores=scores)


def alternatives(
    scores: given.Scores,
    *,
    base: given.Base = None,
    texts: given.Alternatives = None,
    rename: opt.Rename = None,
    model: given.Model = None,
    text: given.Text = None,
    metric: given.Metrics = None,
    direction: given.Direction = None,
    quotes: opt.Quotes = True,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    report: opt.Report = None,
    as_json: opt.Json = False,
) -> None:
    """Does the better language stay the better one, whichever translation is scored?"""
    from equiglot.audit import alternatives_audit
    from equiglot.cli._likelihood_report import show

    table = given.open_scores(
        scores, rename=rename, model=model, text=text, metrics=metric, direction=direction, quotes=quotes
    )
    audit = alternatives_audit(table, base=base, alternatives=given.words_of(texts), seed=seed, resamples=resamples)
    show(alternatives=audit, as_json=as_json, report=report, scores=scores)


def stability(
    scores: given.Scores,
    *,
    sizes: Annotated[str, typer.Option("--sizes", help="Sentences per sample; half and all are always added.")] = (
        "1,10,100,500,1000"
    ),
    seeds: Annotated[str, typer.Option("--seeds", help="One sample of each size per seed.")] = "0-199",
    base: given.Base = None,
    alternatives: given.Alternatives = None,
    rename: opt.Rename = None,
    model: given.Model = None,
    text: given.Text = None,
    metric: given.Metrics = None,
    direction: given.Direction = None,
    quotes: opt.Quotes = True,
    report: opt.Report = None,
    as_json: opt.Json = False,
) -> None:
    """How many sentences does this comparison need?"""
    from equiglot.audit import stability_audit
    from equiglot.cli._likelihood_report import show

    numbers = given.numbers_of(sizes, "--sizes"), given.numbers_of(seeds, "--seeds")
    table = given.open_scores(
        scores, rename=rename, model=model, text=text, metrics=metric, direction=direction, quotes=quotes
    )
    audit = stability_audit(
        table, base=base, alternatives=given.words_of(alternatives), sizes=numbers[0], seeds=numbers[1]
    )
    show(stability=audit, as_json=as_json, report=report, scores=scores)


def ranking(
    scores: given.Scores,
    *,
    expected: Annotated[
        str, typer.Option("--expected", help="Languages, the best first, e.g. en,zh,ar,ru.", show_default=False)
    ],
    texts: given.Texts = None,
    rename: opt.Rename = None,
    model: given.Model = None,
    text: given.Text = None,
    metric: given.Metrics = None,
    direction: given.Direction = None,
    first_token: given.FirstToken = None,
    quotes: opt.Quotes = True,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    report: opt.Report = None,
    as_json: opt.Json = False,
) -> None:
    """Does a metric put the languages in the order that you expect, by shares of training data, say?"""
    from equiglot.audit import ranking_audit
    from equiglot.cli._likelihood_report import show

    table = given.open_scores(
        scores,
        texts,
        rename=rename,
        model=model,
        text=text,
        metrics=metric,
        direction=direction,
        first_token=first_token,
        quotes=quotes,
    )
    audit = ranking_audit(table, given.words_of(expected) or [], seed=seed, resamples=resamples)
    show(ranking=audit, as_json=as_json, report=report, scores=scores)
