"""The bundled data: fifty sentences in English and thirteen languages, and three constructed systems in six of them.

Written for equiglot by its authors with machine help; not from any corpus, not certified by professional translators.
The systems' ``severity`` and ``constructed`` follow from known edits (:mod:`equiglot.demo.edits`): they are not human
ratings. The ``README.md`` beside this module says more.

>>> demo_parallel().filter(id="demo-19", language="de")["target"].item()
'Der Laden ist heute geschlossen.'
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import cast

import polars as pl

from equiglot.demo.edits import EDIT_WEIGHTS, Sentence, edit_system

__all__ = ["LANGUAGES", "SYSTEM_LANGUAGES", "demo_parallel", "demo_segments"]

_SCRIPTS = {
    "hi": "Deva", "ta": "Taml", "te": "Telu", "kn": "Knda", "ml": "Mlym", "gu": "Gujr", "mr": "Deva",
    "bn": "Beng", "ar": "Arab", "ru": "Cyrl", "zh": "Hans", "de": "Latn", "es": "Latn",
}  # fmt: skip

LANGUAGES: tuple[str, ...] = tuple(_SCRIPTS)
"""The languages of :func:`demo_parallel`, as BCP 47 tags; English is the source of each."""

SYSTEM_LANGUAGES: tuple[str, ...] = ("hi", "ta", "te", "ml", "gu", "mr")
"""The languages of :func:`demo_segments`."""


def demo_parallel() -> pl.DataFrame:
    """The sentences, one row per sentence x language (50 x 13).

    Columns: ``id``, ``kind`` (what sort of text it is), ``language``, ``script`` (ISO 15924; ``Hans`` for Chinese),
    ``condition`` (``native``), ``system`` (``reference``), ``source`` (English), ``target``.

    >>> demo_parallel().shape
    (650, 8)
    """
    rows = [
        (row["id"], row["kind"], language, script, "native", "reference", row["en"], row[language])
        for row in _sentences()
        for language, script in _SCRIPTS.items()
    ]
    return _frame(rows, ["id", "kind", "language", "script", "condition", "system", "source", "target"])


def demo_segments() -> pl.DataFrame:
    """The constructed systems, one row per sentence x language x system (50 x 6 x 3).

    Columns: ``id``, ``language``, ``script``, ``condition`` (``native``), ``system`` (``system-a`` lightly,
    ``system-b`` more, ``system-c`` heavily damaged), ``source`` (English), ``target``, ``reference``, ``severity``
    (none, minor, major, critical), ``edit`` (its name), ``constructed`` (points from 0 to 25, larger is better; by
    definition, not a person's score).

    >>> demo_segments().group_by("system").agg(pl.len()).sort("system")["len"].to_list()
    [300, 300, 300]
    """
    rows: list[tuple[str | float, ...]] = []
    for language in SYSTEM_LANGUAGES:
        sentences = [Sentence(row["id"], row["en"], row[language]) for row in _sentences()]
        for system in EDIT_WEIGHTS:
            rows += [
                (s.id, language, _SCRIPTS[language], "native", system, s.source, e.target, s.reference,
                 e.severity, e.edit, e.constructed)
                for s, e in zip(sentences, edit_system(sentences, language, system), strict=True)
            ]  # fmt: skip
    columns = ["id", "language", "script", "condition", "system", "source", "target", "reference"]
    return _frame(rows, [*columns, "severity", "edit", "constructed"])


@cache
def _sentences() -> tuple[dict[str, str], ...]:
    """The file's rows in its order: id, kind, en and one text per language."""
    text = (files("equiglot.demo") / "sentences.jsonl").read_text(encoding="utf-8")
    return tuple(cast("dict[str, str]", json.loads(line)) for line in text.split("\n") if line)


def _frame(rows: list[tuple[str, ...]] | list[tuple[str | float, ...]], columns: list[str]) -> pl.DataFrame:
    schema = {name: pl.Float64 if name == "constructed" else pl.String for name in columns}
    return pl.DataFrame(rows, schema=schema, orient="row")
