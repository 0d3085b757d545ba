"""Real translations: what the data's own description says of foreign letters in them."""

from __future__ import annotations

import polars as pl
import pytest

from equiglot.text import script_letters
from equiglot.validity import Policy
from equiglot.validity.validate import judged

LATIN = {"gu": 71, "ta": 77, "ml": 40, "mr": 50, "hi": 47}
"""Targets with Latin letters, of 1,400 each (indicmt/README.md)."""

SCRIPTS = {"gu": "Gujr", "ta": "Taml", "ml": "Mlym", "mr": "Deva", "hi": "Deva"}


@pytest.fixture(scope="module")
def judged_rows(shared_data):
    frame = pl.read_parquet(shared_data / "indicmt" / "segments.parquet")
    frame = frame.with_columns(script=pl.col("language").replace_strict(SCRIPTS))
    return judged(frame.select("language", "script", "source", "target"), Policy(), ())


def test_latin_letters_are_found_where_the_data_has_them(judged_rows):
    alone = judged(judged_rows.select("language", "script", "target"), Policy(), ())
    latin = alone.filter(pl.col("failure_details").str.contains('"script": "Latn"'))
    found = dict(latin.group_by("language").len().iter_rows())
    letters = script_letters(judged_rows["target"]).filter(script="Latn")["row"]
    counted = dict(judged_rows[letters.unique().to_list()].group_by("language").len().iter_rows())
    assert counted == LATIN
    # All but those whose Latin letters stand in addresses alone.
    assert all(LATIN[language] - 3 <= found[language] <= LATIN[language] for language in LATIN)


def test_most_latin_words_are_the_sources_own(judged_rows):
    spilled = judged_rows.filter(pl.col("failures").list.contains("spillage"))
    assert 0 < spilled.height < sum(LATIN.values()) / 2


def test_professional_systems_do_not_copy_nor_loop(judged_rows):
    assert judged_rows.filter(pl.col("failure").is_in(["empty", "copy", "degenerate"])).height <= 7


def test_remarks_on_real_text_are_few_and_right(judged_rows, shared_data):
    kinds = ("placeholder", "no letters", "short loop")
    told = judged_rows.filter(pl.col("remarks").list.set_intersection(list(kinds)).list.len() > 0)
    assert told["remarks"].to_list() == [["short loop"]] * 4  # translations that say a word up to 13 times over
    flores = pl.read_parquet(shared_data / "parallel" / "texts_flores.parquet").drop("sentence")
    scripts = {"ar": "Arab", "ko": "Kore", "ru": "Cyrl", "zh": "Hans"}
    texts = flores.unpivot(flores.columns, index=None, variable_name="language", value_name="target")
    texts = texts.with_columns(
        script=pl.col("language").replace_strict(scripts, default="Latn"), source=pl.lit("What it is a translation of")
    )
    found = judged(texts, Policy(), ())["remarks"].explode()
    assert not found.is_in(kinds).any()
