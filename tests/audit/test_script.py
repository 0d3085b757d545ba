"""The script audit on made tables: the verdict that is due, in words, whatever is missing or odd."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.audit import Rule, pooled_agreement, script_audit
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.stats import anova, bootstrap_mean, meng, perm_both, spearman, steiger, williams
from equiglot.table import Segments

FAST = {"resamples": 200, "permutations": 200}


def answers(audit):
    return tuple(verdict.answer for verdict in audit.verdicts)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ({}, ("yes", "yes")),
        ({"shift": -15.0}, ("no", "yes")),
        ({"blur": 12.0}, ("yes", "no")),
        ({"shift": -15.0, "blur": 12.0}, ("no", "no")),
        ({"shift": {"ta": 9.0}, "blur": {"hi": 14.0, "mr": 1.0, "ta": 1.0}}, ("no", "no")),
        ({"offset": {"ta": 12.0}}, ("no", "yes")),
    ],
    ids=["neither", "P1", "P2", "both", "one language each", "P1 between native cells only"],
)
def test_the_fault_that_was_made_is_found(table, made, expected, direction, seed):
    rule = Rule(min_delta=0.35) if made.get("blur") == 12.0 else Rule()  # 12 points of noise widen delta's interval
    audit = script_audit(table(**made, direction=direction, seed=seed), "chrf", rule=rule, **FAST)
    assert answers(audit) == expected, [v.sentence for v in audit.verdicts]


def test_p1_alone_in_words(table):
    audit = script_audit(table(shift=-15.0), "chrf", **FAST)
    place, order = audit.verdicts
    assert (place.fault, order.fault) == ("P1", "P2")
    for words in (
        "eta^2 = ",
        "95% CI",
        "Hindi: -15.",
        "no clear difference in people's own scores",
        "content is matched (300 segments",
    ):
        assert words in place.sentence
    assert "equiglot normalize fit" in place.fix
    assert "can't rank languages" in place.fix
    assert order.fix == ""
    assert audit.headline.startswith("No, chrf scores of different scripts are not on one scale: native languages ")
    assert "differ in it as in people's scores, but the very same translations of " in audit.headline
    assert "lower when only the script changes" in audit.headline
    assert "equiglot normalize fit" in audit.headline
    assert any(note.startswith("Decision rule:") for note in audit.notes)


def test_the_headline_names_two_languages_that_lie_apart(table):
    audit = script_audit(table(offset={"ta": 14.0}), "chrf", **FAST)
    means = {r["language"]: r["value"] for r in audit.cells.filter(condition="native", measure="mean").to_dicts()}
    start = (
        f"No, chrf scores of different languages are not on one scale: chrf is {means['ta']:.1f} for Tamil (ta-Taml)"
    )
    assert audit.headline.startswith(start)
    assert f"and {means['mr']:.1f} for Marathi (mr-Deva) [95% CI " in audit.headline
    assert "; n = 300 each], with no clear difference in people's own scores (17.9 and" in audit.headline


def test_p2_alone_in_words(table):
    audit = script_audit(table(blur={"ta": 14.0}), "chrf", **FAST)
    order = audit.verdicts[1]
    assert order.sentence.startswith("Romanised, order is worse in Tamil (ta-Taml): agreement 0.")
    assert "Holm-adjusted p < 10^-" in order.sentence
    assert "as good, within 0.1, in Hindi (hi-Deva)" in order.sentence
    assert order.fix.startswith("No map that keeps order repairs this")
    assert "No such map repairs the second fault" in script_audit(table(shift=9, blur=14), "chrf", **FAST).headline
    assert "But in romanised Tamil it orders translations worse" in audit.headline


@pytest.mark.parametrize("made", [{}, {"shift": -15.0}, {"blur": 14.0}, {"human": False}, {"conditions": ["native"]}])
def test_the_headline_is_short(table, made):
    audit = script_audit(table(**made), "chrf", **FAST)
    sentences = [s for s in audit.headline.replace("fit`)", "fit)").split(". ") if s]
    assert 1 <= len(sentences) <= 3
    assert audit.headline.endswith(".")


def test_a_significant_trifle_is_no_fault(table):
    """A shift of 0.05 SD and a drop of 0.02 are past doubt in 3,000 rows, and matter to nobody."""
    segments = table(n=3000, shift=-0.5, blur=2.5)
    audit = script_audit(segments, "chrf", **FAST)
    for language in ("hi", "mr", "ta"):
        found = {r["measure"]: r for r in audit.languages.filter(language=language).to_dicts()}
        assert found["p_delta_holm"]["value"] < 1e-6
        assert found["p_williams_holm"]["value"] < 1e-3
        assert found["delta"]["high"] < 0 < found["rho_drop"]["low"]
    assert answers(audit) == ("yes", "yes")
    strict = Rule(min_delta=0.01, min_drop=0.001)
    assert answers(script_audit(segments, "chrf", rule=strict, **FAST)) == ("no", "no")


def test_too_few_rows_are_neither_yes_nor_no(table):
    audit = script_audit(table(n=12, shift=-1.5, blur=6.0), "chrf", **FAST)
    assert answers(audit) == ("can't tell", "can't tell")
    assert "does not settle it" in audit.verdicts[0].sentence
    assert "Hindi: only 12 pairs" in audit.verdicts[0].sentence
    assert "Hindi (hi-Deva): only 12 rated pairs" in audit.verdicts[1].sentence
    assert audit.verdicts[0].fix.startswith("Score more translations in both scripts. Have more translations rated: at")
    assert audit.verdicts[1].fix == "Have more of the translations rated that are there in both scripts."


def test_languages_hold_what_was_asked(table, row):
    segments = table(shift=-3.0, blur=8.0)
    audit = script_audit(segments, "chrf", seed=4, **FAST)
    frame = segments.frame.filter(language="ta").sort("id")
    native, romanized = (frame.filter(condition=c)["chrf"].to_numpy() for c in ("native", "romanized"))
    people = frame.filter(condition="native")["human"].to_numpy()
    rhos = spearman(native, people), spearman(romanized, people), spearman(native, romanized)
    keys = {"language": "ta", "script": "Taml", "condition": "romanized/native"}

    def found(measure):
        return row(audit.languages, measure, **keys)

    assert found("mean_native")["value"] == pytest.approx(native.mean())
    assert found("delta")["value"] == pytest.approx((romanized - native).mean())
    shift = bootstrap_mean(romanized - native, seed=4, resamples=200)
    assert (found("delta")["low"], found("delta")["high"]) == pytest.approx((shift.interval.low, shift.interval.high))
    assert found("delta_in_sd")["value"] == pytest.approx((romanized - native).mean() / native.std(ddof=1))
    assert found("rho_native")["value"] == pytest.approx(rhos[0])
    assert found("rho_romanized")["value"] == pytest.approx(rhos[1])
    assert found("rho_drop")["value"] == pytest.approx(rhos[0] - rhos[1])
    assert found("rho_between")["value"] == pytest.approx(rhos[2])
    assert found("p_delta")["value"] == pytest.approx(scipy_stats.ttest_rel(romanized, native).pvalue)
    for name, test in (("williams", williams), ("steiger", steiger), ("meng", meng)):
        assert found(f"p_{name}")["value"] == pytest.approx(test(*rhos, 300).p)
    swapped = perm_both(native, romanized, people, seed=4, permutations=200)
    assert found("p_perm_both")["value"] == pytest.approx(swapped.p)
    assert all(found(f"p_{t}_holm")["value"] >= found(f"p_{t}")["value"] for t in ("delta", "meng", "perm_both"))
    assert {(r["n"], r["n_failed"]) for r in audit.languages.to_dicts()} == {(300, 0)}
    assert found("delta")["unit"] == "points"
    assert "audit:script" in found("delta")["signature"]
    assert "seed:4" in found("delta")["signature"]


def test_cells_ranges_and_pooled_hold_what_was_asked(table, row):
    segments = table(offset={"ta": 5.0})
    audit = script_audit(segments, "chrf", **FAST)
    native = segments.frame.filter(condition="native")
    scores = native.filter(language="ta")["chrf"].to_numpy()
    keys = {"language": "ta", "script": "Taml", "condition": "native"}
    for name, q in (("p5", 5), ("q25", 25), ("median", 50), ("q75", 75), ("p95", 95)):
        assert row(audit.cells, name, **keys)["value"] == pytest.approx(np.percentile(scores, q))
    assert row(audit.cells, "mean", **keys)["value"] == pytest.approx(scores.mean())
    assert row(audit.cells, "mean", **keys)["low"] < scores.mean() < row(audit.cells, "mean", **keys)["high"]

    by_cell = [native.filter(language=language)["chrf"].to_numpy() for language in ("hi", "mr", "ta")]
    by_script = [np.concatenate(by_cell[:2]), by_cell[2]]  # Hindi and Marathi share Devanagari
    for grouping, groups in (("script", by_script), ("cell", by_cell)):
        keys = {"condition": "native", "grouping": grouping, "scored": "chrf"}
        expected = anova(groups)
        assert row(audit.ranges, "f", **keys)["value"] == pytest.approx(expected.f)
        assert row(audit.ranges, "eta2", **keys)["value"] == pytest.approx(expected.eta2.value)
        assert row(audit.ranges, "eta2", **keys)["low"] == pytest.approx(expected.eta2.interval.low)
        assert row(audit.ranges, "df_between", **keys)["value"] == len(groups) - 1
        romanized = row(audit.ranges, "groups", **{**keys, "condition": "romanized"})
        assert romanized["value"] == len(groups), "romanised rows are grouped by the script that they were made from"
    assert row(audit.ranges, "eta2", condition="native", grouping="cell", scored="human")["value"] < 0.02

    both = segments.frame
    assert row(audit.pooled, "rho_pooled", condition="native + romanized")["value"] == pytest.approx(
        spearman(both["chrf"].to_numpy(), both["human"].to_numpy())
    )
    assert row(audit.pooled, "rho_pooled", condition="native")["n"] == 900


def test_lower_is_better_keeps_its_sign_but_not_its_drop(table, row):
    higher, lower = (script_audit(table(blur=9.0, direction=d), "chrf", **FAST) for d in ("higher", "lower"))
    for language in ("hi", "mr", "ta"):
        up, down = (
            {r["measure"]: r for r in audit.languages.filter(language=language).to_dicts()} for audit in (higher, lower)
        )
        assert down["rho_native"]["value"] == pytest.approx(-up["rho_native"]["value"])
        assert down["rho_native"]["value"] < 0
        assert (down["rho_native"]["low"], down["rho_native"]["high"]) == pytest.approx(
            (-up["rho_native"]["high"], -up["rho_native"]["low"]), abs=0.03
        )
        assert down["rho_native"]["direction"] == "lower"
        assert down["rho_drop"]["value"] == pytest.approx(up["rho_drop"]["value"])
        assert down["rho_drop"]["value"] > 0
        assert down["p_williams"]["value"] == pytest.approx(up["p_williams"]["value"])
        assert down["delta"]["value"] == pytest.approx(-up["delta"]["value"])
    assert answers(lower)[1] == answers(higher)[1] == "no"
    assert any("better when lower" in note for note in lower.notes)
    assert row(lower.pooled, "rho_pooled", condition="native")["value"] < 0


def test_a_neutral_measure_says_how_it_is_judged(table):
    assert any("Neither way is better" in n for n in script_audit(table(direction="neutral"), "chrf", **FAST).notes)


def test_without_people_order_cannot_be_told(table):
    for segments in (
        table(shift=-15.0, human=False),
        replace(s := table(shift=-15.0), frame=s.frame.with_columns(human=pl.lit(None, pl.Float64))),
    ):
        audit = script_audit(segments, "chrf", **FAST)
        assert answers(audit) == ("no", "can't tell")
        assert "No row has a person's score" in audit.verdicts[1].sentence
        assert "no people's scores say" in audit.verdicts[0].sentence
        assert audit.human is None
        assert audit.pooled.height == 0
        drop = audit.languages.filter(measure="rho_drop")
        assert drop["value"].null_count() == drop["reason"].drop_nulls().len() == 3


def test_without_romanized_rows(table, row):
    plain = script_audit(table(conditions=["native"]), "chrf", **FAST)
    assert answers(plain) == ("yes", "can't tell")
    assert "equiglot romanize" in plain.verdicts[1].fix
    assert row(plain.languages, "rho_native", language="ta")["value"] > 0.8
    assert row(plain.languages, "rho_drop", language="ta")["reason"] == "no romanised rows of the same translations"
    assert any("native only" in note for note in plain.notes)

    for conditions in (["native"], ["romanized"]):
        order = script_audit(table(conditions=conditions), "chrf", **FAST).verdicts[1]
        assert order.sentence.startswith("No translation is there in native and in Latin script")

    apart = script_audit(table(conditions=["native"], offset={"ta": 12.0}), "chrf", **FAST)
    assert answers(apart) == ("no", "can't tell")
    assert "with no clear difference in people's own scores" in apart.headline

    blind = script_audit(table(conditions=["native"], offset={"ta": 12.0}, human=False), "chrf", **FAST)
    assert answers(blind) == ("can't tell", "can't tell")
    assert "can't tell how much of that is quality and how much is only the range" in blind.verdicts[0].sentence


def test_one_language_has_two_cells_or_one(table, row):
    both = script_audit(table(languages={"hi": "Deva"}, shift=-15.0), "chrf", **FAST)
    assert answers(both) == ("no", "yes")
    reason = row(both.ranges, "f", condition="native", grouping="script", scored="chrf")["reason"]
    assert reason == "one group; there is nothing to compare it with"
    one = script_audit(table(languages={"hi": "Deva"}, conditions=["native"]), "chrf", **FAST)
    assert answers(one) == ("can't tell", "can't tell")
    assert "one language in one script, so there is nothing to compare" in one.verdicts[0].sentence


@pytest.mark.parametrize("n", [0, 1, 2, 3, 29])
@pytest.mark.parametrize("conditions", [("native",), ("native", "romanized"), ("romanized",)])
def test_a_handful_of_rows_gives_reasons_not_errors(table, n, conditions):
    audit = script_audit(table(n=n, shift=-20.0, conditions=conditions), "chrf", **FAST)
    assert answers(audit) == ("can't tell", "can't tell")
    json.dumps(audit.to_dict(), allow_nan=False)
    for name in ("cells", "languages", "gaps", "ranges", "pooled"):
        frame = getattr(audit, name)
        if "reason" in frame.columns:
            assert frame.filter(pl.col("value").is_null() & pl.col("reason").is_null()).height == 0


def test_constant_scores(table, row):
    segments = table()
    flat = replace(segments, frame=segments.frame.with_columns(chrf=pl.lit(50.0)))
    audit = script_audit(flat, "chrf", **FAST)
    assert answers(audit) == ("can't tell", "can't tell")
    assert "every native score is the same" in audit.verdicts[0].sentence
    assert row(audit.languages, "rho_native", language="ta")["reason"].startswith("every value is the same")
    json.dumps(audit.to_dict(), allow_nan=False)


def test_a_shift_that_is_the_same_in_every_row_is_found(table):
    segments = table(blur=0.0, shift=-10.0)
    audit = script_audit(segments, "chrf", **FAST)
    assert answers(audit) == ("no", "yes"), "no spread to test, but no doubt either"


def test_a_metric_that_never_agreed_has_no_order_to_lose(table):
    segments = table()
    noise = np.random.default_rng(1).normal(size=segments.frame.height)
    audit = script_audit(replace(segments, frame=segments.frame.with_columns(chrf=pl.Series(noise))), "chrf", **FAST)
    assert answers(audit)[1] == "can't tell"
    assert "there is little to lose" in audit.verdicts[1].sentence


def test_nulls_are_counted(table, row):
    segments = table()
    frame = segments.frame.with_columns(
        chrf=pl.when((pl.col("id") == "s1") & (pl.col("condition") == "romanized")).then(None).otherwise("chrf"),
        human=pl.when(pl.col("id").is_in(["s2", "s3"])).then(None).otherwise("human"),
    )
    audit = script_audit(replace(segments, frame=frame), "chrf", **FAST)
    keys = {"language": "ta", "script": "Latn", "condition": "romanized"}
    assert (row(audit.cells, "mean", **keys)["n"], row(audit.cells, "mean", **keys)["n_failed"]) == (299, 1)
    found = {r["measure"]: (r["n"], r["n_failed"]) for r in audit.languages.filter(language="ta").to_dicts()}
    assert found["delta"] == found["mean_native"] == (299, 1)
    assert found["rho_native"] == found["rho_drop"] == found["p_meng"] == (297, 3)
    assert "3 rows of 1,800 have no chrf score and are left out of its means." in audit.notes
    assert "12 rows of 1,800 have no person's score and are left out of every rho." in audit.notes


def test_all_scores_null_is_a_reason(table, row):
    segments = table(n=20)
    frame = segments.frame.with_columns(chrf=pl.lit(None, pl.Float64))
    audit = script_audit(replace(segments, frame=frame), "chrf", **FAST)
    assert answers(audit) == ("can't tell", "can't tell")
    assert row(audit.cells, "median", language="ta", condition="native")["reason"] == "no row has a score"
    json.dumps(audit.to_dict(), allow_nan=False)


def test_unmatched_rows_are_counted(table, row):
    segments = table()
    frame = segments.frame.filter(
        ~((pl.col("condition") == "romanized") & (pl.col("id") == "s0"))
        & ~((pl.col("condition") == "native") & pl.col("id").is_in(["s1", "s2"]))
    )
    audit = script_audit(replace(segments, frame=frame), "chrf", **FAST)
    assert row(audit.languages, "delta", language="hi")["n"] == 297
    assert any(note.startswith("3 native rows have no romanised row") for note in audit.notes)
    assert any(note.startswith("6 romanised rows have no native row") for note in audit.notes)


def test_a_score_only_on_the_romanised_copy_counts_and_a_differing_one_is_told(table, row):
    segments = table()
    native = pl.col("condition") == "native"
    moved = segments.frame.with_columns(human=pl.when(native & (pl.col("id") == "s0")).then(None).otherwise("human"))
    assert (
        row(script_audit(replace(segments, frame=moved), "chrf", **FAST).languages, "rho_drop", language="hi")["n"]
        == 300
    )
    other = segments.frame.with_columns(human=pl.when(native & (pl.col("id") == "s0")).then(25.5).otherwise("human"))
    assert (
        "3 pairs have two human scores that differ; the native row's is used."
        in script_audit(replace(segments, frame=other), "chrf", **FAST).notes
    )


def test_a_language_of_two_scripts_is_paired_with_the_one_that_is_not_latin(table, row):
    segments = table(languages={"sr": "Cyrl"}, shift=-15.0)
    home = segments.frame.filter(condition="native").with_columns(script=pl.lit("Latn"), chrf=pl.col("chrf") - 1)
    audit = script_audit(replace(segments, frame=pl.concat([segments.frame, home])), "chrf", **FAST)
    assert row(audit.languages, "delta", script="Cyrl")["n"] == 300
    assert row(audit.languages, "delta", script="Latn")["reason"] == "no romanised rows of the same translations"
    assert answers(audit)[0] == "no"


def test_conditions_of_the_users_own_are_described_only(table):
    segments = table(n=50)
    own = segments.frame.filter(condition="romanized").with_columns(condition=pl.lit("isochrone"))
    audit = script_audit(replace(segments, frame=pl.concat([segments.frame, own])), "chrf", **FAST)
    assert "isochrone" in audit.cells["condition"].unique()
    assert any("described, not judged: isochrone" in note for note in audit.notes)
    assert audit.languages.equals(script_audit(segments, "chrf", **FAST).languages)


def test_severity(table, row):
    segments = table(shift=-5.0)
    grades = ["Default", "VeryLow", "Low", "Medium", "High", "VeryHigh"]
    graded = [grades[int(i[1:]) % 6] if i != "s7" else None for i in segments.frame["id"]]
    # Romanised scores rise by two points with every grade.
    rise = [0.0 if g is None or c == "native" else 2.0 * grades.index(g)
            for g, c in zip(graded, segments.frame["condition"], strict=True)]  # fmt: skip
    frame = segments.frame.with_columns(pl.Series("grade", graded), chrf=pl.col("chrf") + pl.Series(rise))
    audit = script_audit(replace(segments, frame=frame), "chrf", severity="grade", **FAST)
    levels = audit.severity.filter(language="ta", measure="delta")
    assert levels["severity"].to_list() == grades
    assert np.diff(levels["value"].to_list()) == pytest.approx([2.0] * 5, abs=1.2)
    assert levels["n"].to_list() == [50, 49, 50, 50, 50, 50]
    assert row(audit.severity, "rho_severity_delta", language="ta")["value"] > 0.5
    assert row(audit.severity, "rho_severity_delta", language="ta")["n"] == 249, "no rank for Default"
    assert "3 pairs without a severity are left out of its table." in audit.notes

    odd = frame.with_columns(grade=pl.col("grade").replace({"Low": "meh"}))
    audit = script_audit(replace(segments, frame=odd), "chrf", severity="grade", **FAST)
    assert "rho_severity_delta" not in audit.severity["measure"]
    assert any("No order is known for the severities" in note for note in audit.notes)

    numbers = frame.with_columns(grade=pl.col("grade").replace_strict({g: i for i, g in enumerate(grades)}))
    audit = script_audit(replace(segments, frame=numbers), "chrf", severity="grade", **FAST)
    assert row(audit.severity, "rho_severity_delta", language="ta")["n"] == 299


def test_burden(table, row):
    segments = table(n=40)
    assert script_audit(segments, "chrf", **FAST).burden.height == 0
    sbi = pl.when(pl.col("condition") == "romanized").then(3.0).otherwise(2.9)
    frame = segments.frame.with_columns(sbi=pl.when(pl.col("id") == "s0").then(None).otherwise(sbi))
    audit = script_audit(replace(segments, frame=frame), "chrf", **FAST)
    native = row(audit.burden, "sbi_flagged_pct", language="ta", condition="native")
    romanized = row(audit.burden, "sbi_flagged_pct", language="ta", condition="romanized")
    assert (native["value"], romanized["value"], native["n"], native["n_failed"]) == (0.0, 100.0, 39, 1)
    assert native["high"] > 5
    assert "flag:3" in native["signature"]


def test_mapped_scores_say_that_means_are_equal_by_construction(table):
    segments = table()
    mapped = MeasureInfo("chrf_qn", "points", "higher", "metric:chrf|norm:qn|ref:native-pooled")
    frame = segments.frame.with_columns(
        chrf_qn=(pl.col("chrf").rank() / (pl.len() + 1)).over("language", "condition"),
        human=pl.when(pl.col("language") == "ta").then(pl.col("human") - 3).otherwise("human"),
    )
    audit = script_audit(replace(segments, frame=frame, measures={"chrf_qn": mapped}), "chrf_qn", **FAST)
    assert answers(audit)[0] == "yes"
    assert "can't rank languages" in audit.verdicts[0].sentence
    assert "the means of languages don't rank them" in audit.headline


@pytest.mark.parametrize(
    ("made", "mapped"),
    [
        ("norm:qn|ref:native-pooled", True),
        ("norm:shift|ref:native-pooled", True),
        ("norm:affine|ref:hi-Deva", True),
        ("norm:qn|ref:native-own", False),
        ("norm:isotonic|ref:native-own", False),
        ("norm:identity|ref:none", False),
        ("nc:6", False),
    ],
)
def test_every_map_onto_one_range_makes_means_equal_by_construction(table, made, mapped):
    info = MeasureInfo("chrf", "points", "higher", f"metric:chrf|{made}|v:test")
    audit = script_audit(replace(table(), measures={"chrf": info}), "chrf", **FAST)
    assert ("equal by construction" in audit.verdicts[0].sentence) == mapped


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda f: f.with_columns(chrf=pl.lit(float("nan"))), "row 1, column 'chrf': the value is nan"),
        (lambda f: f.with_columns(human=pl.col("human").cast(pl.String)), "column 'human': the values are String"),
        (lambda f: pl.concat([f, f.filter(condition="romanized").head(1)]), "two romanised rows of one translation"),
        (lambda f: pl.concat([f, f.head(1)]), "two native rows of one translation (id 's0', language 'hi'"),
        (lambda f: f.with_columns(romanizer=pl.when(pl.col("id") == "s1").then(pl.lit("b")).otherwise(pl.lit("a"))),
         "different schemes (a, b)"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(table, change, words):
    segments = table(n=10)
    with pytest.raises(InputError, match=r".+") as error:
        script_audit(replace(segments, frame=change(segments.frame)), "chrf", **FAST)
    assert words in str(error.value)


def test_names_that_are_not_there_are_refused(table):
    segments = table(n=10)
    for arguments, words in (
        ({"metric": "comet"}, "no measure 'comet'"),
        ({"metric": "chrf", "human": "mqm"}, "no column 'mqm'"),
        ({"metric": "chrf", "severity": "sev"}, "no column 'sev'"),
    ):
        with pytest.raises(InputError, match=words):
            script_audit(segments, **arguments, **FAST)


def test_row_order_does_not_matter(table):
    segments = table(n=80, shift=-3.0, blur=6.0)
    shuffled = replace(segments, frame=segments.frame.sample(fraction=1, shuffle=True, seed=3))
    assert script_audit(shuffled, "chrf", **FAST).to_dict() == script_audit(segments, "chrf", **FAST).to_dict()


def test_a_language_is_described_alike_whatever_others_are_there(table):
    everything = script_audit(table(n=80), "chrf", **FAST)
    segments = table(n=80)
    alone = script_audit(replace(segments, frame=segments.frame.filter(language="ta")), "chrf", **FAST)
    not_corrected = ~pl.col("measure").str.ends_with("_holm")
    assert alone.languages.filter(not_corrected).equals(everything.languages.filter(not_corrected, language="ta"))


def test_seed_and_level_of_detail_are_in_the_signature(table):
    one, two = (script_audit(table(n=60), "chrf", seed=s, **FAST) for s in (0, 1))
    assert one.languages["value"].drop_nulls().len() == two.languages["value"].drop_nulls().len()
    assert not one.languages.equals(two.languages)
    assert one.cells["signature"].unique().to_list() == [
        s
        for s in one.cells["signature"].unique()
        if "resamples:200|permutations:200" in s and "metric:metric:chrf" in s
    ]


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(1, 40), st.floats(0.1, 50), st.floats(-100, 100))
def test_an_increasing_map_of_the_scores_changes_no_rho_and_no_verdict_on_order(seed, n, scale, origin):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "id": [f"s{i}" for i in range(n)] * 2,
            "language": "ta",
            "script": ["Taml"] * n + ["Latn"] * n,
            "condition": ["native"] * n + ["romanized"] * n,
            "system": "a",
            "human": np.tile(rng.integers(0, 6, size=n).astype(float), 2),
            "m": rng.integers(-5, 6, size=2 * n).astype(float),
        }
    )
    info = {"m": MeasureInfo("m", "points", "higher", "metric:m")}
    audit = script_audit(Segments(frame, info), "m", resamples=30, permutations=30)
    mapped = script_audit(
        Segments(frame.with_columns(m=pl.col("m") * scale + origin), info), "m", resamples=30, permutations=30
    )
    order = pl.col("measure").str.contains("rho|williams|meng|steiger|perm")
    assert mapped.languages.filter(order).equals(audit.languages.filter(order))
    assert mapped.verdicts[1] == audit.verdicts[1]
    text = json.dumps(audit.to_dict(), allow_nan=False)
    assert "NaN" not in text
    assert all(math.isfinite(v) for v in audit.cells["value"].drop_nulls())


def test_pooled_agreement_counts_what_is_missing(table):
    frame = table(n=50).frame.with_columns(human=pl.when(pl.col("id") == "s0").then(None).otherwise("human"))
    measure = pooled_agreement(frame, "chrf", resamples=100)
    assert (measure.n, measure.n_failed) == (294, 6)
    assert measure.interval.low < measure.value < measure.interval.high
    assert pooled_agreement(frame.head(2), "chrf").reason
