"""Means, ranks and tests of a ranking, against a plain recomputation, and the cases where there is nothing to say."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.rank import rank_systems
from equiglot.report import rank_section
from equiglot.table import Segments

INFO = MeasureInfo("m", "share", "higher", "metric:m|origin:brought")


def table(rows, info=INFO):
    """Rows of (id, language, system, score, valid)."""
    frame = pl.DataFrame(
        rows,
        schema={
            "id": pl.String,
            "language": pl.String,
            "system": pl.String,
            info.name: pl.Float64,
            "valid": pl.Boolean,
        },
        orient="row",
    ).with_columns(script=pl.lit("Latn"), condition=pl.lit("romanized"), target=pl.lit("x"))
    return Segments(frame, {info.name: info})


def values(ranking, measure, language=None):
    found = ranking.systems.filter(measure=measure)
    if "language" in found.columns:
        found = found.filter(pl.col("language").eq_missing(pl.lit(language)))
    return dict(found.select("system", "value").iter_rows())


def ranked(segments, **options):
    return rank_systems(segments, ["m"], resamples=100, permutations=100, **options)


systems = st.sampled_from(["a", "b", "c"])
cells = st.tuples(st.floats(0, 1), st.booleans())


@settings(max_examples=40)
@given(st.dictionaries(st.tuples(st.integers(0, 6), st.sampled_from(["hi", "te"])), st.tuples(cells, cells, cells),
                       min_size=1))  # fmt: skip
def test_means_equal_a_plain_recomputation(items):
    rows = [
        (str(i), language, name, score, valid)
        for (i, language), of in items.items()
        for name, (score, valid) in zip("abc", of, strict=True)
    ]
    ranking = ranked(table(rows))
    languages = {language for _, language in items}
    for language in [*languages, None] if len(languages) > 1 else languages:
        chosen = [row for row in rows if language is None or row[1] == language]
        for name in "abc":
            mine = [(score, valid) for _, _, system, score, valid in chosen if system == name]
            aware = sum(score for score, valid in mine if valid) / len(mine)
            sound = [score for score, valid in mine if valid]
            assert values(ranking, "mean_aware", language)[name] == pytest.approx(aware, abs=1e-12)
            expected = pytest.approx(sum(sound) / len(sound), abs=1e-12) if sound else None
            assert values(ranking, "mean_valid", language)[name] == expected
            assert values(ranking, "invalid", language)[name] == pytest.approx(100 * (1 - len(sound) / len(mine)))


@given(st.randoms())
def test_row_order_changes_nothing(random):
    rows = [(str(i), "hi", name, (i * 7 + ord(name)) % 10 / 10, (i + ord(name)) % 4 > 0)
            for i, name in itertools.product(range(8), "ab")]  # fmt: skip
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert ranked(table(rows)).systems.equals(ranked(table(shuffled)).systems)


def test_counting_failures_changes_the_order():
    rows = [(str(i), "hi", "fluent", 0.9, i % 2 == 0) for i in range(40)]
    rows += [(str(i), "hi", "plain", 0.6, True) for i in range(40)]
    ranking = ranked(table(rows))
    assert values(ranking, "rank_aware", "hi") == {"plain": 1, "fluent": 2}
    assert values(ranking, "rank_valid", "hi") == {"fluent": 1, "plain": 2}
    assert values(ranking, "rank_change", "hi") == {"fluent": 1, "plain": -1}
    assert "plain is first" in ranking.headline
    assert "would put fluent first" in ranking.headline
    assert "(0.0% of its answers invalid)" in ranking.headline
    assert "fluent (50.0% invalid)" in ranking.headline


def test_clusters_part_what_differs_and_join_what_does_not():
    draw = np.random.default_rng(1).random((60, 3)) * 0.1
    rows = [(str(i), "hi", name, base + draw[i, k], True)
            for i in range(60) for k, (name, base) in enumerate((("a", 0.5), ("b", 0.5), ("c", 0.1)))]  # fmt: skip
    assert values(ranked(table(rows)), "cluster", "hi") == {"a": 1, "b": 1, "c": 2}


def agreeing(segments, systems="ab", languages=("hi", "te", "kn")):
    """Every segment says that each system is better than the next, by a little more or less."""
    return table([(str(i), language, name, 0.9 - 0.2 * k - 0.01 * (i % 3) * k, True)
                  for i in range(segments) for language in languages for k, name in enumerate(systems)])  # fmt: skip


def test_the_permutation_test_is_of_every_sign_flip_where_segments_are_few():
    scores = np.array([[0.9, 0.4], [0.3, 0.5], [0.8, 0.1], [0.6, 0.2], [0.7, 0.7], [0.9, 0.3]])
    rows = [(str(i), "hi", name, scores[i, k], True) for i in range(6) for k, name in enumerate("ab")]
    gap = scores[:, 0] - scores[:, 1]
    flips = np.array(list(itertools.product((-1, 1), repeat=6))) @ gap
    exact = (np.abs(flips) >= abs(gap.sum()) - 1e-12).mean()
    for seed in range(3):
        pairs = ranked(table(rows), seed=seed).pairs
        assert pairs.filter(measure="p_permutation")["value"].item() == pytest.approx(exact, abs=1e-15)
        assert pairs.filter(measure="segments")["value"].item() == 6
        assert "|test:paired permutation, all 64 sign flips|" in pairs["signature"][0]


@pytest.mark.parametrize("seed", range(4))
def test_five_segments_cannot_tell_two_systems_apart(seed):
    """Of 32 sign flips two reach the whole agreement, p = 0.0625, whatever the seed and however many languages."""
    ranking = ranked(agreeing(5), seed=seed)
    assert set(ranking.pairs.filter(measure="p_holm")["value"]) == {2 / 32}
    assert "a is first" in ranking.headline
    assert "can't be told from b" in ranking.headline
    told = "5 segments can't show a difference at 0.05, whatever they say: no p can be below 0.0625"
    assert [note for note in ranking.notes if "can't show" in note] == [told]
    assert set(values(ranked(agreeing(5), alpha=2 / 32), "cluster").values()) == {1}, "p is at alpha, not below"
    enough = ranked(agreeing(6), seed=seed)
    assert "ahead of b" in enough.headline
    assert not any("can't show" in note for note in enough.notes)


def test_more_systems_need_more_segments_or_sign_flips():
    """Holm's correction takes the smallest p times the pairs: 3 x 2 / 64, and 15 / 101."""
    told = [note for note in ranked(agreeing(6, "abc")).notes if "can't show" in note]
    assert told == [
        "6 segments can't show a difference between 3 systems at 0.05, whatever they say: no Holm-corrected p can be "
        "below 0.09375"
    ]
    assert set(values(ranked(agreeing(6, "abc")), "cluster").values()) == {1}
    many = agreeing(14, "abcdef", ["hi"])
    told = [note for note in ranked(many).notes if "can't show" in note]
    assert told == [
        "100 sign flips can't show a difference between 6 systems at 0.05, whatever they say: no Holm-corrected p can "
        "be below 0.148515; --permutations takes more"
    ]
    assert set(values(ranked(many), "cluster", "hi").values()) == {1}
    taken = rank_systems(many, ["m"], resamples=100, permutations=1000)
    assert len(set(values(taken, "cluster", "hi").values())) == 6
    assert not any("can't show" in note for note in taken.notes)


