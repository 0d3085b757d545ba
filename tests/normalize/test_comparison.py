"""The comparison on made tables whose answer is known, and what it refuses."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import Direction, MeasureInfo
from equiglot.normalize import CEILING, compare_corrections
from equiglot.table import Segments

SHIFTS = {"gu": -10.0, "ta": 5.0, "hi": 0.0}
SCRIPTS = {"gu": "Gujr", "ta": "Taml", "hi": "Deva"}


def made(*, n: int = 200, noise: float = 6.0, direction: Direction = "higher", seed: int = 0) -> Segments:
    """Native scores that follow people's; romanised ones that follow them less and lie elsewhere, by language."""
    rng = np.random.default_rng(seed)
    turn = -1.0 if direction == "lower" else 1.0
    parts: list[pl.DataFrame] = []
    for language, shift in SHIFTS.items():
        human = rng.normal(15, 4, n).round(2)
        native = 70 + turn * human + rng.normal(0, 2, n)
        romanized = native + shift + rng.normal(0, noise, n)
        for condition, script, scores in (("native", SCRIPTS[language], native), ("romanized", "Latn", romanized)):
            parts.append(
                pl.DataFrame(
                    {
                        "id": [f"s{i // 2}" for i in range(n)],
                        "language": language,
                        "script": script,
                        "condition": condition,
                        "system": [f"system {i % 2}" for i in range(n)],
                        "comet": scores,
                        "human": human if condition == "native" else None,
                    },
                    schema_overrides={"human": pl.Float64},
                )
            )
    return Segments(pl.concat(parts), {"comet": MeasureInfo("comet", "points", direction, "metric:comet")})


def value(table: pl.DataFrame, measure: str, correction: str, reference: str | None = "native-own") -> float:
    rows = table.filter(measure=measure, correction=correction)
    return rows.filter(pl.col("reference").eq_missing(pl.lit(reference, pl.String)))["value"].item()


@pytest.fixture(scope="module")
def found():
    return compare_corrections(made(), "comet", resamples=200)


def test_every_correction_closes_the_shift_and_the_raw_one_is_what_was_put_in(found) -> None:
    assert value(found.table, "abs_delta", "identity", None) == pytest.approx(5.0, abs=0.7)
    for correction in ("shift", "affine", "isotonic", "qn"):
        assert value(found.table, "abs_delta", correction) < 1.2


def test_order_within_a_language_stays_but_for_ties(found) -> None:
    raw = value(found.table, "rho_within", "identity", None)
    for correction in ("shift", "affine"):
        assert value(found.table, "rho_within", correction) == pytest.approx(raw, abs=1e-12)
        assert value(found.table, "rho_within", correction, "native-pooled") == pytest.approx(raw, abs=1e-12)
    # Scores beyond the fitted range meet in a tie at its end.
    assert value(found.table, "rho_within", "qn") == pytest.approx(raw, abs=1e-3)


def test_pooled_agreement_rises_and_the_native_row_is_the_ceiling(found) -> None:
    raw, ceiling = (value(found.table, "rho_pooled", c, None) for c in ("identity", CEILING))
    for correction in ("shift", "affine", "isotonic", "qn"):
        own = value(found.table, "rho_pooled", correction)
        assert raw < own < ceiling
        assert value(found.table, "pooled_gain", correction) == pytest.approx(own - raw)
    assert value(found.table, "abs_delta", CEILING, None) == 0.0
    assert found.table.filter(measure="behind_best")["value"].min() == 0.0


def test_the_headline_names_the_fault_that_is_left(found) -> None:
    assert "P2, no order-preserving map can mend" in found.headline
    assert "all languages together goes from" in found.headline


def test_every_value_has_its_n_interval_and_signature(found) -> None:
    for table in (found.table, found.languages):
        assert table["value"].null_count() == 0
        assert table["low"].null_count() == 0
        assert (table["low"] <= table["high"]).all()
        assert set(table["signature"]) == {found.signature}
    assert set(found.table["n"]) == {300}
    assert set(found.languages["n"]) == {100}


def test_deltas_by_language_are_signed_and_native_less_romanised_is_known(found) -> None:
    own = found.languages.filter(measure="delta", correction="identity")
    deltas = dict(own.select("language", "value").iter_rows())
    assert deltas == pytest.approx(SHIFTS, abs=1.5)


