"""Tables as files: CSV for programs, Markdown for pages, LaTeX for papers."""

from __future__ import annotations

import re

import polars as pl

from equiglot.report.model import ReportTable

__all__ = ["is_numeric", "latex_text", "to_csv", "to_latex", "to_markdown"]

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "η": r"$\eta$",
    "ω": r"$\omega$",
    "–": "--",
    "−": "$-$",
    "\N{SUPERSCRIPT TWO}": r"\textsuperscript{2}",
    **{mark: rf"\textsuperscript{{{digit}}}" for digit, mark in zip("013456789", "⁰¹³⁴⁵⁶⁷⁸⁹", strict=True)},
}
_NUMBER = re.compile(r"[+−<]?[\d–⁰¹²³⁴⁵⁶⁷⁸⁹]")


def to_csv(table: ReportTable) -> str:
    r"""The numbers of a table; missing values are empty fields.

    >>> to_csv(ReportTable("t", "", pl.DataFrame({"TP": ["1.388"]}), data=pl.DataFrame({"tp": [1.3877]})))
    'tp\n1.3877\n'
    """
    frame = table.frame if table.data is None else table.data
    return frame.write_csv()


def to_markdown(table: ReportTable) -> str:
    r"""A pipe table with its title above and its footnotes below.

    >>> print(to_markdown(ReportTable("t", "", pl.DataFrame({"a|b": ["x"]}))))
    | a\|b |
    | --- |
    | x |
    <BLANKLINE>
    """
    frame = table.frame
    rule = ["---:" if is_numeric(frame[column]) else "---" for column in frame.columns]
    rows = [[_markdown_text(cell) for cell in row] for row in (frame.columns, *_texts(frame))]
    lines = ["| " + " | ".join(cells) + " |" for cells in (rows[0], rule, *rows[1:])]
    above = [f"**{_markdown_text(table.title)}**", ""] if table.title else []
    below = [line for note in table.footnotes for line in ("", _markdown_text(note))]
    return "\n".join([*above, *lines, *below]) + "\n"


def to_latex(table: ReportTable) -> str:
    r"""A ``table`` environment with booktabs rules, its title as caption and its footnotes below.

    >>> print(to_latex(ReportTable("t", "50% of A&B", pl.DataFrame({"n_s": ["1"]}))))
    % needs \usepackage{booktabs}
    \begin{table}
      \centering
      \caption{50\% of A\&B}
      \label{tab:t}
      \begin{tabular}{r}
        \toprule
        n\_s \\
        \midrule
        1 \\
        \bottomrule
      \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    frame = table.frame
    columns = "".join("r" if is_numeric(frame[column]) else "l" for column in frame.columns)
    head, *rows = ["    " + " & ".join(map(latex_text, row)) + r" \\" for row in (frame.columns, *_texts(frame))]
    label = re.sub(r"[^\w.-]", "-", table.name)
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering",
        *([rf"  \caption{{{latex_text(table.title)}}}"] if table.title else []),
        rf"  \label{{tab:{label}}}",
        rf"  \begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        head,
        r"    \midrule",
        *rows,
        r"    \bottomrule",
        r"  \end{tabular}",
        *(rf"  \par\smallskip\footnotesize {latex_text(note)}" for note in table.footnotes),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def latex_text(text: str) -> str:
    r"""A text with what LaTeX would take as commands escaped.

    >>> print(latex_text("p < 0.05 & r_1"))
    p \textless{} 0.05 \& r\_1
    """
    return "".join(_LATEX.get(character, character) for character in " ".join(text.split()))


def is_numeric(column: pl.Series) -> bool:
    """Whether a column holds numbers, dashes and nothing else, so that it is set flush right.

    >>> is_numeric(pl.Series(["0.59 [0.55, 0.62]", "–¹", ""])), is_numeric(pl.Series(["Tamil", "3"]))
    (True, False)
    """
    if column.dtype.is_numeric():
        return True
    texts = [str(value) for value in column if value not in (None, "")]
    return bool(texts) and all(_NUMBER.match(text) for text in texts)


def _texts(frame: pl.DataFrame) -> list[list[str]]:
    return [["–" if value is None else str(value) for value in row] for row in frame.iter_rows()]


def _markdown_text(text: str) -> str:
    escaped = re.sub(r"([\\|*_`]|\](?=\())", r"\\\1", " ".join(text.split()))
    return escaped.replace("&", "&amp;").replace("<", "&lt;")
