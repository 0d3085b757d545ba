"""`equiglot rank`: which system is best, failures counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from equiglot.cli import _options as opt

if TYPE_CHECKING:
    from pathlib import Path

    from equiglot.table import Segments

__all__ = ["InvalidScores", "judged", "parse_scores", "rank"]

_PRINTED = ("standings", "pairs", "rank-failures")
"""The tables that the terminal shows; the others are in the report and in the JSON."""

InvalidScores = Annotated[
    list[str] | None,
    typer.Option(
        "--invalid-score",
        help="What an invalid answer scores, where not 0: ter=200. Needed of a metric that is better when smaller.",
        metavar="METRIC=WORST",
        show_default=False,
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--metric",
        help="Score column to rank by; may be repeated (default: valid, the share of valid answers).",
        show_default=False,
    ),
]


def rank(
    file: opt.File = None,
    *,
    metric: Metrics = None,
    language: opt.Language = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    lower_is_better: opt.LowerIsBetter = False,
    invalid_score: InvalidScores = None,
    alpha: Annotated[float, typer.Option("--alpha", min=0.0, max=1.0, help="Level of the tests.")] = 0.05,
    seed: opt.Seed = 0,
    resamples: opt.Resamples = 1000,
    permutations: Annotated[int, typer.Option("--permutations", min=100, help="Of each paired test.")] = 1000,
    report: opt.Report = None,
    as_json: opt.Json = False,
) -> None:
    """Rank systems with invalid answers counted as failures, beside the order that leaving them out would give.

    Answers are validated first, unless the table has a column `valid` (see `equiglot validate`).
    """
    from equiglot.cli._open import parse_renames
    from equiglot.cli._show import print_json, print_notes, print_sentences, print_table, print_written, told_before
    from equiglot.errors import InputError
    from equiglot.rank import VALID, rank_systems
    from equiglot.report import rank_section, write_report
    from equiglot.study import open_table

    if file is None:
        raise InputError("no input", fix="give a table: equiglot rank FILE")
    scored = [name for name in metric or () if name != VALID]
    segments = open_table(
        file, columns=parse_renames(rename), language=language, quotes=quotes, scores=scored,
        lower_is_better=scored if lower_is_better else (),
    )  # fmt: skip
    ranking = rank_systems(
        judged(segments, file), metric or [VALID], invalid_scores=parse_scores(invalid_score), seed=seed,
        resamples=resamples, permutations=permutations, alpha=alpha,
    )  # fmt: skip
    section = rank_section(ranking)
    if report:
        name = file.name
        card = {"Table": name, "Signature": ranking.systems["signature"][0]}
        print_written(write_report(report, title=name, sections=[section], card=card, notes=ranking.notes))
    if as_json:
        print_json(ranking.to_dict())
    else:
        print_sentences([ranking.headline])
        for table in section.tables:
            if table.name.startswith(_PRINTED):
                print_table(table, table.title)
        print_sentences(ranking.copying_answers)
    print_notes(ranking.notes, earlier=told_before(file))


def judged(segments: Segments, file: Path) -> Segments:
    """The table with what it says of validity, or what is found, and a note of what that does not count."""
    from equiglot.validity import brought, validate
    from equiglot.validity._notes_remarks import remarks_note

    known = brought(segments) if "valid" in segments.frame.columns else validate(segments)
    return known.noted(*remarks_note(known, file))


def parse_scores(options: list[str] | None) -> dict[str, float]:
    """``["ter=200"]`` as ``{"ter": 200.0}``."""
    import math

    from equiglot.errors import InputError

    found: dict[str, float] = {}
    for option in options or []:
        name, _, value = option.partition("=")
        if name.strip() in found:
            fix = "give it once"
            raise InputError(f"there are two invalid scores of '{name.strip()}'", fix=fix)
        try:
            found[name.strip()] = float(value)
        except ValueError:
            found[name.strip()] = math.nan
        if not name.strip() or not math.isfinite(found[name.strip()]):
            raise InputError(
                f"--invalid-score '{option}' is not METRIC=NUMBER", fix="write e.g. --invalid-score ter=200"
            )
    return found
