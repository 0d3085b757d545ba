"""How far metrics are from people: paper 3's numbers, gaps written out, and failures that a metric misses."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.people import measure_divergence
from equiglot.stats._resampling import counts
from equiglot.table import Segments

CELL = {"language": "hi", "script": "Latn", "condition": "romanized"}
PAPER = {"GPT-5.5": (10.73, 0.790), "Claude": (9.30, 0.786), "Gemini": (8.91, 0.686), "Qwen": (4.48, 0.641)}


def table(columns, *, lower=(), **more):
    frame = pl.DataFrame(columns).with_columns(**{k: pl.lit(v) for k, v in CELL.items() if k not in columns})
    texts = ("id", "system", "human", "valid", "failure", "target", *CELL)
    scores = [c for c in frame.columns if c not in texts]
    infos = {
        name: MeasureInfo(name, "score", "lower" if name in lower else "higher", f"metric:{name}") for name in scores
    }
    return Segments(frame.with_columns(**more), infos)


@pytest.fixture
def paper():
    """72 rows a system with the means of paper 3's table 3."""
    rng, rows = np.random.default_rng(1), []
    for system, (human, bge) in PAPER.items():
        spread, other = rng.normal(0, 2, 72), rng.normal(0, 0.08, 72)
        for i in range(72):
            rows.append((str(i), system, human + spread[i] - spread.mean(), bge + other[i] - other.mean()))
    return table(pl.DataFrame(rows, schema=["id", "system", "human", "bge"], orient="row").to_dict())


@pytest.fixture
def uneven():
    """Systems with rows of their own, some shared, some scores missing."""
    rng = np.random.default_rng(2)
    rows = [
        (f"{i}", system, float(rng.integers(0, 13)), float(rng.normal(0.6, 0.1)))
        for system, ids in (("a", range(12)), ("b", range(6, 20)), ("c", range(3, 9)))
        for i in ids
    ]
    frame = pl.DataFrame(rows, schema=["id", "system", "human", "m"], orient="row")
    gone = pl.when(pl.int_range(pl.len()) % 7 != 3).then("human").alias("human")
    return table(frame.with_columns(gone).to_dict())


def measures(found, metric, one, other, **keys):
    own = found.gaps.filter(metric=metric, system=one, other_system=other, **keys)
    return {row["measure"]: row for row in own.iter_rows(named=True)}


def test_the_papers_gap_and_factor(paper):
    found = measure_divergence(paper, ["bge"], resamples=200)
    own = measures(found, "bge", "GPT-5.5", "Claude")
    assert own["human_gap"]["value"] == pytest.approx(1.43)
    assert own["metric_gap"]["value"] == pytest.approx(0.004)
    assert int(own["gap_ratio"]["value"]) == 357
    assert own["gap_ratio"]["low"] is None  # the metric's gap may well be 0
    assert "holds 0" in own["gap_ratio"]["reason"]
    assert 10 < own["gap_ratio_sd"]["value"] < 20  # in one unit the factor is another
    assert own["gap_lost"]["low"] > 0
    assert "357.5 times that by bge, a ratio that mixes units" in found.headline
    assert "sees less than people do" in found.headline


def naive_gaps(frame, one, other, *, seed, resamples, sign):
    """The gaps, and in every resample of segments, by loops."""
    systems = sorted(set(frame["system"]))
    segments = sorted(set(frame["id"]))
    rows = {s: [r for r in frame.iter_rows(named=True) if r["id"] == s] for s in segments}

    def gaps(drawn):
        own = {s: [r for segment in drawn for r in rows[segment] if r["system"] == s] for s in systems}
        if not (own[one] and own[other]):
            return [np.nan] * 4
        said = []
        for column, way in (("human", 1.0), ("m", sign)):
            values = {s: way * np.array([r[column] for r in own[s]]) for s in systems if own[s]}
            spare = sum(map(len, values.values())) - len(values)
            sd = np.sqrt(sum(((v - v.mean()) ** 2).sum() for v in values.values()) / spare)
            gap = values[one].mean() - values[other].mean()
            said += [gap, gap / sd]
        return said

    drawn = [
        gaps([segments[i] for i, n in enumerate(times) for _ in range(n)])
        for block in counts(len(segments), seed, resamples)
        for times in block.copy()
    ]
    return gaps(segments), np.array(drawn)


