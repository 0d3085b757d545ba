"""A real server: llama-cpp-python's, with the two models that packages carry.

It needs ``llama-cpp-python[server]`` in the environment of the python that ``EQUIGLOT_LLAMA_PYTHON`` names, and a
minute or two: that server sorts the vocabulary for every token.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from equiglot.errors import InputError
from equiglot.likelihood import LanguageModel, score_texts
from equiglot.likelihood.engines import EndpointEngine
from equiglot.models import embedded, embedded_file

TEXTS = ["The cat sat on the mat.", "Die Katze sitzt.", "बिल्ली 😀"]


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Start a server of a model; returns its address."""
    pytest.importorskip("openai", reason="equiglot[generate] is not installed")
    python = os.environ.get("EQUIGLOT_LLAMA_PYTHON")
    if not python:
        pytest.skip("EQUIGLOT_LLAMA_PYTHON names no python with llama-cpp-python[server]")
    there = subprocess.run([python, "-c", "import llama_cpp.server.app"], capture_output=True, text=True, check=False)
    if there.returncode:
        pytest.skip(f"{python} has no llama-cpp-python[server]: {there.stderr[-200:]}")
    log = (tmp_path_factory.mktemp("llama") / "log").open("wb")
    running: list[subprocess.Popen[bytes]] = []

    def start(name: str) -> str:
        try:
            model = embedded_file(embedded(name, "language model"))
        except InputError as error:
            pytest.skip(str(error))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [python, "-m", "llama_cpp.server", "--model", model, "--port", port, "--logits_all", "true",
                   "--n_ctx", 64, "--n_threads", 1]  # fmt: skip
        process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log)
        running.append(process)
        address = f"http://127.0.0.1:{port}/v1"
        for _ in range(1200):
            assert process.poll() is None, "the server ended"
            try:
                urllib.request.urlopen(f"{address}/models", timeout=2).close()
                return address
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    try:
        yield start
    finally:
        for process in running:
            process.kill()
            process.wait()
        log.close()


def test_sums_are_those_of_the_scorer_but_for_4_bit_arithmetic(
    serve: Callable[[str], str], request: pytest.FixtureRequest
) -> None:
    """Both read one file of 4-bit weights; the server multiplies them with activations of 8 bits."""
    engine = EndpointEngine(serve("gemma3-270m"), concurrency=1, cache=False)
    gemma: LanguageModel = request.getfixturevalue("gemma")  # a minute's work, and of no use without the server
    scored = engine.score(TEXTS)
    assert (scored.settings["prefix"], scored.settings["first"]) == ("hidden", "skipped")
    ours = score_texts(TEXTS, gemma, detail="tokens", cache=False)
    assert scored.rows["n_tokens"].to_list() == ours["n_tokens"].to_list()
    sums = [sum(own[1:]) for own in ours["token_nlls"].to_list()]
    assert scored.rows["sent_nll"].to_list() == pytest.approx(sums, rel=0.03)


def test_its_fault_with_a_model_without_bos_is_found(serve: Callable[[str], str]) -> None:
    with pytest.raises(InputError, match="one place off"):
        EndpointEngine(serve("smollm2-135m"), cache=False, concurrency=1).score(TEXTS)
