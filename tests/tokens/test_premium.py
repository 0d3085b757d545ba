"""Tokens for shared segments: the ratio of totals over segments that every language has, and never over made-up ids."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.report import parity_section
from equiglot.table import Segments, from_frame
from equiglot.tokens import Tokenizer, token_profile

HINDI, TAMIL = "मैं कल दिल्ली जा रहा हूँ", "நான் நாளை டெல்லி செல்கிறேன்"


def table(ids: bool = True, n: int = 6, **columns: str) -> Segments:
    rows = [(f"s{i}", language, f"{text} {i}") for language, text in (("hi", HINDI), ("ta", TAMIL)) for i in range(n)]
    frame = pl.DataFrame(rows, schema=["id", "language", "target"], orient="row")
    frame = frame.with_columns(
        script=pl.col("language").replace_strict({"hi": "Deva", "ta": "Taml"}),
        **{name: pl.lit(value) for name, value in columns.items()},
    )
    return from_frame(frame if ids else frame.drop("id"))


def premiums(segments: Segments, tokenizer: Tokenizer) -> dict[str, float]:
    found = token_profile(segments, tokenizer, resamples=50).filter(measure="token_premium")
    return dict(found.select("language", "value").rows())


@given(keep=st.sets(st.integers(0, 11), min_size=1))
def test_it_is_the_ratio_of_totals_over_shared_segments(xlmr: Tokenizer, keep: set[int]) -> None:
    segments = table()
    frame = segments.frame[sorted(keep)]
    found = premiums(Segments(frame), xlmr)
    counts = {
        language: dict(zip(part["id"], xlmr.count(part["target"]), strict=True))
        for (language,), part in frame.group_by("language")
    }
    shared = set.intersection(*(set(ids) for ids in counts.values())) if len(counts) == 2 else set()
    if not shared:
        assert found == {}
        return
    totals = {language: sum(ids[i] for i in shared) for language, ids in counts.items()}
    assert found == pytest.approx({language: total / min(totals.values()) for language, total in totals.items()})


def test_the_language_it_is_held_against_is_in_the_signature(xlmr: Tokenizer) -> None:
    rows = token_profile(table(), xlmr, resamples=50).filter(measure="token_premium").sort("value")
    assert rows["value"][0] == 1.0
    assert rows["low"].to_list()[0] is None
    assert all("against:" in signed for signed in rows["signature"])
    assert rows["n"].to_list() == [6, 6]


def test_ids_made_up_by_place_and_sources_call_for_none(xlmr: Tokenizer) -> None:
    assert premiums(table(ids=False), xlmr) == {}
    assert premiums(table(source="I am going to Delhi tomorrow"), xlmr) == {}


def test_the_lead_says_what_fertility_cannot_and_what_to_add(xlmr: Tokenizer) -> None:
    without = parity_section(token_profile(table(ids=False), xlmr, resamples=50)).lead
    assert "tokens for each word" in without
    assert "can't say which language costs more: add a column `source`" in without
    assert xlmr.identity in without
    shared = parity_section(token_profile(table(), xlmr, resamples=50))
    assert "times as many tokens as" in shared.lead
    assert "for the 6 segments whose ids all languages share" in shared.lead
    assert shared.charts[0].name.startswith("token_premium-")
