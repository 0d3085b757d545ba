"""Alternatives, sample size and expected order, on tables made to have the answer."""

from __future__ import annotations

import json
import random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from equiglot.audit import alternatives_audit, ranking_audit, read_scores, scores_from_frame, stability_audit
from equiglot.errors import InputError


def texts(base, first, second, *, n=200, spread=1.0, metric="sent_nll", seed=0):
    """English and two German texts of each sentence, around the means given."""
    rng = np.random.default_rng(seed)
    rows = [
        (str(i), language, text, abs(mean + spread * float(rng.normal())))
        for i in range(n)
        for language, text, mean in (("en", "en", base), ("de", "one", first), ("de", "two", second))
    ]
    return pl.DataFrame(rows, schema=["id", "language", "text", metric], orient="row")


def made_of(differences):
    """The audit of sentences of which English costs less than both German texts by ``differences``."""
    rows = [
        (str(i), language, text, 20 + (0.0 if text == "en" else float(d)))
        for i, d in enumerate(differences)
        for language, text in (("en", "en"), ("de", "one"), ("de", "two"))
    ]
    frame = pl.DataFrame(rows, schema=["id", "language", "text", "sent_nll"], orient="row")
    return alternatives_audit(scores_from_frame(frame))


def languages(means, *, n=200, spread=1.0, metric="sent_nll", seed=0):
    rng = np.random.default_rng(seed)
    rows = [(str(i), tag, abs(mean + spread * float(rng.normal()))) for i in range(n) for tag, mean in means.items()]
    return pl.DataFrame(rows, schema=["id", "language", metric], orient="row")


class TestAlternatives:
    @pytest.mark.parametrize(
        ("means", "answer"), [((10, 20, 22), "yes"), ((20, 10, 30), "no"), ((20.0, 20.02, 40.0), "can't tell")]
    )
    def test_the_winner_holds_changes_or_is_too_close(self, means, answer):
        audit = alternatives_audit(scores_from_frame(texts(*means)))
        assert audit.answers[0].answer == answer
        assert "n = 200 sentences" in audit.answers[0].sentence

    def test_few_sentences_ask_for_the_t_interval_as_well(self):
        # The bootstrap interval of these six leaves out 0, and the t interval does not.
        differences = np.array([3.0, 0.1, 4.0, -0.4, 3.5, 0.0])
        p = ttest_1samp(differences, 0).pvalue
        few = made_of(differences)
        assert p > 0.05
        assert not few.winners["clear"].any()
        assert (few.differences["high"] < 0).all()
        assert few.answers[0].answer == "can't tell"
        assert "fewer than 30 sentences" in few.answers[0].sentence
        assert any("fewer than 30 sentences" in note for note in few.notes)
        steady = made_of(differences + 4)
        assert steady.answers[0].answer == "yes"
        assert "t intervals were asked too" in steady.answers[0].sentence
        many = made_of(np.tile(differences, 5))
        assert many.answers[0].answer == "yes"
        assert not many.notes

    def test_equal_models_of_few_sentences_have_no_t_interval(self):
        assert made_of(np.array([2.0, 2.0, 2.0])).answers[0].answer == "can't tell"

    def test_a_table_of_likelihood_is_read_by_its_condition(self):
        frame = texts(10, 20, 22).rename({"text": "condition"}).with_columns(script=pl.lit("Latn"), system=pl.lit("x"))
        audit = alternatives_audit(scores_from_frame(frame))
        assert audit.texts.names == ["en", "one", "two", "lowest", "highest"]
        assert audit.answers[0].answer == "yes"

    def test_lowest_and_highest_are_by_value_whichever_way_is_better(self):
        frame = pl.DataFrame(
            {"id": ["1"] * 3, "language": ["en", "de", "de"], "text": ["en", "a", "b"], "mrr": [0.5, 0.4, 0.6]}
        )
        audit = alternatives_audit(scores_from_frame(frame))
        assert dict(audit.means.select("series", "value").iter_rows()) == pytest.approx(
            {"en": 0.5, "a": 0.4, "b": 0.6, "lowest": 0.4, "highest": 0.6}
        )
        assert audit.winners["winner"].to_list() == ["en", "de", "en", "de"]
        assert audit.answers[0].answer == "no"

    def test_equal_means_are_a_tie_and_no_win(self):
        audit = alternatives_audit(scores_from_frame(texts(10, 10, 10, spread=0)))
        assert audit.winners["winner"].to_list() == [None] * 4
        assert audit.answers[0].answer == "can't tell"

    def test_only_sentences_that_all_texts_have_count(self):
        frame = texts(10, 20, 22, n=50).filter(~((pl.col("id") == "7") & (pl.col("text") == "two")))
        audit = alternatives_audit(scores_from_frame(frame))
        assert set(audit.means["n"]) == {49}
        assert set(audit.means["n_failed"]) == {1}
        assert any("1 sentence left out" in note for note in audit.notes)

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"alternatives": ["one", "three"]}, "no text 'three'"),
            ({"alternatives": ["one"]}, "two texts or more"),
            ({"alternatives": ["one", "en"]}, "two texts or more of one language"),
            ({"base": "fr"}, "no text 'fr'"),
        ],
    )
    def test_what_is_wrong_is_said(self, options, said):
        with pytest.raises(InputError, match=said):
            alternatives_audit(scores_from_frame(texts(1, 2, 3, n=5)), **options)

    def test_languages_with_one_text_each_have_no_alternatives(self):
        with pytest.raises(InputError, match="--alternatives"):
            alternatives_audit(scores_from_frame(languages({"en": 1, "de": 2}, n=5)))


