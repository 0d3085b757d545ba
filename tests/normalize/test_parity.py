"""Parity calibration: nothing leaks from the language left out, and what it says of itself is true."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import Direction, MeasureInfo
from equiglot.normalize import REGRESSORS, calibrate_parity
from equiglot.normalize.features import FEATURES, feature_columns
from equiglot.table import Segments

SCRIPTS = {"gu": "Gujr", "ml": "Mlym", "ta": "Taml", "hi": "Deva"}


def made(signs: dict[str, float] | None = None, *, direction: Direction = "higher", n: int = 120) -> Segments:
    """Romanisation costs ``sign x (tp - 1)`` points, and tp has nothing to do with quality."""
    rng = np.random.default_rng(4)
    turn = -1.0 if direction == "lower" else 1.0
    parts: list[pl.DataFrame] = []
    for language, sign in (signs or dict.fromkeys(SCRIPTS, 1.0)).items():
        human = rng.normal(15, 4, n)
        native = 70 + turn * human + rng.normal(0, 1, n)
        tp = rng.uniform(1, 3, n)
        romanized = native - sign * 8 * (tp - 1) + rng.normal(0, 0.5, n)
        for condition, script, scores in (("native", SCRIPTS[language], native), ("romanized", "Latn", romanized)):
            columns = {"id": [str(i) for i in range(n)], "language": language, "script": script, "condition": condition}
            parts.append(pl.DataFrame({**columns, "system": "a", "comet": scores, "human": human, "tp": tp}))
    info = MeasureInfo("comet", "points", direction, "metric:comet")
    return Segments(pl.concat(parts), {"comet": info})


def values(table: pl.DataFrame, measure: str, regressor: str) -> dict[str, float]:
    return dict(table.filter(measure=measure, regressor=regressor).select("language", "value").iter_rows())


def changed(table: Segments, rows: pl.Expr, **columns: pl.Expr) -> Segments:
    made = [pl.when(rows).then(new).otherwise(pl.col(name)).alias(name) for name, new in columns.items()]
    return Segments(table.frame.with_columns(made), table.measures)


@pytest.fixture(scope="module")
def found():
    return calibrate_parity(made(), "comet", resamples=200)


@pytest.mark.parametrize("regressor", list(REGRESSORS))
def test_a_cost_that_features_explain_is_recovered_in_unseen_languages(found, regressor: str) -> None:
    raw, cal, nat = (values(found.languages, f"rho_{kind}", regressor) for kind in ("raw", "cal", "nat"))
    recovered = values(found.languages, "recovered", regressor)
    for language in SCRIPTS:
        assert raw[language] + 0.1 < cal[language]
        share = 100 * (cal[language] - raw[language]) / (nat[language] - raw[language])
        assert recovered[language] == pytest.approx(share)
        assert recovered[language] > 70
    mean = found.means.filter(regressor=regressor, measure="recovered")["value"].item()
    assert mean == pytest.approx(np.mean(list(recovered.values())))
    assert found.languages["low"].null_count() == 0


def test_nothing_of_the_language_left_out_is_learned() -> None:
    """Its native scores, people's scores and even its romanised scores change, and the predictions stay bit for bit."""
    table, own = made(), pl.col("language") == "ta"
    first = calibrate_parity(table, "comet", resamples=100).segments.frame
    tampered = changed(
        table,
        own,
        comet=pl.when(pl.col("condition") == "native").then(-pl.col("comet") * 3).otherwise("comet"),
        human=pl.col("human").reverse(),
    )
    second = calibrate_parity(tampered, "comet", resamples=100).segments.frame
    romanized = own & (pl.col("condition") == "romanized")
    for name in REGRESSORS:
        one, two = (f.filter(romanized)[f"comet_{name}"].to_numpy() for f in (first, second))
        assert one.tobytes() == two.tobytes()
        rest = (~own) & (pl.col("condition") == "romanized")
        one, two = (f.filter(rest)[f"comet_{name}"].to_numpy() for f in (first, second))
        assert (one != two).any()


def test_scaling_is_not_learned_from_the_language_left_out() -> None:
    """Its features are multiplied by a thousand: the other languages' fit, scaling included, must not notice."""
    table = made()
    out = (pl.col("language") == "ta") & (pl.col("condition") == "romanized")
    large = changed(table, out, tp=pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.col("tp") * 1e3).otherwise("tp"))
    one, two = (calibrate_parity(t, "comet", resamples=100).segments.frame.filter(out) for t in (table, large))
    same = one["tp"] == two["tp"]
    assert 0 < same.sum() < same.len()
    assert one.filter(same)["comet_ridge"].to_list() == two.filter(same)["comet_ridge"].to_list()


