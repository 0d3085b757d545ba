"""Parity and profile: reference values of the papers' data, laws, and what is left out."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.measures import RESULT_COLUMNS
from equiglot.table import Segments
from equiglot.text import romanize
from equiglot.tokens import Tokenizer, add_parity, load_tokenizer, token_profile
from equiglot.tokens._ratio import bootstrap_ratio

Rows = Callable[..., pl.DataFrame]
LANGUAGES = {"gu": "Gujr", "ta": "Taml", "ml": "Mlym", "mr": "Deva", "hi": "Deva"}


@pytest.fixture(scope="module")
def indicmt(shared_data: Path) -> Segments:
    frame = pl.read_parquet(shared_data / "indicmt" / "segments.parquet").select(
        pl.col("segment_id").alias("id"),
        "language",
        pl.col("language").replace_strict(LANGUAGES).alias("script"),
        pl.lit("native").alias("condition"),
        *("system", "source", "target", "reference", "human"),
    )
    return romanize(Segments(frame), "itrans-paper", reference=False)


@pytest.fixture(scope="module")
def profile(indicmt: Segments, xlmr: Tokenizer) -> pl.DataFrame:
    return token_profile(indicmt, xlmr, marks=True, resamples=20)


@pytest.fixture(scope="module")
def tables(shared_data: Path) -> dict[str, Any]:
    return json.loads((shared_data / "indicmt" / "expected.json").read_text("utf-8"))["tables"]


@pytest.mark.parametrize(
    ("table", "measure", "condition"),
    [
        ("table10_tp_native", "tp", "native"),
        ("table2_tp_romanised", "tp", "romanized"),
        ("table2_tp_delta_pct", "tp_change_pct", "romanized/native"),
        ("table11_lp", "lp", "romanized/native"),
        ("table12_native", "word_token_rho", "native"),
        ("table12_romanised", "word_token_rho", "romanized"),
        ("table10_dv_per_1k_vowel_signs", "dv_per_1k", "native"),
        ("table10_dv_per_1k_any_mark", "mark_per_1k", "native"),
        ("table13_one_token_pct", "one_token_pct", "native"),
        ("xlmr_tokens_native_total", "ctc", "native"),
        ("xlmr_tokens_romanised_total", "ctc", "romanized"),
    ],
)
def test_values_of_paper_1(
    profile: pl.DataFrame, tables: dict[str, Any], table: str, measure: str, condition: str
) -> None:
    expected = tables[table]
    rows = profile.filter(measure=measure, condition=condition)
    found = dict(rows.select("language", "value").rows())
    # The published values carry six digits and the tests' tolerance is far below the paper's three.
    assert found == pytest.approx(expected["values"], abs=max(5e-5, expected["tolerance"] / 20))


def test_fertility_of_paper_1(profile: pl.DataFrame, tables: dict[str, Any]) -> None:
    tokens, words = (tables[f"{t}_native_total"]["values"] for t in ("xlmr_tokens", "whitespace_words"))
    found = dict(profile.filter(measure="fertility", condition="native").select("language", "value").rows())
    assert found == pytest.approx({language: tokens[language] / words[language] for language in tokens})


def test_list_a_from_pieces(indicmt: Segments, xlmr: Tokenizer, tables: dict[str, Any]) -> None:
    """The third symbol set of the data's notes, counted through the public vocabulary."""
    signs = "AA I II U UU VOCALIC_R E EE AI O OO AU".replace(" ", ",").replace("_", " ").split(",")
    for language, block in {"gu": "GUJARATI", "ta": "TAMIL", "ml": "MALAYALAM", "mr": "DEVANAGARI"}.items():
        names = [f"{block} VOWEL SIGN {s}" for s in signs] + [
            f"{block} SIGN {s}" for s in ("ANUSVARA", "VISARGA", "VIRAMA")
        ]
        wanted = {_named(name) for name in names} - {None}
        ids = [i for i, t in enumerate(xlmr.vocabulary.tokens) if (t or b"").decode().removeprefix(" ") in wanted]
        counts = np.zeros(xlmr.vocab_size, dtype=np.int64)
        targets = indicmt.frame.filter(language=language, condition="native")["target"]
        for encoded in xlmr.encode(targets):
            np.add.at(counts, encoded, 1)
        expected = tables["table10_dv_per_1k_list_a"]["values"][language]
        assert 1000 * counts[ids].sum() / counts.sum() == pytest.approx(expected, abs=1e-5)


