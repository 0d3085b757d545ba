"""Minimal pairs: counts, ties, directions, both layouts, and the warning under 100."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from equiglot.audit import PairColumns, minimal_pairs
from equiglot.errors import InputError

WIDE = PairColumns(good="good_sent_nll", bad="bad_sent_nll")


def wide(right, wrong, ties=0, language="en"):
    rows = [(language, 1.0, 2.0)] * right + [(language, 2.0, 1.0)] * wrong + [(language, 1.0, 1.0)] * ties
    return pl.DataFrame(rows, schema=["language", "good_sent_nll", "bad_sent_nll"], orient="row")


def accuracy(audit, **keys):
    return audit.accuracy.filter(measure="accuracy", **keys).row(0, named=True)


def test_accuracy_is_the_share_of_pairs_and_a_tie_is_no_success():
    audit = minimal_pairs(wide(120, 60, ties=20), WIDE)
    row = accuracy(audit)
    assert (row["value"], row["n"]) == (0.6, 200)
    assert row["low"] < 0.6 < row["high"]
    assert row["method"] == "Wilson"
    assert any("20 ties" in note for note in audit.notes)


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), min_size=1, max_size=30))
def test_one_row_per_sentence_is_the_same_as_one_per_pair(pairs):
    good, bad = ([pair[i] for pair in pairs] for i in (0, 1))
    frame = pl.DataFrame({"language": ["en"] * len(pairs), "good_sent_nll": good, "bad_sent_nll": bad})
    ids = [str(i) for i in range(len(pairs))]
    long = pl.DataFrame(
        {
            "id": ids * 2,
            "language": ["en"] * 2 * len(pairs),
            "kind": ["good"] * len(pairs) + ["bad"] * len(pairs),
            "sent_nll": good + bad,
        }
    )
    one, other = minimal_pairs(frame, WIDE), minimal_pairs(long.sample(fraction=1, shuffle=True, seed=1))
    for measure in ("accuracy", "ties"):
        rows = [audit.accuracy.filter(measure=measure).row(0, named=True) for audit in (one, other)]
        assert (
            rows[0]["value"]
            == rows[1]["value"]
            == pytest.approx(
                sum(g < b for g, b in pairs) / len(pairs) if measure == "accuracy" else sum(g == b for g, b in pairs)
            )
        )


def test_larger_is_better_turns_it_round():
    frame = wide(3, 1).rename({"good_sent_nll": "good_p", "bad_sent_nll": "bad_p"})
    columns = PairColumns(good="good_p", bad="bad_p", direction="higher")
    assert accuracy(minimal_pairs(frame, columns))["value"] == 0.25
    with pytest.raises(InputError, match="--direction"):
        minimal_pairs(frame, PairColumns(good="good_p", bad="bad_p"))


def test_few_pairs_are_warned_of_and_settle_nothing():
    frame = pl.concat([wide(190, 10, language="en"), wide(12, 8, language="ru")])
    audit = minimal_pairs(frame, WIDE)
    assert audit.answers[0].answer == "can't tell"
    assert any("Russian has 20 pairs" in note for note in audit.notes)
    assert minimal_pairs(wide(190, 10), WIDE).answers[0].answer == "yes"
    assert minimal_pairs(wide(100, 100), WIDE).answers[0].answer == "no"


def test_parts_of_languages_stand_beside_the_whole():
    frame = wide(150, 50).with_columns(phenomenon=pl.Series(["a", "b"] * 100))
    audit = minimal_pairs(frame, PairColumns(good="good_sent_nll", bad="bad_sent_nll", by="phenomenon"))
    own = audit.accuracy.filter(measure="accuracy")
    assert own["phenomenon"].to_list() == [None, "a", "b"]
    assert own["n"].to_list() == [200, 100, 100]


def test_models_are_told_apart():
    frame = pl.concat([wide(9, 1).with_columns(model=pl.lit("x")), wide(5, 5).with_columns(model=pl.lit("y"))])
    audit = minimal_pairs(frame, WIDE)
    assert [accuracy(audit, model=m)["value"] for m in "xy"] == [0.9, 0.5]
    assert [answer.metric for answer in audit.answers] == ["x", "y"]


def test_models_whose_names_join_alike_stay_apart():
    parts = [(wide(9, 1), "a b", "c"), (wide(5, 5), "a", "b c")]
    frame = pl.concat([pairs.with_columns(lm=pl.lit(lm), tokenizer=pl.lit(tok)) for pairs, lm, tok in parts])
    audit = minimal_pairs(frame, WIDE)
    assert [accuracy(audit, model=m)["value"] for m in ("a b / c", "a / b c")] == [0.9, 0.5]


@pytest.mark.parametrize("by", ["tag", "column"])
def test_scripts_of_a_language_stand_apart_and_only_where_it_has_several(by):
    parts = [(wide(60, 0), "hi", "Deva"), (wide(0, 60), "hi", "Latn"), (wide(60, 0), "en", "Latn")]
    frame = pl.concat(
        pairs.with_columns(language=pl.lit(f"{lang}-{script}"))
        if by == "tag"
        else pairs.with_columns(language=pl.lit(lang), script=pl.lit(script))
        for pairs, lang, script in parts
    )
    audit = minimal_pairs(frame, WIDE)
    assert [accuracy(audit, language=name)["value"] for name in ("hi-Deva", "hi-Latn", "en")] == [1.0, 0.0, 1.0]
    assert "Hindi 1.00" in audit.headline
    assert "Hindi (Latin) 0.00" in audit.headline


def test_a_pair_that_lacks_a_score_is_counted_and_left_out():
    frame = pl.concat([wide(3, 1), pl.DataFrame({"language": ["en"], "good_sent_nll": [None], "bad_sent_nll": [1.0]})])
    audit = minimal_pairs(frame, WIDE)
    assert (accuracy(audit)["n"], accuracy(audit)["n_failed"]) == (4, 1)
    lacking = wide(0, 1, language="ru").with_columns(good_sent_nll=pl.lit(None, pl.Float64))
    empty = accuracy(minimal_pairs(pl.concat([frame, lacking]), WIDE), language="ru")
    assert empty["value"] is None
    assert empty["reason"]
    with pytest.raises(InputError, match="no row has both scores"):
        minimal_pairs(lacking, WIDE)


@pytest.mark.parametrize(
    ("frame", "columns", "said"),
    [
        (wide(1, 1), PairColumns(good="good_sent_nll"), "name both"),
        (wide(1, 1), PairColumns(good="good", bad="bad"), "no column 'good'"),
        (wide(1, 1), PairColumns(), "--good and --bad"),
        (wide(1, 1).drop("language"), WIDE, "no column for the language"),
        (wide(1, 1, language="xx"), WIDE, "row 1, column 'language'"),
        (
            pl.DataFrame({"id": ["1"], "language": ["en"], "kind": ["fair"], "sent_nll": [1.0]}),
            PairColumns(),
            "neither good nor bad",
        ),
        (
            pl.DataFrame({"id": ["1", "1"], "language": ["en"] * 2, "kind": ["bad"] * 2, "sent_nll": [1.0, 2.0]}),
            PairColumns(),
            "two bad sentences of pair 1",
        ),
        (wide(1, 1), PairColumns(good="good_sent_nll", bad="bad_sent_nll", by="x"), "no column 'x'"),
    ],
)
def test_what_is_wrong_is_said(frame, columns, said):
    with pytest.raises(InputError, match=said):
        minimal_pairs(frame, columns)


@pytest.mark.parametrize("by", ["language", "model", "id", "good", "value"])
def test_a_column_that_means_something_else_splits_nothing(by):
    frame = wide(3, 1).with_columns(pl.lit("x").alias(by) if by != "language" else pl.col("language"))
    with pytest.raises(InputError, match=f"can't be split by '{by}'"):
        minimal_pairs(frame, PairColumns(good="good_sent_nll", bad="bad_sent_nll", by=by))


def sentences(good="1", bad="1", *, pairs=1, **columns):
    """Pairs of which every good sentence is the likelier, a row per sentence; ids begin with ``good`` and ``bad``."""
    frame = pl.DataFrame(
        {
            "id": [f"{start}{i}" for i in range(pairs) for start in (good, bad)],
            "language": "en",
            "kind": ["good", "bad"] * pairs,
            "sent_nll": [1.0, 2.0] * pairs,
        }
    )
    return frame.with_columns(pl.Series(name, values) for name, values in columns.items())


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (sentences("a", "b"), "give the two sentences of a pair the same id and language$"),
        (sentences(model=["x", "y"]), "the same id and language and model"),
        (sentences().with_columns(sent_nll=pl.lit(None, pl.Float64)), "no row has a value of sent_nll"),
    ],
)
def test_no_complete_pair_is_no_answer(frame, said):
    with pytest.raises(InputError, match=said):
        minimal_pairs(frame)


def test_the_column_that_says_good_or_bad_names_no_models():
    frame = sentences(pairs=3, condition="native").with_columns(system=pl.col("kind"))
    for found in (
        minimal_pairs(frame),
        minimal_pairs(frame.drop("kind"), PairColumns(kind="system")),
        minimal_pairs(frame.drop("condition").rename({"kind": "condition"})),
    ):
        assert (accuracy(found)["value"], accuracy(found)["n"], accuracy(found)["model"]) == (1.0, 3, "model")


@pytest.mark.parametrize(
    ("right", "wrong", "answer"), [(5, 0, "can't tell"), (6, 0, "yes"), (8, 1, "yes"), (7, 1, "can't tell")]
)
def test_few_pairs_ask_for_the_exact_test_as_well(right, wrong, answer):
    audit = minimal_pairs(wide(right, wrong), WIDE)
    assert accuracy(audit)["low"] > 0.5 or answer == "can't tell"
    assert audit.answers[0].answer == answer
    assert f"exact p = {binomtest(right, right + wrong).pvalue:.2g}" in audit.answers[0].sentence
    for said in (audit.answers[0].sentence, audit.headline):
        assert f"English has {right + wrong} pairs" in said
    assert "at least 100" in audit.answers[0].fix


def test_a_language_is_warned_of_once_and_the_width_is_the_intervals_own():
    frame = pl.concat([wide(5, 0).with_columns(model=pl.lit(name)) for name in "xy"])
    (note,) = minimal_pairs(frame, WIDE).notes
    assert note.count("English") == 1
    assert note.endswith("up to 43 points wide")
    assert not minimal_pairs(wide(90, 10), WIDE).notes
