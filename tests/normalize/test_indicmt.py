"""Table 4's behaviour on the data of paper 1, with chrF as the score, romanised as the paper did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equiglot.normalize import CEILING, Comparison, compare_corrections
from equiglot.quality import score
from equiglot.study import open_table
from equiglot.text import romanize


@pytest.fixture(scope="module")
def found(shared_data: Path) -> Comparison:
    segments = open_table(shared_data / "indicmt" / "segments.parquet")
    return compare_corrections(score(romanize(segments, "itrans-paper"), ["chrf"]), "chrf", resamples=100)


def rows(found: Comparison, measure: str) -> dict[tuple[str, str | None], float]:
    own = found.table.filter(measure=measure)
    return {(r["correction"], r["reference"]): r["value"] for r in own.iter_rows(named=True)}


def test_monotone_corrections_close_the_gap_to_less_than_a_point(found: Comparison) -> None:
    deltas = rows(found, "abs_delta")
    assert deltas["identity", None] > 1
    assert all(value < 1 for (name, _), value in deltas.items() if name != "identity")


def test_agreement_within_languages_stays_to_four_decimals(found: Comparison) -> None:
    within = rows(found, "rho_within")
    raw = within["identity", None]
    for (name, reference), value in within.items():
        if name in ("shift", "affine", "qn"):
            assert value == pytest.approx(raw, abs=5e-5), (name, reference)


def test_pooled_agreement_rises_and_quantile_normalisation_is_the_best(found: Comparison) -> None:
    gains = found.table.filter(measure="pooled_gain")
    assert (gains["low"] > 0).all()
    assert rows(found, "behind_best")["qn", "native-pooled"] == 0.0


def test_native_agreement_on_all_rows_is_that_of_table_7(found: Comparison, shared_data: Path) -> None:
    """The halves are read apart, so their rho lies about that of the whole, within its interval."""
    expected = json.loads((shared_data / "indicmt" / "expected.json").read_text("utf-8"))["tables"]["table7_native"]
    native = found.languages.filter(measure="rho_within", correction=CEILING)
    for row in native.iter_rows(named=True):
        assert row["low"] - 0.03 < expected["values"][row["language"]]["ChrF"] < row["high"] + 0.03