def _named(name: str) -> str | None:
    """The mark of that name, if there is one; Tamil's SIGN VISARGA is a letter."""
    try:
        character = unicodedata.lookup(name)
    except KeyError:
        return None
    return character if unicodedata.category(character).startswith("M") else None


def test_profile_is_a_result_table(profile: pl.DataFrame, xlmr: Tokenizer) -> None:
    keys = ["language", "script", "condition", "tokenizer"]
    assert profile.columns == [*keys, *RESULT_COLUMNS]
    assert profile.select(keys).equals(profile.select(keys).sort(keys))
    assert set(profile["tokenizer"]) == {xlmr.identity}
    assert profile["signature"].str.contains(f"tok:{xlmr.identity}", literal=True).all()
    romanized = profile.filter(pl.col("condition") != "native")["signature"]
    assert romanized.str.contains("romanizer:itrans-paper@", literal=True).all()
    assert not profile.filter(condition="native")["signature"].str.contains("romanizer").any()
    inside = profile.filter(pl.col("low").is_not_null())
    assert inside.filter((pl.col("low") > pl.col("value")) | (pl.col("high") < pl.col("value"))).height <= 2


def test_row_order_does_not_matter(indicmt: Segments, xlmr: Tokenizer, profile: pl.DataFrame) -> None:
    shuffled = Segments(indicmt.frame.sample(fraction=1, shuffle=True, seed=3), indicmt.measures)
    other = token_profile(shuffled, [xlmr], marks=True, resamples=20)
    keys = ["language", "script", "condition", "tokenizer", "measure"]
    assert other.sort(keys).equals(profile.sort(keys))


def test_tokenizers_side_by_side(native: Rows, xlmr: Tokenizer, file: Path) -> None:
    segments = Segments(native(source=["the cat", "on"], target=["नमस्ते", "the mat"]))
    other = load_tokenizer(str(file))
    both = token_profile(segments, [xlmr, other], resamples=10)
    for tokenizer in (xlmr, other):
        alone = token_profile(segments, tokenizer, resamples=10)
        assert both.filter(tokenizer=tokenizer.identity).equals(alone)
    with pytest.raises(InputError, match="given 2 times"):
        token_profile(segments, [xlmr, xlmr])


def test_parity_of_rows_without_text_is_null_with_a_reason(native: Rows, xlmr: Tokenizer) -> None:
    targets = ["नमस्ते जी", None, "", " ", "\u200d", "a", "a", "a"]
    sources = ["hello sir", "a", "a", "a", "a", None, "", "\t"]
    table = add_parity(Segments(native(source=sources, target=targets)), xlmr)
    assert table.frame["tp"].to_list() == [1.0, *[None] * 7]
    assert table.frame["tp_reason"].to_list() == [
        None, "target is missing", "target is empty", "target is white space", "target is invisible",
        "source is missing", "source is empty", "source is white space",
    ]  # fmt: skip
    assert table.frame["n_tokens"].to_list()[:4] == [3.0, None, 0.0, 1.0]
    assert table.frame["n_tokens_reason"].to_list() == [None, "target is missing", *[None] * 6]
    assert table.frame["n_source_tokens"][5] is None
    assert (table.measures["tp"].unit, table.measures["tp"].direction) == ("ratio", "neutral")
    assert f"tok:{xlmr.identity}" in table.measures["tp"].signature

    row = token_profile(table, xlmr).row(by_predicate=pl.col("measure") == "tp", named=True)
    assert (row["value"], row["n"], row["n_failed"]) == (1.0, 1, 7)
    assert row["low"] is None
    assert row["reason"].startswith("one row; an interval needs at least 2; 1 left out: source is empty; ")
    row = token_profile(table, xlmr).row(by_predicate=pl.col("measure") == "ctc", named=True)
    assert (row["n"], row["n_failed"]) == (4, 4)


