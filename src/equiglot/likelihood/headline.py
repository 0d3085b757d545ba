"""Which language the model finds easiest, in words: by the sentence first, then by what divides it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from equiglot.likelihood.by_language import language_order
from equiglot.likelihood.neighbours import Neighbours

__all__ = ["likelihood_headline"]

_NAMES = {
    "bpb": "bits per byte",
    "bpc": "bits per character",
    "bpec": "bits per source character",
    "token_nll": "NLL per token (and perplexity)",
    "mrr": "mean reciprocal rank",
}


def likelihood_headline(table: pl.DataFrame, model: str, pairs: Sequence[Neighbours] = ()) -> str:
    """The order of languages by sentence NLL, with values and intervals, and which metrics give another one.

    A language whose sentences have no value is named after the others, and so are conditions other than the first,
    which are left to the table.

    Args:
        table: from :func:`~equiglot.likelihood.likelihood_profile`.
        model: what to call it.
        pairs: from :func:`~equiglot.likelihood.neighbours`, of the same table: what can be told apart is said then.
    """
    first, *more = table["condition"].unique(maintain_order=True)
    kept_out = f" This is of the condition {first}; the table has {_listed(more)} too." if more else ""
    table = table.filter(condition=first)
    lacking = table.filter(pl.col("measure") == "sent_nll", pl.col("value").is_null())["language"].unique(
        maintain_order=True
    )
    table = table.filter(pl.col("value").is_not_null())
    rows = table.filter(pl.col("measure") == "sent_nll")
    if rows.is_empty():
        return f"{model} can score none of these texts."
    if rows.height == 1 or rows["language"].n_unique() < rows.height:
        told = "; ".join(f"{row['language']}-{row['script']} {_told(row)}" for row in rows.iter_rows(named=True))
        return f"A sentence costs {model} {told}.{_lacking(lacking)}{kept_out}"
    order = language_order(table, "sent_nll")
    best, worst = (rows.row(by_predicate=pl.col("language") == name, named=True) for name in (order[0], order[-1]))
    sentences = [
        f"By sentence NLL {model} finds {best['language']} easiest ({_told(best)}) and {worst['language']} hardest "
        f"({_told(worst)}); the order is {_listed(order)}." + _close(pairs)
    ]
    others = {name: language_order(table, key) for key, name in _NAMES.items() if key in table["measure"]}
    complete = {name: found for name, found in others.items() if len(found) == len(order)}
    if same := [name for name, found in complete.items() if found == order]:
        sentences.append(f"The same order by: {', '.join(same)}.")
    if another := [f"{name} ({_listed(found)})" for name, found in complete.items() if found != order]:
        sentences.append(f"Another order by: {'; '.join(another)}.")
    return " ".join(sentences) + _lacking(lacking) + kept_out


def _close(pairs: Sequence[Neighbours]) -> str:
    """Which neighbours in the order could as well stand the other way round."""
    if not pairs:
        return ""
    unknown = [f"{pair.first} and {pair.second} ({pair.reason})" for pair in pairs if pair.apart() is None]
    close = [f"{pair.first} and {pair.second}" for pair in pairs if pair.apart() is False]
    said: list[str] = []
    if close:
        said.append(
            f"Neighbours not told apart on the texts that they share (paired t, Holm, p >= 0.05): {'; '.join(close)}."
        )
    elif not unknown:
        said.append("Each can be told from the next on the texts that they share (paired t, Holm, p < 0.05).")
    if unknown:
        said.append(f"Not known to be apart: {'; '.join(unknown)}.")
    return "".join(f" {sentence}" for sentence in said)


def _lacking(languages: Iterable[str]) -> str:
    named = _listed(list(languages))
    return f" No sentence has a value in: {named}." if named else ""


def _told(row: dict[str, Any]) -> str:
    between = "" if row["low"] is None else f", {100 * row['level']:g}% interval {row['low']:.1f} to {row['high']:.1f}"
    return f"{row['value']:.1f} nats{between}, n = {row['n']:,}"


def _listed(order: Sequence[str]) -> str:
    return ", ".join(order)
