"""The profile of cells and pairs: means, shares, intervals; each against plain arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.likelihood import information_profile, romanization_tax
from equiglot.measures import MeasureInfo
from equiglot.table import Segments

_INFO = {name: MeasureInfo(name, "ratio", "neutral", f"metric:{name}|lm:x|v:0") for name in ("ip", "tp", "sbi")}


def _table(ip: list[float | None], rom: list[float | None], tp: float | None = 1.4, tp_rom: float = 1.6) -> Segments:
    """A Gujarati cell and its romanised counterpart; token parities vary a little from row to row."""
    rows: list[dict[str, Any]] = []
    for condition, values, script, base in (("native", ip, "Gujr", tp), ("romanized", rom, "Latn", tp_rom)):
        for i, value in enumerate(values):
            row: dict[str, Any] = {
                "id": str(i),
                "language": "gu",
                "script": script,
                "condition": condition,
                "system": "a",
            }
            parity = None if base is None else base + 0.01 * i
            sbi = None if value is None or parity is None else parity / value
            rows.append({**row, "ip": value, "tp": parity, "sbi": sbi})
    frame = pl.DataFrame(rows, infer_schema_length=None)
    if tp is None:
        return Segments(frame.drop("tp", "sbi"), {"ip": _INFO["ip"]})
    return Segments(frame, _INFO)


def _values(table: pl.DataFrame, condition: str) -> dict[str, float | None]:
    return dict(table.filter(condition=condition).select("measure", "value").rows())


def test_cells() -> None:
    ip, rom = [0.5, 0.4, 1.6], [0.3, 0.2, 0.4]
    table = information_profile(_table(ip, rom), resamples=200)
    assert table.columns[:4] == ["language", "script", "condition", "measure"]
    native, romanized = _values(table, "native"), _values(table, "romanized")
    assert native["ip"] == pytest.approx(np.mean(ip))
    assert native["ipi"] == pytest.approx(abs(np.mean(ip) - 1))
    assert native["sbi"] == pytest.approx(np.mean([1.4 / 0.5, 1.41 / 0.4, 1.42 / 1.6]))
    assert native["sbi_flagged_pct"] == pytest.approx(100 / 3)
    assert romanized["sbi_flagged_pct"] == pytest.approx(100)
    flagged = information_profile(_table(ip, rom), resamples=2, sbi_threshold=2.0).filter(measure="sbi_flagged_pct")
    assert flagged["value"][0] == pytest.approx(200 / 3)
    assert "threshold:2|" in flagged["signature"][0]


def test_the_pair_is_the_tax_of_the_means() -> None:
    ip, rom = [0.5, 0.4, 0.6], [0.3, 0.2, 0.4]
    table = information_profile(_table(ip, rom), resamples=200).filter(condition="romanized/native")
    assert set(table["script"]) == {"Gujr"}
    expected = romanization_tax(1.41, 1.61, float(np.mean(ip)), float(np.mean(rom)))
    for name, value, low, high in table.select("measure", "value", "low", "high").rows():
        assert value == pytest.approx(getattr(expected, name))
        assert low <= value <= high
    assert set(table["n"]) == {3}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.floats(0.1, 3), st.floats(0.1, 3)), min_size=2, max_size=30), st.integers(0, 5))
def test_intervals_against_a_plain_bootstrap(rows: list[tuple[float, float]], seed: int) -> None:
    """One resample at a time, with the draws that the seed gives; and the same rows in another order."""
    table = _table([a for a, _ in rows], [b for _, b in rows])
    made = information_profile(table, seed=seed, resamples=50)
    shuffled = Segments(table.frame.sample(fraction=1.0, shuffle=True, seed=seed), table.measures)
    assert made.sort(pl.all()).equals(information_profile(shuffled, seed=seed, resamples=50).sort(pl.all()))

    draws = np.random.default_rng(seed).integers(0, len(rows), size=(50, len(rows)))
    native = np.sort([a for a, _ in rows])
    means = np.array([native[row].mean() for row in draws])
    cell = made.filter(condition="native")
    assert cell.filter(measure="ip").select("low", "high").row(0) == pytest.approx(np.quantile(means, [0.025, 0.975]))
    ipi = np.quantile(np.abs(means - 1), [0.025, 0.975])
    assert cell.filter(measure="ipi").select("low", "high").row(0) == pytest.approx(ipi)

    four = sorted((1.4 + 0.01 * i, 1.6 + 0.01 * i, a, b) for i, (a, b) in enumerate(rows))
    taxes = [romanization_tax(*np.array(four)[row].mean(axis=0).tolist()) for row in draws]
    pair = made.filter(condition="romanized/native")
    for name in ("lp", "ep", "tax"):
        ends = np.quantile([getattr(tax, name) for tax in taxes], [0.025, 0.975])
        assert pair.filter(measure=name).select("low", "high").row(0) == pytest.approx(ends)


def test_missing_values_are_counted_not_averaged() -> None:
    table = information_profile(_table([0.5, None, 0.7], [0.3, 0.2, None]), resamples=20)
    ip = table.filter(measure="ip", condition="native").row(0, named=True)
    assert (ip["value"], ip["n"], ip["n_failed"]) == (pytest.approx(0.6), 2, 1)
    ep = table.filter(measure="ep").row(0, named=True)
    assert (ep["value"], ep["n"], ep["n_failed"]) == (pytest.approx(0.5 / 0.3), 1, 2)
    assert ep["low"] is None


def test_without_tp_only_what_needs_none() -> None:
    table = information_profile(_table([0.5, 0.6], [0.3, 0.4], tp=None), resamples=20)
    assert _values(table, "native")["ip"] == pytest.approx(0.55)
    pair = table.filter(condition="romanized/native")
    assert dict(pair.select("measure", "value").rows()) == {
        "lp": None, "ep": pytest.approx(0.55 / 0.35), "tax": None, "ep_pct": None,
    }  # fmt: skip
    nulls = table.filter(pl.col("value").is_null())
    assert set(nulls["reason"]) == {"no token parity (tp) in the table"}


def test_a_cell_without_any_ip_says_why() -> None:
    segments = _table([None, None], [0.3, 0.4])
    frame = segments.frame.with_columns(ip_reason=pl.when(pl.col("ip").is_null()).then(pl.lit("target: no text")))
    table = information_profile(Segments(frame, segments.measures), resamples=20)
    assert table.filter(measure="ip", condition="native")["reason"].to_list() == [
        "no segment has an IP (target: no text)"
    ]
    assert table.filter(measure="ep")["reason"].to_list() == ["no segment has its values in both conditions"]


def test_identical_conditions_have_no_tax() -> None:
    table = information_profile(_table([0.5, 0.6], [0.5, 0.6], tp=1.6, tp_rom=1.6), resamples=20)
    pair = _values(table, "romanized/native")
    assert (pair["lp"], pair["ep"], pair["tax"], pair["ep_pct"]) == (1.0, 1.0, 1.0, None)
    assert table.filter(measure="ep_pct")["reason"].to_list() == ["the tax is 1, so it has no parts"]


def test_segments_that_are_there_twice_are_not_paired() -> None:
    segments = _table([0.5, 0.6, 0.7], [0.3, 0.4, 0.5])
    doubled = pl.concat([segments.frame, segments.frame.head(1)])
    ep = information_profile(Segments(doubled, _INFO), resamples=20).filter(measure="ep").row(0, named=True)
    assert (ep["n"], ep["n_failed"]) == (2, 2)
    assert ep["value"] == pytest.approx(0.65 / 0.45)


def test_a_native_cell_alone_has_no_pair() -> None:
    segments = _table([0.5], [0.3])
    native = Segments(segments.frame.filter(condition="native"), _INFO)
    assert "romanized/native" not in set(information_profile(native, resamples=5)["condition"])


def test_without_ip_it_is_refused() -> None:
    segments = _table([0.5], [0.3])
    with pytest.raises(InputError, match="no measure 'ip'"):
        information_profile(Segments(segments.frame.drop("ip"), {"tp": _INFO["tp"]}))
