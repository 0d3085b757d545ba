"""The headline's numbers: means with n and interval, what "yes" says of the languages, when a map is too coarse."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from equiglot.audit import script_audit

FAST = {"resamples": 200, "permutations": 100}
NATIVE = {"conditions": ["native"]}


def test_yes_says_who_is_ahead_and_by_how_much(table, row):
    audit = script_audit(table(**NATIVE, quality={"ta": 1.0}), "chrf", **FAST)
    assert audit.verdicts[0].answer == "yes"
    mean, human = (row(audit.cells, name, language="ta") for name in ("mean", "human_mean"))
    assert "Tamil (ta-Taml) is better than " in audit.headline
    assert "by chrf and by people. Means, with 95% intervals: Tamil " in audit.headline
    assert f"Tamil {mean['value']:.1f} [{mean['low']:.1f}, {mean['high']:.1f}], n = 300; " in audit.headline
    assert f"(people: {human['value']:.1f}, " in audit.headline
    assert "normal" not in audit.headline, "nothing has to be normalised"


def test_yes_without_a_difference_puts_no_one_ahead(table):
    audit = script_audit(table(**NATIVE), "chrf", **FAST)
    assert audit.verdicts[0].answer == "yes"
    assert "Means, with 95% intervals: " in audit.headline
    assert "is better than" not in audit.headline


def test_less_is_better_puts_the_lower_mean_ahead(table):
    audit = script_audit(table(**NATIVE, quality={"ta": 1.0}, direction="lower"), "chrf", **FAST)
    assert audit.verdicts[0].answer == "yes"
    assert "Tamil (ta-Taml) is better than" in audit.headline


@pytest.mark.parametrize("human", [True, False])
def test_equal_means_are_not_called_a_gap(table, human):
    segments = table(**NATIVE, n=40, languages={"hi": "Deva", "ta": "Taml"}, human=human)
    centred = pl.col("chrf") - pl.col("chrf").mean().over("language") + 70
    audit = script_audit(replace(segments, frame=segments.frame.with_columns(chrf=centred)), "chrf", **FAST)
    assert audit.verdicts[0].answer == "can't tell"
    assert "chrf is 70.0 for both " in audit.headline
    assert "the gap" not in audit.headline
    assert ("whether languages are as close in people's scores" in audit.headline) == human
    assert ("whether that is equal quality" in audit.headline) == (not human)


def test_a_shift_has_its_interval_and_n(table, row):
    audit = script_audit(table(shift=-15.0), "chrf", **FAST)
    shifts = audit.languages.filter(measure="delta").sort("value")
    widest = max(shifts.rows(named=True), key=lambda r: abs(
        audit.languages.filter(measure="delta_in_sd", language=r["language"])["value"][0]))  # fmt: skip
    assert (
        f"score {-widest['value']:.1f} lower when only the script changes "
        f"[95% CI {-widest['high']:.1f} to {-widest['low']:.1f}; n = 300]"
    ) in audit.headline


def test_a_map_of_few_rows_is_called_too_coarse(table):
    few = script_audit(table(**NATIVE, n=12, human=False), "chrf", **FAST)
    assert "With fewer than 30 scores (Hindi (hi-Deva) has 12, Marathi has 12 and Tamil has 12)" in few.headline
    assert "too coarse" in few.headline
    assert "too coarse" not in script_audit(table(**NATIVE, n=40, human=False), "chrf", **FAST).headline


@pytest.mark.parametrize("made", [{"shift": -15.0}, {**NATIVE, "human": False, "offset": {"ta": 9.0}}])
def test_scores_that_are_normalised_already_are_pointed_to(table, made):
    audit = script_audit(table(**made), "chrf", normalized="segments.parquet, column chrf_qn", **FAST)
    said = audit.headline + audit.verdicts[0].fix
    assert "segments.parquet, column chrf_qn" in audit.headline
    assert "normalize fit" not in said
