"""The comparison with people: tables whose truth is known, in answers, words and numbers."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from equiglot.audit import Rule, script_audit

FAST = {"resamples": 200, "permutations": 100}
NATIVE = {"conditions": ["native"]}
EIGHT = {
    "hi": "Deva", "mr": "Deva", "ta": "Taml", "ml": "Mlym", "gu": "Gujr", "te": "Telu", "kn": "Knda", "bn": "Beng",
}  # fmt: skip


def keep_ratings(segments, language, n):
    """The table with people's scores of one language on its first n segments only."""
    gone = (pl.col("language") == language) & pl.col("id").str.slice(1).cast(pl.Int64).ge(n)
    return replace(segments, frame=segments.frame.with_columns(human=pl.when(gone).then(None).otherwise("human")))


def better(segments, language, points):
    """The table with one language raised in people's scores alone."""
    up = pl.when(pl.col("language") == language).then(pl.col("human") + points).otherwise("human")
    return replace(segments, frame=segments.frame.with_columns(human=up))


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("made", "points", "answer", "words"),
    [
        ({"quality": {"ta": -1.0}}, 0.0, "yes", "agree with those in people's scores within 0.3 SD"),
        ({}, 0.0, "yes", "agree with those in people's scores within 0.3 SD"),
        ({"offset": {"ta": -10.0}}, 3.0, "no", "contradicts people's scores"),
        ({"offset": {"ta": 12.0}}, 1.5, "no", "shows wider gaps than people's scores"),
        ({"offset": {"ta": 12.0}}, 0.0, "no", "shows wider gaps than people's scores"),
        ({}, 3.0, "no", "shows narrower gaps than people's scores"),
    ],
    ids=["faithful", "flat", "reversed", "exaggerated", "made up", "unseen"],
)
def test_native_languages_are_judged_by_people(table, *, made, points, answer, words, direction, seed):
    segments = better(table(**made, **NATIVE, direction=direction, seed=seed), "ta", points)
    place = script_audit(segments, "chrf", **FAST).verdicts[0]
    assert place.answer == answer, place.sentence
    assert words in place.sentence
    assert ("no clear difference in people's own scores" in place.sentence) == (not made.get("quality") and not points)


def test_romanised_rows_and_people_have_both_to_be_fine(table):
    faithful = {"quality": {"ta": 1.0}}
    assert script_audit(table(**faithful), "chrf", **FAST).verdicts[0].answer == "yes"
    moved = script_audit(table(**faithful, shift=-15.0), "chrf", **FAST)
    assert moved.verdicts[0].answer == "no"
    assert "native languages differ in it as in people's scores, but the very same" in moved.headline
    both = script_audit(table(offset={"ta": 12.0}, shift=-15.0), "chrf", **FAST)
    people, script = both.headline.index("people's own scores"), both.headline.index("only the script changes")
    assert people < script, "the comparison with people comes first"


def test_reversed_languages_are_named_with_both_scores(table, row):
    audit = script_audit(better(table(**NATIVE, offset={"ta": -10.0}), "ta", 3.0), "chrf", **FAST)
    means = {
        (name, language): row(audit.cells, name, language=language)["value"]
        for name in ("mean", "human_mean")
        for language in ("hi", "ta")
    }
    low, high = (
        [f"{row(audit.cells, 'mean', language=language)[end]:.1f}" for language in ("hi", "ta")]
        for end in ("low", "high")
    )
    assert (
        f"chrf is {means['mean', 'hi']:.1f} for Hindi (hi-Deva) and {means['mean', 'ta']:.1f} for Tamil (ta-Taml) "
        f"[95% CI {low[0]} to {high[0]} and {low[1]} to {high[1]}; n = 300 each], and "
        f"people's scores rank them the other way round ({means['human_mean', 'hi']:.1f} and "
        f"{means['human_mean', 'ta']:.1f})"
    ) in audit.headline


def test_the_table_of_gaps_holds_what_was_asked(table, row):
    segments = table(**NATIVE, quality={"ta": 1.0}, offset={"ta": 4.0}, direction="lower")
    audit = script_audit(segments, "chrf", **FAST)
    frame = segments.frame
    gaps = {}
    for name, column, sign in (("gap_metric", "chrf", -1), ("gap_human", "human", 1)):
        groups = {
            language: sign * frame.filter(language=language)[column].to_numpy() for language in ("hi", "mr", "ta")
        }
        sd = np.sqrt(sum(((g - g.mean()) ** 2).sum() for g in groups.values()) / (900 - 3))
        gaps[name] = (groups["hi"].mean() - groups["ta"].mean()) / sd
    keys = {"language": "hi", "script": "Deva", "other_language": "ta", "other_script": "Taml"}
    for name, value in gaps.items():
        found = row(audit.gaps, name, **keys)
        assert found["value"] == pytest.approx(value)
        assert found["low"] < value < found["high"]
        assert (found["n"], found["n_failed"], found["unit"]) == (600, 0, "SD within cells")
    excess = row(audit.gaps, "gap_excess", **keys)
    assert excess["value"] == pytest.approx(gaps["gap_metric"] - gaps["gap_human"])
    assert excess["value"] < 0, "people set Hindi below Tamil by less than the metric"
    p, adjusted = (row(audit.gaps, name, **keys)["value"] for name in ("p_gap_excess", "p_gap_excess_holm"))
    assert p < 0.01
    assert p <= adjusted <= 3 * p
    assert audit.gaps.filter(measure="gap_excess").height == 3
    assert audit.to_dict()["gaps"] == audit.gaps.to_dicts()
    assert audit.to_dict()["rule"]["min_gap"] == 0.3
    json.dumps(audit.to_dict(), allow_nan=False)