@pytest.mark.parametrize("lower", [False, True])
def test_gaps_and_their_intervals_are_those_written_out(uneven, lower):
    segments = table(uneven.frame.to_dict(), lower=("m",) if lower else ())
    found = measure_divergence(segments, ["m"], seed=3, resamples=60)
    rated = segments.frame.drop_nulls("human")
    for one, other in found.gaps.select("system", "other_system").unique().iter_rows():
        values, drawn = naive_gaps(rated, one, other, seed=3, resamples=60, sign=-1.0 if lower else 1.0)
        own = measures(found, "m", one, other)
        for k, name in enumerate(("human_gap", "human_gap_sd", "metric_gap", "metric_gap_sd")):
            kept = drawn[~np.isnan(drawn[:, k]), k]
            assert own[name]["value"] == pytest.approx(values[k], abs=1e-12)
            assert own[name]["low"] == pytest.approx(np.quantile(kept, 0.025), abs=1e-9)
            assert own[name]["high"] == pytest.approx(np.quantile(kept, 0.975), abs=1e-9)
        assert own["gap_lost"]["value"] == pytest.approx(values[1] - values[3], abs=1e-12)
        lost = drawn[:, 1] - drawn[:, 3]
        assert own["gap_lost"]["low"] == pytest.approx(np.quantile(lost[~np.isnan(lost)], 0.025), abs=1e-9)
        assert own["gap_ratio"]["value"] == pytest.approx(values[0] / values[2], rel=1e-9)
        assert own["human_gap"]["value"] >= 0
        assert own["human_gap"]["n"] == rated.filter(pl.col("system").is_in([one, other])).height


def test_a_ratio_has_an_interval_where_the_metrics_gap_is_certain(paper):
    own = measures(measure_divergence(paper, ["bge"], resamples=200), "bge", "GPT-5.5", "Qwen")
    ratio = own["gap_ratio"]
    assert ratio["value"] == pytest.approx(6.25 / 0.149)
    assert ratio["low"] < ratio["value"] < ratio["high"]


def test_only_the_raw_ratio_changes_with_the_metrics_scale(uneven):
    scaled = table(uneven.frame.with_columns(m=pl.col("m") * 8 + 100).to_dict())
    one, other = (measure_divergence(t, ["m"], resamples=50).gaps for t in (uneven, scaled))
    for name, factor in (("metric_gap_sd", 1), ("gap_ratio_sd", 1), ("gap_lost", 1), ("gap_ratio", 1 / 8)):
        before, after = (t.filter(measure=name)["value"].to_numpy() for t in (one, other))
        assert after == pytest.approx(before * factor, rel=1e-9)


def test_the_order_of_rows_does_not_matter(uneven):
    shuffled = Segments(uneven.frame.sample(fraction=1, shuffle=True, seed=4), uneven.measures)
    one, other = (measure_divergence(t, ["m"], resamples=50) for t in (uneven, shuffled))
    for name in ("gaps", "rows"):
        before, after = getattr(one, name), getattr(other, name)
        assert before.drop("value", "low", "high").equals(after.drop("value", "low", "high"))
        for column in ("value", "low", "high"):
            assert after[column].is_null().equals(before[column].is_null())
            assert after[column].drop_nulls().to_list() == pytest.approx(
                before[column].drop_nulls().to_list(), rel=1e-9
            )


def test_what_can_not_be_had_says_why():
    ids, systems = ["1", "2", "1", "2"], ["a", "a", "b", "b"]
    flat = table({"id": ids, "system": systems, "human": [3.0, 3, 1, 1], "m": [0.5, 0.6, 0.6, 0.5]})
    own = measures(measure_divergence(flat, ["m"], resamples=50), "m", "a", "b")
    assert own["human_gap"]["value"] == 2
    assert own["human_gap_sd"]["value"] is None
    assert "same" in own["human_gap_sd"]["reason"]
    assert own["metric_gap"]["value"] == pytest.approx(0)
    single = table({"id": ["1", "1"], "system": ["a", "b"], "human": [3.0, 1], "m": [0.5, 0.25]})
    own = measures(measure_divergence(single, ["m"], resamples=50), "m", "a", "b")
    assert own["gap_ratio"]["value"] == 8
    assert "too few rows" in own["gap_lost"]["reason"]
    equal = table({"id": ids, "system": systems, "human": [3.0, 2, 1, 1], "m": [0.5, 0.5, 0.5, 0.5]})
    own = measures(measure_divergence(equal, ["m"], resamples=50), "m", "a", "b")
    assert own["gap_ratio"]["value"] is None
    assert own["gap_ratio"]["reason"] == "the metric's gap is 0"


