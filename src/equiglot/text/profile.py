"""The text facts of every cell: how much text, how varied, how long beside its source, what is left native.

One row of the result per (language, script, condition) and measure. Totals are over the rows of the cell that
hold text (:func:`~equiglot.text.text_state`); the rest are counted in ``n_failed`` and told apart in
``reason``. Premiums compare the target with its source and are null where the table has no source.
``residual_letters`` and ``residual_rows`` are of romanised cells alone: letters and vowel signs that the
romaniser left in their own script.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from equiglot.measures import Direction, Measure, result_table, signature
from equiglot.table import CELL, Segments
from equiglot.text._characters import UNICODE_VERSION
from equiglot.text.counts import STATES, text_counts, text_state
from equiglot.text.diversity import mattr
from equiglot.text.premiums import PREMIUMS, premiums
from equiglot.text.residue import residual_letters

__all__ = ["text_profile"]


def text_profile(segments: Segments, *, window: int = 500) -> pl.DataFrame:
    """Text facts by language, script and condition.

    Args:
        segments: the table; needs ``target``, and ``source`` for the premiums.
        window: of :func:`~equiglot.text.mattr`, in words.

    Returns:
        A result table with the keys ``language``, ``script``, ``condition`` and the measures ``segments``,
        ``words``, ``chars``, ``bytes``, ``mattr``, ``byte_premium``, ``byte_premium_content``,
        ``length_premium``, and in romanised cells ``residual_letters`` and ``residual_rows``; cells in the
        order in which they first occur.

    >>> frame = pl.DataFrame({"id": ["1"], "language": ["hi"], "script": ["Deva"], "condition": ["native"],
    ...                       "system": ["a"], "source": ["hello!"], "target": ["नमस्ते"]})
    >>> table = text_profile(Segments(frame))
    >>> dict(table.select("measure", "value").rows())["byte_premium_content"]
    3.0

    Raises:
        InputError: no target, or a window of no words.
    """
    segments.require("target", why="is what is profiled")
    keys = [*CELL, "condition"]
    rows: list[tuple[dict[str, str | None], Measure]] = []
    for cell in segments.frame.partition_by(keys, maintain_order=True):
        where = dict(zip(keys, cell.select(keys).row(0), strict=True))
        rows += [(where, measure) for measure in _cell(cell, window)]
    return result_table(rows)


def _cell(cell: pl.DataFrame, window: int) -> Iterator[Measure]:
    state = text_state(cell["target"])
    failures = [(kind, int((state == kind).sum())) for kind in STATES[1:]]
    reason = ", ".join(f"{times:,} {kind}" for kind, times in failures if times) or None
    failed = sum(times for _, times in failures)
    romanizer = _romanizer(cell)
    targets = _texts_only(cell["target"])
    texts = targets.drop_nulls()

    def total(name: str, value: int, unit: str, direction: Direction = "neutral") -> Measure:
        unicode = UNICODE_VERSION if name.startswith("residual") else None
        made = signature(measure=name, words="split" if name == "words" else None, unicode=unicode)
        known = float(value) if len(texts) else None
        return Measure(name, known, unit, direction, len(texts), failed, reason=reason, signature=made)

    counts = text_counts(texts).sum().fill_null(0).row(0, named=True)
    measures = [
        Measure("segments", cell.height, "segments", "neutral", len(texts), failed, reason=reason,
                signature=signature(measure="segments")),
        total("words", counts["words"], "words"),
        total("chars", counts["chars"], "characters"),
        total("bytes", counts["bytes"], "bytes"),
        mattr(targets, window),
        *_premiums(cell, targets),
    ]  # fmt: skip
    if cell["condition"][0] == "romanized":
        left = residual_letters(texts)
        measures.append(total("residual_letters", left.letters, "characters", "lower"))
        measures.append(total("residual_rows", left.rows, "segments", "lower"))
    return (_romanized_by(measure, romanizer) for measure in measures)


def _texts_only(texts: pl.Series) -> pl.Series:
    """The texts, null where there is none: an empty or invisible one has no words, and no length worth a ratio."""
    return texts.set(text_state(texts) != "text", None)


def _premiums(cell: pl.DataFrame, targets: pl.Series) -> list[Measure]:
    if "source" in cell.columns:
        return premiums(targets, _texts_only(cell["source"]))
    why = "the table has no source"
    return [Measure(name, None, "ratio", "neutral", 0, cell.height, reason=why) for name in PREMIUMS]


def _romanizer(cell: pl.DataFrame) -> str | None:
    """What romanised the rows of a cell; several names where the table was put together of several."""
    if "romanizer" not in cell.columns:
        return None
    return ", ".join(cell["romanizer"].drop_nulls().unique(maintain_order=True)) or None


def _romanized_by(measure: Measure, romanizer: str | None) -> Measure:
    """The measure with the romaniser in its signature, before the version."""
    if romanizer is None or not measure.signature:
        return measure
    head, _, version = measure.signature.rpartition("|")
    return replace(measure, signature=f"{head}|romanizer:{romanizer}|{version}")
