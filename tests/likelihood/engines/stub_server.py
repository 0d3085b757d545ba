"""A completions server with the values of a small model, and with the ways and faults of real servers.

``python stub_server.py FOLDER MODEL`` writes ``FOLDER/port`` when it is ready and a line of ``FOLDER/log.jsonl`` per
request. The address says how it behaves: ``http://127.0.0.1:PORT/WAY+WAY.../v1``.

=========== ==========================================================================================
vllm        shows BOS; parts of characters are U+FFFD; heeds add_special_tokens and cache_salt
hidden      BOS is counted and not shown, the first token has no log-prob, parts of characters are empty
bare        shows BOS as nothing, and tokens without the space before them (vLLM with SentencePiece)
none        no BOS
double      BOS twice
off         no BOS, and every log-prob is of the place after (llama-cpp-python 0.3)
prefix      the first 16 tokens' log-probs are those of the last prompt that began alike
cached      says that it has used its cache
cut         reads no more than 45 tokens of a prompt
lost        leaves the third token of a text out of its lists
echo400     refuses echo (llama.cpp's own server)
mute        completions without log-probs
flaky       refuses every prompt once
down        refuses every prompt that begins with "down"
two         serves two models
=========== ==========================================================================================
"""

from __future__ import annotations

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

KEY = "sk-test-0123456789abcdefSECRET"
SEEN: set[tuple[str, str]] = set()
LEFT: dict[str, list[Any]] = {}
LOCK = Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder: Path
    tokenizer: Any
    network: Any

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on standard error."""

    def do_GET(self) -> None:
        owner = "vllm" if "vllm" in self.ways() else "me"
        names = ["tiny", "other"] if "two" in self.ways() else ["tiny"]
        self.send({"object": "list", "data": [{"id": name, "object": "model", "owned_by": owner} for name in names]})

    def do_POST(self) -> None:
        body, ways = json.loads(self.rfile.read(int(self.headers["Content-Length"]))), self.ways()
        prompt, first = body["prompt"], False
        with LOCK:
            first = (self.path, prompt) not in SEEN
            SEEN.add((self.path, prompt))
            with (self.folder / "log.jsonl").open("a") as log:
                log.write(json.dumps({"path": self.path, "time": time.monotonic(), "body": body}) + "\n")
        assert body["max_tokens"] == 1 and body["echo"] and body["logprobs"] == 1
        if self.headers.get("Authorization") not in (f"Bearer {KEY}", "Bearer none"):
            self.fail(401, f"Incorrect API key provided: {self.headers.get('Authorization')}")
        elif "echo400" in ways:
            self.fail(400, "Only no echo is supported")
        elif ("flaky" in ways and first) or ("down" in ways and prompt.startswith("down")):
            self.fail(503, "the server is busy")
        else:
            self.answer(prompt, body, ways)

    def answer(self, prompt: str, body: dict[str, Any], ways: set[str]) -> None:
        import torch

        bos = [] if ways & {"none", "off"} else [1, 1] if "double" in ways else [1]
        if "vllm" in ways and not body.get("add_special_tokens", True):
            bos = []
        text = self.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        ids = [*bos, *text][: 45 if "cut" in ways else None]
        if len(ids) >= self.network.config.max_position_embeddings:
            self.fail(400, f"This model's maximum context length is 64 tokens, and the prompt has {len(ids)}")
            return
        logp = self.network(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1).detach()
        whole = [*ids, int(logp[-1].argmax())]
        rows = [None, *logp[: len(ids)]] if "off" not in ways else [None, *logp[1 : len(ids)]]
        shown = [(token, row) for token, row in zip(whole, rows, strict=False)]
        logprobs = [None if row is None else float(row[token]) for token, row in shown]
        if "prefix" in ways:
            self.use_cache(prompt, body, logprobs)
        tops = [None if row is None else self.top(row, token) for token, row in shown]
        lists = [[self.shown(token, ways) for token, _ in shown], logprobs, tops]
        if "hidden" in ways:
            lists = [values[len(bos) :] for values in lists]
            lists[1][0] = lists[2][0] = None
        if "lost" in ways and prompt.startswith("lost"):
            lists = [[*values[:3], *values[4:]] for values in lists]
        given = dict(zip(("tokens", "token_logprobs", "top_logprobs"), lists, strict=True))
        usage = {"prompt_tokens": len(ids), "completion_tokens": 1}
        if "cached" in ways:
            usage |= {"prompt_tokens_details": {"cached_tokens": 16}}
        choice = {"index": 0, "text": prompt, "logprobs": None if "mute" in ways else given, "finish_reason": "length"}
        self.send({"object": "text_completion", "choices": [choice], "usage": usage})

    def use_cache(self, prompt: str, body: dict[str, Any], logprobs: list[float | None]) -> None:
        """What a prefix cache did in vLLM: the places that it spared have the values of whatever was there."""
        key = prompt[:16] + str(body.get("cache_salt"))
        with LOCK:
            if key in LEFT:
                logprobs[1:16] = LEFT[key]
            LEFT[key] = [-1.0] * 15

    def shown(self, token: int, ways: set[str]) -> str:
        text = self.tokenizer.decode([token], clean_up_tokenization_spaces=False)
        if "bare" in ways:
            return "" if token == 1 else text.removeprefix(" ") or text
        return text.replace("\ufffd", "") if "hidden" in ways else text

    def top(self, row: Any, token: int) -> dict[str, float]:
        best = int(row.argmax())
        return {self.shown(best, set()): float(row[best]), self.shown(token, set()): float(row[token])}

    def ways(self) -> set[str]:
        return set(self.path.split("/")[1].split("+"))

    def fail(self, status: int, said: str) -> None:
        self.send({"error": {"message": said, "type": "error"}}, status)

    def send(self, body: Any, status: int = 200) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def serve(folder: Path, model: str) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    Handler.folder, Handler.tokenizer = folder, AutoTokenizer.from_pretrained(model)
    Handler.network = AutoModelForCausalLM.from_pretrained(model).eval()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    (folder / "port.part").write_text(str(server.server_port))
    (folder / "port.part").rename(folder / "port")
    server.serve_forever()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), sys.argv[2])
