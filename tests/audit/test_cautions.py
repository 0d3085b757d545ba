"""What may be wrong with the rows is said beside the answer, and nothing is taken out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.audit import script_audit
from equiglot.audit._outliers import outliers
from equiglot.table import from_frame

FAST = {"resamples": 50, "permutations": 100}
HINDI, TAMIL = "मैं कल दिल्ली जा रहा हूँ", "நான் நாளை டெல்லி செல்கிறேன்"


def frame(n=25):
    rng = np.random.default_rng(1)
    rows = [
        (language, f"{text} {i}", float(np.round(rng.uniform(0.7, 0.9), 4)), float(rng.integers(40, 99)))
        for language, text in (("hi", HINDI), ("ta", TAMIL))
        for i in range(n)
    ]
    return pl.DataFrame(rows, schema=["language", "target", "comet", "human"], orient="row")


def put(table, row, **values):
    """The table with values of one row, counted from 1, replaced."""
    at = pl.int_range(pl.len()) == row - 1
    return table.with_columns(**{c: pl.when(at).then(pl.lit(v)).otherwise(c) for c, v in values.items()})


def read(table):
    scripts = pl.col("language").replace_strict({"hi": "Deva", "ta": "Taml"})
    return from_frame(table.with_columns(script=scripts))


def cautions(table):
    return script_audit(read(table), "comet", **FAST).cautions


def test_good_rows_need_no_caution():
    assert cautions(frame()) == ()


@pytest.mark.parametrize(
    ("value", "question"), [(86.0, "is it on a 0-100 scale?"), (1e6, "is it a slip?"), (-84.0, "is it a slip?")]
)
def test_a_score_of_another_scale_is_named_and_kept(value, question):
    table = put(frame(), 40, comet=value)
    (said,) = cautions(table)
    others = table.filter(language="ta").filter(pl.col("comet").is_between(0, 1))["comet"].median()
    assert "'comet'" in said
    assert f"row 40 has {value:,.{1 if abs(value) < 100 else 0}f}, where the median of Tamil (ta-Taml) is" in said
    assert f"{others:.3f} ({question})" in said
    audit = script_audit(read(table), "comet", **FAST)
    assert audit.cells.filter(measure="mean", language="ta")["value"][0] == pytest.approx(
        table.filter(language="ta")["comet"].mean()
    )
    assert audit.to_dict()["cautions"] == list(audit.cautions)


def test_many_such_scores_are_counted_and_peoples_scores_looked_at_too():
    table = frame()
    for row in (3, 7, 11, 19, 30):
        table = put(table, row, comet=80.0)
    (said,) = cautions(put(table, 5, human=9000.0))[:1]
    assert said.startswith("5 values seem to be of another scale in 'comet'")
    assert said.endswith("; and 2 more rows.")
    assert "'human'" in cautions(put(table, 5, human=9000.0))[1]


def test_what_was_computed_here_is_no_slip():
    segments = read(put(frame(), 40, comet=86.0))
    info = replace(segments.measures["comet"], signature="metric:comet|model:x|v:1")
    assert script_audit(replace(segments, measures={"comet": info}), "comet", **FAST).cautions == ()


@given(st.integers(0, 10**6), st.integers(1, 400), st.sampled_from(["normal", "beta", "uniform", "exponential"]))
def test_ordinary_scores_raise_no_alarm(seed, n, shape):
    rng = np.random.default_rng(seed)
    draws = {
        "normal": lambda: rng.normal(0.1, 0.6, n),
        "beta": lambda: rng.beta(4, 1, n),
        "uniform": lambda: rng.uniform(0, 100, n),
        "exponential": lambda: rng.exponential(30, n),
    }
    assert outliers(draws[shape]()).size == 0


@given(st.integers(0, 10**6), st.integers(25, 300), st.floats(50, 100))
def test_the_rule_as_it_is_stated(seed, n, value):
    """Against the definition, read plainly: ten times every other, fifty ranges away, a quarter at most."""
    rng = np.random.default_rng(seed)
    scores = rng.beta(4, 1, n)
    beyond = np.sort(rng.choice(n, size=int(rng.integers(1, n // 4 + 1)), replace=False))
    scores[beyond] = value
    rest = np.delete(scores, beyond)
    low, median, high = np.quantile(rest, [0.25, 0.5, 0.75])
    expected = beyond if value >= 10 * rest.max() and value - median > 50 * (high - low) else []
    assert outliers(scores).tolist() == list(expected)


def test_rows_that_may_be_no_translation_are_counted_by_kind():
    table = put(frame(), 6, target="")
    table = put(table, 7, target="I will go to Delhi tomorrow")
    table = put(table, 9, **table.row(7, named=True))  # row 9 repeats row 8
    table = put(table, 10, **table.row(7, named=True))
    (said,) = cautions(table)
    assert said == (
        "4 rows that may not belong in the means are kept in them: 1 has a score and no text (row 6), 1 is in another "
        "script than its language's other rows (row 7) and 2 repeat another row's text and score (first row 9). "
        "`equiglot validate` finds rows without text or in another script."
    )


def test_one_text_with_two_scores_is_no_repetition_and_rows_without_scores_don_t_count():
    table = put(frame(), 9, target=frame()["target"][7])
    assert cautions(table) == ()
    assert cautions(put(put(frame(), 9, target=""), 9, comet=None)) == ()


def test_scores_without_texts_have_none_to_look_at():
    assert cautions(frame().drop("target")) == ()
