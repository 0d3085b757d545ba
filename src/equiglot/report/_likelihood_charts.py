"""Charts of the audits of language-model scores: what is drawn of each, and its description in words."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from equiglot.audit import AlternativesAudit, ConfoundAudit, MinimalPairsAudit, RankingAudit, StabilityAudit
from equiglot.audit.answers import metric_name
from equiglot.report._likelihood_tables import capital
from equiglot.report.charts import confound_scatter, dot_chart, rank_heatmap, stability_chart
from equiglot.report.model import ReportChart
from equiglot.table import language_name

__all__ = [
    "accuracy_chart",
    "agreement_over_size",
    "curves_over_size",
    "differences_chart",
    "expected_ranks",
    "rank_chart",
    "scatter_chart",
]

_SIZES = {"bytes": "bytes", "chars": "characters", "tokens": "tokens"}


def _named() -> pl.Expr:
    """The metric's name as the title of a panel."""
    return pl.col("metric").map_elements(lambda m: capital(metric_name(m)), return_dtype=pl.String).alias("panel")


def scatter_chart(audit: ConfoundAudit) -> ReportChart | None:
    """Every metric against the confound that its verdict asks of; None where there is no correlation at all."""
    rhos = audit.confounds.filter((pl.col("measure") == "rho") & pl.col("value").is_not_null())
    primary = rhos.unique(["metric", "confound"], keep="first", maintain_order=True)
    primary = primary.filter(~pl.col("confound").str.ends_with("_nospace"))
    languages = audit.languages.filter(pl.col("value").is_not_null())
    parts: list[pl.DataFrame] = []
    said: list[str] = []
    for row in primary.iter_rows(named=True):
        metric, confound = row["metric"], row["confound"]
        by_model = row["points"] == "models" or confound == "tokens"
        table, keys = (audit.cells, ["language", "model"]) if by_model else (languages, ["language"])
        measure = "ctc" if confound == "tokens" else confound
        x, y = (
            table.filter(measure=m).select(*keys, pl.col("value").alias(a)) for m, a in ((measure, "x"), (metric, "y"))
        )
        unit = audit.cells.filter(measure=metric)["unit"][0]
        parts.append(
            x.join(y, on=keys, maintain_order="left")
            .drop_nulls(["x", "y"])
            .select(
                pl.lit(capital(metric_name(metric))).alias("panel"),
                pl.lit(f"{_SIZES[confound]}: rho = {row['value']:.2f}\nover {_points(row)}").alias("said"),
                "language",
                pl.col("model") if by_model else pl.lit(None, dtype=pl.String).alias("model"),
                "x",
                "y",
                pl.lit(_SIZES[confound]).alias("x_title"),
                pl.lit(unit).alias("y_title"),
            )
        )
        said.append(f"{metric_name(metric)} with {_SIZES[confound]}: rho = {row['value']:.2f} over {_points(row)}.")
    if not parts:
        return None
    frame = pl.concat(parts)
    several = audit.cells["model"].n_unique() > 1
    what = "a language, or a language and model where tokens are counted" if several else "a language"
    return ReportChart(
        name="confounds",
        title="Each metric against what it divides by",
        alt=f"Scatter plots. {' '.join(said)}",
        draw=partial(confound_scatter, frame),
        note=f"A point is {what}; rho is over the points. Points on a line mean that the order of languages follows "
        "from the text's length.",
    )


def _points(row: dict[str, Any]) -> str:
    """What a correlation is over, short enough for the title of a panel: pairs are of language and model."""
    return f"{row['n']} {'pairs' if row['points'] == 'models' else 'languages'}"


def rank_chart(audit: ConfoundAudit) -> ReportChart:
    """The rank of every language and model, a panel per metric."""
    ranks = audit.ranks
    order = audit.mean_ranks.filter(pl.col("language").is_not_null()).group_by("language").agg(pl.col("value").mean())
    names = order.sort("value", "language", nulls_last=True)["language"].to_list()
    place = pl.col("language").replace_strict({name: i for i, name in enumerate(names)}, return_dtype=pl.Int64)
    frame = ranks.sort(place, maintain_order=True).select(
        _named(),
        pl.col("language").map_elements(language_name, return_dtype=pl.String).alias("row"),
        pl.col("model").alias("column"),
        pl.col("value").alias("rank"),
    )
    models = ranks["model"].unique(maintain_order=True).to_list()
    shown = frame.sort(pl.col("column").replace_strict({m: i for i, m in enumerate(models)}), maintain_order=True)
    n = int(max(ranks["n"]))
    best = [
        f"{panel[0]}: best {part.sort('rank')['row'][0]}, last {part.sort('rank', nulls_last=False)['row'][-1]}."
        for panel, part in shown.group_by("panel", maintain_order=True)
    ]
    return ReportChart(
        name="ranks",
        title="Ranks of languages and models under each metric",
        alt=f"Heat maps of ranks, 1 is best of {n}. {' '.join(best)}",
        draw=partial(rank_heatmap, shown, columns="model" if len(models) > 1 else ""),
        note=f"1 is best of {n}; paler is better. Languages in the order of their mean rank over all metrics.",
    )