def test_many_languages_are_each_held_against_the_others(table, row):
    audit = script_audit(table(**NATIVE, languages=EIGHT, offset={"ta": 12.0}), "chrf", **FAST)
    excess = audit.gaps.filter(measure="gap_excess")
    assert excess["language"].to_list() == sorted(EIGHT)
    assert excess["other_language"].null_count() == 8
    native = {language: row(audit.cells, "mean", language=language)["value"] for language in EIGHT}
    others = np.mean([mean for language, mean in native.items() if language != "ta"])
    metric = row(audit.gaps, "gap_metric", language="ta")
    assert metric["value"] > 0.9
    assert metric["n"] == 8 * 300
    assert (
        f"chrf is {native['ta']:.1f} for Tamil (ta-Taml) and {others:.1f} for the mean of the others" in audit.headline
    )
    assert audit.verdicts[0].answer == "no"
    assert script_audit(table(**NATIVE, languages=EIGHT), "chrf", **FAST).verdicts[0].answer == "yes"


@pytest.mark.parametrize("made", [{"offset": {"ta": 12.0}}, {}])
def test_few_rated_rows_settle_nothing(table, made, row):
    audit = script_audit(keep_ratings(table(**NATIVE, **made), "ta", 12), "chrf", **FAST)
    place = audit.verdicts[0]
    assert place.answer == "can't tell"
    assert "(Tamil (ta-Taml) has 12; 30 are needed)" in place.sentence
    assert place.fix == "Have more translations rated: at least 30 in Tamil (ta-Taml)."
    assert "at least 30 in Tamil" in audit.headline
    assert "pooled on one axis after quantile normalisation" in audit.headline
    assert "romanize" not in audit.headline + place.fix
    found = row(audit.gaps, "gap_excess", language="hi", other_language="ta")
    assert found["value"] is None
    assert found["reason"] == "only 12 rated rows of ta-Taml, fewer than 30"
    assert row(audit.gaps, "gap_excess", language="hi", other_language="mr")["n"] == 600
    assert row(audit.cells, "human_mean", language="ta")["n"] == 12


def test_a_language_without_ratings_leaves_a_fault_of_the_others_standing(table):
    segments = keep_ratings(table(**NATIVE, offset={"hi": 12.0}), "ta", 0)
    assert script_audit(segments, "chrf", **FAST).verdicts[0].answer == "no"
    flat = keep_ratings(table(**NATIVE), "ta", 0)
    assert script_audit(flat, "chrf", **FAST).verdicts[0].answer == "can't tell"


def test_enough_rows_that_leave_it_open_ask_for_more_ratings(table):
    audit = script_audit(table(**NATIVE, n=60, offset={"ta": 1.5}), "chrf", **FAST)
    assert audit.verdicts[0].answer == "can't tell"
    assert "are those in people's scores can't be told" in audit.verdicts[0].sentence
    assert "can't be told from 60 rated rows per language" in audit.headline
    told = re.fullmatch(
        r"Have more translations rated in every language: roughly (\d+) in each\.", audit.verdicts[0].fix
    )
    assert told, audit.verdicts[0].fix
    needed = int(told[1])
    assert 60 < needed < 1000
    settled = [
        script_audit(table(**NATIVE, n=needed, offset={"ta": 1.5}, seed=seed), "chrf", **FAST).verdicts[0].answer
        for seed in range(10)
    ]
    assert settled.count("can't tell") < 5, "so many rows would settle it more often than not"


def test_an_excess_at_the_bar_is_not_promised_to_be_settled_by_rows(table):
    segments = table(**NATIVE, n=60, offset={"ta": 1.5})
    value = script_audit(segments, "chrf", **FAST).gaps.filter(measure="gap_excess")["value"].abs().max()
    audit = script_audit(segments, "chrf", rule=Rule(min_gap=value * 1.001), **FAST)
    assert audit.verdicts[0].fix.startswith("More ratings will hardly settle it")


def test_the_rule_moves_the_bar(table):
    segments = table(**NATIVE, offset={"ta": 4.0})
    assert script_audit(segments, "chrf", rule=Rule(min_gap=0.1), **FAST).verdicts[0].answer == "no"
    assert script_audit(segments, "chrf", rule=Rule(min_gap=0.6), **FAST).verdicts[0].answer == "yes"


