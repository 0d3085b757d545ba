"""Tables made so that a metric follows its divisor, doesn't, or can't be told to."""

from __future__ import annotations

import json
import math

import numpy as np
import polars as pl
import pytest

from equiglot.audit import ScoreOptions, confound_audit, scores_from_frame
from equiglot.errors import InputError

LANGUAGES = ["ar", "de", "en", "fi", "fr", "ko", "pl", "ru", "tr", "zh"]


def scores(nll, sizes, *, models=("model",), sentences=30, languages=LANGUAGES, seed=0):
    """Sums that vary by sentence alike in every language, and texts of ``sizes`` bytes and tokens."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, 1, sentences)
    rows = [
        (str(i), language, model, 100 + nll[k] + noise[i] + 0.01 * m, sizes[k] * 3, sizes[k] * 2, sizes[k])
        for i in range(sentences)
        for k, language in enumerate(languages)
        for m, model in enumerate(models)
    ]
    columns = ["id", "language", "model", "sent_nll", "n_bytes", "n_chars", "n_scored"]
    return pl.DataFrame(rows, schema=columns, orient="row")


SIZES = [52, 40, 33, 37, 41, 39, 38, 65, 36, 30]
FREE = [3, -2, 1, -4, 2, 0, 4, -1, -3, 5]


def answers(audit):
    return {answer.metric: answer.answer for answer in audit.answers}


@pytest.mark.parametrize("models", [("model",), ("8192", "32768", "65536")])
def test_what_divides_by_length_follows_it_and_the_sum_does_not(models):
    audit = confound_audit(scores_from_frame(scores(FREE, SIZES, models=models)))
    assert answers(audit) == {
        "sent_nll": "can't tell",
        **dict.fromkeys(("token_nll", "ppl", "bpb", "bpc"), "no"),
    }
    assert "bits per byte follows bytes (rho = -" in audit.headline
    rows = audit.confounds.filter((pl.col("metric") == "bpb") & (pl.col("measure") == "rho"))
    assert rows["low"][0] < rows["value"][0] < rows["high"][0] < 0


def test_a_sum_that_follows_length_is_not_spared():
    nll = [2.0 * size for size in SIZES]
    audit = confound_audit(scores_from_frame(scores(nll, SIZES)))
    assert answers(audit)["sent_nll"] == "no"


def test_with_many_languages_free_of_length_the_answer_is_yes():
    rng = np.random.default_rng(4)
    tags = [f"{a}{b}" for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrstuvwxyz"]
    from equiglot.table import parse_language

    languages: list[str] = []
    for tag in tags:
        try:
            languages.append(parse_language(tag).language)
        except InputError:
            continue
    languages = sorted(set(languages))[:100]
    sizes = rng.permutation(np.arange(20, 120)).tolist()
    nll = rng.permutation(np.arange(100) / 10).tolist()
    audit = confound_audit(scores_from_frame(scores(nll, sizes, sentences=3, languages=languages)))
    rho = audit.confounds.filter((pl.col("metric") == "sent_nll") & (pl.col("measure") == "rho"))["value"]
    assert all(abs(value) < 0.25 for value in rho)
    assert answers(audit)["sent_nll"] == "yes"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_languages_give_null_with_a_reason_or_no_claim(n):
    audit = confound_audit(scores_from_frame(scores(FREE, SIZES, languages=LANGUAGES[:n])))
    assert set(answers(audit).values()) == {"can't tell"}
    if n < 3:
        rho = audit.confounds.filter(pl.col("measure") == "rho")
        assert rho["value"].null_count() == rho.height
        assert rho["reason"].null_count() == 0


def test_missing_cells_are_null_and_leave_the_rest_as_it_is():
    frame = scores(FREE, SIZES, models=("a", "b"))
    gone = frame.filter(~((pl.col("language") == "zh") & (pl.col("model") == "b")))
    audit = confound_audit(scores_from_frame(gone))
    whole = confound_audit(scores_from_frame(frame.filter(model="a")))
    # Means over models are over those that all languages have.
    values = [a.languages.filter(measure="sent_nll").sort("language")["value"].to_list() for a in (audit, whole)]
    assert values[0] == pytest.approx(values[1])
    assert any("means leave out 1 model" in note for note in audit.notes)
    assert audit.ranks.filter(metric="sent_nll").height == 19


def test_a_language_whose_every_value_is_missing_is_null_and_named():
    frame = scores(FREE, SIZES).with_columns(
        pl.when(pl.col("language") == "fi").then(None).otherwise("sent_nll").alias("sent_nll")
    )
    audit = confound_audit(scores_from_frame(frame))
    row = audit.languages.filter((pl.col("language") == "fi") & (pl.col("measure") == "sent_nll")).row(0, named=True)
    assert row["value"] is None
    assert row["reason"]
    assert audit.confounds.filter((pl.col("metric") == "bpb") & (pl.col("measure") == "rho"))["n"][0] == 9


def test_without_counts_it_says_what_to_add():
    frame = scores(FREE, SIZES).select("id", "language", "sent_nll")
    audit = confound_audit(scores_from_frame(frame))
    assert answers(audit) == {"sent_nll": "can't tell"}
    assert "--texts" in audit.answers[0].fix
    assert "n_scored" in audit.answers[0].fix


def test_rows_may_come_in_any_order_and_a_seed_gives_the_same_bits():
    frame = scores(FREE, SIZES, models=("a", "b"))
    one = confound_audit(scores_from_frame(frame)).to_dict()
    other = confound_audit(scores_from_frame(frame.sample(fraction=1, shuffle=True, seed=3))).to_dict()
    assert json.dumps(one) == json.dumps(other)


def test_ppl_and_token_nll_always_rank_alike():
    audit = confound_audit(scores_from_frame(scores(FREE, SIZES, models=("a", "b"))))
    ranks = audit.ranks
    assert ranks.filter(metric="ppl")["value"].to_list() == ranks.filter(metric="token_nll")["value"].to_list()


def test_tokens_are_counted_by_what_is_said_of_the_first():
    frame = scores(FREE, SIZES, sentences=4)
    skipped = confound_audit(scores_from_frame(frame)).cells.filter(
        (pl.col("measure") == "ctc") & (pl.col("language") == "zh")
    )
    options = ScoreOptions(first_token="scored")
    scored = confound_audit(scores_from_frame(frame, options=options))
    assert skipped["value"][0] == 4 * 31
    assert scored.cells.filter((pl.col("measure") == "ctc") & (pl.col("language") == "zh"))["value"][0] == 4 * 30


def test_micro_is_pooled():
    audit = confound_audit(scores_from_frame(scores(FREE, SIZES, sentences=5)))
    frame = scores(FREE, SIZES, sentences=5).filter(language="en")
    pooled = frame["sent_nll"].sum() / (frame["n_bytes"].sum() * math.log(2))
    found = audit.cells.filter((pl.col("language") == "en") & (pl.col("measure") == "bpb_micro"))
    assert found["value"][0] == pytest.approx(pooled)


def test_several_texts_of_a_language_are_another_question():
    frame = pl.DataFrame(
        {"id": ["1"] * 3, "language": ["en", "de", "de"], "text": ["en", "de1", "de2"], "bpb": [1.0, 2.0, 3.0]}
    )
    with pytest.raises(InputError, match="audit alternatives"):
        confound_audit(scores_from_frame(frame))


FEW = {"en": 20, "zh": 30, "ar": 40, "ru": 50}


def few(tokens_by_language, *, rate, models, **options):
    """Scores of a few languages by many models, NLL per token as ``rate`` has it, a little higher in each model."""

    rows = [
        (str(i), language, f"{model:03}", rate[language] + 0.001 * model + 0.0001 * i, 100 * size - model)
        for model in range(models)
        for language, size in tokens_by_language.items()
        for i in range(3)
    ]
    frame = pl.DataFrame(rows, schema=["id", "language", "model", "token_nll", "n_scored"], orient="row")
    return confound_audit(scores_from_frame(frame, options=ScoreOptions(metrics=["token_nll"], **options)))


def test_many_models_of_four_languages_convict_nothing():
    audit = few(FEW, rate={"en": 4.0, "zh": 3.0, "ar": 2.0, "ru": 1.0}, models=3)
    over_models = audit.confounds.filter(points="models")
    p = over_models.filter(measure="p_holm")["value"][0]
    assert p < 0.001  # of twelve points, which are no independent ones
    assert answers(audit) == {"token_nll": "can't tell"}
    assert "May follow tokens" in audit.headline
    assert "n = 4 languages, p = 0.083; over all 12 pairs of language and model -1.00" in audit.headline
    assert audit.headline.endswith("Even a perfect order of 4 languages has p = 0.083.")
    assert "p = 0.083" in audit.answers[0].fix


def test_where_no_metric_could_be_told_a_note_says_what_can():
    audit = few(FEW, rate={"en": 4.0, "zh": 3.0, "ar": 2.0, "ru": 1.0}, models=3)
    assert "equiglot lab" in audit.notes[-1]
    assert any("over pairs of language and model the 3 models" in note for note in audit.notes)
    told = confound_audit(scores_from_frame(scores(FREE, SIZES)))
    assert not any("equiglot lab" in note for note in told.notes)


def test_two_languages_have_no_rho_however_many_models_there_are():
    audit = confound_audit(scores_from_frame(scores(FREE, SIZES, languages=LANGUAGES[:2], models=("a", "b", "c"))))
    rho = audit.confounds.filter(measure="rho")
    assert rho["value"].null_count() == rho.height
    assert set(rho["reason"]) == {"2 languages; a correlation needs at least 3"}
    assert "rho =" not in audit.headline
    assert audit.headline == (
        "Sentence NLL, NLL per token, perplexity, bits per byte and bits per character: can't tell. "
        "No correlation could be had: 2 languages; a correlation needs at least 3."
    )
    assert audit.answers[0].fix == "Score more languages."


def test_nor_do_they_acquit():
    audit = few(FEW, rate={"en": 2.0, "zh": 4.0, "ar": 1.0, "ru": 3.0}, models=40)
    rho = audit.confounds.filter(points="models", measure="rho").row(0, named=True)
    assert -0.5 < rho["low"] < rho["high"] < 0.5
    assert answers(audit) == {"token_nll": "can't tell"}
    assert "4 languages can't rule out |rho| from 0.5 on" in audit.headline


def test_many_metrics_that_cannot_be_told_are_said_in_short():
    audit = confound_audit(scores_from_frame(scores(FREE, SIZES, languages=LANGUAGES[:5])))
    assert set(answers(audit).values()) == {"can't tell"}
    assert audit.headline.startswith("Can't tell of sentence NLL, NLL per token, ")
    assert "5 languages can't settle it." in audit.headline
    assert "rho =" not in audit.headline
    assert all("rho =" in answer.sentence for answer in audit.answers)


def test_five_languages_can_be_too_few_for_several_tests_and_ten_never_are():
    five = confound_audit(scores_from_frame(scores(FREE, SIZES, languages=LANGUAGES[:5])))
    assert "of 5 languages has p = 0.017, before the correction for 7 tests" in five.headline
    assert "perfect order" not in confound_audit(scores_from_frame(scores(FREE, SIZES))).headline


def test_over_languages_alone_tokens_are_corrected_among_themselves():
    audit = confound_audit(scores_from_frame(scores(FREE, SIZES, models=("a", "b"))))
    alone = audit.confounds.filter(confound="tokens", points="languages")
    p, holm = (dict(alone.filter(measure=name).select("metric", "value").iter_rows()) for name in ("p_exact", "p_holm"))
    assert set(holm) == {"sent_nll", "token_nll", "ppl"}
    assert holm["token_nll"] == pytest.approx(min(p.values()) * 3)
    assert "Holm-adjusted p" in next(a.sentence for a in audit.answers if a.metric == "token_nll")


def test_a_sum_that_follows_tokens_alone_is_not_convicted():
    """A multilingual model cuts what it saw little of into more tokens, and it costs it more: cause or effect?"""
    sizes = {name: 10 + 2 * i for i, name in enumerate(LANGUAGES)}
    rows = [
        (str(i), language, 5.0 * size, size, text)
        for language, size in sizes.items()
        for i, text in enumerate(("abcdef", "abcd", "abcde"))
    ]
    frame = pl.DataFrame(rows, schema=["id", "language", "sent_nll", "n_scored", "n_bytes"], orient="row")
    frame = frame.with_columns(pl.col("n_bytes").str.len_bytes())
    audit = confound_audit(scores_from_frame(frame, options=ScoreOptions(metrics=["sent_nll"])))
    assert answers(audit) == {"sent_nll": "can't tell"}
    assert "It follows tokens (rho = 1.00" in audit.headline
    assert "a sum divides by no unit" in audit.headline
