"""A model that was stopped ends with the weights of one that was not, and what is there is never trained again."""

from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest

from equiglot.engine import silent
from equiglot.errors import InputError
from equiglot.lab import train
from equiglot.lab.config import Size
from equiglot.lab.train import Recipe, train_model

torch = pytest.importorskip("torch")

RECIPE = Recipe("en", 300, Size(16, 1, 2, 32, 16, 3, 0.01, 0.1), "made up", 0)


class StoppedError(Exception):
    pass


def stop_at(step):
    def progress(what, done, total):
        if done == step:
            raise StoppedError

    return progress


def weights(folder):
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


@pytest.fixture
def texts(corpus):
    return pl.read_parquet(corpus)["en"].to_list()


def test_a_stopped_run_ends_with_the_same_weights(texts, tmp_path, monkeypatch):
    monkeypatch.setattr(train, "_CHECKPOINT_EVERY", 5)
    train_model(texts, RECIPE, tmp_path / "whole", device="cpu", progress=silent)
    with pytest.raises(StoppedError):
        train_model(texts, RECIPE, tmp_path / "stopped", device="cpu", progress=stop_at(13))
    assert not (tmp_path / "stopped").exists()
    begun = []
    train_model(
        texts, RECIPE, tmp_path / "stopped", device="cpu", progress=lambda what, done, total: begun.append(done)
    )
    assert begun[0] == 11  # from the checkpoint after 10 updates
    whole, resumed = weights(tmp_path / "whole"), weights(tmp_path / "stopped")
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)
    told = [json.loads((tmp_path / name / "training.json").read_text()) for name in ("whole", "stopped")]
    assert told[0] == told[1]
    assert told[0]["loss_by_epoch"][-1] < told[0]["loss_by_epoch"][0]


def test_a_damaged_checkpoint_is_left_aside(texts, tmp_path, monkeypatch):
    monkeypatch.setattr(train, "_CHECKPOINT_EVERY", 5)
    with pytest.raises(StoppedError):
        train_model(texts, RECIPE, tmp_path / "model", device="cpu", progress=stop_at(7))
    checkpoint = tmp_path / ".model.unfinished" / "checkpoint.pt"
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    begun = []
    train_model(texts, RECIPE, tmp_path / "model", device="cpu", progress=lambda what, done, total: begun.append(done))
    assert begun[0] == 1


def test_what_is_there_is_not_trained_again_and_another_recipe_is_refused(texts, tmp_path):
    train_model(texts, RECIPE, tmp_path / "model", device="cpu", progress=silent)
    train_model(texts, RECIPE, tmp_path / "model", device="cpu", progress=stop_at(1))
    with pytest.raises(InputError, match="something else"):
        train_model(texts, replace(RECIPE, seed=1), tmp_path / "model", device="cpu", progress=silent)


def test_the_users_random_numbers_are_left_alone(texts, tmp_path):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    train_model(texts, RECIPE, tmp_path / "model", device="cpu", progress=silent)
    assert torch.equal(torch.rand(3), expected)


def test_too_little_text_for_a_vocabulary(texts, tmp_path):
    with pytest.raises(InputError, match="yield only") as caught:
        train_model(texts[:2], replace(RECIPE, vocabulary=5000), tmp_path / "model", device="cpu", progress=silent)
    assert "en" in str(caught.value)