def test_a_cost_of_the_opposite_sign_is_negative_transfer_and_is_explained() -> None:
    found = calibrate_parity(made({"gu": 1.0, "ml": 1.0, "ta": 1.0, "hi": -1.0}), "comet", resamples=200)
    assert values(found.languages, "cal_gain", "ridge")["hi"] < 0
    assert values(found.languages, "recovered", "ridge")["hi"] < 0
    assert (
        values(found.languages, "gap_train", "ridge")["hi"] > 0 > values(found.languages, "gap_heldout", "ridge")["hi"]
    )
    assert values(found.languages, "rho_gap", "ridge")["hi"] < -0.8
    assert "Negative transfer of ridge: hi-Deva (" in found.headline
    assert "of opposite sign" in found.headline


def test_lower_is_better_recovers_too() -> None:
    found = calibrate_parity(made(direction="lower"), "comet", resamples=100)
    assert all(rho < 0 for rho in values(found.languages, "rho_raw", "ridge").values())
    assert all(share > 70 for share in values(found.languages, "recovered", "ridge").values())
    assert "Negative transfer" not in found.headline


def test_nothing_lost_is_nothing_to_recover() -> None:
    table = made()
    even = pl.col("condition") == "romanized"
    frame = table.frame.with_columns(comet=pl.when(even).then(pl.col("human")).otherwise("comet"))
    found = calibrate_parity(Segments(frame, table.measures), "comet", resamples=100)
    rows = found.languages.filter(measure="recovered")
    assert rows["value"].null_count() == rows.height
    assert set(rows["reason"]) == {"romanised agreement is no lower than native, so there is nothing to recover"}


def test_native_rows_keep_their_score_and_columns_say_how_they_were_made(found) -> None:
    native = found.segments.frame.filter(condition="native")
    assert native["comet_ridge"].to_list() == native["comet"].to_list()
    info = found.segments.info("comet_boosting")
    assert "|regressor:boosting|" in info.signature
    assert "|features:tp|" in info.signature


def test_row_order_does_not_matter() -> None:
    table = made(n=60)
    shuffled = Segments(table.frame.sample(fraction=1.0, shuffle=True, seed=8), table.measures)
    one, two = (calibrate_parity(t, "comet", resamples=100).languages for t in (table, shuffled))
    assert one.equals(two)


def test_rows_without_a_feature_are_left_out_and_say_so() -> None:
    table = made()
    gone = (pl.col("condition") == "romanized") & (pl.col("id") == "7")
    found = calibrate_parity(changed(table, gone, tp=pl.lit(None)), "comet", resamples=100)
    row = found.segments.frame.filter((pl.col("id") == "7") & (pl.col("language") == "hi"))
    assert row.filter(condition="romanized")["comet_ridge"].to_list() == [None]
    assert "feature is missing" in row.filter(condition="romanized")["comet_ridge_reason"].item()
    assert any("4 of 480 translations lack a feature" in note for note in found.notes)


def test_one_language_leaves_nothing_to_learn_from() -> None:
    table = made()
    alone = Segments(table.frame.filter(language="ta"), table.measures)
    with pytest.raises(InputError, match="1 language has translations to learn from"):
        calibrate_parity(alone, "comet")


def test_features_are_named_computed_and_refused() -> None:
    frame = pl.DataFrame(
        {"source": ["a b"], "target": ["नमस्ते"], "ip": [0.4], "human": [3.0], "note": ["x"], "n_tokens": [2]}
    )
    table = Segments(frame)
    assert feature_columns(table, None).columns == [
        name for name in FEATURES if name not in ("tp", "sbi", "n_source_tokens")
    ]
    assert feature_columns(table, ["ipi", "target_bytes", "n_tokens"]).row(0) == (0.6, 18.0, 2.0)
    with pytest.raises(InputError, match="people's scores can't be a feature"):
        feature_columns(table, ["human"])
    with pytest.raises(InputError, match="there is no feature 'sbi'"):
        feature_columns(table, ["sbi"])
    with pytest.raises(InputError, match="a feature is a number"):
        feature_columns(table, ["note"])
    with pytest.raises(InputError, match="none of the features"):
        feature_columns(Segments(pl.DataFrame({"comet": [1.0]})), None)


def test_an_infinite_feature_is_named_by_its_row() -> None:
    table = made(n=30)
    frame = table.frame.with_columns(mine=pl.when(pl.int_range(pl.len()) == 4).then(float("inf")).otherwise(1.0))
    with pytest.raises(InputError, match="row 5, column 'mine': the feature is infinite"):
        feature_columns(Segments(frame, table.measures), ["mine"])
