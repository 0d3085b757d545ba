"""Tables of scores that can't be what they say: counts, metrics, missing scores, pairs that count twice."""

from __future__ import annotations

from datetime import timedelta

import polars as pl
import pytest

from equiglot.audit import PairColumns, ScoreOptions, minimal_pairs, scores_from_frame, stability_audit
from equiglot.cli._scores import numbers_of
from equiglot.errors import InputError

GOOD = {"sent_nll": [9.0, 8.0], "n_tokens": [4, 3], "n_scored": [3, 3], "n_bytes": [9, 8], "n_chars": [9, 8]}
PAIRS = pl.DataFrame(
    {"id": [1, 2, 3], "language": "en", "good_sent_nll": [1.0, 2.0, 3.0], "bad_sent_nll": [2.0, 1.0, 4.0]}
)
WIDE = {"good": "good_sent_nll", "bad": "bad_sent_nll"}
LONG = pl.DataFrame({"id": [1, 1], "language": "en", "kind": ["good", "bad"], "sent_nll": [1.0, 2.0]})


def table(**columns):
    return pl.DataFrame({"id": ["1", "2"], "language": ["en", "de"], **GOOD, **columns})


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("n_bytes", [9, -3], "row 2, column 'n_bytes': n_bytes of -3 is no count"),
        ("n_scored", [-1, 3], "row 1, column 'n_scored': n_scored of -1 is no count"),
        ("n_chars", [2.5, 8.0], "row 1, column 'n_chars': n_chars of 2.5 is no count"),
        ("n_cut", [0, -1], "row 2, column 'n_cut': n_cut of -1 is no count"),
        ("n_scored", [3, 4], "row 2, column 'n_scored': n_scored of 4 is more than the row's n_tokens"),
        ("n_bytes", [9, 0], "row 2, column 'n_bytes': n_bytes of 0 can't be, for the text has a score"),
        ("n_chars", [None, 0], "row 2, column 'n_chars': n_chars of 0 can't be"),
        ("n_tokens", [0, 3], "row 1, column 'n_tokens': n_tokens of 0 can't be"),
        ("n_scored", [0, 3], "row 1, column 'n_scored': n_scored of 0 can't be"),
    ],
)
def test_what_is_no_count_is_refused(column, values, said):
    with pytest.raises(InputError) as raised:
        scores_from_frame(table(**{column: values}))
    assert said in str(raised.value)
    assert raised.value.fix


@pytest.mark.parametrize("score", [None, 0.0])
def test_a_text_with_nothing_scored_may_have_counts_of_0(score):
    empty = {name: [values[0], 0] for name, values in GOOD.items()} | {"sent_nll": [9.0, score]}
    found = scores_from_frame(table(**empty))
    assert found.frame["sent_nll"].to_list() == [9.0, score]
    assert found.frame["bpb"][1] is None


def test_counts_may_be_missing_or_whole_floats_and_n_cut_0():
    assert scores_from_frame(table(n_bytes=[9.0, None], n_cut=[0, 2])).cut


@pytest.mark.parametrize("metric", ["n_bytes", "n_tokens", "id", "language", "vocab_size", "text"])
def test_a_count_or_a_key_is_no_metric(metric):
    frame = table(vocab_size=[5, 6], text=["a", "b"])
    with pytest.raises(InputError, match=f"'{metric}' is a co.*not a score"):
        scores_from_frame(frame, options=ScoreOptions(metrics=[metric], direction="lower"))


@pytest.mark.parametrize("value", ["true", "True", "T", "t", "1", "1.0", "yes", "Y", 1, 1.0, True])
def test_whatever_says_yes_is_a_cut(value):
    assert scores_from_frame(table(truncated=[None, value])).frame["truncated"].to_list() == [None, True]


@pytest.mark.parametrize("value", ["false", "F", "0", "0.0", "No", "n", 0, 0.0, False])
def test_whatever_says_no_is_none(value):
    assert not scores_from_frame(table(truncated=[None, value])).cut


@pytest.mark.parametrize("value", ["maybe", "", 2, 0.5])
def test_another_word_is_no_answer_to_whether_a_text_was_cut(value):
    with pytest.raises(InputError, match=r"row 2, column 'truncated': .*neither true nor false; write true or false"):
        scores_from_frame(table(truncated=[None, value]))


@pytest.mark.parametrize("column", ["target", "first", "truncated", "condition", "script", "text"])
@pytest.mark.parametrize("value", [["a", "b"], b"\xff", timedelta(1), {"a": 1}])
def test_what_no_text_stands_for_is_refused_in_one_line(column, value):
    columns = {"script": ["Latn"] * 2, "condition": ["native"] * 2, column: [value] * 2}
    with pytest.raises(InputError, match=f"row 1, column '{column}'"):
        scores_from_frame(table(**columns))
    with pytest.raises(InputError, match=f"row 1, column '{column}'"):
        minimal_pairs(LONG.with_columns(pl.Series(column, [value] * 2)), PairColumns(kind=column))


@pytest.mark.parametrize("value", [["a", "b"], b"\xff", timedelta(1)])
def test_pairs_are_not_split_by_what_is_no_text(value):
    with pytest.raises(InputError, match="row 1, column 'part'"):
        minimal_pairs(LONG.with_columns(part=pl.Series([value] * 2)), PairColumns(by="part"))
    with pytest.raises(InputError, match="row 1, column 'condition'"):
        minimal_pairs(LONG.drop("kind").with_columns(condition=pl.Series([value] * 2)))


