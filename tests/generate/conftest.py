"""A local server to ask, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

KEY = "sk-test-0123456789abcdefSECRET"


class Stub:
    """The running server."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.key = folder, KEY
        self.url = f"http://127.0.0.1:{(folder / 'port').read_text()}/v1"

    def requests(self) -> list[dict[str, Any]]:
        """What it was asked, in order."""
        log = self.folder / "log.jsonl"
        return [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []

    def prompts(self) -> list[str]:
        return [request["prompt"] for request in self.requests()]

    def open_gate(self) -> None:
        (self.folder / "open").touch()


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    folder = tmp_path / "stub"
    folder.mkdir()
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("EQUIGLOT_CACHE", str(tmp_path / "cache"))
    process = subprocess.Popen([sys.executable, str(Path(__file__).with_name("stub_server.py")), str(folder), KEY])
    try:
        while not (folder / "port").exists():
            assert process.poll() is None, "the stub server ended"
            time.sleep(0.02)
        yield Stub(folder)
    finally:
        process.kill()
        process.wait()
