"""Failures counted by language, script, condition and system, as the rows come by.

Shares are per cent of all rows of a group, invalid ones in the denominator, with Wilson's interval. Counts add up, so
the same rows give the same table in whatever batches they come. Of a group without any source the shares of copies are
null: nothing was compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import polars as pl

from equiglot.measures import Measure, result_table
from equiglot.stats import percent
from equiglot.validity._missing import missing_by_system
from equiglot.validity.expected import relation
from equiglot.validity.findings import Finding, from_json
from equiglot.validity.policy import KINDS

__all__ = ["GROUP", "NO_SOURCE", "Tally"]

GROUP: tuple[str, ...] = ("language", "script", "condition", "system")
"""The keys of a group of rows."""

NO_SOURCE = "there is no source, so copies of it can't be found"
"""Why the shares of copies are not known."""

_OF_SOURCE = ("copy", "short copy", "near copy")
_EXAMPLES = 3
_EXAMPLE_COLUMNS = {
    "kind": pl.String,
    "id": pl.String,
    "language": pl.String,
    "system": pl.String,
    "start": pl.Int64,
    "end": pl.Int64,
    "text": pl.String,
    "reason": pl.String,
}
_SPILLED_COLUMNS = {
    **dict.fromkeys(GROUP, pl.String),
    "spilled": pl.String,
    "what": pl.String,
    "rows": pl.Int64,
    "characters": pl.Int64,
}

_Key = tuple[Any, ...]


class Tally:
    """Counts of what validated rows hold, and the first few examples of each kind."""

    def __init__(self) -> None:
        self._rows: Counter[_Key] = Counter()
        self._sourced: Counter[_Key] = Counter()
        self._invalid: Counter[_Key] = Counter()
        self._missing: Counter[str] = Counter()
        self._kinds: Counter[tuple[_Key, str]] = Counter()
        self._first: Counter[tuple[_Key, str]] = Counter()
        self._spilled: Counter[tuple[_Key, str]] = Counter()
        self._spilled_rows: Counter[tuple[_Key, str]] = Counter()
        self._examples: dict[str, list[tuple[Any, ...]]] = {}

    def add(self, frame: pl.DataFrame) -> None:
        """Count the rows of a frame that has the columns of :func:`equiglot.validity.validate`."""
        sources = pl.col("source").count() if "source" in frame.columns else pl.lit(0)
        groups = frame.group_by(GROUP, maintain_order=True).agg(
            pl.len(), sources.alias("sources"), (~pl.col("valid")).sum().alias("invalid")
        )
        for *key, rows, sourced, invalid in groups.iter_rows():
            self._rows[tuple(key)] += rows
            self._sourced[tuple(key)] += sourced
            self._invalid[tuple(key)] += invalid
        self._missing.update(missing_by_system(frame) if "target" in frame.columns else {})
        for *key, failure, rows in frame.drop_nulls("failure").group_by(*GROUP, "failure").len().iter_rows():
            self._first[tuple(key), failure] += rows
        found = frame.filter(pl.col("failure_details") != "[]")
        for *key, identity, details in found.select(*GROUP, "id", "failure_details").iter_rows():
            self._count(tuple(key), identity, from_json(details))

    def _count(self, key: _Key, identity: str, findings: list[Finding]) -> None:
        for kind in dict.fromkeys(finding.kind for finding in findings):
            self._kinds[key, kind] += 1
            examples = self._examples.setdefault(kind, [])
            if len(examples) < _EXAMPLES:
                one = next(finding for finding in findings if finding.kind == kind)
                examples.append((kind, identity, key[0], key[3], one.start, one.end, one.text, one.reason))
        spilled = [finding for finding in findings if finding.script]
        for finding in spilled:
            self._spilled[key, finding.script or ""] += finding.count
        self._spilled_rows.update({(key, finding.script or "") for finding in spilled})

    def _groups(self) -> list[tuple[_Key, int]]:
        """The groups and their rows by name, so that nothing depends on the order of rows."""
        return sorted(self._rows.items(), key=lambda item: _by_name(item[0]))

    @property
    def n(self) -> int:
        """All rows."""
        return self._rows.total()

    def total(self, kind: str | None = None) -> int:
        """Rows in which a kind was found; without one, invalid rows."""
        return self._invalid.total() if kind is None else sum(n for (_, k), n in self._kinds.items() if k == kind)

    def summary(self, invalid: Iterable[str], signature: str) -> pl.DataFrame:
        """Shares by group: a result table with the keys of :data:`GROUP`.

        The measures are ``invalid`` and every kind that makes a row so, and those others that were found; unit: per
        cent of the group's rows.
        """
        fatal = set(invalid)
        kinds = [kind for kind in KINDS if kind in fatal or self.total(kind)]
        rows: list[tuple[dict[str, Any], Measure]] = []
        for key, n in self._groups():
            keys = dict(zip(GROUP, key, strict=True))
            rows.append((keys, _share("invalid", self._invalid[key], n, True, signature)))
            rows += [(keys, self._share(key, kind, n, kind in fatal, signature)) for kind in kinds]
        return result_table(rows)

    def _share(self, key: _Key, kind: str, n: int, fatal: bool, signature: str) -> Measure:
        """The share of a kind, unless the group has nothing to find it by."""
        found = self._kinds[key, kind]
        if kind in _OF_SOURCE and not found and not self._sourced[key]:
            direction = "lower" if fatal else "neutral"
            return Measure(kind, None, "%", direction, 0, reason=NO_SOURCE, signature=signature)
        return _share(kind, found, n, fatal, signature)

    @property
    def missing(self) -> dict[str, int]:
        """Answers that are missing altogether, by system; only of systems that lack any."""
        return dict(sorted(self._missing.items()))

    @property
    def sourced(self) -> bool:
        """Whether any row has a source."""
        return self._sourced.total() > 0

    def failures(self) -> pl.DataFrame:
        """Invalid rows by their first failure, so that each counts once: ``failure``, ``rows`` and ``percent``."""
        rows = [
            (*key, kind, self._first[key, kind], 100 * self._first[key, kind] / n)
            for key, n in self._groups()
            for kind in KINDS
            if self._first[key, kind]
        ]
        schema = {**dict.fromkeys(GROUP, pl.String), "failure": pl.String, "rows": pl.Int64, "percent": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def spilled(self) -> pl.DataFrame:
        """What spilled: ``spilled`` (its script), ``what`` (that is to the language), ``rows`` and ``characters``."""
        rows = [
            (*key, script, relation(script, key[0]), self._spilled_rows[key, script], characters)
            for (key, script), characters in sorted(
                self._spilled.items(), key=lambda item: (-item[1], _by_name(item[0][0]), item[0][1])
            )
        ]
        return pl.DataFrame(rows, schema=_SPILLED_COLUMNS, orient="row")

    def examples(self) -> pl.DataFrame:
        """The first rows of each kind, with place and reason."""
        rows = [example for kind in KINDS for example in self._examples.get(kind, [])]
        return pl.DataFrame(rows, schema=_EXAMPLE_COLUMNS, orient="row")


def _by_name(key: _Key) -> tuple[str, ...]:
    return tuple(map(str, key))


def _share(name: str, rows: int, n: int, fatal: bool, signature: str) -> Measure:
    """Rows per hundred."""
    share = percent(rows, n)
    direction = "lower" if fatal else "neutral"
    return Measure(
        name, share.value, "%", direction, n, interval=share.interval, reason=share.reason, signature=signature
    )
