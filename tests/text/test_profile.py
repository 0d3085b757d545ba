"""The table of text facts: its shape, its nulls, and that it says what its parts say."""

from __future__ import annotations

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import RESULT_COLUMNS
from equiglot.table import Segments
from equiglot.text import byte_premium, mattr, text_profile

_NATIVE = ["segments", "words", "chars", "bytes", "mattr", "byte_premium", "byte_premium_content", "length_premium"]


def _segments(targets, *, condition="native", source="One two.", **more) -> Segments:
    n = len(targets)
    frame = pl.DataFrame(
        {
            "id": [str(i) for i in range(n)],
            "language": ["hi"] * n,
            "script": ["Deva"] * n,
            "condition": [condition] * n,
            "system": ["a"] * n,
            "source": [source] * n,
            "target": pl.Series(targets, dtype=pl.String),
        }
    )
    return Segments(frame.with_columns(pl.lit(value).alias(name) for name, value in more.items()))


def _values(table: pl.DataFrame) -> dict[str, float | None]:
    return dict(table.select("measure", "value").rows())


def test_shape():
    table = text_profile(_segments(["एक दो"]))
    assert table.columns == ["language", "script", "condition", *RESULT_COLUMNS]
    assert table["measure"].to_list() == _NATIVE
    romanized = text_profile(_segments(["ek do"], condition="romanized"))
    assert romanized["measure"].to_list() == [*_NATIVE, "residual_letters", "residual_rows"]


def test_cells_come_in_their_order():
    both = pl.concat([_segments(["एक"]).frame, _segments(["ek"], condition="romanized").frame, _segments(["दो"]).frame])
    table = text_profile(Segments(both))
    assert table["condition"].unique(maintain_order=True).to_list() == ["native", "romanized"]
    assert table.filter(measure="segments", condition="native")["value"].item() == 2


def test_says_what_its_parts_say():
    targets = ["एक दो एक", "तीन"]
    values = _values(text_profile(_segments(targets)))
    assert values["segments"] == 2
    assert values["words"] == 4
    assert values["chars"] == 11
    assert values["mattr"] == mattr(targets).value
    assert values["byte_premium"] == byte_premium(targets, ["One two."] * 2).value


def test_failures_are_counted_apart_and_rest_on_nothing():
    table = text_profile(_segments(["एक", None, "", " ", "\u200b", "\u200b"]))
    row = table.row(by_predicate=pl.col("measure") == "segments", named=True)
    assert (row["value"], row["n"], row["n_failed"]) == (6, 1, 5)
    assert row["reason"] == "1 missing, 1 empty, 1 white space, 2 invisible"
    assert set(table["n"]) == {1}
    assert set(table["n_failed"]) == {5}
    alone = text_profile(_segments(["एक"]))
    assert _values(table) == _values(alone) | {"segments": 6}


def test_no_text_at_all_is_null_with_a_reason():
    frame = pl.concat([_segments(["", " "]).frame, _segments(["एक"]).frame.with_columns(language=pl.lit("mr"))])
    table = text_profile(Segments(frame)).filter(language="hi")
    assert table["value"].drop_nulls().to_list() == [2]
    assert table["reason"].null_count() == 0


def test_premiums_are_null_without_a_source():
    absent = Segments(_segments(["एक"]).frame.drop("source"))
    null = _segments(["एक"]).frame.with_columns(source=pl.lit(None, pl.String))
    for segments, reason in ((absent, "the table has no source"), (Segments(null), "no pair of target and source")):
        table = text_profile(segments).filter(pl.col("measure").str.contains("premium"))
        assert table["value"].null_count() == 3
        assert table["reason"].str.contains(reason).all()


def test_residue_and_romaniser():
    table = text_profile(_segments(["avaன ன", "ek"], condition="romanized", romanizer="itrans@1"))
    values = _values(table)
    assert (values["residual_letters"], values["residual_rows"]) == (2, 1)
    assert table["signature"].str.contains("|romanizer:itrans@1|v:", literal=True).all()
    assert set(table.filter(pl.col("measure").str.starts_with("residual"))["direction"]) == {"lower"}


def test_refuses_a_table_without_targets():
    with pytest.raises(InputError, match="no column 'target'"):
        text_profile(Segments(_segments(["a"]).frame.drop("target")))


def test_an_empty_table_is_an_empty_result():
    assert text_profile(Segments(_segments([]).frame)).is_empty()