def test_halves_do_not_share_a_segment_and_row_order_does_not_matter() -> None:
    from equiglot.normalize._pairs import rated_pairs
    from equiglot.normalize.comparison import _halves

    table = made(n=60)
    pairs, _ = rated_pairs(table, "comet", "human", fewest=20)
    one, two = _halves(pairs, 42)
    assert one.height == two.height == 90
    assert not one.join(two, on=["language", "id"], how="semi").height
    shuffled = Segments(table.frame.sample(fraction=1.0, shuffle=True, seed=3), table.measures)
    first, second = (compare_corrections(t, "comet", resamples=100).table for t in (table, shuffled))
    assert first.equals(second)


def test_lower_is_better_is_read_the_other_way_round() -> None:
    found = compare_corrections(made(direction="lower"), "comet", resamples=100)
    raw = value(found.table, "rho_pooled", "identity", None)
    assert raw < 0
    assert value(found.table, "rho_pooled", "qn") < raw
    best = found.table.filter(measure="behind_best", value=0.0)["correction"].to_list()
    pooled = found.table.filter(measure="rho_pooled").filter(~pl.col("correction").is_in(["identity", CEILING]))
    assert best == [pooled.sort("value")["correction"][0]]


def test_a_language_with_few_ratings_is_left_out_and_named() -> None:
    table = made(n=60)
    few = (pl.col("language") == "hi") & (pl.int_range(pl.len()).over("language") >= 10)
    frame = table.frame.with_columns(human=pl.when(few).then(None).otherwise("human"))
    found = compare_corrections(Segments(frame, table.measures), "comet", resamples=100)
    assert "hi" not in set(found.languages["language"])
    assert any("hi left out" in note for note in found.notes)


def test_tables_without_pairs_or_people_are_refused() -> None:
    table = made(n=60)
    native = Segments(table.frame.filter(condition="native"), table.measures)
    with pytest.raises(InputError, match="no language has 20 rated translations"):
        compare_corrections(native, "comet")
    with pytest.raises(InputError, match="no column 'human'"):
        compare_corrections(Segments(table.frame.drop("human"), table.measures), "comet")
    with pytest.raises(InputError, match="no measure 'chrf'"):
        compare_corrections(table, "chrf")


def test_a_constant_romanised_score_has_no_rho_and_no_fault_of_ours() -> None:
    table = made(n=60)
    frame = table.frame.with_columns(comet=pl.when(pl.col("condition") == "romanized").then(1.0).otherwise("comet"))
    found = compare_corrections(Segments(frame, table.measures), "comet", resamples=100)
    rhos = found.table.filter(measure="rho_within", correction="shift")
    assert rhos["value"].null_count() == rhos.height
    assert rhos["reason"].null_count() == 0


def test_a_language_in_two_scripts_is_one_language() -> None:
    table = made(n=60)
    other = (pl.col("language") == "hi") & (pl.col("condition") == "native") & (pl.col("id") < "s2")
    frame = table.frame.with_columns(script=pl.when(other).then(pl.lit("Gujr")).otherwise("script"))
    found = compare_corrections(Segments(frame, table.measures), "comet", resamples=100)
    assert sorted(set(found.languages["script"])) == ["Deva+Gujr", "Gujr", "Taml"]
    raw, whole = (f.languages.filter(correction="identity", language="hi") for f in (found, found_of(table)))
    assert raw["value"].to_list() == whole["value"].to_list()


def found_of(table: Segments):
    return compare_corrections(table, "comet", resamples=100)


def test_a_language_of_one_segment_has_no_halves() -> None:
    table = made(n=60)
    names = pl.format("system {}", pl.int_range(pl.len()).over("language", "condition"))
    one = pl.col("language") == "hi"
    frame = table.frame.with_columns(
        id=pl.when(one).then(pl.lit("s0")).otherwise("id"), system=pl.when(one).then(names).otherwise("system")
    )
    found = compare_corrections(Segments(frame, table.measures), "comet", resamples=100)
    assert "hi" not in set(found.languages["language"])
    assert "Too few segments to split in two: hi left out." in found.notes
    with pytest.raises(InputError, match="in each half of its segments"):
        compare_corrections(Segments(frame.filter(one), table.measures), "comet")


def test_people_who_give_one_score_leave_agreement_open() -> None:
    table = made(n=60)
    found = compare_corrections(
        Segments(table.frame.with_columns(human=pl.lit(7.0)), table.measures), "comet", resamples=100
    )
    assert (
        "How far comet agrees with people can't be told: the scores, or people's, are all the same." in found.headline
    )