def test_degenerate_cells_give_nulls_with_reasons(native: Rows, xlmr: Tokenizer) -> None:
    nothing = native(source=["a", "a"], target=["", None])
    something = native(source=["a"], target=["x"]).with_columns(language=pl.lit("ta"))
    empty = token_profile(Segments(pl.concat([nothing, something])), xlmr)
    rows = empty.filter(language="hi")
    assert rows["value"].null_count() == rows.height
    assert rows["reason"].null_count() == 0
    same = token_profile(Segments(native(source=["a"] * 4, target=["x y"] * 4)), xlmr)
    rho = same.row(by_predicate=pl.col("measure") == "word_token_rho", named=True)
    assert rho["value"] is None
    assert "same" in rho["reason"]


def test_no_source_column_leaves_the_rest(native: Rows, xlmr: Tokenizer) -> None:
    table = token_profile(Segments(native(target=["नमस्ते", "जी"])), xlmr)
    tp = table.row(by_predicate=pl.col("measure") == "tp", named=True)
    assert (tp["value"], tp["n"], tp["n_failed"]) == (None, 0, 2)
    assert "2 left out: the table has no sources" in tp["reason"]
    assert table.filter(measure="ctc")["value"][0] > 0
    with pytest.raises(InputError, match="no column 'source'"):
        add_parity(Segments(native(target=["नमस्ते"])), xlmr)
    with pytest.raises(InputError, match="no column 'target'"):
        token_profile(Segments(native(source=["a"])), xlmr)


def test_language_penalty_pairs_by_segment(native: Rows, xlmr: Tokenizer) -> None:
    a = native(source=["the cat", "on", "a mat"], target=["नमस्ते", "जी", ""])
    romanized = a.with_columns(
        condition=pl.lit("romanized"), script=pl.lit("Latn"), target=pl.Series(["namaste", "ji", ""])
    )
    table = Segments(pl.concat([a, romanized[::-1][:2], romanized[1:1]]))  # the first has no romanised twin
    tp = add_parity(table, xlmr).frame
    lp = token_profile(table, xlmr).row(by_predicate=pl.col("measure") == "lp", named=True)
    twin = tp.filter(id="1")["tp"]
    assert lp["value"] == pytest.approx(twin[1] / twin[0])
    assert (lp["n"], lp["n_failed"]) == (1, 2)
    assert "1 left out: no romanized row" in lp["reason"]
    assert "1 left out: no tp in one condition" in lp["reason"]
    twice = Segments(pl.concat([a, romanized, romanized]))
    lp = token_profile(twice, xlmr).row(by_predicate=pl.col("measure") == "lp", named=True)
    assert lp["value"] is None
    assert "occur twice" in lp["reason"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)), min_size=2, max_size=30))
def test_ratio_bootstrap_against_a_plain_loop(pairs: list[tuple[int, int]]) -> None:
    top, bottom = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    estimate = bootstrap_ratio(top, bottom, seed=5, resamples=30)
    assert estimate.value == pytest.approx(top.sum() / bottom.sum())
    assert bootstrap_ratio(top[::-1], bottom[::-1], seed=5, resamples=30) == estimate
    if not top.any():
        assert estimate.interval is None
        return
    ordered = sorted(pairs)
    rng = np.random.default_rng(5)
    ratios = []
    for drawn in rng.integers(0, len(pairs), size=(30, len(pairs))):
        ratios.append(sum(ordered[i][0] for i in drawn) / sum(ordered[i][1] for i in drawn))
    assert estimate.interval is not None
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx(tuple(np.quantile(ratios, [0.025, 0.975])))


def test_ratio_without_a_value() -> None:
    nothing = np.zeros(0)
    assert bootstrap_ratio(nothing, nothing).reason == "no rows"
    assert bootstrap_ratio(np.ones(2), np.zeros(2)).value is None
    some = bootstrap_ratio(np.array([1.0, 0.0]), np.array([1.0, 0.0]), resamples=50)
    assert some.value == 1.0
    assert some.interval is not None
    assert "undefined" in some.interval.method
