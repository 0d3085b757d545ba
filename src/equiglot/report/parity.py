"""The section that answers: what do tokenisers, and a language model, cost each language and script?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from equiglot.likelihood import zone
from equiglot.report.charts import bar_chart, zone_chart
from equiglot.report.languages import cell_label
from equiglot.report.model import ReportChart, ReportTable, Section
from equiglot.report.reading import report_table

__all__ = ["parity_section"]

_PAIR = "romanized/native"
_TEXT = (
    "segments",
    "words",
    "chars",
    "bytes",
    "mattr",
    "ttr",
    "byte_premium",
    "byte_premium_content",
    "length_premium",
    "residual_letters",
    "residual_rows",
)
_TOKENS = (
    "tp",
    "token_premium",
    "fertility",
    "ctc",
    "one_token_pct",
    "dv_per_1k",
    "mark_per_1k",
    "unk_rate",
    "byte_fallback_rate",
    "word_token_rho",
)
_WORDS_DIFFER = "Words hold more in one language than in another"
_OR_IDS = ", or a column `id` that translations of one text share"
_INFORMATION = ("ip", "ipi", "sbi", "sbi_flagged_pct")
_PAIRS = ("tp_change_pct", "lp", "ep", "tax", "ep_pct")


def parity_section(profile: pl.DataFrame) -> Section:
    """A profile as a section of a report.

    Args:
        profile: a result table with the keys language, script, condition and, where it has tokenisers, ``tokenizer``.
    """
    if not profile.height:
        return Section(title=_title(tokens=False, information=False), lead="")
    profile = profile if "tokenizer" in profile.columns else profile.with_columns(tokenizer=pl.lit(None, pl.String))
    tokenizers = profile["tokenizer"].drop_nulls().unique(maintain_order=True).to_list()
    charts = [chart for tokenizer in tokenizers for chart in _bars(profile, tokenizer)]
    moves = _values(profile, "ipi")
    if moves.height:
        charts.append(_zones(moves))
    had = profile.filter(pl.col("value").is_not_null())
    one = f" ({tokenizers[0]})" if len(tokenizers) == 1 else ""
    tables = [
        ("tokens", f"What tokenisation costs{one}", _TOKENS),
        ("information", "How much information the language model finds in the text", _INFORMATION),
        ("romanization", "What romanisation costs", _PAIRS),
        ("texts", "The texts", _TEXT),
    ]
    return Section(
        title=_title(tokens=bool(tokenizers), information=bool(moves.height)),
        lead=" ".join([*(_token_words(profile, t) for t in tokenizers), *_zone_words(moves)]).strip(),
        charts=tuple(charts),
        tables=tuple(
            _table(profile, *table)
            for table in tables
            if _has(had if table[0] == "romanization" else profile, table[2])
        ),
    )


def _title(*, tokens: bool, information: bool) -> str:
    if tokens and information:
        return "What do tokeniser and language model cost each language?"
    if information:
        return "What does the language model cost each language?"
    return "What does the tokeniser cost each language?" if tokens else "What are the texts like?"


def _has(profile: pl.DataFrame, measures: tuple[str, ...]) -> bool:
    return profile["measure"].is_in(measures).any()


def _table(profile: pl.DataFrame, name: str, title: str, measures: tuple[str, ...]) -> ReportTable:
    own = profile.filter(pl.col("measure").is_in(measures))
    table = report_table(name, title, _short_texts_apart(own), measures=measures, explain=True)
    if not own["measure"].is_in(["mattr"]).any():
        return table
    called = pl.when(pl.col("measure") == "ttr").then(pl.lit("mattr")).otherwise("measure").alias("measure")
    return replace(table, data=None if table.data is None else table.data.with_columns(called))


def _short_texts_apart(profile: pl.DataFrame) -> pl.DataFrame:
    """MATTR of texts shorter than its window, which has a value and a reason, under a name of its own."""
    short = (pl.col("measure") == "mattr") & pl.col("value").is_not_null() & pl.col("reason").is_not_null()
    return profile.with_columns(measure=pl.when(short).then(pl.lit("ttr")).otherwise("measure"))


def _values(profile: pl.DataFrame, measure: str, tokenizer: str | None = None) -> pl.DataFrame:
    """A measure's values by language, its native cell first."""
    own = profile.filter((pl.col("measure") == measure) & pl.col("value").is_not_null())
    if tokenizer is not None:
        own = own.filter(tokenizer=tokenizer)
    columns = ("language", "script", "condition", "value", "low", "high", "level")
    return own.sort("language", pl.col("condition") != "native", maintain_order=True).select(columns)