@pytest.mark.parametrize("seeds", [[0, 0, 0, 1], [-1, 1], [-2, 5]])
def test_a_sample_drawn_again_is_no_other_sample(seeds):
    scores = scores_from_frame(table())
    with pytest.raises(InputError, match="give different seeds from 0 on"):
        stability_audit(scores, seeds=seeds)


@pytest.mark.parametrize("option", ["0,0,1", "3,1,2,3", "0-5,5"])
def test_a_list_that_names_a_number_twice_is_refused(option):
    with pytest.raises(InputError, match=r"--seeds names [035] twice"):
        numbers_of(option, "--seeds")
    assert numbers_of("3,0-2", "--seeds") == [3, 0, 1, 2]


def lacking(**columns):
    """English and Chinese, five sentences each, of which Chinese has two scores."""
    scores = [1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 2.0, None, None, None]
    frame = pl.DataFrame({"id": [*range(5)] * 2, "language": ["en"] * 5 + ["zh"] * 5, "sent_nll": scores})
    return frame.with_columns(pl.Series(name, values) for name, values in columns.items())


def told(frame):
    return [note for note in scores_from_frame(frame).notes if "lack" in note]


def test_scores_that_one_language_lacks_are_told_by_metric():
    (note,) = told(lacking(mrr=[0.5] * 10))
    assert note.startswith("rows lack sent_nll where")
    assert "zh 3 of 5;" in note
    assert len(told(lacking(mrr=[None] + [0.5] * 9))) == 2


def test_they_are_told_by_model_though_another_has_them():
    frame = pl.concat([lacking(model=["a"] * 10), lacking(model=["b"] * 10, sent_nll=[1.0] * 10)])
    (note,) = told(frame)
    assert "zh 3 of 5 (a);" in note


def test_they_are_told_where_each_language_has_a_model_of_its_own():
    (note,) = told(lacking(model=["a"] * 5 + ["b"] * 5))
    assert "zh 3 of 5 (b);" in note


def test_a_score_that_no_language_has_of_a_sentence_leaves_content_matched():
    assert not told(lacking(sent_nll=[None, 1.0, 2.0, 3.0, 4.0] * 2))
    one = lacking(model=["a"] * 10, sent_nll=[1.0] * 10, mrr=[0.5] * 10)
    other = lacking(model=["b"] * 10, sent_nll=[1.0] * 10)
    assert not told(pl.concat([one, other], how="diagonal"))


@pytest.mark.parametrize(
    ("frame", "columns", "said"),
    [
        (PAIRS, PairColumns(**WIDE, model=["typo"]), "there is no column 'typo'"),
        (LONG, PairColumns(model=["sent_nll", "typo"]), "there is no column 'typo'"),
        (PAIRS, PairColumns(good="good_sent_nll", bad="good_sent_nll"), "'good_sent_nll' was named as both scores"),
        (LONG, PairColumns(by="kind"), "can't be split by 'kind'"),
        (LONG.rename({"kind": "condition"}), PairColumns(by="condition"), "can't be split by 'condition'"),
        (LONG, PairColumns(by="sent_nll"), "can't be split by 'sent_nll'"),
        (PAIRS, PairColumns(**WIDE, by="good_sent_nll"), "can't be split by 'good_sent_nll'"),
        (PAIRS.with_columns(id=pl.Series([1, 2, 1])), PairColumns(**WIDE), "two rows of pair 1, in rows 1 and 3"),
        (PAIRS.with_columns(bad_sent_nll=-20.0), PairColumns(**WIDE), "row 1, column 'bad_sent_nll': sent_nll is -20"),
        (LONG.with_columns(sent_nll=-10.0), PairColumns(), "column 'sent_nll': sent_nll is -10, and can't be below 0"),
        (LONG.with_columns(ppl=0.5), PairColumns(score="ppl"), "ppl is 0.5, and can't be below 1"),
        (LONG, PairColumns(score="id", direction="lower"), "'id' is a column .*not a score; name a score with --score"),
        (PAIRS, PairColumns("id", "bad_sent_nll", direction="lower"), "not a score; name a score with --good and --b"),
        (pl.concat([LONG, LONG]), PairColumns(), "two good sentences of pair 1, in rows 1 and 3"),
    ],
)
def test_what_is_wrong_with_pairs_is_said(frame, columns, said):
    with pytest.raises(InputError, match=said):
        minimal_pairs(frame, columns)


@pytest.mark.parametrize("column", ["language", "model", "phenomenon"])
def test_pairs_of_one_id_count_where_a_column_tells_them_apart(column):
    other = PAIRS.with_columns(pl.lit("de").alias(column))
    both = pl.concat([PAIRS.with_columns(pl.lit("en").alias(column)), other], how="diagonal")
    audit = minimal_pairs(both, PairColumns(**WIDE, by="phenomenon" if column == "phenomenon" else None))
    assert set(audit.accuracy.filter(measure="accuracy")["n"]) == ({3, 6} if column == "phenomenon" else {3})


def test_without_ids_equal_rows_are_pairs():
    same = pl.concat([PAIRS.drop("id")] * 2)
    assert minimal_pairs(same, PairColumns(**WIDE)).accuracy["n"][0] == 6
