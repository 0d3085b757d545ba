"""Macro and pooled means against plain arithmetic; intervals; orders; the answer in words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import ttest_rel

from equiglot.errors import InputError
from equiglot.likelihood import METRICS, language_order, likelihood_headline, likelihood_profile, neighbours
from equiglot.measures import MeasureInfo
from equiglot.table import Segments


def _scored(**columns: list[Any]) -> Segments:
    """Two languages, four texts each, with made-up costs."""
    base: dict[str, list[Any]] = {
        "id": [*"1234"] * 2, "language": ["en"] * 4 + ["ru"] * 4, "script": ["Latn"] * 4 + ["Cyrl"] * 4,
        "condition": ["native"] * 8, "system": ["a"] * 8,
        "sent_nll": [10.0, 20.0, 30.0, 90.0, 20.0, 30.0, 40.0, 100.0], "n_scored": [5, 4, 10, 20, 20, 20, 40, 50],
        "n_bytes": [20, 40, 50, 150, 60, 80, 90, 400],
    }  # fmt: skip
    frame = pl.DataFrame({**base, **columns}, schema_overrides={"sent_nll": pl.Float64}).with_columns(
        token_nll=pl.col("sent_nll") / pl.col("n_scored"),
        ppl=(pl.col("sent_nll") / pl.col("n_scored")).exp(),
        bpb=pl.col("sent_nll") / (pl.col("n_bytes") * math.log(2)),
    )
    names = ("sent_nll", "token_nll", "ppl", "bpb")
    return Segments(
        frame, {name: MeasureInfo(name, METRICS[name].unit, "lower", f"metric:{name}|lm:m|v:0") for name in names}
    )


def _values(table: pl.DataFrame, language: str) -> dict[str, float]:
    return dict(table.filter(pl.col("language") == language).select("measure", "value").rows())


def test_macro_and_micro() -> None:
    table = likelihood_profile(_scored(), resamples=100)
    assert _values(table, "en") == pytest.approx({
        "sent_nll": 37.5,
        "token_nll": (2 + 5 + 3 + 4.5) / 4,
        "token_nll_micro": 150 / 39,
        "ppl": math.exp((2 + 5 + 3 + 4.5) / 4),
        "ppl_micro": math.exp(150 / 39),
        "bpb": (0.5 + 0.5 + 0.6 + 0.6) / 4 / math.log(2),
        "bpb_micro": 150 / 260 / math.log(2),
    })  # fmt: skip
    signatures = dict(table.select("measure", "signature").rows())
    assert signatures["bpb"] == "metric:bpb|mean:macro|lm:m|v:0"
    assert signatures["bpb_micro"] == "metric:bpb|mean:micro|lm:m|v:0"
    assert signatures["ppl"] == "metric:ppl|mean:geometric|lm:m|v:0"


def test_intervals_hold_the_value_and_ppl_s_are_those_of_token_nll() -> None:
    table = likelihood_profile(_scored(), seed=3, resamples=500)
    assert (table["low"] <= table["value"]).all()
    assert (table["value"] <= table["high"]).all()
    ends = {name: table.filter(measure=name).select("low", "high").to_numpy() for name in ("token_nll", "ppl")}
    # A quantile between two resamples is interpolated, and that is not the same on a logarithmic scale.
    np.testing.assert_allclose(np.log(ends["ppl"]), ends["token_nll"], rtol=1e-2)


def test_order_of_rows_does_not_matter() -> None:
    scored = _scored()
    shuffled = Segments(scored.frame[::-1], scored.measures)
    keys = ["language", "measure"]
    one, other = (likelihood_profile(s, resamples=100).sort(keys) for s in (scored, shuffled))
    assert one.equals(other)


def test_what_could_not_be_scored_is_counted() -> None:
    table = likelihood_profile(_scored(sent_nll=[10.0, None, 30.0, 90.0, None, None, None, None]), resamples=100)
    rows = {(r["language"], r["measure"]): r for r in table.iter_rows(named=True)}
    assert (rows["en", "bpb"]["n"], rows["en", "bpb"]["n_failed"]) == (3, 1)
    assert rows["ru", "bpb_micro"]["value"] is None
    assert rows["ru", "bpb_micro"]["reason"] == "no text has a value (no reason given)"


def test_order_and_headline() -> None:
    table = likelihood_profile(_scored(), resamples=100)
    assert language_order(table, "sent_nll") == ["en", "ru"]
    assert language_order(table, "token_nll") == ["ru", "en"]
    text = likelihood_headline(table, "m")
    assert text.startswith("By sentence NLL m finds en easiest (37.5 nats, 95% interval ")
    assert "The same order by" not in text or "token" not in text.partition("The same order by")[2].partition(".")[0]
    assert "NLL per token (and perplexity) (ru, en)" in text
    with pytest.raises(InputError, match="no language has a value of 'chrf'"):
        language_order(table, "chrf")


def test_headline_names_a_language_without_a_value() -> None:
    table = likelihood_profile(_scored(sent_nll=[1.0] * 4 + [None] * 4), resamples=100)
    assert likelihood_headline(table, "m").endswith("n = 4. No sentence has a value in: ru.")


def test_headline_of_one_language_and_of_none() -> None:
    one = _scored()
    one = Segments(one.frame.filter(language="en"), one.measures)
    assert likelihood_headline(likelihood_profile(one, resamples=100), "m").startswith(
        "A sentence costs m en-Latn 37.5"
    )
    none = likelihood_profile(_scored(sent_nll=[None] * 8), resamples=100)
    assert likelihood_headline(none, "m") == "m can score none of these texts."


def test_a_table_that_was_not_scored_is_refused() -> None:
    with pytest.raises(InputError, match="no measure 'sent_nll'"):
        likelihood_profile(Segments(_scored().frame))


def test_neighbours_are_compared_on_the_texts_that_they_share() -> None:
    rng = np.random.default_rng(0)
    base = rng.normal(100, 30, size=40)
    sums = {"en": base, "ru": base + 5 + rng.normal(0, 2, size=40), "zh": base + 5.1 + rng.normal(0, 2, size=40)}
    frame = pl.concat(
        [
            pl.DataFrame({"id": [str(i) for i in range(40)], "language": name, "script": "Latn", "condition": "native",
                          "system": "a", "target": "x", "sent_nll": values})
            for name, values in sums.items()
        ]
    )  # fmt: skip
    scored = Segments(frame, {"sent_nll": MeasureInfo("sent_nll", "nats", "lower", "s")})
    table = likelihood_profile(scored, resamples=100)
    one, other = neighbours(scored, table)
    test = ttest_rel(sums[one.second], sums["en"])
    assert (one.first, one.second, one.n) == ("en", other.first, 40)
    assert {other.first, other.second} == {"ru", "zh"}
    assert one.p == pytest.approx(test.pvalue)
    assert one.difference == pytest.approx((sums[one.second] - sums["en"]).mean())
    assert one.adjusted == pytest.approx(2 * test.pvalue)
    assert (one.apart(), other.apart()) == (True, False)
    text = likelihood_headline(table, "m", [one, other])
    assert f"share (paired t, Holm, p >= 0.05): {other.first} and {other.second}." in text
    apart = Segments(frame.with_columns(id=pl.col("language") + pl.col("id")), scored.measures)
    assert [pair.reason for pair in neighbours(apart, table)] == ["they share no text; at least 2 are needed"] * 2
    assert "Not known to be apart: en and zh (they share no text" in likelihood_headline(
        table, "m", neighbours(apart, table)
    )
    romanized = frame.filter(language="en").with_columns(script=pl.lit("Deva"))
    two_scripts = Segments(pl.concat([frame, romanized]), scored.measures)
    assert neighbours(two_scripts, likelihood_profile(two_scripts, resamples=100)) == []


def test_conditions_that_the_headline_leaves_out_are_named() -> None:
    scored = _scored()
    both = Segments(pl.concat([scored.frame, scored.frame.with_columns(condition=pl.lit("de2"))]), scored.measures)
    text = likelihood_headline(likelihood_profile(both, resamples=100), "m")
    assert text.endswith("This is of the condition native; the table has de2 too.")
    assert "condition" not in likelihood_headline(likelihood_profile(scored, resamples=100), "m")


def test_rounding_tells_no_languages_apart() -> None:
    sums = np.linspace(20, 90, 20)
    noise = 1e-13 * (1 + np.arange(20) % 3)
    frame = pl.concat(
        [
            pl.DataFrame({"id": [str(i) for i in range(20)], "language": name, "script": "Latn", "condition": "native",
                          "system": "a", "target": "x", "sent_nll": values})
            for name, values in (("en", sums), ("de", sums + noise))
        ]
    )  # fmt: skip
    scored = Segments(frame, {"sent_nll": MeasureInfo("sent_nll", "nats", "lower", "s")})
    (pair,) = neighbours(scored, likelihood_profile(scored, resamples=100))
    assert (pair.p, pair.reason) == (None, "they differ by rounding only")
