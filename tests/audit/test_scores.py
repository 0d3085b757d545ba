"""Tables of language-model scores: which columns they have, what is derived, what is refused."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.audit import ScoreOptions, read_scores, scores_from_frame
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table import Segments, write_segments

LN2 = math.log(2)


def table(**columns):
    return pl.DataFrame({"id": ["1", "2"], "language": ["en", "de"], **columns})


positive = st.floats(0.01, 1e4)


@given(positive, st.integers(1, 300), st.integers(1, 900), st.integers(1, 900))
def test_each_measure_is_derived_from_any_other_and_its_counts(nll, scored, size, chars):
    counts = {"n_scored": [scored] * 2, "n_bytes": [size] * 2, "n_chars": [chars] * 2}
    whole = {
        "sent_nll": nll,
        "token_nll": nll / scored,
        "bpb": nll / (size * LN2),
        "bpc": nll / (chars * LN2),
    }
    for given_one, value in whole.items():
        found = scores_from_frame(table(**{given_one: [value] * 2}, **counts))
        for name, wanted in whole.items():
            assert found.frame[name][0] == pytest.approx(wanted, rel=1e-9)
        # the law that a missing ln 2 would break: 2^bpb = exp(sent_nll)^(1 / bytes)
        assert found.frame["bpb"][0] * LN2 == pytest.approx(found.frame["sent_nll"][0] / size, rel=1e-9)
        assert any(note.startswith("ppl was derived") for note in found.notes)
    assert "mrr" not in found.measures


def test_what_is_there_is_left_as_it_is():
    found = scores_from_frame(table(sent_nll=[10.0, None], bpb=[9.0, 2.0], n_bytes=[5, 5]))
    assert found.frame["bpb"].to_list() == [9.0, 2.0]
    assert found.frame["sent_nll"][0] == 10.0
    assert found.frame["sent_nll"][1] == pytest.approx(2.0 * 5 * LN2)
    assert "sent_nll was derived in 1 row from the other columns" in found.notes


def test_a_text_with_nothing_scored_has_a_sum_and_no_mean():
    found = scores_from_frame(table(sent_nll=[0.0, 5.0], n_scored=[0, 2], n_bytes=[3, 3]))
    assert found.frame["sent_nll"][0] == 0.0
    assert found.frame["bpb"][0] == 0.0
    assert found.frame["token_nll"][0] is None
    assert found.frame["ppl"][0] is None


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.sampled_from(["en", "de"]), st.sampled_from("ab")), unique=True, min_size=1
    )
)
def test_the_matrix_is_the_table(rows):
    frame = pl.DataFrame(rows, schema=["id", "language", "model"], orient="row")
    frame = frame.with_columns(sent_nll=pl.Series(np.random.default_rng(0).uniform(1, 9, len(rows))))
    found = scores_from_frame(frame.sample(fraction=1, shuffle=True, seed=1))
    matrix = found.matrix("sent_nll")
    assert matrix.ids == sorted(map(str, {row[0] for row in rows}), key=float)
    several = frame["model"].n_unique() > 1
    for i, name in enumerate(matrix.ids):
        for j, (language, _, model) in enumerate(matrix.cells.iter_rows()):
            own = frame.filter(pl.col("id").eq(int(name)), language=language)
            own = own.filter(model=model) if several else own
            assert bool(matrix.present[i, j]) == bool(own.height)
            if own.height:
                assert matrix.values[i, j] == own["sent_nll"][0]


def test_the_mean_of_perplexities_is_geometric():
    frame = pl.DataFrame({"id": ["1", "2"], "language": ["en", "en"], "ppl": [2.0, 8.0]})
    assert scores_from_frame(frame).matrix("ppl").means()[0] == pytest.approx(4.0)


def test_models_are_told_apart_by_the_columns_that_vary():
    frame = pl.DataFrame(
        {
            "id": ["1"] * 3,
            "language": ["en"] * 3,
            "tokenizer": ["bpe"] * 3,
            "vocab_size": [10000, 8192, 500],
            "bpb": 1.0,
        }
    )
    found = scores_from_frame(frame)
    assert found.models == ["500", "8192", "10000"]
    assert found.model_columns == ("vocab_size",)
    both = scores_from_frame(frame.with_columns(tokenizer=pl.Series(["a", "a", "b"])))
    assert both.models == ["a 500", "a 8192", "b 10000"] or set(both.models) == {"a 10000", "a 8192", "b 500"}


def test_several_files_are_several_models(tmp_path):
    for name in ("first", "second"):
        table(sent_nll=[1.0, 2.0]).write_csv(tmp_path / f"{name}.csv")
    found = read_scores([tmp_path / "first.csv", tmp_path / "second.csv"])
    assert found.models == ["first", "second"]


def test_what_equiglot_wrote_is_read_with_its_signature_and_its_policy(tmp_path):
    frame = pl.DataFrame(
        {
            "id": ["1", "2"] * 2,
            "language": ["hi"] * 4,
            "script": ["Deva"] * 2 + ["Latn"] * 2,
            "condition": ["native"] * 2 + ["romanized"] * 2,
            "system": "human",
            "target": ["नमस्ते", "हाँ", "namaste", "haan"],
            "sent_nll": [9.0, 4.0, 12.0, 6.0],
            "n_scored": [3, 2, 5, 4],
        }
    )
    info = MeasureInfo("sent_nll", "nats", "lower", "metric:sent_nll|lm:gemma|first:scored|v:1")
    write_segments(Segments(frame, {"sent_nll": info}), tmp_path / "scores.parquet")
    found = read_scores([tmp_path / "scores.parquet"])
    assert found.measures["sent_nll"].signature == info.signature
    assert found.first_token == "scored"
    assert found.languages == ["hi-Deva", "hi-Latn"]
    first = found.frame.filter(language="hi-Deva", id="1")
    assert first["text_bytes"][0] == 18
    assert first["bpb"][0] == pytest.approx(9.0 / (18 * LN2))


TEXTS = pl.DataFrame({"id": ["1", "2"], "en": ["a b", "cd"], "de": ["ä b", "e\u00a0f"]})


@pytest.mark.parametrize("long", [False, True])
def test_texts_wide_or_long(long):
    texts = TEXTS.unpivot(index="id", variable_name="language", value_name="target") if long else TEXTS
    found = scores_from_frame(table(sent_nll=[1.0, 2.0]), texts).frame
    assert found["text_bytes"].to_list() == [3, 4]
    assert found["text_chars"].to_list() == [3, 3]
    assert found["text_bytes_nospace"].to_list() == [2, 2]
    assert found["bpc"][1] == pytest.approx(2.0 / (3 * LN2))


def test_texts_that_are_lacking_are_told():
    found = scores_from_frame(table(sent_nll=[1.0, 2.0]), TEXTS.select("id", "en"))
    assert found.frame["text_bytes"].to_list() == [3, None]
    assert any("lacks the texts of 1 row (de)" in note for note in found.notes)
    with pytest.raises(InputError, match="no text belongs to any of the scores"):
        scores_from_frame(table(sent_nll=[1.0, 2.0]), pl.DataFrame({"id": ["1"], "fr": ["a"]}))


def test_texts_that_were_scored_are_not_taken_for_names_of_texts():
    frame = pl.DataFrame(
        {"id": list("123456"), "language": ["en"] * 6, "text": [f"sentence {i}" for i in range(6)], "bpb": [1.0] * 6}
    )
    assert scores_from_frame(frame).frame["text"].unique().to_list() == ["en"]


def test_a_cut_is_never_silent():
    found = scores_from_frame(
        table(sent_nll=[5.0, 6.0], bpb=[1.0, 1.0], truncated=[True, False], n_bytes=[7, 8]), TEXTS
    )
    assert found.cut
    assert any("texts were cut before they were scored: en 1 of 1" in note for note in found.notes)
    assert found.frame["sent_nll_uncut"][0] == pytest.approx(3 * LN2)
    assert "estimated" in found.measures["sent_nll_uncut"].signature


def test_tokens_that_equiglot_cut_are_counted_back():
    found = scores_from_frame(table(sent_nll=[6.0, 6.0], n_scored=[3, 3], n_cut=[2, 0]))
    assert found.cut
    assert found.frame["sent_nll_uncut"].to_list() == pytest.approx([10.0, 6.0])


def test_unmatched_content_is_told():
    frame = pl.DataFrame({"id": ["1", "2", "1"], "language": ["en", "en", "de"], "bpb": [1.0, 1.0, 1.0]})
    assert any("content is not matched" in note for note in scores_from_frame(frame).notes)


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (table(score=[1.0, 2.0]), "no score that is known"),
        (table(sent_nll=["x", "2"]), "'x' is not a number"),
        (table(sent_nll=[-3.0, 2.0]), "turn the sign"),
        (table(ppl=[0.5, 2.0]), "can't be below 1"),
        (table(mrr=[0.5, 20.0]), "row 2, column 'mrr'"),
        (table(bpb=[float("nan"), 2.0]), "NaN"),
        (pl.DataFrame({"id": ["1"], "bpb": [1.0]}), "no column for the language"),
        (pl.DataFrame({"id": ["1"], "language": ["xx"], "bpb": [1.0]}), "'xx' is not a language"),
        (pl.DataFrame({"id": ["1", "1"], "language": ["en", "en"], "bpb": [1.0, 2.0]}), "rows 1 and 2"),
        (pl.DataFrame({"id": ["1"], "segment": ["1"], "sentence": ["1"], "language": ["en"], "bpb": [1.0]}).drop("id"),
         "could each be id"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(frame, said):
    with pytest.raises(InputError) as error:
        scores_from_frame(frame)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_score_of_ones_own_needs_a_direction():
    with pytest.raises(InputError, match="--direction"):
        scores_from_frame(table(mine=[1.0, 2.0]), options=ScoreOptions(metrics=["mine"]))
    found = scores_from_frame(table(mine=[-1.0, 2.0]), options=ScoreOptions(metrics=["mine"], direction="higher"))
    assert found.measures["mine"].direction == "higher"


def test_a_direction_that_contradicts_a_known_metric_is_refused():
    with pytest.raises(InputError, match="this metric's is 'higher'"):
        scores_from_frame(table(mrr=[0.1, 0.2]), options=ScoreOptions(metrics=["mrr"], direction="lower"))


def test_what_two_files_score_alike_counts_once_or_not_at_all(tmp_path):
    (tmp_path / "b").mkdir()
    paths = [tmp_path / "s.parquet", tmp_path / "b" / "s.parquet"]
    for path in paths:
        table(sent_nll=[1.0, 2.0], model=["m", "m"]).write_parquet(path)
    with pytest.raises(
        InputError, match=r"b/s.parquet: it scores what .*s.parquet scores too \(id 1, language en, model m"
    ):
        read_scores(paths)
    with pytest.raises(InputError, match="it was given twice"):
        read_scores([paths[0], paths[0]])


@pytest.mark.parametrize(
    ("files", "models"),
    [
        (["a/s.csv", "b/s.csv", "b/other.csv"], ["a/s", "b/s", "other"]),
        (["x/a/s.csv", "y/a/s.csv"], ["x/a/s", "y/a/s"]),
        (["a/s.csv", "a/s.tsv"], ["s.csv", "s.tsv"]),
    ],
)
def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path, files, models):
    for i, file in enumerate(files):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        frame = table(sent_nll=[1.0 + i, 2.0])
        frame.write_csv(tmp_path / file, separator="\t" if file.endswith("tsv") else ",")
    found = read_scores([tmp_path / file for file in files])
    assert found.models == sorted(models)
    for i, model in enumerate(models):
        assert found.frame.filter(model=model)["sent_nll"].min() == min(1.0 + i, 2.0)


def test_a_file_that_names_its_models_stands_beside_one_that_does_not(tmp_path):
    table(sent_nll=[1.0, 2.0]).write_csv(tmp_path / "none.csv")
    table(sent_nll=[1.0, 2.0], model=["m", "m"]).write_csv(tmp_path / "named.csv")
    assert read_scores([tmp_path / "none.csv", tmp_path / "named.csv"]).models == ["m", "none"]


@pytest.mark.parametrize(
    "rows",
    [
        [("a b", "c"), ("a", "b c")],
        [("a b", "c"), ("a", "b c"), ("a / b", "c"), ("a", "b / c")],
        [('a"', "b"), ("a", '"b'), ("a b", "c"), ("a", "b c"), ("a / b", "c"), ("a", "b / c"), ('a" / "b', "c")],
    ],
)
def test_different_models_never_share_a_name_whatever_the_order_of_rows(rows):
    frame = pl.DataFrame(
        [("1", language, lm, tok, float(i)) for i, (lm, tok) in enumerate(rows) for language in ("en", "de")],
        schema=["id", "language", "lm", "tokenizer", "sent_nll"],
        orient="row",
    )
    found, turned = (scores_from_frame(f).frame for f in (frame, frame.reverse()))
    assert found["model"].n_unique() == len(rows)
    assert dict(found.select("sent_nll", "model").iter_rows()) == dict(turned.select("sent_nll", "model").iter_rows())


def test_conditions_that_all_languages_share_may_be_models():
    rows = [("1", lang, "Latn", shots, 1.0) for lang in ("en", "de") for shots in ("zero", "few")]
    frame = pl.DataFrame(rows, schema=["id", "language", "script", "condition", "bpb"], orient="row")
    with pytest.raises(InputError, match=r"same conditions \(few and zero\).*--model condition"):
        scores_from_frame(frame)
    found = scores_from_frame(frame, options=ScoreOptions(model=["condition"]))
    assert (found.models, found.languages) == (["few", "zero"], ["de", "en"])


def test_a_file_without_a_value_is_named(tmp_path):
    table(sent_nll=[None, None]).write_parquet(tmp_path / "s.parquet")
    with pytest.raises(InputError, match=r"s\.parquet: no row has a value of sent_nll"):
        read_scores([tmp_path / "s.parquet"])


def test_a_score_without_a_direction_names_its_file_and_column(tmp_path):
    table(mine=[1.0, 2.0]).write_csv(tmp_path / "s.csv")
    with pytest.raises(InputError, match=r"s\.csv, column 'mine': whether larger") as error:
        read_scores([tmp_path / "s.csv"], options=ScoreOptions(metrics=["mine"]))
    assert "--direction" in error.value.fix


def test_what_is_wrong_in_several_files_names_them(tmp_path):
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        table(sent_nll=[1.0, 2.0]).write_csv(path)
    assert str(read_scores(paths).error("late", fix="mend it")) == f"{paths[0]} and {paths[1]}: late; mend it"


def likelihood_file(path, lm, *, system="system", languages=("en", "de"), first="scored", **columns):
    """A table as `equiglot likelihood` writes it."""
    frame = pl.DataFrame(
        {
            "id": "1",
            "language": languages,
            "script": "Latn",
            "condition": "native",
            "system": system,
            "target": "text",
            "sent_nll": [float(i) + len(lm) for i in range(len(languages))],
            **columns,
        }
    )
    info = MeasureInfo("sent_nll", "nats", "lower", f"metric:sent_nll|lm:{lm}|first:{first}|v:1")
    write_segments(Segments(frame, {"sent_nll": info}), path)
    return path


@pytest.mark.parametrize(
    ("lms", "models"),
    [
        (("pkg:gemma@a5fd3b62", "hf:x/smollm@b179c952"), ["gemma", "x/smollm"]),
        (("folder@a5fd3b62", "folder@b179c952"), ["folder@a5fd3b62", "folder@b179c952"]),
    ],
)
@pytest.mark.parametrize("systems", [["system", "system"], ["human", "mt"]])
def test_files_of_several_language_models_are_named_by_them(tmp_path, lms, models, systems):
    paths = [likelihood_file(tmp_path / f"{i}.parquet", lm, system=systems) for i, lm in enumerate(lms)]
    found = read_scores(paths)
    wanted = models if len(set(systems)) == 1 else [f"{m} {s}" for m in models for s in systems]
    assert found.models == wanted
    assert found.frame.filter(pl.col("model").str.starts_with(models[0]))["sent_nll"].min() == len(lms[0])


def test_files_of_one_language_model_are_one_model_unless_they_were_run_otherwise(tmp_path):
    one = likelihood_file(tmp_path / "a.parquet", "gemma@a5", languages=["en"])
    other = likelihood_file(tmp_path / "b.parquet", "gemma@a5", languages=["de"])
    assert read_scores([one, other]).models == ["model"]
    again = likelihood_file(tmp_path / "again.parquet", "gemma@a5", first="skipped")
    assert read_scores([one, again]).models == ["a", "again"]
    with pytest.raises(InputError, match="scores too"):
        read_scores([one, likelihood_file(tmp_path / "c.parquet", "gemma@a5")])


def test_one_system_in_every_file_tells_nothing_apart(tmp_path):
    for name in ("first", "second"):
        table(sent_nll=[1.0, 2.0], system="human").write_csv(tmp_path / f"{name}.csv")
    assert read_scores([tmp_path / "first.csv", tmp_path / "second.csv"]).models == ["first", "second"]


def test_the_column_of_texts_tells_no_models_apart():
    frame = pl.DataFrame({"id": "1", "language": ["en", "de", "de"], "system": ["en", "de", "de2"], "sent_nll": 1.0})
    found = scores_from_frame(frame, options=ScoreOptions(text="system"))
    assert found.models == ["model"]
    assert sorted(found.frame["text"]) == ["de", "de2", "en"]
    for clash, options in {"language": {}, "id": {}, "system": {"model": ["system"]}}.items():
        with pytest.raises(InputError, match=f"'{clash}' can't be both"):
            scores_from_frame(frame, options=ScoreOptions(text=clash, **options))


def test_condition_names_the_texts_of_one_language_in_one_script(tmp_path):
    columns = {"script": "Latn", "condition": ["en", "de", "de2"], "system": "system", "sent_nll": [1.0, 2.0, 3.0]}
    frame = pl.DataFrame({"id": "1", "language": ["en", "de", "de"], **columns})
    found = scores_from_frame(frame)
    assert (found.languages, sorted(found.frame["text"])) == (["de", "en"], ["de", "de2", "en"])
    assert any("'condition' was read" in note for note in found.notes)
    named = scores_from_frame(frame.with_columns(text=pl.Series(["a", "b", "c"])))
    assert sorted(named.frame["text"]) == ["a", "b", "c"]