def test_one_system_and_none_rated(uneven):
    alone = measure_divergence(Segments(uneven.frame.filter(system="a"), uneven.measures), ["m"], resamples=50)
    assert alone.gaps.height == 0
    assert "one system" in alone.notes[0]
    assert "rho" in alone.headline
    with pytest.raises(InputError, match="every value of this column"):
        measure_divergence(Segments(uneven.frame.with_columns(human=None), uneven.measures), ["m"])
    with pytest.raises(InputError, match="no measure 'x'"):
        measure_divergence(uneven, ["x"])
    neutral = {"m": MeasureInfo("m", "ratio", "neutral", "metric:m")}
    with pytest.raises(InputError, match="neither end of 'm' is better"):
        measure_divergence(Segments(uneven.frame, neutral), ["m"])


def test_names_of_systems_and_metrics_may_be_those_of_columns(paper):
    renamed = paper.frame.with_columns(pl.col("system").replace({"GPT-5.5": "language"})).rename({"bge": "median"})
    infos = {"median": MeasureInfo("median", "score", "higher", "metric:median")}
    found = measure_divergence(Segments(renamed, infos), ["median"], resamples=50)
    assert found.gaps["value"].equals(measure_divergence(paper, ["bge"], resamples=50).gaps["value"])
    assert found.failures["median"].n_unique() == 1


def test_rows_without_a_score_are_left_out_and_counted(paper):
    gone = pl.when((pl.col("system") == "GPT-5.5") & (pl.col("id") == "7")).then(None).otherwise("bge").alias("bge")
    found = measure_divergence(Segments(paper.frame.with_columns(gone), paper.measures), ["bge"], resamples=50)
    counted = {(row["system"], row["other_system"]): (row["n"], row["n_failed"]) for row in found.gaps.to_dicts()}
    assert counted["GPT-5.5", "Claude"] == (143, 1)
    assert counted["Claude", "Gemini"] == (144, 0)
    without = Segments(paper.frame.with_columns(gone).drop_nulls("bge"), paper.measures)
    assert measure_divergence(without, ["bge"], resamples=50).gaps["value"].equals(found.gaps["value"])
    assert found.notes == ("bge: 1 of 288 rated rows have no score and are left out of its numbers",)


def test_languages_and_a_mix_of_them(paper):
    language = pl.when(pl.col("id").cast(pl.Int64) < 24).then(pl.lit("hi")).otherwise(pl.lit("te"))
    mixed = Segments(paper.frame.with_columns(language=language), paper.measures)
    found = measure_divergence(mixed, ["bge"], resamples=50)
    assert found.gaps["language"].unique().sort(nulls_last=True).to_list() == ["hi", "te", None]
    assert found.rows.filter(measure="rho")["n"].to_list() == [288, 96, 192]
    assert found.notes == ()
    skewed = mixed.frame.filter((pl.col("system") != "Qwen") | (pl.col("language") == "te"))
    assert "different mixes of languages" in measure_divergence(Segments(skewed, paper.measures), ["bge"]).notes[0]


def test_a_judge_on_peoples_scale():
    human = [3.0, 5, 8, 10]
    judge = [10.4, 5, 9, None]  # paper 3's example: 10.4 by the judge, 3 by the reader
    rows = {"id": list("1234"), "system": ["a", "a", "b", "b"], "human": human, "judge": judge}
    found = measure_divergence(table(rows), [], judges=["judge"], resamples=50)
    own = {row["measure"]: row for row in found.rows.iter_rows(named=True)}
    assert own["mad"]["value"] == pytest.approx((7.4 + 0 + 1) / 3)
    assert own["bias"]["value"] == pytest.approx((7.4 + 0 + 1) / 3)
    assert (own["mad"]["n"], own["mad"]["n_failed"]) == (3, 1)
    assert "more lenient" in found.headline
    assert "mixes units" not in found.headline
    plain = measure_divergence(table(rows), ["judge"], resamples=50)
    assert set(plain.rows["measure"]) == {"rho"}


