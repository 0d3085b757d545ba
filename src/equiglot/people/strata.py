"""Strata: which rows people should see, each a predicate on columns, kept as data.

A strata file is YAML:

.. code-block:: yaml

    name: mine
    defaults: {english_task: false}      # what a column is taken to hold where the table lacks it
    strata:
      - name: long-answers
        title: long answers              # how it is called in sentences; the name where left out
        where: length(target) > 400      # an SQL expression over the table's columns
        share: 2                         # of the sample, beside the others' (1 each)

The strata of paper 3 (section 3.5.1) are bundled and are what is used where no file is named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from equiglot.errors import InputError
from equiglot.people._yaml import Entries, read_entries

__all__ = ["Strata", "Stratum", "read_strata"]

_BUNDLED = Path(__file__).with_name("strata.yaml")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Stratum:
    """A group of rows.

    Attributes:
        name: in results, e.g. ``script-leakage``.
        title: in sentences.
        where: the predicate, an SQL expression over columns.
        share: of the sample, beside the shares of the others.
    """

    name: str
    title: str
    where: str
    share: float = 1.0

    def predicate(self) -> pl.Expr:
        """The predicate as an expression; a row for which it is null is not in the stratum."""
        return pl.sql_expr(self.where).fill_null(False)

    def columns(self) -> list[str]:
        """The columns that the predicate reads."""
        return list(dict.fromkeys(pl.sql_expr(self.where).meta.root_names()))


@dataclass(frozen=True, slots=True)
class Strata:
    """A file of strata: its name, the strata in order, and what columns hold where a table lacks them."""

    name: str
    strata: tuple[Stratum, ...]
    defaults: dict[str, Any]


def read_strata(path: str | Path | None = None) -> Strata:
    """The strata in a file, or the bundled six of paper 3.

    Raises:
        InputError: no such file, not YAML, or an entry that is wrong, named by its key.

    >>> [stratum.name for stratum in read_strata().strata][:2]
    ['english-but-high', 'script-leakage']
    """
    found = read_entries(Path(path) if path else _BUNDLED, what="strata")
    found.only("name", "defaults", "strata")
    strata: list[Stratum] = []
    for entry in found.entries("strata"):
        stratum = _stratum(entry)
        if any(stratum.name == other.name for other in strata):
            raise entry.error(f"there are two strata '{stratum.name}'", fix="rename one of them", key="name")
        strata.append(stratum)
    defaults = found.inner("defaults")
    return Strata(found.text("name"), tuple(strata), {str(key): defaults.value(key) for key in defaults})


def _stratum(entry: Entries) -> Stratum:
    entry.only("name", "title", "where", "share")
    name = entry.text("name")
    if not _NAME.fullmatch(name):
        raise entry.error(f"'{name}' is not a name", fix="use lower-case letters, digits and hyphens", key="name")
    stratum = Stratum(name, entry.text("title", name), entry.text("where"), entry.number("share", 0.001, 1000, 1.0))
    try:
        stratum.columns()
    except (pl.exceptions.PolarsError, InputError) as error:
        said = " ".join(str(error).split())[:160]
        fix = "write an SQL expression over columns, e.g. metric >= 0.5"
        raise entry.error(f"the predicate can't be read ({said})", fix=fix, key="where") from None
    return stratum
