"""A server that speaks the protocol of chat completions, with the faults that real ones have.

What it does is said in the prompt: ``[429]`` refuses the first request of that prompt, ``[fenced]`` wraps the JSON, and
so on. ``python stub_server.py FOLDER KEY`` writes ``FOLDER/port`` when it is ready and one line of ``FOLDER/log.jsonl``
per request. ``[gate]`` is not answered before ``FOLDER/open`` is there.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

SEEN: Counter[str] = Counter()
LOCK = Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder: Path
    key: str

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on standard error."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = body["messages"][0]["content"]
        prompt = message.rsplit("Query:\n", 1)[-1].strip()
        with LOCK:
            SEEN[message] += 1
            first = SEEN[message] == 1
            with (self.folder / "log.jsonl").open("a") as log:
                log.write(json.dumps({"time": time.monotonic(), "prompt": prompt, "body": body}) + "\n")
        if self.headers.get("Authorization") != f"Bearer {self.key}":
            self.fail(401, f"Incorrect API key provided: {self.headers.get('Authorization')}")
        elif self.path != "/v1/chat/completions" or body["model"] == "no-such-model":
            self.fail(404, f"The model `{body['model']}` does not exist")
        elif not self.fault(prompt, body, first):
            self.answer(prompt)

    def fault(self, prompt: str, body: dict[str, Any], first: bool) -> bool:
        """Whether the prompt asks for a fault, which has then been made."""
        kind = kind_of(prompt)
        if kind in REFUSALS:
            status, said, more = REFUSALS[kind]
            said = said.replace("KEY", self.headers["Authorization"])
            self.fail(status, said, {k: v for k, v in more.items() if k == "Retry-After"}, more)
        elif first and kind in FIRST_TIME:
            FIRST_TIME[kind](self)
        elif kind in UNSUPPORTED and UNSUPPORTED[kind][0] in body:
            self.fail(400, UNSUPPORTED[kind][1], more={"param": UNSUPPORTED[kind][0]})
        else:
            while kind == "gate" and not (self.folder / "open").exists():
                time.sleep(0.05)
            return False
        return True

    def drop(self) -> None:
        self.close_connection = True
        self.connection.close()

    def answer(self, prompt: str) -> None:
        query, response = f"romanised {prompt}", f"jawab: {prompt}"
        text = json.dumps({"romanized_query": query, "romanized_response": response}, ensure_ascii=False)
        finish, more = "stop", {}
        match kind_of(prompt):
            case "truncated":
                text, finish = text[:-8], "length"
            case "fenced":
                text = f"Here you are:\n```json\n{text}\n```"
            case "quote":
                text = text.replace('"romanized_response"', "romanized_response")
            case "prose":
                text = response
            case "half":
                text = json.dumps({"romanized_query": query})
            case "silent":
                text, finish = "", "length"
            case "refuse":
                text, more = "", {"refusal": "I can't help with that"}
            case "leak":
                text = text.replace("jawab", f"jawab {self.key}")
        usage = None if prompt.startswith("[uncounted]") else {"prompt_tokens": 9, "completion_tokens": len(text)}
        message = {"role": "assistant", "content": text or None, **more}
        self.send({"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage})

    def fail(
        self, status: int, said: str, headers: dict[str, str] | None = None, more: dict[str, str] | None = None
    ) -> None:
        self.send({"error": {"message": said, "type": "error", **(more or {})}}, status, headers)

    def send(self, body: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if isinstance(body, str) else "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def kind_of(prompt: str) -> str | None:
    kind = re.match(r"\[(.*?)\]", prompt)
    return kind and kind[1]


REFUSALS: dict[str | None, tuple[int, str, dict[str, str]]] = {
    "429 for an hour": (429, "Rate limit reached", {"Retry-After": "3600"}),
    "no credit": (429, "You exceeded your current quota", {"code": "insufficient_quota"}),
    "always 500": (500, "The server had an error, KEY", {}),
    "400": (400, "Invalid prompt of KEY", {}),
}
FIRST_TIME: dict[str | None, Callable[[Handler], object]] = {
    "429": lambda handler: handler.fail(429, "Rate limit reached", {"Retry-After": "1"}),
    "500": lambda handler: handler.fail(500, "The server had an error"),
    "slow": lambda handler: (time.sleep(8), handler.drop()),
    "drop": lambda handler: handler.drop(),
    "no choices": lambda handler: handler.send({"choices": []}),
    "html": lambda handler: handler.send("<html>gateway</html>"),
}
UNSUPPORTED: dict[str | None, tuple[str, str]] = {
    "cold": ("temperature", "'temperature' does not support 0 with this model"),
    "new": ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
}


def serve(folder: Path, key: str) -> None:
    Handler.folder, Handler.key = folder, key
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    (folder / "port.part").write_text(str(server.server_port))
    (folder / "port.part").rename(folder / "port")
    server.serve_forever()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), sys.argv[2])
