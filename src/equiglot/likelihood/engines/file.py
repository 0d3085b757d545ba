"""Scores that were made elsewhere, read from a file and found by the text itself.

A row per text: ``sent_nll`` in nats, and the text under ``target``, ``text`` or ``sentence``. With ``n_scored`` (how
many tokens the sum is over) there are NLL per token and perplexity too, with ``mrr`` the rank. A text that the file
hasn't got has no score. Nothing but the text ties the two together, so a text must be there to the letter, and one
that is there with two scores is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.likelihood._scorable import COLUMNS
from equiglot.likelihood.engines.protocol import Row, Scored, scorable, score_rows
from equiglot.table._raw import Raw
from equiglot.table.reading import read_raw
from equiglot.table.scores import numbers

__all__ = ["FileEngine"]

_TEXT = ("target", "text", "sentence")
_COUNTS = ("n_tokens", "n_scored")


class FileEngine:
    """The scores in a file.

    Args:
        path: .parquet, .csv, .tsv, .jsonl or .json.

    Raises:
        InputError: a file that can't be read; no column of texts or of ``sent_nll``; a score that is none; a text with
            two scores.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = path.write_text("text,sent_nll,n_scored\\nHallo,12.5,2\\n", "utf-8")
    >>> FileEngine(path).score(["Hallo", "Welt"]).rows["sent_nll"].to_list()
    [12.5, None]
    """

    def __init__(self, path: str | Path) -> None:
        self._raw = read_raw(path)
        self.name = self._raw.name
        self._extra: dict[str, Any] = {"mrr": pl.Float64} if "mrr" in self._raw.frame.columns else {}
        self._found = _by_text(self._raw)

    def score(self, texts: Sequence[str | None], *, progress: Progress = silent) -> Scored:
        """Score each text; None is a missing one.

        Raises:
            InputError: the file has none of the texts.
        """
        unique = scorable(texts)
        lacking = [text for text in unique if text not in self._found]
        if unique and len(lacking) == len(unique):
            raise self._raw.error("none of the texts is in this file", fix="give the scores of these texts")
        found: dict[str, Row] = {text: self._found.get(text) or _no_row(self.name) for text in unique}
        progress("reading scores", len(unique), len(unique))
        rows = score_rows(texts, found, self._extra)
        absent = [name for name in _COUNTS if name not in self._raw.frame.columns]
        made = self._raw.measures.get("sent_nll")
        settings = {"lm": f"scores:{self.name}", "made": made.signature.replace("|", ",") if made else "unknown"}
        notes = [f"{len(lacking):,} of {len(unique):,} texts are not in {self.name}"] if lacking else []
        return Scored(rows.drop(absent), settings, notes)


def _no_row(name: str) -> Row:
    return {"reason": f"the text is not in {name}"}


def _by_text(raw: Raw) -> dict[str, Row]:
    columns = raw.frame.columns
    column = next((name for name in _TEXT if name in columns), None)
    if column is None or "sent_nll" not in columns:
        missing = "sent_nll" if column else "the texts (target, text or sentence)"
        raise raw.error(f"there is no column of {missing}", fix=f"the columns are {', '.join(columns)}")
    unit = raw.measures["sent_nll"].unit if "sent_nll" in raw.measures else "nats"
    if unit != "nats":
        raise raw.error(f"sent_nll is in {unit}", fix="give it in nats: bits times ln 2", column="sent_nll")
    values = {name: numbers(raw, name).to_list() for name in ("sent_nll", *_COUNTS, "mrr") if name in columns}
    found: dict[str, Row] = {}
    for index, text in enumerate(raw.frame[column].cast(pl.String).to_list()):
        if text is None:
            continue
        row = _row(raw, index, {name: of[index] for name, of in values.items()})
        if found.setdefault(text, row) != row:
            raise raw.error("this text has another score in a row above", fix="leave one of them", row=index + 1)
    return found


def _row(raw: Raw, index: int, values: dict[str, float | None]) -> Row:
    """One text's columns, once they can be scores."""
    nll, scored = values["sent_nll"], values.get("n_scored")
    for name, value in values.items():
        if value is not None and value < 0:
            fix = "give -ln P, which is 0 or more" if name == "sent_nll" else "give 0 or more"
            raise raw.error(f"{name} is {value:g}, and can't be below 0", fix=fix, row=index + 1, column=name)
        if value is not None and COLUMNS.get(name) == pl.Int64 and value != int(value):
            raise raw.error(f"{name} is {value:g}", fix="give a whole number", row=index + 1, column=name)
    if nll is None:
        return {"reason": f"the text has no sent_nll in {raw.name}"}
    if scored == 0 or (scored is None and "n_scored" in values):
        raise raw.error("the sum is over no token", fix="give how many tokens sent_nll is over", row=index + 1,
                        column="n_scored")  # fmt: skip
    whole = {name: int(value) for name in _COUNTS if (value := values.get(name)) is not None}
    return {"sent_nll": nll, **({"mrr": values["mrr"]} if "mrr" in values else {}), **whole}
