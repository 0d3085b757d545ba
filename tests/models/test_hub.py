"""The hub: its local cache first, then one short question, and one clear line where there is no answer."""

from __future__ import annotations

from pathlib import Path

import huggingface_hub
import pytest
from huggingface_hub import HfApi, constants
from huggingface_hub.errors import OfflineModeIsEnabled

from equiglot.errors import InputError
from equiglot.models import EMBEDDED, embedded_file, hub_file, require_model
from equiglot.tokens import load_tokenizer


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The hub's local cache with the folder of one model in it, as the hub's client lays it out."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    model = tmp_path / "models--some--model"
    folder = model / "snapshots" / ("ab" * 20)
    folder.mkdir(parents=True)
    (model / "refs").mkdir()
    (model / "refs" / "main").write_text("ab" * 20)
    return folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """A hub that can't be reached: what it was asked for, and how long it was waited for."""
    calls: list[tuple[str, float]] = []

    def model_info(_self: HfApi, name: str, *, timeout: float) -> None:
        calls.append((name, timeout))
        raise OfflineModeIsEnabled("no network\nand more")

    monkeypatch.setattr(HfApi, "model_info", model_info)
    return calls


def test_a_cached_file_is_taken_without_a_question(cached: Path, asked: list[tuple[str, float]]) -> None:
    (cached / "tokenizer.json").write_text("{}")
    (cached / "config.json").write_text("{}")
    assert hub_file("some/model", "tokenizer.json") == cached / "tokenizer.json"
    require_model("hf:some/model")
    assert asked == []


def test_a_cached_tokeniser_is_that_of_its_file(cached: Path, asked: list[tuple[str, float]]) -> None:
    try:
        file = embedded_file(EMBEDDED["xlmr"])
    except InputError as error:
        pytest.skip(str(error))
    (cached / "tokenizer.json").symlink_to(file)
    assert load_tokenizer("hf:some/model").sha256 == load_tokenizer("pkg:xlmr").sha256
    assert asked == []


def test_a_hub_out_of_reach_is_asked_once_and_not_for_long(cached: Path, asked: list[tuple[str, float]]) -> None:
    for ask in (lambda: hub_file("other/model", "tokenizer.json"), lambda: require_model("hf:other/model")):
        with pytest.raises(InputError, match=r"'hf:other/model' is not in the hub's local cache .*\(no network\)"):
            ask()
    assert [name for name, _ in asked] == ["other/model"] * 2
    assert all(timeout <= 10 for _, timeout in asked)


@pytest.mark.parametrize("name", ["a/b/c", "..", "a//b"])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(InputError, match="no model"):
        hub_file(name, "tokenizer.json")


def test_other_references_are_no_matter_of_the_hub(tmp_path: Path, asked: list[tuple[str, float]]) -> None:
    require_model("pkg:smollm2-135m")
    require_model(str(tmp_path))
    assert asked == []


def test_a_model_without_that_file(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub.errors import RemoteEntryNotFoundError

    def download(*_: object) -> str:
        raise RemoteEntryNotFoundError.__new__(RemoteEntryNotFoundError, "404")  # the whole one wants a response

    monkeypatch.setattr(HfApi, "model_info", lambda *_, **__: None)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    assert hub_file("some/model", "tokenizer.json") is None
