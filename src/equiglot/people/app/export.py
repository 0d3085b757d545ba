"""What raters said, as tables.

*Ratings*: one row per item, rater and dimension (columns :data:`equiglot.people.RATINGS`). A page that was skipped has
a row per dimension with no rating and the reason; a repeated item's second rating has ``repeat`` true; attention checks
are left out. In a task of spans there is one dimension, named after the rubric, rated with minus the sum of what errors
weigh.

*Spans*: one row per error marked.
"""

from __future__ import annotations

from typing import Any

import polars as pl
from sqlalchemy import Select, and_, select

from equiglot.people.app import schema
from equiglot.people.app.spans import spans_score
from equiglot.people.app.study import Study
from equiglot.people.ratings import RATINGS
from equiglot.people.rubric import Rubric

__all__ = ["export_ratings", "export_spans"]

_SPANS: dict[str, pl.DataType] = {
    "id": pl.String(),
    "language": pl.String(),
    "system": pl.String(),
    "rater": pl.String(),
    "repeat": pl.Boolean(),
    "start": pl.Int64(),
    "end": pl.Int64(),
    "text": pl.String(),
    "category": pl.String(),
    "severity": pl.String(),
    "weight": pl.Float64(),
}
_PLACE = ["rater", "position"]


def export_ratings(study: Study) -> pl.DataFrame:
    """All ratings so far, in the order of items, raters and pages."""
    pages = _pages(study)
    given = _said(study, schema.spans if study.rubric.task == "spans" else schema.ratings)
    rated = _spans_rated(study.rubric, pages, given) if study.rubric.task == "spans" else given
    names = [dimension.name for dimension in study.rubric.dimensions] or [study.rubric.name]
    skipped = pages.filter(pl.col("skipped").is_not_null()).join(pl.DataFrame({"dimension": names}), how="cross")
    kept = pages.filter(pl.col("skipped").is_null()).join(rated, on=_PLACE)
    rows = pl.concat([kept, skipped.with_columns(rating=pl.lit(None))], how="diagonal_relaxed")
    order = pl.col("dimension").replace_strict({name: i for i, name in enumerate(names)}, return_dtype=pl.Int32)
    rows = rows.sort("item", "rater", "position", order).with_columns(rater="name")
    return rows.select(pl.col(name).cast(dtype) for name, dtype in RATINGS.items())


def export_spans(study: Study) -> pl.DataFrame:
    """All errors marked so far, with their text and weight; ``start`` and ``end`` count code points."""
    rows = _pages(study).filter(pl.col("skipped").is_null()).join(_said(study, schema.spans), on=_PLACE)
    placed = pl.col("target").str.slice(pl.col("start"), pl.col("end") - pl.col("start"))
    rows = rows.sort("item", "rater", "position", "number").with_columns(
        rater="name",
        text=pl.when(pl.col("start").is_not_null()).then(placed),
        weight=pl.col("severity").replace_strict(study.rubric.weights, return_dtype=pl.Float64),
    )
    return rows.select(pl.col(name).cast(dtype) for name, dtype in _SPANS.items())


def _pages(study: Study) -> pl.DataFrame:
    """Pages of items with their item and rater, without attention checks."""
    pages, items, raters = schema.pages, schema.items, schema.raters
    columns = [
        *(pages.c[name] for name in ("rater", "position", "item", "repeat", "done", "skipped", "note", "seconds")),
        items.c.segment.label("id"),
        *(items.c[name] for name in ("language", "system", "target")),
        raters.c.name,
    ]
    joined = select(*columns).join(items, and_(pages.c.item == items.c.id, ~items.c.attention))
    return _frame(study, joined.join(raters, pages.c.rater == raters.c.id), columns)


def _said(study: Study, table: Any) -> pl.DataFrame:
    return _frame(study, select(table), list(table.c))


def _spans_rated(rubric: Rubric, pages: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """A rating for each page whose marking is finished."""
    marked = spans.group_by(_PLACE).agg(pl.col("severity"))
    finished = pages.filter(pl.col("done")).select(_PLACE).join(marked, on=_PLACE, how="left")
    scores = [spans_score(severities or (), rubric.weights) for severities in finished["severity"].to_list()]
    return finished.select(_PLACE).with_columns(
        dimension=pl.lit(rubric.name), rating=pl.Series(scores, dtype=pl.Float64)
    )


_TYPES: dict[type, type[pl.DataType]] = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean}


def _frame(study: Study, query: Select[Any], columns: list[Any]) -> pl.DataFrame:
    with study.database.reading() as connection:
        rows = [tuple(row) for row in connection.execute(query)]
    names = {column.name: _TYPES[column.type.python_type] for column in columns}
    return pl.DataFrame(rows, schema=names, orient="row")
