"""The options that several commands share, each written once."""

from pathlib import Path
from typing import Annotated

import typer

_INPUT = "Input"

File = Annotated[
    Path | None,
    typer.Argument(help="A table: .csv, .tsv, .jsonl or .parquet.", metavar="FILE", show_default=False),
]
Sources = Annotated[
    Path | None,
    typer.Option("-s", "--sources", help="Plain text, one source a line.", rich_help_panel=_INPUT, show_default=False),
]
Targets = Annotated[
    list[Path] | None,
    typer.Option("-t", "--targets", help="Plain text, one file a system.", rich_help_panel=_INPUT, show_default=False),
]
References = Annotated[
    Path | None,
    typer.Option(
        "-r", "--references", help="Plain text, one reference a line.", rich_help_panel=_INPUT, show_default=False
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        help="Language of the targets where no column says it, e.g. hi or hi-Latn.",
        rich_help_panel=_INPUT,
        show_default=False,
    ),
]
Rename = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        help="Names of your columns: target=translation,human=score.",
        metavar="OURS=YOURS",
        rich_help_panel=_INPUT,
        show_default=False,
    ),
]
Quotes = Annotated[
    bool,
    typer.Option("--quotes/--no-quotes", help='Whether " quotes in CSV and TSV.', rich_help_panel=_INPUT),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of every random step.")]
Resamples = Annotated[
    int, typer.Option("--resamples", min=100, max=1_000_000, help="Bootstrap resamples behind each interval.")
]


def _place(path: Path | None) -> Path | None:
    """Where a table is to be written, looked at before any work is done."""
    if path is not None:
        from equiglot.table import require_place

        require_place(path)
    return path


def _place_of_map(path: Path) -> Path:
    from equiglot.table import require_place

    require_place(path, (".json", ".parquet"), what="maps")
    return path


def _folder(path: Path | None) -> Path | None:
    if path is not None:
        from equiglot.table import require_folder

        require_folder(path)
    return path


_OUTPUT = typer.Option(
    "-o",
    "--output",
    help="Write the table here (.parquet, .csv, .tsv, .jsonl).",
    callback=_place,
    show_default=False,
)
Table = Annotated[Path | None, _OUTPUT]
NewTable = Annotated[Path, _OUTPUT]
NewMap = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        help="Write the map here (.json or .parquet).",
        callback=_place_of_map,
        show_default=False,
    ),
]
Folder = Annotated[
    Path, typer.Option("-o", "--output", help="Folder for the report, its charts and tables.", callback=_folder)
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        help="Write a report with charts and tables to this folder.",
        callback=_folder,
        show_default=False,
    ),
]
Metric = Annotated[str, typer.Option("-m", "--metric", help="The score column to judge.", show_default=False)]
Human = Annotated[str, typer.Option("--human", help="Column with people's scores, larger is better.")]
Severity = Annotated[
    str | None,
    typer.Option("--severity", help="Column with an error severity per row.", show_default=False),
]
LowerIsBetter = Annotated[
    bool,
    typer.Option("--lower-is-better", help="The score you bring is better when smaller (known metrics need no flag)."),
]
Scheme = Annotated[
    str | None,
    typer.Option(
        "--romanize",
        help="Add a romanised condition: uroman, iso15919, iast, itrans, itrans-paper or column:NAME.",
        show_default=False,
    ),
]
Tokenizers = Annotated[
    list[str],
    typer.Option("--tokenizer", help="pkg:xlmr, hf:NAME, tiktoken:ENCODING or a path; may be repeated."),
]
LanguageModel = Annotated[
    str | None,
    typer.Option("--lm", help="pkg:gemma3-270m, pkg:smollm2-135m, hf:NAME or a folder.", show_default=False),
]
