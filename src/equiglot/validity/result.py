"""The answer to "how much of this is no answer at all?"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from equiglot.errors import InputError
from equiglot.stats import proportion
from equiglot.table import Segments
from equiglot.validity._missing import missing_word
from equiglot.validity._notes_remarks import TOLD, also_invalid, by_system
from equiglot.validity.expected import script_name
from equiglot.validity.policy import KINDS
from equiglot.validity.tally import NO_SOURCE, Tally

__all__ = ["Validation", "failure_summary"]

_ASSUMED = re.compile(r"\b([A-Z][a-z]{3}) for (\S+) \(")
"""A script that was taken for a language, as the notes of tables and files list it."""

_TIES = 3
"""Groups that are named at most where several have the largest share."""


@dataclass(frozen=True, slots=True)
class Validation:
    """What was found in a table or file.

    Attributes:
        n: rows.
        counts: rows by kind, those kinds that were found; a row may have several.
        invalid: rows that are.
        fatal: the kinds that make a row invalid.
        summary: result table of shares by language, script, condition and system.
        failures: invalid rows by group and first failure, each row once.
        spilled: scripts that spilled, with rows and characters.
        examples: the first rows of each kind.
        signature: everything that decides whether a row is valid.
        missing: answers that are missing altogether (null), by system; they are among the empty ones.
        faults: what is wrong with the files themselves, in sentences.
        notes: what was assumed.
    """

    n: int
    counts: dict[str, int]
    invalid: int
    fatal: tuple[str, ...]
    summary: pl.DataFrame
    failures: pl.DataFrame
    spilled: pl.DataFrame
    examples: pl.DataFrame
    signature: str
    missing: dict[str, int] = field(default_factory=dict[str, int])
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def made(cls, tally: Tally, fatal: tuple[str, ...], signature: str, **told: tuple[str, ...]) -> Validation:
        """From counts."""
        return cls(
            n=tally.n,
            counts={kind: total for kind in KINDS if (total := tally.total(kind))},
            invalid=tally.total(),
            fatal=fatal,
            summary=tally.summary(fatal, signature),
            failures=tally.failures(),
            spilled=tally.spilled(),
            examples=tally.examples(),
            signature=signature,
            missing=tally.missing,
            **told,
        )

    @classmethod
    def of(cls, segments: Segments) -> Validation:
        """Of a table that :func:`equiglot.validity.validate` has been through.

        Raises:
            InputError: it has not.
        """
        info = segments.measures.get("valid")
        if info is None or not {"valid", "failure", "failure_details"} <= set(segments.frame.columns):
            raise InputError("the table was not validated", fix="call equiglot.validity.validate on it first")
        tally = Tally()
        tally.add(segments.frame)
        fatal = _fatal(info.signature) or _kinds_of(segments.frame["failure"])
        return cls.made(tally, fatal, info.signature, notes=segments.notes)

    @property
    def headline(self) -> str:
        """The answer in words."""
        share = proportion(self.invalid, self.n)
        if share.value is None or share.interval is None:
            return "There are no rows."
        if not self.invalid:
            none = f"None of {self.n:,} answers is invalid (95% interval 0 to {100 * share.interval.high:.2g}%)."
            return " ".join(filter(None, (none, self._not_counted(), self._not_looked_for())))
        low, high = (f"{100 * end:.1f}" for end in (share.interval.low, share.interval.high))
        kinds = sorted((kind for kind in self.fatal if kind in self.counts), key=lambda kind: -self.counts[kind])
        by_kind = ", ".join(f"{self.counts[kind]:,} {kind}{self._missing(kind)}" for kind in kinds)
        first = (
            f"{self.invalid:,} of {self.n:,} answers {'is' if self.invalid == 1 else 'are'} invalid: "
            f"{100 * share.value:.1f}% (95% interval {low} to {high}%); {by_kind}{self._hint()}."
        )
        return " ".join(filter(None, (first, self._worst(), self._not_counted(), self._not_looked_for())))

    def _missing(self, kind: str) -> str:
        """How many of the empty answers are none at all, which may be nobody's failure."""
        missing = sum(self.missing.values()) if kind == "empty" else 0
        return f" ({missing:,} {missing_word(self.notes)})" if missing else ""

    def _not_looked_for(self) -> str:
        """That copies could not be found anywhere."""
        copies = self.summary.filter(measure="copy")
        unknown = copies.height > 0 and copies["reason"].eq_missing(NO_SOURCE).all()
        return "Copies were not looked for, as there is no source." if unknown else ""

    def _hint(self) -> str:
        """That most answers of a language are in Latin, where its usual script was only assumed to be expected."""
        said = (note for note in self.notes if "so the usual one was taken" in note)
        assumed = {language: script for note in said for script, language in _ASSUMED.findall(note)}
        latin = dict(self.spilled.filter(spilled="Latn").group_by("language").agg(pl.col("rows").sum()).iter_rows())
        rows = dict(self.summary.filter(measure="invalid").group_by("language").agg(pl.col("n").sum()).iter_rows())
        mostly = [script for code, script in sorted(assumed.items()) if 2 * latin.get(code, 0) > rows.get(code, 0)]
        scripts = dict.fromkeys(script for script in mostly if script != "Latn")
        if not scripts:
            return ""
        what = "script, {}, was" if len(scripts) == 1 else "scripts, {}, were"
        names = ", ".join(script_name(script) for script in scripts)
        return f", though the expected {what.format(names)} only assumed; for romanised answers give --script Latn"

    def _worst(self) -> str:
        """The group with the largest share, where there are several; all that have it, a few of many."""
        shares = self.summary.filter(measure="invalid")
        if shares.height < 2:
            return ""
        apart = shares.select("system", "language", "script").is_duplicated().any()  # by their conditions alone
        worst = shares.filter(pl.col("value") == pl.col("value").max())
        places = [
            (
                f"{row['system']}, {row['language']}-{row['script']}" + (f", {row['condition']}" if apart else ""),
                f"[{row['low']:.1f}, {row['high']:.1f}] of {row['n']:,}",
            )
            for row in worst.head(_TIES).iter_rows(named=True)
        ]
        share = f"{worst['value'][0]:.1f}%"
        if worst.height == 1:
            return f"The largest share is that of {places[0][0]}: {share} {places[0][1]}."
        more = f"; and {worst.height - _TIES} more" if worst.height > _TIES else ""
        tied = "; ".join(f"{place} {interval}" for place, interval in places)
        return f"The largest share, {share}, is that of {tied}{more}."

    def _not_counted(self) -> str:
        """What was found that may be no answer and makes none invalid."""
        kinds = [kind for kind in TOLD if kind in self.counts and kind not in self.fatal]
        if not kinds:
            return ""
        found = ", ".join(f"{self.counts[kind]:,} {kind}{self._systems(kind)}" for kind in kinds)
        counts = "counts" if len(kinds) == 1 else "count"
        return f"Found but not counted: {found}; {also_invalid(kinds)} {counts} them."

    def _systems(self, kind: str) -> str:
        """Which systems have a kind, where there are several systems."""
        share = pl.col("value").fill_null(0.0) * pl.col("n") / 100
        own = self.summary.filter(measure=kind).select("system", rows=share.round().cast(pl.Int64))
        rows = own.group_by("system").agg(pl.col("rows").sum()).sort(-pl.col("rows"), "system").rows()
        some = {str(system): f"{n:,}" for system, n in rows if n}
        if len(rows) < 2:
            return ""
        return f" of {next(iter(some))}" if len(some) == 1 else f" ({by_system(some)})"

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "headline": self.headline,
            "n": self.n,
            "invalid": self.invalid,
            "counts": self.counts,
            "missing": sum(self.missing.values()),
            "missing_by_system": self.missing,
            "signature": self.signature,
            "faults": list(self.faults),
            "summary": self.summary.to_dicts(),
            "failures": self.failures.to_dicts(),
            "spilled": self.spilled.to_dicts(),
            "examples": self.examples.to_dicts(),
            "notes": list(self.notes),
        }


def failure_summary(segments: Segments) -> pl.DataFrame:
    """Shares of invalid rows and of each kind: a result table by language, script, condition and system.

    >>> from equiglot.validity import validate
    >>> frame = pl.DataFrame({"id": ["1", "2"], "language": "hi", "script": "Latn", "condition": "romanized",
    ...                       "system": "a", "source": "It is raining", "target": ["", "baarish ho rahi hai"]})
    >>> failure_summary(validate(Segments(frame))).select("measure", "value", "n").rows()[:2]
    [('invalid', 50.0, 2), ('empty', 50.0, 2)]

    Raises:
        InputError: the table was not validated.
    """
    return Validation.of(segments).summary


def _fatal(signature: str) -> tuple[str, ...]:
    """The kinds that a signature says make a row invalid."""
    parts = dict(part.split(":", 1) for part in signature.split("|"))
    named = set(parts.get("invalid", "").split("+"))
    return tuple(kind for kind in KINDS if kind.replace(" ", "-") in named)


def _kinds_of(failures: pl.Series) -> tuple[str, ...]:
    """The kinds that made rows invalid, where no signature says which would have, as in a table read from CSV."""
    found = set(failures.unique().to_list())
    return tuple(kind for kind in KINDS if kind in found)
