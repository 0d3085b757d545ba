"""`equiglot validate`: which answers are no answers, where and why; and what is wrong with the file itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiglot.cli import _options as opt

if TYPE_CHECKING:
    from equiglot.engine import Progress
    from equiglot.validity import Policy, Validation

__all__ = ["validate"]

_INPUT, _POLICY = "Input", "Policy"


Files = Annotated[
    list[Path] | None,
    typer.Argument(
        help="Tables: .csv, .tsv, .jsonl or .parquet. Of several, each is a system, named after its file, unless a "
        "column says it.",
        metavar="FILE...",
        show_default=False,
    ),
]


def validate(
    files: Files = None,
    *,
    sources: opt.Sources = None,
    targets: opt.Targets = None,
    language: opt.Language = None,
    script: Annotated[
        str | None,
        typer.Option(
            "--script",
            help="Scripts that answers may be in, e.g. Latn or Deva,Latn (default: by column or language).",
            rich_help_panel=_INPUT,
            show_default=False,
        ),
    ] = None,
    rename: opt.Rename = None,
    quotes: opt.Quotes = True,
    may_copy: Annotated[
        str | None,
        typer.Option(
            "--may-copy",
            help="Column of yes and no: rows whose task may return the source, as mending grammar may.",
            metavar="COLUMN",
            rich_help_panel=_INPUT,
            show_default=False,
        ),
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(
            "--also-invalid",
            help="Count this kind as a failure too, e.g. 'near copy', loop or 'native digits'; may be repeated.",
            metavar="KIND",
            rich_help_panel=_POLICY,
            show_default=False,
        ),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow",
            help="Report this kind and count it as no failure, e.g. 'short copy'; may be repeated.",
            metavar="KIND",
            rich_help_panel=_POLICY,
            show_default=False,
        ),
    ] = None,
    copy: Annotated[
        float, typer.Option("--copy", help="Word overlap from which an answer is a copy.", rich_help_panel=_POLICY)
    ] = 1.0,
    near_copy: Annotated[
        float, typer.Option("--near-copy", help="... from which it is a near copy.", rich_help_panel=_POLICY)
    ] = 0.9,
    short: Annotated[
        int, typer.Option("--short", help="Sources of fewer words make short copies.", rich_help_panel=_POLICY)
    ] = 3,
    repeats: Annotated[
        int, typer.Option("--repeats", help="One word so often in a row is degenerate.", rich_help_panel=_POLICY)
    ] = 20,
    phrase: Annotated[
        int, typer.Option("--phrase", help="Words of a repeated phrase, at most.", rich_help_panel=_POLICY)
    ] = 4,
    phrase_repeats: Annotated[
        int, typer.Option("--phrase-repeats", help="... and how often in a row.", rich_help_panel=_POLICY)
    ] = 50,
    short_loop: Annotated[
        int, typer.Option("--short-loop", help="Either so often in a row is a short loop.", rich_help_panel=_POLICY)
    ] = 5,
    tokenizer: Annotated[
        str | None,
        typer.Option(
            "--tokenizer",
            help="Counts --max-tokens: pkg:xlmr, hf:NAME, tiktoken:ENCODING or a path.",
            rich_help_panel=_POLICY,
            show_default=False,
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens",
            help="Report answers of so many tokens: they may be cut.",
            rich_help_panel=_POLICY,
            show_default=False,
        ),
    ] = None,
    output: opt.Table = None,
    report: opt.Report = None,
    as_json: opt.Json = False,
) -> None:
    """Find answers that are empty, copied, spilled into another script or repeated without end. Needs no model.

    Give a table, one for each system, or plain-text files of sources (-s) and answers (-t) with --language.
    """
    from equiglot.cli._progress import watching
    from equiglot.cli._show import print_json, print_written, told_before
    from equiglot.errors import InputError
    from equiglot.validity import Policy

    policy = Policy(
        copy=copy,
        near_copy=near_copy,
        short=short,
        repeats=repeats,
        phrase=phrase,
        phrase_repeats=phrase_repeats,
        short_loop=short_loop,
        max_tokens=max_tokens,
    )
    if both := sorted({*(also or ())} & {*(allow or ())}):
        problem = f"'{both[0]}' is both allowed and counted as a failure"
        raise InputError(problem, fix="give it to --allow or to --also-invalid, not to both")
    policy = policy.count_also(*(also or ())).count_not(*(allow or ()))
    told = told_before(*(files or ()))
    with watching() as progress:
        found = _validated(
            files or [], sources, targets, language, rename, quotes=quotes, script=script, policy=policy,
            may_copy=may_copy, tokenizer=tokenizer, output=output, progress=progress,
        )  # fmt: skip
    if output:
        print_written(output)
    if report:
        print_written(_reported(found, report, files or targets or []))
    if as_json:
        print_json(found.to_dict())
    else:
        _print(found, told)


def _validated(
    files: list[Path],
    sources: Path | None,
    targets: list[Path] | None,
    language: str | None,
    rename: list[str] | None,
    *,
    quotes: bool,
    script: str | None,
    policy: Policy,
    may_copy: str | None,
    tokenizer: str | None,
    output: Path | None,
    progress: Progress,
) -> Validation:
    from equiglot.cli._keep import keep_lines
    from equiglot.cli._open import parse_renames
    from equiglot.errors import InputError
    from equiglot.validity import validate_files, validate_lines

    scripts = [code.strip() for code in script.split(",")] if script else []
    if bool(files) == bool(targets):
        raise InputError(
            "no input" if not files else "both a table and plain-text files were given",
            fix="give a table (FILE) or plain-text files (-s SOURCES -t ANSWERS --language te-Latn)",
        )
    if files:
        return validate_files(
            files, output, policy=policy, scripts=scripts, may_copy=may_copy, tokenizer=tokenizer, language=language,
            rename=parse_renames(rename), quotes=quotes, progress=progress,
        )  # fmt: skip
    keep_lines(output, sources, targets)
    if language is None:
        raise InputError("plain-text files do not say their language", fix="add it, e.g. --language te-Latn")
    if may_copy or rename:
        raise InputError("plain-text files have no columns", fix="leave --map and --may-copy out, or give a table")
    return validate_lines(
        sources, targets or [], output, language=language, policy=policy, scripts=scripts, tokenizer=tokenizer,
        progress=progress,
    )  # fmt: skip


def _print(found: Validation, told: set[str]) -> None:
    from equiglot.cli._show import print_notes, print_sentences, print_table
    from equiglot.report import validity_section

    section = validity_section(found)
    print_sentences([found.headline])
    print_sentences(f"{fault}." for fault in found.faults)
    for table in section.tables:
        print_table(table, table.title)
    print_notes(found.notes, earlier=told)


def _reported(found: Validation, folder: Path, files: list[Path]) -> Path:
    from equiglot.report import validity_section, write_report

    card = {"Signature": found.signature, "Answers": f"{found.n:,}"}
    name = files[0].name if len(files) == 1 else f"{len(files)} systems"
    return write_report(folder, title=name, sections=[validity_section(found)], card=card, notes=found.notes)