class TestStability:
    def test_languages_far_apart_need_few_and_near_ones_many(self):
        far = stability_audit(scores_from_frame(languages({"en": 10, "de": 20, "fr": 30})))
        assert far.needed["value"][0] == 10
        assert far.answers[0].answer == "yes"
        near = stability_audit(scores_from_frame(languages({"en": 10, "de": 10.05, "fr": 30})), sizes=[1, 10, 50, 100])
        assert near.answers[0].answer != "yes"
        best = near.agreement.filter((pl.col("measure") == "agree_best") & (pl.col("size") == 10))["value"][0]
        assert best < 1

    def test_samples_are_pythons(self):
        frame = languages({"en": 10, "de": 12}, n=40)
        audit = stability_audit(scores_from_frame(frame), sizes=[7], seeds=[3, 4, 5])
        means = []
        for seed in (3, 4, 5):
            random.seed(seed)
            ids = {str(i) for i in random.sample(range(40), 7)}
            means.append(frame.filter(pl.col("id").is_in(ids), language="en")["sent_nll"].mean())
        row = audit.curves.filter((pl.col("series") == "en") & (pl.col("size") == 7)).row(0, named=True)
        assert row["value"] == pytest.approx(np.mean(means))
        sd = audit.curves.filter((pl.col("series") == "en") & (pl.col("size") == 7) & (pl.col("measure") == "sd"))
        assert sd["value"][0] == pytest.approx(np.std(means, ddof=1))

    @given(st.integers(2, 30), st.lists(st.integers(1, 40), min_size=1, max_size=4))
    def test_all_sentences_always_agree_with_themselves_and_sizes_stay_within_the_data(self, n, sizes):
        audit = stability_audit(scores_from_frame(languages({"en": 1, "de": 1.5}, n=n)), sizes=sizes, seeds=[0, 1])
        tried = audit.agreement["size"].unique().sort().to_list()
        assert tried == sorted({*(s for s in sizes if s < n), n // 2, n})
        whole = audit.agreement.filter(pl.col("size") == n)
        assert set(whole["value"]) == {1.0}
        ends = audit.curves.filter((pl.col("size") == n) & (pl.col("measure") == "mean"))
        assert (ends["low"] == ends["high"]).all()

    def test_six_sentences_are_never_enough(self):
        far = languages({"en": 10, "de": 20, "fr": 30}, n=6)
        for audit in (
            stability_audit(scores_from_frame(far)),
            stability_audit(scores_from_frame(texts(10, 20, 22, n=6))),
        ):
            assert audit.answers[0].answer == "can't tell"
            assert audit.needed["value"].to_list() == [None]
            assert "too few" in audit.needed["reason"][0]
            assert audit.headline.endswith("by sentence NLL it can't be told from 6 sentences.")

    def test_what_few_seeds_agree_on_is_a_least_number(self):
        table = scores_from_frame(languages({"en": 10, "de": 20, "fr": 30}))
        few, many = (stability_audit(table, seeds=range(k)) for k in (15, 73))
        assert few.answers[0].answer == "can't tell"
        assert few.answers[0].question == "Are 200 sentences enough for the order of languages by sentence NLL?"
        assert few.needed["value"].to_list() == [None]
        assert "needs at least 10, and 15 samples can't show how many are enough" in few.headline
        assert (many.answers[0].answer, many.needed["value"][0]) == ("yes", 10)

    @pytest.mark.parametrize("gap", [0.0, 0.02, 0.1, 0.3, 1.0])
    def test_a_size_is_named_only_where_the_interval_shows_it_there_and_above(self, gap):
        audit = stability_audit(scores_from_frame(languages({"en": 10, "de": 10 + gap + 1e-9, "fr": 30})))
        shares = audit.agreement.filter(measure="agree_order").sort("size")
        low = dict(shares.select("size", "low").iter_rows())
        shown = [n for n in low if 10 <= n <= 100 and all(low[m] >= 0.95 for m in low if n <= m < 200)]
        assert audit.needed["value"][0] == (min(shown) if shown else None)
        assert (audit.answers[0].answer == "yes") == bool(shown)
        at_half = shares.filter(size=100)["high"][0]
        assert (audit.answers[0].answer == "no") == (at_half < 0.95)

    def test_row_order_does_not_matter(self):
        frame = languages({"en": 10, "de": 10.2}, n=60)
        one, other = (stability_audit(scores_from_frame(f)) for f in (frame, frame.sample(fraction=1, shuffle=True)))
        assert json.dumps(one.to_dict()) == json.dumps(other.to_dict())

    def test_with_alternatives_the_winners_are_asked(self):
        audit = stability_audit(scores_from_frame(texts(10, 20, 22, n=60)), sizes=[1, 10])
        assert "agree_winner" in set(audit.agreement["measure"])
        undefined = audit.agreement.filter((pl.col("measure") == "agree_order") & (pl.col("size") == 1))
        assert undefined["value"][0] is None
        assert undefined["reason"][0]
        assert "winner against every translation" in audit.headline

    @pytest.mark.parametrize(
        ("frame", "options", "said"),
        [
            (languages({"en": 1}, n=5), {}, "nothing to hold it against"),
            (languages({"en": 1, "de": 2}, n=5), {"seeds": [1]}, "two seeds"),
            (languages({"en": 1, "de": 2}, n=5), {"sizes": [0]}, "from 1 on"),
        ],
    )
    def test_what_is_wrong_is_said(self, frame, options, said):
        with pytest.raises(InputError, match=said):
            stability_audit(scores_from_frame(frame), **options)

    def test_a_metric_that_a_language_lacks_is_named(self):
        frame = languages({"en": 1, "de": 2}, n=20).with_columns(
            pl.when(pl.col("language") == "en").then(0.5).alias("mrr")
        )
        audit = stability_audit(scores_from_frame(frame), sizes=[5])
        assert [answer.metric for answer in audit.answers] == ["sent_nll"]
        assert any(note.startswith("mrr: not every language") for note in audit.notes)


class TestRanking:
    def test_the_expected_order_another_and_too_close_to_tell(self):
        table = scores_from_frame(languages({"en": 10, "zh": 20, "ar": 30, "ru": 40}))
        assert ranking_audit(table, ["en", "zh", "ar", "ru"]).answers[0].answer == "yes"
        assert ranking_audit(table, ["ru", "zh", "ar", "en"]).answers[0].answer == "no"
        near = scores_from_frame(languages({"en": 10, "zh": 10.05, "ar": 30, "ru": 40}))
        assert ranking_audit(near, ["zh", "en", "ar", "ru"]).answers[0].answer == "can't tell"

    def test_larger_is_better_for_mrr(self):
        table = scores_from_frame(languages({"en": 0.9, "zh": 0.5, "ar": 0.1}, spread=0.001, metric="mrr"))
        audit = ranking_audit(table, ["en", "zh", "ar"])
        assert audit.orders["order"][0] == "en>zh>ar"
        assert audit.agreement.filter(measure="rho")["value"][0] == 1.0
        assert audit.agreement.filter(measure="p_exact")["value"][0] == pytest.approx(2 / 6)
        assert audit.agreement.filter(measure="tau")["value"][0] == 1.0

    def test_two_languages_have_an_order_and_no_rho(self):
        audit = ranking_audit(scores_from_frame(languages({"en": 10, "de": 20})), ["en", "de"])
        assert audit.answers[0].answer == "yes"
        rho = audit.agreement.filter(measure="rho").row(0, named=True)
        assert (rho["value"], rho["low"]) == (None, None)
        assert "at least 3" in rho["reason"]
        assert audit.agreement.filter(measure="stays")["value"][0] == 1.0

    def test_a_language_without_values_is_null_with_a_reason(self):
        frame = languages({"en": 10, "de": 20, "fr": 30}).with_columns(
            pl.when(pl.col("language") == "fr").then(None).otherwise("sent_nll").alias("sent_nll")
        )
        audit = ranking_audit(scores_from_frame(frame), ["en", "de", "fr"])
        assert audit.orders["order"][0] is None
        assert set(audit.agreement["reason"]) == {"no value in fr"}
        assert audit.answers[0].answer == "can't tell"

    def test_languages_are_read_by_any_of_their_names(self):
        table = scores_from_frame(languages({"en": 10, "zh": 20}))
        assert ranking_audit(table, ["English", "zho"]).expected == ("en", "zh")

    @pytest.mark.parametrize(
        ("expected", "said"),
        [
            (["en"], "no order of two"),
            (["en", "en"], "named once"),
            (["en", "fr"], "the scores have"),
            ([], "no order"),
        ],
    )
    def test_what_is_wrong_is_said(self, expected, said):
        with pytest.raises(InputError, match=said):
            ranking_audit(scores_from_frame(languages({"en": 1, "de": 2}, n=5)), expected)


class TestRankingHeadline:
    """Three lists, each metric in that of its answer."""

    def headline(self, frame, expected):
        audit = ranking_audit(scores_from_frame(frame), expected)
        return {answer.metric: answer.answer for answer in audit.answers}, audit.headline

    def test_what_other_sentences_could_change_is_not_denied(self):
        frame = languages({"en": 10, "zh": 10.05, "ar": 30, "ru": 40}).with_columns(
            bpb=pl.col("sent_nll").rank("dense"), bpc=-pl.col("sent_nll") + 100
        )
        answers, said = self.headline(frame, ["zh", "en", "ar", "ru"])
        assert answers == {"sent_nll": "can't tell", "bpb": "can't tell", "bpc": "no"}
        assert said == (
            "Expected order zh, en, ar, ru: bits per character doesn't give it; by sentence NLL and bits per byte it "
            "can't be told, for other sentences could change the order."
        )

    def test_models_that_differ_are_named(self):
        one, other = (languages(means) for means in ({"en": 1, "de": 20}, {"en": 20, "de": 1}))
        frame = pl.concat([one.with_columns(model=pl.lit("a")), other.with_columns(model=pl.lit("b"))])
        answers, said = self.headline(frame, ["en", "de"])
        assert answers == {"sent_nll": "no"}
        assert said == "Expected order en, de: sentence NLL doesn't give it in b, but does in a."

    def test_one_sentence_is_said_to_be_one(self):
        answers, said = self.headline(languages({"en": 1, "de": 20}, n=1), ["en", "de"])
        assert answers == {"sent_nll": "can't tell"}
        assert said.endswith("by sentence NLL it can't be told, for there is one sentence.")


class TestOneOfAKind:
    """A count of one stands before a noun of one."""

    def test_of_sentences(self):
        audit = alternatives_audit(scores_from_frame(texts(10, 20, 22, n=1)))
        assert "(1 sentence)" in audit.headline
        assert "n = 1 sentence)" in audit.answers[0].sentence
        audit = stability_audit(scores_from_frame(languages({"en": 1, "de": 2}, n=3, spread=0)), sizes=[1])
        assert audit.answers[0].sentence == "3 sentences are too few to tell."
        assert any("Samples beyond 1 sentence share" in note for note in audit.notes)


TEXTS, LANGUAGES = texts(1, 2, 3, n=5), languages({"en": 1, "de": 2}, n=5)


@pytest.mark.parametrize(
    ("frame", "audit", "said"),
    [
        (LANGUAGES, lambda table: ranking_audit(table, ["en", "fr"]), "the scores have"),
        (TEXTS, lambda table: ranking_audit(table, ["en", "de"]), "de has 2 texts"),
        (TEXTS, lambda table: alternatives_audit(table, alternatives=["one", "three"]), "no text 'three'"),
        (TEXTS, lambda table: alternatives_audit(table, alternatives=["one"]), "two texts or more"),
        (LANGUAGES.filter(language="en"), stability_audit, "nothing to hold it against"),
    ],
)
def test_an_error_that_is_found_late_names_the_file(tmp_path, frame, audit, said):
    frame.write_csv(tmp_path / "scores.csv")
    with pytest.raises(InputError, match=said) as error:
        audit(read_scores([tmp_path / "scores.csv"]))
    assert str(error.value).startswith(f"{tmp_path / 'scores.csv'}: ")


class TestTies:
    """Languages that tie have no order, and none may be made of the order in which they are named."""

    def test_no_size_is_enough_for_an_order_that_is_not_there(self):
        audit = stability_audit(scores_from_frame(languages({"en": 5, "de": 5, "fr": 9}, n=40, spread=0)), sizes=[10])
        assert audit.answers[0].answer == "can't tell"
        assert "by sentence NLL languages tie" in audit.headline
        undefined = audit.agreement.filter(pl.col("measure") != "curve")
        assert undefined["value"].null_count() == undefined.height
        assert audit.needed["reason"][0].startswith("languages tie")

    def test_a_tie_behind_the_best_leaves_the_best(self):
        audit = stability_audit(scores_from_frame(languages({"en": 5, "de": 9, "fr": 9}, n=40, spread=0)), sizes=[10])
        assert set(audit.agreement.filter(measure="agree_best")["value"]) == {1.0}

    @given(st.lists(st.floats(0.1, 1e3), min_size=4, max_size=30), st.sampled_from(["sent_nll", "ppl", "mrr"]))
    def test_series_that_tie_do_so_in_every_sample(self, values, metric):
        """The text ``one`` is the lowest of both in every sentence, so it ties with ``lowest``."""
        given = [1 + v if metric == "ppl" else v / 1e4 if metric == "mrr" else v for v in values]
        rows = [
            (str(i), language, text, factor * v)
            for i, v in enumerate(given)
            for language, text, factor in (("en", "en", 1.5), ("de", "one", 1.0), ("de", "two", 2.0))
        ]
        table = scores_from_frame(pl.DataFrame(rows, schema=["id", "language", "text", metric], orient="row"))
        audit = stability_audit(table, sizes=[2, 3], seeds=range(5))
        # The order is that of the factors in every sentence, and therefore in every mean.
        known = audit.agreement.filter(metric=metric).drop_nulls("value")
        assert known.filter(measure="agree_order").height
        assert set(known["value"]) == {1.0}

    @pytest.mark.parametrize("expected", [["en", "de"], ["de", "en"]])
    def test_a_tie_doesn_t_give_the_expected_order(self, expected):
        audit = ranking_audit(scores_from_frame(languages({"en": 5, "de": 5}, n=40, spread=0)), expected)
        assert audit.answers[0].answer == "can't tell"
        assert "can't be told, for languages tie" in audit.headline
        assert audit.orders["order"].to_list() == ["=".join(expected)]

    @pytest.mark.parametrize("expected", [["en", "de"], ["de", "en"]])
    def test_a_tie_that_rounding_breaks_is_one(self, expected):
        """The same numbers on other sentences: their sums differ in the last bit."""
        numbers = [0.1, 0.2, 0.3, 0.7, 1.1, 2.3, 0.6, 5.9, 1e-3]
        rows = [(str(i), tag, x) for tag, own in (("en", numbers), ("de", numbers[::-1])) for i, x in enumerate(own)]
        table = scores_from_frame(pl.DataFrame(rows, schema=["id", "language", "sent_nll"], orient="row"))
        audit = ranking_audit(table, expected)
        assert audit.orders["order"].to_list() == ["=".join(expected)]
        stable = stability_audit(table, sizes=[3], seeds=[0, 1])
        assert stable.needed["reason"][0].startswith("languages tie")

    def test_what_contradicts_the_expected_order_does_so_beside_a_tie(self):
        audit = ranking_audit(
            scores_from_frame(languages({"en": 5, "de": 5, "fr": 1}, n=9, spread=0)), ["en", "de", "fr"]
        )
        assert "doesn't give it" in audit.headline
        assert audit.orders["order"].to_list() == ["fr>en=de"]
