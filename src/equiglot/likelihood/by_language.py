"""Every metric of every language: mean over texts, pooled over texts, and the order that each puts languages in.

    macro    mean over texts of the text's value; of perplexity the geometric mean, exp(mean token_nll)
    micro    sum of costs / sum of what they are divided by, named ``<metric>_micro``: long texts count more

By language, script and condition (paper 2 reports the macro mean; METHODS, section 3). With the geometric mean,
perplexity and token_nll put languages in one order; an arithmetic mean of perplexities is not offered, for one text
that the model knows badly decides it. Intervals are percentile bootstrap over texts, the same resamples for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
import polars as pl

from equiglot.errors import InputError
from equiglot.likelihood._measuring import Measuring, Row, commonest_reason
from equiglot.likelihood.metrics import METRICS
from equiglot.measures import Measure, MeasureInfo, result_table
from equiglot.table import CELL, Segments

__all__ = ["language_order", "likelihood_profile"]

_GROUP = (*CELL, "condition")
_MICRO = "_micro"


def likelihood_profile(
    segments: Segments, *, seed: int = 0, resamples: int = 1000, level: float = 0.95
) -> pl.DataFrame:
    """Macro mean and pooled value of each metric, by language, script and condition.

    Args:
        segments: from :func:`~equiglot.likelihood.add_likelihood`.
        seed: of the resampling.
        resamples: how many.
        level: of the intervals.

    Returns:
        A result table with the keys ``language``, ``script``, ``condition``. What can't be had is null with a reason;
        what could not be scored is counted in ``n_failed``.

    Raises:
        InputError: the table has no measure ``sent_nll``.
    """
    segments.info("sent_nll")
    measuring = Measuring(partial(_info, segments.measures), seed, resamples, level)
    rows: list[Row] = []
    for cell in segments.frame.partition_by(_GROUP, maintain_order=True):
        where: dict[str, str | None] = {key: cell[key][0] for key in _GROUP}
        for name in METRICS:
            if name in segments.measures:
                rows += [(where, measure) for measure in _both_means(cell, name, measuring)]
    return result_table(rows)


def _info(measures: Mapping[str, MeasureInfo], name: str) -> MeasureInfo:
    """What a mean is: as the column it is of, with the kind of mean in the signature."""
    base = name.removesuffix(_MICRO)
    of = measures[base]
    metric, _, rest = of.signature.partition("|")
    mean = "micro" if name.endswith(_MICRO) else "geometric" if base == "ppl" else "macro"
    return MeasureInfo(name, of.unit, of.direction, f"{metric}|mean:{mean}|{rest}")


def _both_means(cell: pl.DataFrame, name: str, measuring: Measuring) -> Iterator[Measure]:
    per = METRICS[name].per
    count = pl.col(per) if per and per in cell.columns else pl.lit(1)
    values = cell.select(pl.col(name), count.cast(pl.Float64).alias("count")).drop_nulls().to_numpy()
    n, failed = len(values), cell.height - len(values)
    pooled = f"{name}{_MICRO}" if per and per in cell.columns else None
    if not n:
        why = f"no text has a value ({commonest_reason(cell, name)})"
        yield from (measuring.unknown(each, failed=failed, reason=why) for each in (name, pooled) if each)
        return
    value, weight = values.T
    value = np.log(value) if name == "ppl" else value
    means, drawn = measuring.means(np.stack([value, value * weight, weight], axis=1))
    finish = np.exp if name == "ppl" else np.asarray
    yield measuring.known(name, float(finish(means[0])), n, failed=failed, drawn=finish(drawn[:, 0]))
    if pooled:
        micro, resampled = means[1] / means[2], drawn[:, 1] / drawn[:, 2]
        yield measuring.known(pooled, float(finish(micro)), n, failed=failed, drawn=finish(resampled))


def language_order(table: pl.DataFrame, measure: str) -> list[str]:
    """The languages from the one that the model finds easiest by a measure to the hardest; ties in order of the table.

    Args:
        table: from :func:`likelihood_profile`, of one condition and one script a language.
        measure: one of the table's.

    Raises:
        InputError: no language has a value of that measure.

    >>> table = pl.DataFrame({"language": ["de", "en"], "measure": "mrr", "value": [0.4, 0.5], "direction": "higher"})
    >>> language_order(table, "mrr")
    ['en', 'de']
    """
    rows = table.filter((pl.col("measure") == measure) & pl.col("value").is_not_null())
    if rows.is_empty():
        raise InputError(
            f"no language has a value of '{measure}'",
            fix=f"use one of {', '.join(table['measure'].unique(maintain_order=True))}",
        )
    highest_first = rows["direction"][0] == "higher"
    return rows.sort("value", descending=highest_first, maintain_order=True)["language"].to_list()
