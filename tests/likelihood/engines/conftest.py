"""A small model, scored here and served by a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from equiglot.likelihood import LanguageModel, load_language_model
from equiglot.likelihood.engines import EndpointEngine

KEY = "sk-test-0123456789abcdefSECRET"


class Stub:
    """The running server, and the model that it serves."""

    def __init__(self, folder: Path, model: LanguageModel) -> None:
        self.folder, self.model, self.key = folder, model, KEY
        self.port = (folder / "port").read_text()

    def url(self, ways: str) -> str:
        """The address at which it behaves in some ways."""
        return f"http://127.0.0.1:{self.port}/{ways}/v1"

    def engine(self, ways: str, **settings: Any) -> EndpointEngine:
        """An engine that keeps nothing, unless told to."""
        return EndpointEngine(self.url(ways), "tiny", **{"cache": False, "attempts": 2, **settings})

    def requests(self, ways: str) -> list[dict[str, Any]]:
        """What it was asked under an address, in order."""
        lines = (self.folder / "log.jsonl").read_text("utf-8").splitlines()
        return [entry["body"] for line in lines if (entry := json.loads(line))["path"].split("/")[1] == ways]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, make: Callable[..., Path]) -> Iterator[Stub]:
    pytest.importorskip("openai", reason="equiglot[generate] is not installed")
    folder = tmp_path_factory.mktemp("stub")
    model = make(folder / "model", "llama")
    command = [sys.executable, str(Path(__file__).with_name("stub_server.py")), str(folder), str(model)]
    process = subprocess.Popen(command)
    try:
        while not (folder / "port").exists():
            assert process.poll() is None, "the stub server ended"
            time.sleep(0.05)
        yield Stub(folder, load_language_model(str(model), dtype="float32"))
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def stub(server: Stub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Stub:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("EQUIGLOT_CACHE", str(tmp_path / "cache"))
    return server
