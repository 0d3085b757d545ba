"""A fitted map: exact on what it was fitted on, placed between on what is new, told apart by what it was made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.normalize import EQUAL_MEANS_WARNING, CellDistribution, QuantileNormalizer, quantile_normalize
from equiglot.table import Segments

Scored = Callable[..., Segments]

TA, LATN = ("ta", "Taml", "native"), ("ta", "Latn", "romanized")


def by_hand(table: Segments) -> np.ndarray:
    frame = table.frame
    cells = frame.select(pl.struct("language", "script").rank("dense")).to_series().to_numpy()
    native = frame.filter(condition="native")["comet"].to_numpy()
    return quantile_normalize(frame["comet"].to_numpy(), cells, native)


def test_fitted_rows_map_exactly(table: Segments) -> None:
    mapped = QuantileNormalizer.fit(table, "comet").transform(table)
    np.testing.assert_array_equal(mapped.frame["comet_qn"].to_numpy(), by_hand(table))


def test_one_native_cell_maps_onto_itself(scored: Scored) -> None:
    table = scored({TA: [80.25, 61.5, 80.25, 99.125, 70.0]})
    mapped = QuantileNormalizer.fit(table, "comet").transform(table)
    assert mapped.frame["comet_qn"].to_list() == table.frame["comet"].to_list()


def test_a_cell_of_one_score_and_a_constant_cell_take_the_median(scored: Scored) -> None:
    table = scored({TA: [10.0, 20.0, 30.0], LATN: [5.0], ("hi", "Latn", "romanized"): [7.0] * 4})
    mapped = QuantileNormalizer.fit(table, "comet").transform(table)
    assert mapped.frame["comet_qn"].to_list() == [10.0, 20.0, 30.0, 20.0, 20.0, 20.0, 20.0, 20.0]


def test_lower_is_better_keeps_its_order_and_direction(scored: Scored, table: Segments) -> None:
    low = scored({TA: [0.1, 0.9, 0.5], LATN: [2.0, 3.0, 1.0]}, direction="lower")
    mapped = QuantileNormalizer.fit(low, "comet").transform(low)
    assert mapped.frame["comet_qn"].to_list() == [0.1, 0.9, 0.5, 0.5, 0.9, 0.1]
    assert mapped.info("comet_qn").direction == "lower"


def test_new_scores_are_placed_between_fitted_ones_and_clamped_outside(scored: Scored) -> None:
    fitted = scored({TA: [10.0, 20.0, 30.0], LATN: [1.0, 3.0, 7.0]})
    new = scored({LATN: [2.0, 5.0, 0.0, 100.0, 7.0]})
    mapped = QuantileNormalizer.fit(fitted, "comet").transform(new)
    assert mapped.frame["comet_qn"].to_list() == [15.0, 25.0, 10.0, 30.0, 30.0]
    assert "2 rows are outside the fitted range of comet and took the value of its end." in mapped.notes


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.lists(st.floats(-2e6, 2e6), min_size=2, max_size=30))
def test_new_scores_never_reverse(fitted: list[float], new: list[float]) -> None:
    distribution = CellDistribution.of(np.array(fitted))
    ranks = distribution.rank(np.sort(np.array(new)))
    assert (np.diff(ranks) >= 0).all()
    assert ((ranks >= 1) & (ranks <= len(fitted))).all()


@given(st.permutations(range(12)))
def test_row_order_does_not_matter(scored: Scored, order: list[int]) -> None:
    table = scored({TA: [1.0, 5.0, 2.0, 9.0, 2.0, 4.0], LATN: [0.5, 0.1, 0.1, 0.9, 0.3, 0.2]})
    shuffled = Segments(table.frame[order], table.measures)
    here, there = QuantileNormalizer.fit(table, "comet"), QuantileNormalizer.fit(shuffled, "comet")
    assert here.signature == there.signature
    expected = here.transform(table).frame["comet_qn"].gather(order)
    assert there.transform(shuffled).frame["comet_qn"].equals(expected)


def test_null_stays_null_and_keeps_its_reason(scored: Scored) -> None:
    table = scored({TA: [10.0, None, 30.0], LATN: [1.0, None, 2.0]})
    reasons = [None, "empty target", None, None, None, None]
    table = table.with_measure(table.measures["comet"], table.frame["comet"], reasons)
    normalizer = QuantileNormalizer.fit(table, "comet")
    mapped = normalizer.transform(table).frame
    assert mapped["comet_qn"].is_null().to_list() == [False, True, False, False, True, False]
    assert mapped["comet_qn_reason"].to_list() == [None, "empty target", None, None, "no comet score", None]
    assert "2 rows without a comet score or a cell were left out of the fit." in normalizer.notes


def test_a_row_without_a_script_has_no_cell_and_says_so(scored: Scored) -> None:
    table = scored({TA: [10.0, 20.0], LATN: [1.0, 2.0]})
    frame = table.frame.with_columns(script=pl.when(pl.int_range(4) == 3).then(None).otherwise("script"))
    mapped = QuantileNormalizer.fit(Segments(frame, table.measures), "comet").transform(Segments(frame, table.measures))
    assert mapped.frame["comet_qn"].is_null().to_list() == [False, False, False, True]
    assert mapped.frame["comet_qn_reason"].to_list() == [None, None, None, "language or script is missing"]


def test_cells_may_be_named_as_reference(table: Segments) -> None:
    normalizer = QuantileNormalizer.fit(table, "comet", reference=[("ta", "Taml")])
    assert normalizer.reference.size == 50
    assert "ref:ta-Taml|" in normalizer.signature
    with pytest.raises(InputError, match="cell kn-Knda has no fitted scores"):
        QuantileNormalizer.fit(table, "comet", reference=[("kn", "Knda")])


def test_a_thinned_reference_is_named_and_near(table: Segments) -> None:
    whole, thin = QuantileNormalizer.fit(table, "comet"), QuantileNormalizer.fit(table, "comet", points=45)
    assert thin.reference.size == 45
    assert "ref:native-pooled@45|" in thin.signature
    gap = whole.transform(table).frame["comet_qn"] - thin.transform(table).frame["comet_qn"]
    assert 0 < gap.abs().median() < 1  # type: ignore[operator]
    with pytest.raises(InputError, match="0 points"):
        QuantileNormalizer.fit(table, "comet", points=0)


def test_notes_name_small_cells_and_cells_without_scores(scored: Scored) -> None:
    table = scored({TA: [float(i) for i in range(30)], LATN: [1.0], ("hi", "Deva", "native"): [None, None]})
    notes = QuantileNormalizer.fit(table, "comet").notes
    assert "Cells with fewer than 30 scores are coarsely placed: ta-Latn (1)." in notes
    assert "Cells with no comet score were not fitted: hi-Deva." in notes


def test_the_warning_goes_with_every_mapped_table(table: Segments) -> None:
    assert EQUAL_MEANS_WARNING in QuantileNormalizer.fit(table, "comet").transform(table).notes


def test_signature_names_metric_reference_n_tokenizer_and_map(table: Segments) -> None:
    tp = MeasureInfo("tp", "ratio", "neutral", "measure:tp|tok:xlmr@0b44a9d7|v:0.1.0")
    with_tp = table.with_measure(tp, [1.0] * table.frame.height)
    normalizer = QuantileNormalizer.fit(with_tp, "comet")
    start, model = "metric:comet|norm:qn|ref:native-pooled|n:180|cells:4|map:", "|tok:xlmr@0b44a9d7|model:wmt22|"
    assert normalizer.signature.startswith(start)
    assert model in normalizer.signature
    assert normalizer.tokenizer == "xlmr@0b44a9d7"
    info = normalizer.transform(with_tp).info("comet_qn")
    assert (info.unit, info.direction, info.signature) == ("points", "higher", normalizer.signature)
    other = QuantileNormalizer.fit(Segments(table.frame.with_columns(pl.col("comet") + 1), table.measures), "comet")
    assert other.signature.split("map:")[1][:8] != normalizer.signature.split("map:")[1][:8]


def test_two_tokenizers_name_none(table: Segments) -> None:
    for name in ("xlmr", "gemma"):
        info = MeasureInfo(f"tp_{name}", "ratio", "neutral", f"measure:tp|tok:{name}@0")
        table = table.with_measure(info, [1.0] * table.frame.height)
    assert QuantileNormalizer.fit(table, "comet").tokenizer is None


def test_a_signature_that_is_no_list_of_pairs_is_kept_whole(scored: Scored) -> None:
    table = scored({TA: [1.0, 2.0]}, signature="scores of run 7")
    assert "|of:scores of run 7|" in QuantileNormalizer.fit(table, "comet").signature


def test_scores_made_otherwise_are_refused(table: Segments) -> None:
    normalizer = QuantileNormalizer.fit(table, "comet")
    other = {"comet": MeasureInfo("comet", "points", "higher", "metric:comet|model:wmt20|v:0.1.0")}
    with pytest.raises(InputError, match="model:wmt20"):
        normalizer.transform(Segments(table.frame, other))


def test_an_unknown_cell_is_refused_with_the_way_out(scored: Scored, table: Segments) -> None:
    normalizer = QuantileNormalizer.fit(table, "comet")
    with pytest.raises(InputError, match=r"cell kn-Knda has no fitted scores .*gu-Gujr.*leave its rows out"):
        normalizer.transform(scored({("kn", "Knda", "native"): [50.0]}))
    unscored = normalizer.transform(scored({("kn", "Knda", "native"): [None]}))
    assert unscored.frame["comet_qn"].to_list() == [None]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_nan_and_infinity_are_refused_with_row_and_column(scored: Scored, bad: float) -> None:
    with pytest.raises(InputError, match=r"row 2, column 'comet': the score is"):
        QuantileNormalizer.fit(scored({TA: [1.0, bad]}), "comet")


def test_what_cannot_be_fitted_is_refused(scored: Scored, table: Segments) -> None:
    with pytest.raises(InputError, match="no measure 'bleu'"):
        QuantileNormalizer.fit(table, "bleu")
    with pytest.raises(InputError, match="no row of the reference has a score"):
        QuantileNormalizer.fit(scored({LATN: [1.0]}), "comet")
    with pytest.raises(InputError, match="no row of the reference has a score"):
        QuantileNormalizer.fit(table, "comet", reference=[])
    with pytest.raises(InputError, match="'pooled' is no reference"):
        QuantileNormalizer.fit(table, "comet", reference="pooled")  # type: ignore[arg-type]
    texts = Segments(table.frame.with_columns(pl.col("comet").cast(pl.String)), table.measures)
    with pytest.raises(InputError, match="not numbers"):
        QuantileNormalizer.fit(texts, "comet")


def test_table_is_not_changed(table: Segments) -> None:
    before = table.frame.clone()
    QuantileNormalizer.fit(table, "comet").transform(table)
    assert table.frame.equals(before)
    assert "comet_qn" not in table.measures


def test_pooled_agreement_of_the_papers_kind_rises(shared_data: Path) -> None:
    """On IndicMT's people's scores, offset by language as a metric's ranges are: pooled order is restored."""
    from scipy.stats import spearmanr

    data = pl.read_parquet(shared_data / "indicmt" / "segments.parquet").drop_nulls("human")
    rng = np.random.default_rng(0)
    offset = data["language"].replace_strict(
        {"gu": 0, "ta": 40, "ml": 80, "mr": 120, "hi": 160}, return_dtype=pl.Float64
    )
    score = data["human"].to_numpy() + rng.normal(0, 5, data.height) + offset.to_numpy()
    frame = data.select(
        "language", "human", "system", id="segment_id", script=pl.lit("Zyyy"), condition=pl.lit("native")
    ).with_columns(comet=pl.Series(score))
    table = Segments(frame, {"comet": MeasureInfo("comet", "points", "higher", "metric:made-up")})
    mapped = QuantileNormalizer.fit(table, "comet").transform(table).frame
    before, after = (spearmanr(mapped["human"], mapped[name]).statistic for name in ("comet", "comet_qn"))
    assert after > before + 0.1
    for _, own in mapped.group_by("language"):
        assert spearmanr(own["comet"], own["comet_qn"]).statistic == pytest.approx(1, abs=1e-12)