def test_items_that_not_every_system_has_are_left_out_and_counted():
    rows = [("1", "hi", "a", 0.5, True), ("1", "hi", "b", 0.4, True), ("2", "hi", "a", 0.9, True),
            ("3", "hi", "a", None, True), ("3", "hi", "b", 0.1, True)]  # fmt: skip
    ranking = ranked(table(rows))
    assert values(ranking, "mean_aware", "hi") == {"a": 0.5, "b": 0.4}
    assert any("2 items left out" in note for note in ranking.notes)


def test_the_share_of_invalid_answers_is_of_all_rows():
    rows = [("1", "hi", "a", 0.5, True), ("1", "hi", "b", 0.4, True), ("2", "hi", "a", 0.9, False),
            ("3", "hi", "a", None, True), ("3", "hi", "b", 0.1, False)]  # fmt: skip
    ranking = ranked(table(rows))
    own = ranking.systems.filter(measure="invalid").select("system", "value", "n").rows()
    assert own == [("a", pytest.approx(100 / 3), 3), ("b", 50.0, 2)]
    assert ranking.failures.filter(measure="invalid").select("system", "value", "n").rows() == own


def test_by_the_share_of_valid_answers():
    rows = [(str(i), "hi", name, None, i % 2 == 0 or name == "b") for i in range(40) for name in "ab"]
    ranking = rank_systems(table(rows), ["valid"], resamples=100, permutations=100)
    assert values(ranking, "mean_aware", "hi") == {"a": 0.5, "b": 1.0}
    assert values(ranking, "rank_aware", "hi") == {"a": 2, "b": 1}
    assert values(ranking, "mean_valid", "hi") == {}
    assert ranking.headline.startswith("By share of valid answers, b is first with 1.000 [1.000, 1.000], ahead of a")
    assert ranking.copying.is_empty()
    with pytest.raises(InputError, match="counts valid answers"):
        rank_systems(table(rows), ["valid"], invalid_scores={"valid": 0.5})


