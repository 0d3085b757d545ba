"""Tokens of a corpus are counted text by text, of the texts that have a score."""

from __future__ import annotations

import polars as pl
import pytest

from equiglot.audit import ScoreOptions, scores_from_frame
from equiglot.audit._language_means import corpus_tokens
from equiglot.audit.scores import FirstToken

Row = tuple[float | None, int | None, int | None]


def _tokens(
    rows: list[Row], first: FirstToken | None, *, names: tuple[str, ...] = ("sent_nll", "n_tokens", "n_scored")
):
    frame = pl.DataFrame(rows, schema=dict.fromkeys(("sent_nll", "n_tokens", "n_scored"), pl.Float64), orient="row")
    frame = frame.select(names).with_columns(pl.lit("en").alias("language"), pl.lit(0.5).alias("mrr"))
    found = corpus_tokens(scores_from_frame(frame, options=ScoreOptions(first_token=first)))
    return None if found is None else found.select("ctc", "mean", "n").rows()


@pytest.mark.parametrize("first", ["skipped", "scored", None])
def test_an_empty_text_as_likelihood_writes_it_is_no_token(first):
    step = 0 if first == "scored" else 1
    rows: list[Row] = [(None, None, 0), (20.0, 9, 9 - step), (21.0, 11, 11 - step)]
    assert _tokens(rows, first) == [(20.0, 10.0, 2)]
    assert _tokens(rows[:1] * 3 + rows[1:], first) == [(20.0, 10.0, 2)]


@pytest.mark.parametrize(("first", "ctc"), [("skipped", 9 + 8 + 12), ("scored", 9 + 7 + 12)])
def test_one_missing_count_changes_no_other_row(first, ctc):
    rows: list[Row] = [(20.0, 9, 3), (21.0, None, 7), (22.0, 12, 4)]  # cut texts: n_scored says less than n_tokens
    assert _tokens(rows, first) == [(float(ctc), pytest.approx(ctc / 3), 3)]


def test_a_text_of_one_token_counts_where_its_sum_is_there():
    assert _tokens([(0.0, 1, 0), (20.0, 9, 8)], "skipped") == [(10.0, 5.0, 2)]
    assert _tokens([(0.0, None, 0), (20.0, None, 8)], "skipped") == [(10.0, 5.0, 2)]


def test_either_count_is_enough_and_none_is_no_table():
    rows: list[Row] = [(20.0, 9, 8), (21.0, 11, 10)]
    assert _tokens(rows, "skipped", names=("sent_nll", "n_tokens")) == [(20.0, 10.0, 2)]
    assert _tokens(rows, "skipped", names=("sent_nll", "n_scored")) == [(20.0, 10.0, 2)]
    assert _tokens(rows, "skipped", names=("n_scored",)) == [(20.0, 10.0, 2)]
    assert _tokens(rows, "skipped", names=("sent_nll",)) is None