def expected_ranks(audit: RankingAudit) -> ReportChart:
    """The rank of every language under every metric, languages in the expected order."""
    models = audit.ranks["model"].unique(maintain_order=True).to_list()
    place = pl.col("language").replace_strict({name: i for i, name in enumerate(audit.expected)})
    frame = audit.ranks.sort(place, maintain_order=True).select(
        pl.col("model").alias("panel") if len(models) > 1 else pl.lit("Rank by metric").alias("panel"),
        pl.col("language").map_elements(language_name, return_dtype=pl.String).alias("row"),
        pl.col("metric").alias("column"),
        pl.col("value").alias("rank"),
    )
    found = "; ".join(
        f"{metric} in {model}: {order or 'no order'}" for metric, model, order in audit.orders.iter_rows()
    )
    return ReportChart(
        name="expected-order",
        title="Ranks of languages, in the order that is expected",
        alt=f"Heat maps of ranks. {found}",
        draw=partial(rank_heatmap, frame, columns=""),
        note="Where a metric gives the expected order, its column reads 1, 2, 3 ... downwards. A dash: no value.",
    )


def differences_chart(audit: AlternativesAudit) -> ReportChart:
    """The base's mean less that of every alternative, a panel per metric."""
    frame = audit.differences.select(
        _named(),
        "unit",
        pl.col("against").alias("row"),
        pl.col("model").alias("series"),
        "value",
        "low",
        "high",
    )
    models = frame["series"].unique(maintain_order=True).to_list()
    said = [
        f"{panel[0]}: {part['value'].min():.3g} to {part['value'].max():.3g}."
        for panel, part in frame.group_by("panel", maintain_order=True)
    ]
    several = f" The dots of a row are models: {', '.join(models)}." if len(models) > 1 else ""
    return ReportChart(
        name="alternatives",
        title=f"{audit.texts.base} less each translation",
        alt=f"Differences of means. {' '.join(said)}",
        draw=partial(dot_chart, frame, axis="", reference=0.0),
        note=f"With 95% intervals. Dots on both sides of 0: the winner depends on the translation.{several}",
    )


def agreement_over_size(audit: StabilityAudit) -> ReportChart:
    """The share of samples that agree with all sentences, over the size of the sample."""
    asked = "agree_winner" if "agree_winner" in set(audit.totals["measure"]) else "agree_order"
    own = audit.totals.filter(pl.col("measure").eq(asked) & pl.col("value").is_not_null())
    frame = own.select(
        _named(),
        pl.lit("all").alias("series"),
        "size",
        "value",
        "low",
        "high",
    )
    what = "the winner against every translation" if asked == "agree_winner" else "the order of languages"
    said = [
        f"{panel[0]}: {', '.join(f'{v:.2f} at {n:,}' for n, v in part.select('size', 'value').iter_rows())}."
        for panel, part in frame.group_by("panel", maintain_order=True)
    ]
    return ReportChart(
        name="sample-size",
        title=f"Samples that give {what} of all sentences",
        alt=f"Share of samples that agree, by the number of sentences. {' '.join(said)}",
        draw=partial(stability_chart, frame, axis="share of samples", ends=(0.0, 1.0)),
        note="Share of samples (all models and seeds) that agree with the whole, with its 95% interval (Wilson).",
    )


def curves_over_size(audit: StabilityAudit) -> ReportChart:
    """The mean of every series over the size of the sample, of the last model."""
    model = audit.curves["model"].unique(maintain_order=True).to_list()[-1]
    own = audit.curves.filter((pl.col("measure") == "mean") & (pl.col("model") == model))
    # One sentence spreads so wide that beside it nothing else could be seen.
    own = own.filter((pl.col("size") > 1) | (pl.col("size").max() == 1))
    frame = own.select(
        _named(),
        "unit",
        "series",
        "size",
        "value",
        "low",
        "high",
    )
    names = frame["series"].unique(maintain_order=True).to_list()
    series, first = ", ".join(names), names[0] if "agree_winner" in set(audit.totals["measure"]) else None
    several = f" Model: {model}." if audit.curves["model"].n_unique() > 1 else ""
    seeds = int(max(own["n"]))
    return ReportChart(
        name="sample-means",
        title="Means of samples, by their size",
        alt=f"Curves of the mean over samples for {series}, with intervals that narrow as samples grow.",
        draw=partial(stability_chart, frame, axis="", first=first),
        note=f"Mean over {seeds} samples with Student's 95% interval of that mean.{several}",
    )


def accuracy_chart(audit: MinimalPairsAudit) -> ReportChart:
    """Accuracy by language, a panel per model; parts of languages are left to the table."""
    own = audit.accuracy.filter(pl.col("measure") == "accuracy")
    parts = [c for c in own.columns[: own.columns.index("measure")] if c not in ("language", "model")]
    own = own.filter(pl.col(c).is_null() for c in parts) if parts else own
    models = own["model"].n_unique()
    frame = own.sort("value", descending=True, nulls_last=True, maintain_order=True).select(
        pl.col("model").alias("panel") if models > 1 else pl.lit("").alias("panel"),
        pl.col("language").map_elements(language_name, return_dtype=pl.String).alias("row"),
        pl.lit("").alias("series"),
        "value",
        "low",
        "high",
    )
    said = [f"{row} {value:.2f}." for row, value in frame.drop_nulls("value").select("row", "value").iter_rows()]
    return ReportChart(
        name="minimal-pairs",
        title="Accuracy on minimal pairs by language",
        alt=f"Dots with intervals. {' '.join(said)}",
        draw=partial(dot_chart, frame, axis="accuracy", reference=0.5, named="guessing", ends=(0.0, 1.0)),
        note="With Wilson's 95% interval.",
    )