def test_a_table_for_each_metric_with_its_unit_and_its_items():
    points = MeasureInfo("p", "points", "higher", "metric:p|origin:brought")
    made = table([(str(i), "hi", name, 0.5, i > 2) for i in range(8) for name in "ab"])
    both = Segments(made.frame.with_columns(p=pl.col("m") * 100), {"m": INFO, "p": points})
    ranking = rank_systems(both, ["m", "p"], resamples=100, permutations=100)
    tables = {made.name: made for made in rank_section(ranking).tables}
    for name, unit in (("m", "share"), ("p", "points")):
        frame = tables[f"standings-{name}"].frame
        assert {f"Failures counted ({unit})", "Items", "Valid items"} <= set(frame.columns)
        assert frame.select("Items", "Valid items").rows() == [("8", "5")] * 2
        assert "n" not in frame.columns
        assert f"Difference ({unit})" in tables[f"pairs-{name}"].frame.columns


def test_an_invalid_answer_without_a_score_counts_as_a_failure():
    rows = [("1", "hi", "a", None, False), ("2", "hi", "a", 0.8, True)]
    assert values(ranked(table(rows)), "mean_aware", "hi") == {"a": 0.4}


def test_nothing_in_common():
    rows = [("1", "hi", "a", 0.5, True), ("2", "hi", "b", 0.4, True)]
    ranking = ranked(table(rows))
    assert values(ranking, "mean_aware", "hi") == {"a": None, "b": None}
    assert "nothing can be ranked" in ranking.headline
    assert ranking.pairs.is_empty()


def test_every_answer_invalid():
    rows = [(str(i), "hi", name, 0.5, False) for i in range(4) for name in "ab"]
    ranking = ranked(table(rows))
    assert values(ranking, "mean_aware", "hi") == {"a": 0, "b": 0}
    assert values(ranking, "mean_valid", "hi") == {"a": None, "b": None}


def test_zero_would_reward_failures_where_smaller_is_better():
    info = MeasureInfo("ter", "score", "lower", "metric:ter|origin:brought")
    rows = [(str(i), "hi", name, 50.0 + i, i > 0) for i in range(4) for name in "ab"]
    with pytest.raises(InputError, match="would reward failures"):
        rank_systems(table(rows, info), ["ter"])
    ranking = rank_systems(table(rows, info), ["ter"], invalid_scores={"ter": 200}, resamples=100, permutations=100)
    assert values(ranking, "mean_aware", "hi")["a"] == pytest.approx((200 + 51 + 52 + 53) / 4)
    assert "invalid:200" in ranking.systems["signature"][0]


def test_a_valid_answer_below_the_score_of_an_invalid_one_is_told():
    rows = [("1", "hi", "a", -0.2, True), ("2", "hi", "a", 0.4, True)]
    assert any("1 valid row has a worse m than invalid ones get" in note for note in ranked(table(rows)).notes)


@pytest.mark.parametrize("said", ["maybe", None])
def test_a_valid_that_is_neither_yes_nor_no(said):
    segments = table([("1", "hi", "a", 0.5, True), ("2", "hi", "a", 0.5, True)])
    frame = segments.frame.with_columns(pl.Series("valid", ["true", said]))
    with pytest.raises(InputError, match="neither yes nor no"):
        ranked(Segments(frame, segments.measures))


def test_words_for_valid():
    segments = table([("1", "hi", "a", 0.5, True), ("2", "hi", "a", 0.5, True)])
    frame = segments.frame.with_columns(pl.Series("valid", ["TRUE", "0"]))
    assert values(ranked(Segments(frame, segments.measures)), "mean_aware", "hi") == {"a": 0.25}