def test_noise_alone_is_no_fault(table):
    """The known limit: a noisier metric shows smaller gaps, which the bar leaves room for."""
    segments = table(**NATIVE, quality={"ta": 0.7}, n=1000)
    noise = np.random.default_rng(3).normal(scale=6, size=segments.frame.height)
    noisy = replace(segments, frame=segments.frame.with_columns(chrf=pl.col("chrf") + pl.Series(noise)))
    audit = script_audit(noisy, "chrf", **FAST)
    assert audit.gaps.filter(measure="gap_excess", other_language="ta")["value"].min() > 0.03, "Tamil leads by less"
    assert audit.verdicts[0].answer == "yes"


@pytest.mark.parametrize("noise", [15.0, 40.0])
def test_a_gap_that_noise_may_explain_is_no_fault_but_a_made_up_one_is(table, noise):
    """A metric of low agreement shows people's gap of 0.9 SD as one of 0.5 or less: that alone is not its range."""

    def audit(**made):
        segments = table(**NATIVE, n=1000, quality={"ta": 1.0}, **made)
        blur = np.random.default_rng(3).normal(scale=noise, size=segments.frame.height)
        noisy = replace(segments, frame=segments.frame.with_columns(chrf=pl.col("chrf") + pl.Series(blur)))
        return script_audit(noisy, "chrf", **FAST)

    faithful = audit()
    assert faithful.verdicts[0].answer == "can't tell"
    assert "no more than noise may explain" in faithful.verdicts[0].sentence
    assert "though no more than noise in either may explain" in faithful.headline
    assert faithful.verdicts[0].fix == "Have each rated several times, so that there is less noise."
    assert audit(offset={"ta": -20.0 - noise}).verdicts[0].answer == "no", "the reverse is never noise"
    assert audit(offset={"hi": 20.0 + noise}).verdicts[0].answer == "no", "nor is a gap that people don't see"


def test_ranges_of_people_and_metric_rest_on_the_same_rows(table, row):
    segments = keep_ratings(table(**NATIVE, quality={"ta": 1.0}), "hi", 100)
    audit = script_audit(segments, "chrf", **FAST)
    keys = {"condition": "native", "grouping": "cell"}
    whole, rated, people = (
        row(audit.ranges, "eta2", scored=scored, **keys) for scored in ("chrf", "chrf (rated rows)", "human")
    )
    assert (whole["n"], rated["n"], people["n"]) == (900, 700, 700)
    assert rated["n_failed"] == people["n_failed"] == 200
    assert f"eta^2 = {rated['value']:.3f}" in audit.verdicts[0].sentence
    everything = script_audit(table(**NATIVE), "chrf", **FAST).ranges
    assert everything["scored"].unique().sort().to_list() == ["chrf", "human"]


def test_a_rating_on_the_romanised_copy_counts_for_the_native_row(table, row):
    segments = table(offset={"ta": 12.0})
    copies = pl.when(pl.col("condition") == "romanized").then("human")
    audit = script_audit(replace(segments, frame=segments.frame.with_columns(human=copies)), "chrf", **FAST)
    assert row(audit.gaps, "gap_human", language="hi", other_language="ta")["n"] == 600
    assert audit.verdicts[0].answer == "no"


def test_cells_hold_the_mean_of_peoples_scores(table, row):
    segments = table(quality={"ta": 1.0})
    audit = script_audit(segments, "chrf", **FAST)
    found = row(audit.cells, "human_mean", language="ta", condition="native")
    people = segments.frame.filter(language="ta", condition="native")["human"]
    assert found["value"] == pytest.approx(people.mean())
    assert found["low"] < found["value"] < found["high"]
    assert found["n"] == 300
    assert script_audit(table(human=False), "chrf", **FAST).cells.filter(measure="human_mean").height == 0
    assert script_audit(table(human=False), "chrf", **FAST).gaps.height == 0


def test_raters_are_called_what_they_are(table):
    audit = script_audit(table(**NATIVE, offset={"ta": 12.0}), "chrf", raters="a stand-in", **FAST)
    said = audit.headline + " ".join(v.sentence + v.fix for v in audit.verdicts)
    assert "a stand-in's" in said
    assert "people" not in said


def test_a_mapped_score_is_not_blamed_for_equal_means(table):
    segments = table(**NATIVE, quality={"ta": 1.0})
    info = replace(segments.measures["chrf"], name="chrf_qn", signature="metric:chrf|norm:qn|ref:native-pooled")
    frame = segments.frame.with_columns(chrf_qn=(pl.col("chrf").rank() / 301).over("language"))
    audit = script_audit(replace(segments, frame=frame, measures={"chrf_qn": info}), "chrf_qn", **FAST)
    assert audit.verdicts[0].answer == "can't tell"
    assert "can't rank" in audit.headline
    assert "pooled on one axis" not in audit.headline
