"""Saved maps: the same bits back, and one line for a file that is damaged, foreign or newer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.normalize import QuantileNormalizer
from equiglot.normalize._file import read_map, write_map
from equiglot.table import Segments

Scored = Callable[..., Segments]

SUFFIXES = pytest.mark.parametrize("suffix", ["json", "parquet"])


@SUFFIXES
def test_saved_and_loaded_maps_the_same_bits(table: Segments, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "new folder" / f"map.{suffix}"
    normalizer = QuantileNormalizer.fit(table, "comet", points=70)
    normalizer.save(path)
    loaded = QuantileNormalizer.load(path)
    one, two = normalizer.transform(table), loaded.transform(table)
    assert one.frame["comet_qn"].to_numpy().tobytes() == two.frame["comet_qn"].to_numpy().tobytes()
    assert one.measures == two.measures
    for name in ("info", "reference_name", "tokenizer", "fitted", "version", "notes", "cells", "signature"):
        assert getattr(normalizer, name) == getattr(loaded, name)
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=20))
def test_any_scores_come_back_bit_for_bit(
    scored: Scored, tmp_path_factory: pytest.TempPathFactory, scores: list[float]
) -> None:
    normalizer = QuantileNormalizer.fit(scored({("ta", "Taml", "native"): scores}), "comet")
    for suffix in ("json", "parquet"):
        path = tmp_path_factory.getbasetemp() / f"map.{suffix}"
        normalizer.save(path)
        loaded = QuantileNormalizer.load(path)
        assert loaded.reference.tobytes() == normalizer.reference.tobytes()
        for cell, distribution in normalizer.distributions.items():
            assert loaded.distributions[cell].scores.tobytes() == distribution.scores.tobytes()
            assert loaded.distributions[cell].ranks.tobytes() == distribution.ranks.tobytes()
            assert loaded.distributions[cell].n == distribution.n


@SUFFIXES
def test_a_changed_number_is_damage(table: Segments, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"map.{suffix}"
    QuantileNormalizer.fit(table, "comet").save(path)
    if suffix == "json":
        document = json.loads(path.read_text("utf-8"))
        document["arrays"]["reference"][3] += 1e-9
        path.write_text(json.dumps(document), "utf-8")
    else:
        metadata, frame = pl.read_parquet_metadata(path), pl.read_parquet(path)
        changed = frame.with_columns(pl.col("values").list.eval(pl.element() + 1e-9))
        changed.write_parquet(path, metadata={"equiglot_map": metadata["equiglot_map"]})
    with pytest.raises(InputError, match="the map is damaged"):
        QuantileNormalizer.load(path)


@SUFFIXES
def test_a_cut_file_is_refused_in_one_line(table: Segments, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"map.{suffix}"
    QuantileNormalizer.fit(table, "comet").save(path)
    whole = path.read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 3):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError, match="not a map") as caught:
            QuantileNormalizer.load(path)
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "[]", "3", '{"a": 1}', '{"arrays": 4}', "NaN", "\x00", '{"arrays": {"a": ["b"]}}']
)
def test_a_foreign_file_is_refused(tmp_path: Path, text: str) -> None:
    for suffix in ("json", "parquet", "txt"):
        path = tmp_path / f"other.{suffix}"
        path.write_text(text, "utf-8")
        with pytest.raises(InputError, match="not a map"):
            QuantileNormalizer.load(path)


def test_a_parquet_file_of_something_else_is_refused(table: Segments, tmp_path: Path) -> None:
    table.frame.write_parquet(tmp_path / "rows.parquet")
    with pytest.raises(InputError, match="not a map"):
        QuantileNormalizer.load(tmp_path / "rows.parquet")


def test_a_newer_format_says_so(table: Segments, tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    QuantileNormalizer.fit(table, "comet").save(path)
    document = json.loads(path.read_text("utf-8")) | {"format_version": 2}
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(InputError, match="format 2, this equiglot reads up to 1; upgrade"):
        QuantileNormalizer.load(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path / "none.parquet", tmp_path):
        with pytest.raises(InputError, match="can't be read"):
            QuantileNormalizer.load(path)


def test_an_unwritable_place_is_refused_and_nothing_is_left(table: Segments, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here", "utf-8")
    with pytest.raises(InputError, match="can't be written"):
        QuantileNormalizer.fit(table, "comet").save(tmp_path / "file" / "map.json")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_saving_twice_writes_the_same_file(table: Segments, tmp_path: Path) -> None:
    normalizer = QuantileNormalizer.fit(table, "comet")
    normalizer.save(tmp_path / "a.json")
    QuantileNormalizer.load(tmp_path / "a.json").save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert np.isfinite(json.loads((tmp_path / "a.json").read_text("utf-8"))["arrays"]["reference"]).all()


@pytest.mark.parametrize("name", [".", "..", "", "map", "map.txt", ".json", "map.json.gz"])
def test_a_place_that_is_no_map_s_is_refused(
    table: Segments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"ends in \.json or \.parquet"):
        QuantileNormalizer.fit(table, "comet").save(name)
    assert not list(tmp_path.iterdir())


@SUFFIXES
@pytest.mark.parametrize(("part", "says"), [("reference", "reference is empty"), ("ranks", "don't agree")])
def test_a_map_whose_sizes_do_not_agree(table: Segments, tmp_path: Path, suffix: str, part: str, says: str) -> None:
    path = tmp_path / f"map.{suffix}"
    QuantileNormalizer.fit(table, "comet").save(path)
    header, arrays = read_map(path)
    name = next(name for name in arrays if name.endswith(part))
    write_map(path, header, {**arrays, name: arrays[name][:0]})
    with pytest.raises(InputError, match=says):
        QuantileNormalizer.load(path)


def test_json_that_is_too_deep_is_no_map(tmp_path: Path) -> None:
    (tmp_path / "map.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match="not a map"):
        QuantileNormalizer.load(tmp_path / "map.json")