def _bars(profile: pl.DataFrame, tokenizer: str) -> list[ReportChart]:
    """Token parity where there are sources to hold the text against, else the premium or, failing that, fertility."""
    for measure, title, axis, parity in (
        ("tp", "Tokens for each token of the source", "TP (tokens per source token)", 1.0),
        ("token_premium", "Tokens for the segments that all languages have", "tokens over the cheapest's", 1.0),
        ("fertility", "Tokens for each word", "fertility (tokens per word)", None),
    ):
        values = _values(profile, measure, tokenizer)
        if values.height:
            said = [f"{_cell(row)}: {row['value']:.2f}." for row in values.iter_rows(named=True)]
            return [
                ReportChart(
                    name=f"{measure}-{tokenizer}",
                    title=f"{title} under {tokenizer}",
                    alt=f"Bars of {axis} by language and script. {' '.join(said)}",
                    draw=partial(bar_chart, values, axis=axis, parity=parity),
                    note=f"Lines at the ends of bars: {values['level'].max():.0%} intervals."
                    if values["low"].count()
                    else "",
                )
            ]
    return []


def _zones(moves: pl.DataFrame) -> ReportChart:
    said = [
        f"{_cell(row)} {row['condition']}: {row['value']:.2f}, {zone(row['value'])}."
        for row in moves.iter_rows(named=True)
    ]
    return ReportChart(
        name="ipi-zones",
        title="How far each language is from information parity, and where romanisation takes it",
        alt=f"Information parity index by language. {' '.join(said)}",
        draw=partial(zone_chart, moves),
        note="Filled circle: native script. Open arrowhead: the same translations romanised.",
    )


def _token_words(profile: pl.DataFrame, tokenizer: str) -> str:
    """TP in a sentence or two: who pays most and least in native script, and what romanisation does."""
    native = _values(profile, "tp", tokenizer).filter(condition="native").sort("value", maintain_order=True)
    if not native.height:
        return _words_without_sources(profile, tokenizer)
    costs = _most_and_least(native, lambda tp: f"{tp:.2f}", "takes {} tokens for each one of the source")
    said = f"Under {tokenizer}, {costs}."
    changes = _values(profile, "tp_change_pct", tokenizer).sort("value", maintain_order=True)
    if changes.height:
        said += f" Romanised, the same text of {_most_and_least(changes, _change, 'takes {} tokens', 'that of {} {}')}."
    return said


def _words_without_sources(profile: pl.DataFrame, tokenizer: str) -> str:
    """What shared segments say of cost, else what fertility can't say, and the way out."""
    shared = _values(profile, "token_premium", tokenizer).sort("value", maintain_order=True)
    if shared.height:
        least, most = shared.row(0, named=True), shared.row(-1, named=True)
        ends = "" if most["low"] is None else f" [{most['low']:.2f}, {most['high']:.2f}]"
        n = profile.filter(measure="token_premium", tokenizer=tokenizer)["n"][0]
        return (
            f"Under {tokenizer}, {_cell(most)} takes {most['value']:.2f}{ends} times as many tokens as {_cell(least)} "
            f"for the {n:,} segments whose ids all languages share. {_WORDS_DIFFER}, so fertility can't say this."
        )
    native = _values(profile, "fertility", tokenizer).filter(condition="native").sort("value", maintain_order=True)
    if not native.height:
        return ""
    costs = _most_and_least(native, lambda tokens: f"{tokens:.2f}", "takes {} tokens for each word")
    way = f"add a column `source` (what the texts translate){_OR_IDS if native.height > 1 else ''}"
    return f"Under {tokenizer}, {costs}. {_WORDS_DIFFER}, so this can't say which language costs more: {way}."


def _most_and_least(
    ordered: pl.DataFrame, show: Callable[[float], str], phrase: str, other: str = "and {} takes {}"
) -> str:
    """The last and the first row of a sorted frame in words."""
    least, most = ordered.row(0, named=True), ordered.row(-1, named=True)
    said = f"{_cell(most)} {phrase.format(show(most['value']))}"
    return said if ordered.height == 1 else f"{said}, {other.format(_cell(least), show(least['value']))}"


def _change(percent: float) -> str:
    return f"{abs(percent):.1f}% {'fewer' if percent < 0 else 'more'}"


def _zone_words(moves: pl.DataFrame) -> list[str]:
    """How many languages romanisation takes into the paradox zone."""
    native, romanized = (moves.filter(condition=condition) for condition in ("native", "romanized"))
    both = native.join(romanized, on="language", suffix="_romanized")
    if not both.height:
        return []
    start, end = (sum(zone(ipi) == "paradox" for ipi in both[c]) for c in ("value", "value_romanized"))
    return [
        f"Of {both.height} languages, {start} {'is' if start == 1 else 'are'} in the paradox zone of information "
        f"parity in native script and {end} romanised."
    ]


def _cell(row: dict[str, Any]) -> str:
    return cell_label(row["language"], row["script"])
