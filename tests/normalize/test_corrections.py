"""Every correction under one protocol: fitted, saved, loaded and put to other rows; what it says and refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.normalize import (
    EQUAL_MEANS_WARNING,
    METHODS,
    CellNormalizer,
    QuantileNormalizer,
    fit_correction,
    load_correction,
)
from equiglot.stats import spearman
from equiglot.table import Segments

Scored = Callable[..., Segments]
REFERENCES = ("native-pooled", "native-own")
EVERY = pytest.mark.parametrize(("method", "reference"), [(m, r) for m in METHODS for r in REFERENCES])
GU, GU_LATN, TA, TA_LATN = (
    ("gu", "Gujr", "native"),
    ("gu", "Latn", "romanized"),
    ("ta", "Taml", "native"),
    ("ta", "Latn", "romanized"),
)


@EVERY
@pytest.mark.parametrize("suffix", ["json", "parquet"])
def test_saved_and_loaded_maps_the_same_bits(
    table: Segments, tmp_path: Path, method: str, reference: str, suffix: str
) -> None:
    fitted = fit_correction(table, "comet", method, reference=reference)  # type: ignore[arg-type]
    fitted.save(tmp_path / f"map.{suffix}")
    loaded = load_correction(tmp_path / f"map.{suffix}")
    assert type(loaded) is type(fitted)
    column = f"comet_{method}"
    one, two = fitted.transform(table), loaded.transform(table)
    assert one.frame[column].to_numpy().tobytes() == two.frame[column].to_numpy().tobytes()
    assert one.measures == two.measures
    assert one.notes == two.notes
    assert f"|norm:{method}|ref:{fitted.reference_name}|" in loaded.signature


@EVERY
def test_order_within_a_cell_never_reverses(table: Segments, method: str, reference: str) -> None:
    mapped = fit_correction(table, "comet", method, reference=reference).transform(table).frame  # type: ignore[arg-type]
    for _, cell in mapped.group_by("language", "script"):
        ordered = cell.sort("comet")[f"comet_{method}"].to_numpy()
        assert (np.diff(ordered) >= -1e-9).all()


@pytest.mark.parametrize("method", ["shift", "affine", "qn"])
def test_agreement_within_a_cell_stays_to_the_last_digit(table: Segments, method: str) -> None:
    human = np.random.default_rng(0).normal(size=table.frame.height)
    # Gujarati's own scores are all different, so that no two of its scores meet in a tie.
    fitted = fit_correction(table, "comet", method, reference="native-own")  # type: ignore[arg-type]
    mapped = fitted.transform(table).frame
    rows = (mapped["language"] == "gu").to_numpy() & (mapped["script"] == "Latn").to_numpy()
    before, after = (mapped[c].to_numpy()[rows] for c in ("comet", f"comet_{method}"))
    assert spearman(before, human[rows]) == spearman(after, human[rows])


@pytest.mark.parametrize("method", ["shift", "affine", "qn", "isotonic"])
def test_under_own_references_native_cells_stay_and_romanised_means_become_native_ones(
    table: Segments, method: str
) -> None:
    fitted = fit_correction(table, "comet", method, reference="native-own")  # type: ignore[arg-type]
    column = f"comet_{method}"
    mapped = fitted.transform(table).frame
    native = mapped.filter(condition="native")
    np.testing.assert_allclose(native[column], native["comet"], atol=1e-9)
    means = mapped.group_by("language", "condition").agg(pl.col(column).mean()).sort("language", "condition")
    gaps = means.pivot("condition", index="language", values=column)
    np.testing.assert_allclose(gaps["native"], gaps["romanized"], atol=1e-6)


def test_under_the_pooled_reference_shift_and_affine_give_all_cells_one_mean(table: Segments) -> None:
    native_mean = table.frame.filter(condition="native")["comet"].mean()
    for method in ("shift", "affine"):
        mapped = fit_correction(table, "comet", method).transform(table).frame  # type: ignore[arg-type]
        means = mapped.group_by("language", "script").agg(pl.col(f"comet_{method}").mean())
        np.testing.assert_allclose(means[f"comet_{method}"], native_mean, atol=1e-9)


def test_identity_changes_nothing_and_warns_of_nothing(table: Segments) -> None:
    fitted = fit_correction(table, "comet", "identity")
    mapped = fitted.transform(table)
    assert mapped.frame["comet_identity"].to_list() == table.frame["comet"].to_list()
    assert fitted.warning == ""
    assert "ref:none" in fitted.signature


def test_warnings_name_what_is_equal_by_construction(table: Segments) -> None:
    assert fit_correction(table, "comet", "qn").warning == EQUAL_MEANS_WARNING
    assert "a shift of means" in fit_correction(table, "comet", "shift").warning
    assert "its own native scores" in fit_correction(table, "comet", "qn", reference="native-own").warning


def test_isotonic_needs_both_conditions_of_a_translation(scored: Scored) -> None:
    with pytest.raises(InputError, match="in both conditions"):
        fit_correction(scored({GU: [1.0, 2.0], TA: [3.0, 4.0]}), "comet", "isotonic")
    half = scored({GU: [1.0, 2.0], GU_LATN: [0.0, 1.0], ("hi", "Latn", "romanized"): [4.0]})
    fitted = fit_correction(half, "comet", "isotonic")
    assert "No translation is there in both conditions in hi-Latn: not fitted." in fitted.notes
    with pytest.raises(InputError, match="cell hi-Latn has no fitted scores"):
        fitted.transform(half)


def test_two_rows_of_one_translation_are_refused(scored: Scored) -> None:
    table = scored({GU: [1.0, 2.0], GU_LATN: [0.0, 1.0]})
    twice = Segments(pl.concat([table.frame, table.frame.tail(1)]), table.measures)
    with pytest.raises(InputError, match=r"row 5.*two romanised rows of one translation"):
        fit_correction(twice, "comet", "isotonic")


def test_a_language_without_native_rows_has_no_own_reference(scored: Scored) -> None:
    table = scored({GU: [1.0, 2.0], ("hi", "Latn", "romanized"): [4.0]})
    for method in ("qn", "shift"):
        with pytest.raises(InputError, match="no native row of hi has a score"):
            fit_correction(table, "comet", method, reference="native-own")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_who_asks_for_p2_is_told_which_fault_that_is(table: Segments, method: str) -> None:
    with pytest.raises(InputError, match="P2, worse order within a script, can't be mended") as caught:
        fit_correction(table, "comet", method, fault="P2")  # type: ignore[arg-type]
    assert "normalize calibrate" in str(caught.value)


def test_unknown_methods_and_references_are_refused(table: Segments) -> None:
    with pytest.raises(InputError, match="'spline' is no method"):
        fit_correction(table, "comet", "spline")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'nearest' is no reference"):
        fit_correction(table, "comet", "shift", reference="nearest")  # type: ignore[arg-type]


def test_a_map_is_not_loaded_as_another_kind(table: Segments, tmp_path: Path) -> None:
    fit_correction(table, "comet", "shift").save(tmp_path / "shift.json")
    fit_correction(table, "comet", "qn").save(tmp_path / "qn.json")
    with pytest.raises(InputError, match="the map is of method 'shift'"):
        QuantileNormalizer.load(tmp_path / "shift.json")
    with pytest.raises(InputError, match="the map is of method 'qn'"):
        CellNormalizer.load(tmp_path / "qn.json")


def test_quantile_maps_of_before_there_were_methods_still_load(table: Segments, tmp_path: Path) -> None:
    from equiglot.normalize._file import read_map, write_map

    fitted = QuantileNormalizer.fit(table, "comet")
    fitted.save(tmp_path / "new.json")
    header, arrays = read_map(tmp_path / "new.json")
    write_map(tmp_path / "old.json", {k: v for k, v in header.items() if k != "method"}, arrays)
    assert '"format":"equiglot-quantile-map"' in (tmp_path / "old.json").read_text()
    loaded = load_correction(tmp_path / "old.json")
    assert loaded.signature == fitted.signature


def test_a_column_of_that_name_is_replaced_with_a_word(table: Segments) -> None:
    theirs = Segments(table.frame.with_columns(comet_qn=pl.lit(0.0)), table.measures)
    fitted = fit_correction(table, "comet")
    note = "The table had a column 'comet_qn' already; it was replaced."
    assert note in fitted.transform(theirs).notes
    again = fitted.transform(fitted.transform(table))
    assert note not in again.notes


def test_a_cell_of_several_conditions_is_named(scored: Scored) -> None:
    table = scored({("hi", "Latn", "native"): [1.0, 2.0], ("hi", "Latn", "romanized"): [0.0, 1.0]})
    note = "Cell hi-Latn holds rows of several conditions (native, romanized): one map for all."
    assert note in fit_correction(table, "comet").notes


def test_scores_of_another_signature_are_refused(scored: Scored, table: Segments) -> None:
    fitted = fit_correction(table, "comet", "affine")
    other = scored({GU: [1.0]}, signature="metric:comet|model:other")
    with pytest.raises(InputError, match="the map was fitted under"):
        fitted.transform(other)


@pytest.mark.parametrize("method", ["shift", "affine", "isotonic"])
def test_lower_is_better_keeps_its_direction(scored: Scored, method: str) -> None:
    low = scored({TA: [0.1, 0.9, 0.5], TA_LATN: [2.0, 3.0, 1.0]}, direction="lower")
    assert fit_correction(low, "comet", method).transform(low).info(f"comet_{method}").direction == "lower"  # type: ignore[arg-type]


def test_null_stays_null_with_its_reason(scored: Scored) -> None:
    table = scored({GU: [10.0, None, 30.0], GU_LATN: [1.0, 2.0, None]})
    mapped = fit_correction(table, "comet", "shift").transform(table).frame
    assert mapped["comet_shift"].is_null().to_list() == [False, True, False, False, False, True]
    assert mapped["comet_shift_reason"].drop_nulls().to_list() == ["no comet score"] * 2


def test_row_order_does_not_matter(table: Segments) -> None:
    shuffled = Segments(table.frame.sample(fraction=1.0, shuffle=True, seed=1), table.measures)
    for method in METHODS:
        assert fit_correction(table, "comet", method).signature == fit_correction(shuffled, "comet", method).signature


def test_features_of_the_info_are_those_of_the_metric(table: Segments) -> None:
    info = fit_correction(table, "comet", "affine").transform(table).info("comet_affine")
    assert isinstance(info, MeasureInfo)
    assert (info.unit, info.direction) == ("points", "higher")


@pytest.mark.parametrize("method", METHODS)
def test_a_table_without_scores_gives_no_map_and_names_file_and_column(scored: Scored, method: str) -> None:
    table = replace(scored({TA: [None] * 3, TA_LATN: [None] * 3}), path=Path("in.csv"))
    with pytest.raises(InputError, match=r"^in.csv, column 'comet': no row has a score") as caught:
        fit_correction(table, "comet", method, reference="native-own")  # type: ignore[arg-type]
    assert caught.value.column == "comet"


def test_minus_zero_is_zero_so_that_the_order_of_rows_is_not_in_the_signature(scored: Scored) -> None:
    tables = [scored({TA: scores, TA_LATN: [1.0, 2.0]}) for scores in ([0.0, -0.0, 3.0], [-0.0, 0.0, 3.0])]
    assert len({fit_correction(table, "comet").signature for table in tables}) == 1