def test_failures_that_a_metric_misses():
    n = 20
    human = [float(i) for i in range(n)]  # 0 and 1 are the lowest tenth
    score = [0.9, 0.1, *[i / 100 for i in range(2, n)]]
    failure = [None] * 10 + ["copy", "spillage"] + [None] * 8
    rows = {"id": [str(i) for i in range(n)], "system": ["a", "b"] * 10, "human": human, "m": score}
    judged = table(rows, valid=pl.Series([f is None for f in failure]), failure=pl.Series(failure))
    found = measure_divergence(judged, ["m"], resamples=50)
    shares = {row["failure"]: (row["value"], row["n"]) for row in found.missed.iter_rows(named=True)}
    # The median is 0.105: 0.9 lies above it, 0.1 below, 0.10 (copy) below, 0.11 (spillage) above.
    assert shares == {"copy": (0.0, 1), "spillage": (100.0, 1), "lowest for people": (50.0, 2)}
    assert found.failures.filter("missed")["id"].to_list() == ["0", "11"]
    assert "1 of 2 invalid answers and 1 of 2 answers that people put lowest above its median" in found.headline
    turned = table({**rows, "m": [-v for v in score]}, lower=("m",), valid=judged.frame["valid"],
                   failure=judged.frame["failure"])  # fmt: skip
    again = measure_divergence(turned, ["m"], resamples=50)
    assert again.missed["value"].to_list() == found.missed["value"].to_list()


def test_medians_are_those_of_a_rows_own_language():
    rows = {
        "id": [*"123456"], "system": ["a"] * 6, "language": ["hi"] * 3 + ["te"] * 3,
        "human": [1.0, 5, 5, 1, 5, 5], "m": [0.3, 0.2, 0.1, 0.7, 0.8, 0.9],
    }  # fmt: skip
    found = measure_divergence(table(rows), ["m"], resamples=50)
    assert found.failures.select("id", "median", "missed").rows() == [("1", 0.2, True), ("4", 0.8, False)]


def test_ties_at_the_bottom_are_all_the_lowest_but_a_constant_is_not():
    rows = {"id": [*"123456"], "system": ["a"] * 6, "human": [0.0, 0, 5, 6, 7, 8], "m": [0.1] * 6}
    assert measure_divergence(table(rows), ["m"], resamples=50).failures["id"].to_list() == ["1", "2"]
    constant = measure_divergence(table({**rows, "human": [2.0] * 6}), ["m"], resamples=50)
    assert constant.failures.height == 0
    assert constant.missed.height == 0


def test_rows_are_judged_where_nobody_did():
    rows = {
        "id": [*"1234"], "system": ["a", "b"] * 2, "human": [8.0, 1, 9, 2], "m": [0.6, 0.9, 0.7, 0.5],
        "source": ["It is raining in the village"] * 4,
        "target": ["gaon mein barish", "It is raining in the village", "barish ho rahi hai", ""],
    }  # fmt: skip
    segments = table({k: v for k, v in rows.items() if k != "source"}, source=pl.Series(rows["source"]))
    segments = Segments(segments.frame, {"m": MeasureInfo("m", "score", "higher", "metric:m")})
    found = measure_divergence(segments, ["m"], resamples=50)
    invalid = found.failures.filter(pl.col("kind") != "lowest for people")
    assert invalid.select("kind", "id", "missed", "target").rows() == [
        ("copy", "2", True, "It is raining in the village"),
        ("empty", "4", False, ""),
    ]


def test_what_a_file_says_of_validity_in_words_is_read():
    rows = {"id": [*"1234"], "system": ["a", "b"] * 2, "human": [8.0, 1, 9, 2], "m": [0.6, 0.9, 0.7, 0.5]}
    said = table(rows, valid=pl.Series(["true", "false", "yes", "0"]))
    found = measure_divergence(said, ["m"], resamples=50)
    assert found.failures.filter(kind="invalid")["id"].to_list() == ["2", "4"]
    copied = table({**rows, "target": ["Fix my English"] * 4}, source=pl.lit("Fix my English"))
    exempt = Segments(copied.frame.with_columns(english_task=pl.Series(["yes", "", None, "no"])), copied.measures)
    found = measure_divergence(exempt, ["m"], resamples=50)
    assert found.failures.filter(kind="copy")["id"].to_list() == ["2", "3", "4"]


def test_failures_without_a_score_are_told():
    rows = {
        "id": [*"1234567"], "system": ["a"] * 7, "human": [5.0] * 7, "m": [None, None, 0.9, 0.1, 0.2, 0.3, 0.4],
    }  # fmt: skip
    judged = table(rows, valid=pl.Series([False] * 5 + [True] * 2))
    found = measure_divergence(judged, ["m"], resamples=50)
    assert found.headline.endswith("Of 5 invalid answers 2 have no m. m scores 1 of the other 3 above its median.")
    none = table({**rows, "m": [None] * 2 + [0.5] * 5}, valid=pl.Series([False] * 2 + [True] * 5))
    assert measure_divergence(none, ["m"], resamples=50).headline.endswith("Of 2 invalid answers 2 have no m.")
