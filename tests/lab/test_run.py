"""A whole experiment: files, what is kept, and what the command prints."""

from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.lab import read_lab, run_lab
from equiglot.lab.texts import read_parallel

pytest.importorskip("torch")

LAB = "texts: {texts}\nvocabularies: [300, 320]\nepochs: 2\nbatch: 16\ncontext: 64\n"


@pytest.fixture(scope="module")
def lab(corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("config") / "toy.yaml"
    path.write_text(LAB.format(texts=json.dumps(str(corpus))), "utf-8")
    return read_lab(path)


@pytest.fixture(scope="module")
def result(lab, tmp_path_factory):
    return run_lab(lab, tmp_path_factory.mktemp("results"), device="cpu")


def test_scores_are_one_row_per_sentence_language_and_vocabulary(result):
    scores = pl.read_parquet(result.scores)
    assert scores.height == 2 * 2 * 12
    assert scores.select("language", "vocab_size", "sentence").is_unique().all()
    assert scores["sent_nll"].min() > 0
    assert set(scores["first"]) == {"scored"}
    texts = pl.read_parquet(result.texts)
    english = scores.filter(language="en", vocab_size=300)
    assert english["n_bytes"].to_list() == [len(text.encode()) for text in texts["en"]]


def test_the_held_out_sentences_are_not_trained_on(lab, result, corpus):
    whole = pl.read_parquet(corpus)
    assert pl.read_parquet(result.texts).drop("sentence").equals(whole.tail(12))
    assert len(result.notes) == 1
    told = json.loads((result.folder / "models" / "en-300" / "training.json").read_text())
    assert told["recipe"]["size"]["epochs"] == 2


@pytest.fixture
def small(lab, corpus, tmp_path):
    """A lab of one model per language, 108 sentences to learn from, and 12 others."""
    config = replace(lab, vocabularies=(300,), epochs=1)

    def given(texts: pl.DataFrame, evaluate: pl.DataFrame | None = None):
        texts.write_parquet(tmp_path / "t.parquet")
        if evaluate is None:
            return replace(config, texts=tmp_path / "t.parquet")
        evaluate.write_parquet(tmp_path / "e.parquet")
        return replace(config, texts=tmp_path / "t.parquet", evaluate=tmp_path / "e.parquet")

    whole = pl.read_parquet(corpus)
    return given, whole.head(108), whole.tail(12)


@pytest.mark.parametrize("held_out", [True, False], ids=["held out", "evaluate"])
def test_a_sentence_that_is_trained_on_is_not_scored(small, tmp_path, held_out):
    given, learn, others = small
    # Of the twelve: one seen in both languages, one in English alone, one in Russian alone.
    tail = pl.DataFrame(
        {
            "en": [learn["en"][0], learn["en"][1], *others["en"][2:]],
            "ru": [learn["ru"][0], others["ru"][1], learn["ru"][5], *others["ru"][3:]],
        }
    )
    config = given(pl.concat([learn, tail])) if held_out else given(learn, tail)
    result = run_lab(config, tmp_path / "out", device="cpu")
    assert pl.read_parquet(result.texts).drop("sentence").equals(tail.tail(9))
    assert pl.read_parquet(result.scores).height == 2 * 9
    assert "scored on 9 others" in result.notes[0]
    assert result.notes[1].startswith("3 of 12 sentences that were to be scored were left out, for they are trained on")


@pytest.mark.parametrize("held_out", [True, False], ids=["every sentence twice", "evaluate is texts"])
def test_nothing_is_trained_where_no_other_sentence_is_left(small, tmp_path, held_out):
    given, learn, _ = small
    config = given(pl.concat([learn, learn])) if held_out else given(learn, learn)
    with pytest.raises(InputError, match="sentences to be scored are trained on") as caught:
        run_lab(config, tmp_path / "out", device="cpu")
    assert ("t.parquet" if held_out else "e.parquet") in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_second_run_trains_and_scores_nothing(lab, result):
    done = []
    again = run_lab(
        lab, result.folder, device="cpu", progress=lambda what, done_, total: done.append((what, done_, total))
    )
    assert not [what for what, _, _ in done if what.startswith("training")]
    assert pl.read_parquet(again.scores).equals(pl.read_parquet(result.scores))


def test_training_makes_a_model_better(result):
    assert (result.models["last_loss"] < result.models["first_loss"]).all()
    assert result.models["vocab_size"].to_list() == [300, 320] * 2


def test_too_few_sentences(tmp_path):
    (tmp_path / "t.tsv").write_text("en\tru\none\tодин\n", "utf-8")
    (tmp_path / "lab.yaml").write_text("texts: t.tsv", "utf-8")
    with pytest.raises(InputError, match="too few"):
        run_lab(read_lab(tmp_path / "lab.yaml"), tmp_path / "out")


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("en\tru\none\t\n", "there is no sentence"),
        ("x1\tx2\na\tb\n", "no parallel texts"),
        ("en\tru\n", "no row"),
        ("id\tlanguage\ttarget\n1\ten\tone\n", "no parallel texts"),
    ],
)
def test_texts_that_cannot_be(tmp_path, table, problem):
    (tmp_path / "t.tsv").write_text(table, "utf-8")
    (tmp_path / "lab.yaml").write_text("texts: t.tsv", "utf-8")
    with pytest.raises(InputError) as caught:
        run_lab(read_lab(tmp_path / "lab.yaml"), tmp_path / "out")
    assert problem in str(caught.value)
    assert "t.tsv" in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_column_of_identifiers_is_not_indonesian(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("id\ten\ns1\tgood day\ns2\tno\n", "utf-8")
    assert read_parallel(path).columns == ["en"]
    path.write_text("id\ten\nselamat siang\tgood day\ntidak\tno\n", "utf-8")
    assert read_parallel(path).columns == ["id", "en"]


@pytest.mark.parametrize("name", ["../en", "a/b", "a\\b"])
def test_a_language_is_no_way_out_of_the_folder(tmp_path, name):
    pl.DataFrame({name: ["one"] * 10}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="slash"):
        read_parallel(tmp_path / "t.parquet", [name])


@pytest.mark.parametrize("device", ["abacus", "", "meta"])
def test_a_device_that_is_not_there(lab, tmp_path, device):
    with pytest.raises(InputError, match="there is no device"):
        run_lab(lab, tmp_path / "out", device=device)
    assert not (tmp_path / "out").exists()


def test_nothing_is_trained_where_a_later_model_can_not_be(lab, tmp_path):
    with pytest.raises(InputError, match="yield only"):
        run_lab(replace(lab, vocabularies=(300, 5000)), tmp_path / "out", device="cpu")
    assert not (tmp_path / "out").exists()
    taken = tmp_path / "other" / "models" / "ru-320"
    taken.mkdir(parents=True)
    with pytest.raises(InputError, match="something else"):
        run_lab(lab, tmp_path / "other", device="cpu")
    assert list(taken.parent.iterdir()) == [taken]
