"""What a metric gives to targets that are no translations: its copy floor and its random-pair floor.

``copy_floor`` is the metric's mean when each target is its source, untranslated; ``random_floor`` when it is the
reference of some other segment of the cell. A score says something only as far as it is better than both: COMET gives
untranslated copies 66 on average, above some real translations, and e5's cosines of unrelated sentences lie near 0.8.
Unit, direction and scale are the metric's own. Each different pair of source and reference counts once, whatever the
number of systems, and at most ``sample`` pairs of a cell are taken, so that floors cost little.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.measures import Measure, MeasureInfo, result_table
from equiglot.quality.scorer import Against
from equiglot.quality.scoring import score
from equiglot.stats import bootstrap_mean
from equiglot.table import CELL, KEY, Segments
from equiglot.text import text_state

__all__ = ["floors"]

_KEYS = [*CELL, "condition"]
_COPY, _RANDOM = "copy_floor", "random_floor"


def floors(
    segments: Segments,
    metric: str,
    *,
    against: Against = "reference",
    tokenize: str = "13a",
    comet_model: str = "hf:Unbabel/wmt22-comet-da",
    metric_model: str | None = None,
    layer: int | None = None,
    sample: int = 500,
    seed: int = 0,
    cache: Path | Literal[True] | None = True,
    progress: Progress = silent,
) -> pl.DataFrame:
    """The two floors of a metric in every cell and condition.

    Args:
        segments: the table; needs ``source`` and ``reference``.
        metric, against, tokenize, comet_model, metric_model, layer, cache, progress: as for
            :func:`~equiglot.quality.score`.
        sample: how many different pairs of source and reference are taken of a cell, at most.
        seed: of the sample, the random pairs and the intervals.

    Returns:
        A result table with the keys ``language``, ``script``, ``condition`` and the measures
        ``<metric>_copy_floor`` and ``<metric>_random_floor``.

    >>> from equiglot.table import from_frame
    >>> frame = pl.DataFrame({"source": ["yes", "no"], "target": ["", ""], "reference": ["ja", "nein"]})
    >>> table = floors(from_frame(frame, language="de", script="Latn"), "chrf", cache=None)
    >>> table.select("measure", "n").rows()
    [('chrf_copy_floor', 2), ('chrf_random_floor', 2)]

    Raises:
        InputError: no such metric, or no source or reference.
    """
    for column in ("source", "reference"):
        segments.require(column, why="the floors are made of")
    if sample < 2:
        raise InputError(f"a sample of {sample} has no pairs to mix", fix="take 2 or more")
    cells = segments.frame.sort(_KEYS, nulls_last=True).partition_by(_KEYS, maintain_order=True)
    made = pl.concat(rows for cell in cells for rows in _made_up(cell, sample, seed))
    scored = score(
        Segments(made), [metric], against=against, tokenize=tokenize, comet_model=comet_model,
        metric_model=metric_model, layer=layer, max_cut=1.0, cache=cache, progress=progress,
    )  # fmt: skip
    rows: list[tuple[dict[str, Any], Measure]] = []
    for part in scored.frame.partition_by([*_KEYS, "system"], maintain_order=True):
        where = dict(zip(_KEYS, part.select(_KEYS).row(0), strict=True))
        rows.append((where, _measure(part, scored.info(metric), seed)))
    return result_table(rows)


def _made_up(cell: pl.DataFrame, sample: int, seed: int) -> Iterator[pl.DataFrame]:
    """A cell's pairs with the source as target, then with another segment's reference; ``system`` names the floor.

    Pairs are sorted before anything is drawn, so that the order of the rows does not matter. A cell without pairs gives
    one row without a target, which then says that there is no floor.
    """
    rng = np.random.default_rng(seed)
    there = (text_state(cell["source"]) == "text") & (text_state(cell["reference"]) == "text")
    pairs = cell.filter(there).select(*_KEYS, "source", "reference").unique().sort("reference", "source")
    if pairs.height > sample:
        pairs = pairs[np.sort(rng.choice(pairs.height, size=sample, replace=False))]
    if not pairs.height:
        pairs = cell.select(*_KEYS, "source", "reference")[:1].with_columns(source=None, reference=None)
    for kind, targets in ((_COPY, pairs["source"]), (_RANDOM, _others(pairs["reference"], rng))):
        named = pairs.with_row_index("id").with_columns(pl.col("id").cast(pl.String), system=pl.lit(kind))
        rows = named.with_columns(targets.cast(pl.String).alias("target"))
        yield rows.select(*KEY, pl.col("source", "target", "reference").cast(pl.String))


def _others(own: pl.Series, rng: np.random.Generator) -> pl.Series:
    """For each reference a different one, drawn at random; null where there is only one."""
    different = own.drop_nulls().unique().sort()
    if len(different) < 2:
        return pl.Series([None] * len(own), dtype=pl.String)
    place = {text: i for i, text in enumerate(different)}
    steps = rng.integers(1, len(different), size=len(own)).tolist()
    return pl.Series([different[(place[text] + step) % len(different)] for text, step in zip(own, steps, strict=True)])


def _measure(part: pl.DataFrame, info: MeasureInfo, seed: int) -> Measure:
    """The mean of one floor's rows."""
    kind = str(part["system"][0])
    values = part[info.name].drop_nulls().to_numpy()
    estimate = bootstrap_mean(values, seed=seed)
    interval, reason = estimate.interval, estimate.reason
    if interval is not None:
        interval = replace(interval, method=f"{interval.method}, seed {seed}")
    if not len(values):
        lacking = "two different references" if kind == _RANDOM else "a pair of source and reference"
        reason = f"the cell does not have {lacking} to score"
    head, _, version = info.signature.rpartition("|")
    return Measure(
        name=f"{info.name}_{kind}",
        value=estimate.value,
        unit=info.unit,
        direction=info.direction,
        n=len(values),
        n_failed=part.height - len(values),
        interval=interval,
        reason=reason,
        signature=f"{head}|floor:{kind.removesuffix('_floor')}|seed:{seed}|{version}",
    )
