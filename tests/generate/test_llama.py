"""A real server: llama.cpp's, with SmolLM2 135M, which knows no romanised Hindi but speaks the protocol.

It needs ``llama_cpp.server`` with its dependencies, in this environment or in that of the python that
``EQUIGLOT_LLAMA_PYTHON`` names.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.generate import Endpoint, generate, read_prompts
from equiglot.models import embedded, embedded_file


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the running server."""
    python = os.environ.get("EQUIGLOT_LLAMA_PYTHON") or sys.executable
    try:
        model = embedded_file(embedded("smollm2-135m", "language model"))
    except InputError as error:
        pytest.skip(str(error))
    there = subprocess.run([python, "-c", "import llama_cpp.server.app"], capture_output=True, text=True, check=False)
    if there.returncode:
        pytest.skip(f"{python} has no llama-cpp-python[server] (set EQUIGLOT_LLAMA_PYTHON): {there.stderr[-200:]}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [python, "-m", "llama_cpp.server", "--model", model, "--port", port, "--n_ctx", 1024, "--n_threads", 1]
    log = (tmp_path_factory.mktemp("llama") / "log").open("wb")
    process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}/v1"
        for _ in range(600):
            assert process.poll() is None, "the server ended"
            try:
                urllib.request.urlopen(f"{address}/models", timeout=2).close()
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        process.kill()
        process.wait()
        log.close()


def test_a_real_server_answers_alike_twice_and_counts_its_tokens(llama: str, tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    pl.DataFrame({"prompt": ["How are you?", "What is rain?"]}).write_ndjson(path)
    (tmp_path / "short.txt").write_text('Say in $language: $prompt Return {"romanized_response": "..."}', "utf-8")
    prompts = read_prompts(path, languages=["hi-Latn"])
    endpoint = Endpoint("smollm2", llama, max_tokens=48, json_mode=True)
    one, two = (
        generate(prompts, endpoint, template=tmp_path / "short.txt", concurrency=n, cache=None).frame for n in (1, 2)
    )
    assert one.equals(two)
    assert one["output_tokens"].is_between(1, 48).all()
    assert set(one["finish_reason"]) <= {"stop", "length"}
    assert set(one["json"]) <= {"valid", "unwrapped", "repaired", "failed"}
    assert one["target"].null_count() == 0
