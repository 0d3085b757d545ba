"""The constructed systems as a table: what its users may rely on."""

import os
import subprocess
import sys
from itertools import pairwise

import polars as pl

from equiglot.demo import SYSTEM_LANGUAGES, demo_parallel, demo_segments
from equiglot.demo.edits import SEVERITIES

ROWS = demo_segments()
SYSTEMS = ["system-a", "system-b", "system-c"]


def test_shape_and_columns() -> None:
    assert ROWS.columns == [
        *("id", "language", "script", "condition", "system", "source", "target", "reference"),
        *("severity", "edit", "constructed"),
    ]
    assert ROWS.schema["constructed"] == pl.Float64
    assert sum(ROWS.null_count().row(0)) == 0
    assert ROWS.select("id", "language", "script", "condition", "system").is_unique().all()
    assert sorted(ROWS["system"].unique()) == SYSTEMS
    assert set(ROWS["language"]) == set(SYSTEM_LANGUAGES)
    assert ROWS.height == demo_parallel()["id"].n_unique() * len(SYSTEM_LANGUAGES) * len(SYSTEMS)
    assert set(ROWS["condition"]) == {"native"}
    assert "human" not in ROWS.columns, "nobody rated anything"


def test_references_are_those_of_the_parallel_set() -> None:
    joined = ROWS.join(demo_parallel(), on=["id", "language", "script"], suffix="_parallel")
    assert joined.height == ROWS.height
    assert joined.filter(pl.col("reference") != pl.col("target_parallel")).is_empty()
    assert joined.filter(pl.col("source") != pl.col("source_parallel")).is_empty()


def test_none_is_the_reference_and_nothing_else_is() -> None:
    same = pl.col("target") == pl.col("reference")
    assert ROWS.filter(same != (pl.col("edit") == "none")).is_empty()
    assert ROWS.filter(same != (pl.col("severity") == "none")).is_empty()
    assert set(ROWS.filter(same)["constructed"]) == {25.0}


def test_severity_orders_the_values() -> None:
    bounds = {s: (rows["constructed"].min(), rows["constructed"].max()) for (s,), rows in ROWS.group_by("severity")}
    assert set(bounds) == set(SEVERITIES)
    for better, worse in pairwise(SEVERITIES):
        assert bounds[better][0] > bounds[worse][1]
    assert ROWS["constructed"].is_between(0, 25).all()


def test_severities_and_values_are_spread() -> None:
    by_cell = ROWS.group_by("system", "language").agg(pl.col("severity", "constructed").n_unique())
    assert by_cell["severity"].min() >= 3
    assert by_cell["constructed"].min() >= 12
    by_language = ROWS.group_by("language").agg(pl.col("severity", "constructed").n_unique())
    assert by_language["severity"].min() == len(SEVERITIES)
    assert by_language["constructed"].min() >= 30


def test_systems_differ_in_quality_in_every_language() -> None:
    means = ROWS.group_by("language", "system").agg(pl.col("constructed").mean()).pivot("system", values="constructed")
    assert means.filter(pl.col("system-a") > pl.col("system-b") + 0.5).height == len(SYSTEM_LANGUAGES)
    assert means.filter(pl.col("system-b") > pl.col("system-c") + 0.5).height == len(SYSTEM_LANGUAGES)


def test_languages_are_damaged_in_different_places() -> None:
    edits = ROWS.sort("id").group_by("system", "language", maintain_order=True).agg("edit")["edit"]
    assert len({tuple(row) for row in edits}) == len(SYSTEM_LANGUAGES) * len(SYSTEMS)


def test_same_in_every_process() -> None:
    code = "import sys, equiglot.demo as d; sys.stdout.buffer.write(d.demo_segments().write_csv().encode())"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {ROWS.write_csv().encode()}
    assert demo_segments().equals(ROWS)
