"""The rating app as its users meet it: a server of its own process, raters' links, and a browser where there is one."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import polars as pl
import pytest
import uvicorn

from equiglot.people import read_rubric
from equiglot.people.app import Database, Study, bind, create_app, create_study, export_ratings, read_roster
from equiglot.report.fonts import FOLDER
from equiglot.table import read_segments


@dataclass
class Server:
    """A running rating app, and the links to it."""

    url: str
    raters: dict[str, str]
    organizer: str | None
    study: Study | None = None
    process: subprocess.Popen[str] | None = None

    @property
    def ratings(self) -> pl.DataFrame:
        """What was kept so far."""
        assert self.study is not None
        return export_ratings(self.study)

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    def kill(self) -> None:
        """As kill -9 does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """One request, sent as it is: nothing tidies its path. Header names have _ for -."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            if body is not None and "Content_Length" not in headers and "Transfer_Encoding" not in headers:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def post(self, link: str, data: Any, **headers: str) -> tuple[int, Any]:
        """A save as the page sends it."""
        own = {"Origin": self.url, "Content_Type": "application/json", **headers}
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        status, _, answer = self.request("POST", urlsplit(link).path, body, **own)
        return status, json.loads(answer) if answer.startswith(b"{") else answer.decode()


@pytest.fixture
def save() -> Callable[..., dict[str, Any]]:
    """What a page sends, with everything at rest but what is given."""

    def make(**given: Any) -> dict[str, Any]:
        rest = {"ratings": {}, "spans": [], "note": "", "skipped": None, "seconds": 1.5, "finished": False}
        return {"revision": 0, "save": os.urandom(16).hex(), **rest, **given}

    return make


@pytest.fixture
def items(tmp_path: Path) -> Callable[..., Path]:
    """``items(30)``: a file of that many romanised Hindi answers, two systems in turn."""

    def make(n: int, **columns: list[str]) -> Path:
        frame = pl.DataFrame(
            {
                "id": [str(i) for i in range(n)],
                "language": ["hi"] * n,
                "script": ["Latn"] * n,
                "system": [("alpha", "beta")[i % 2] for i in range(n)],
                "source": [f"How do I keep going on day {i}?" for i in range(n)],
                "target": [f"Din {i} par bhi chhote kadam uthaiye." for i in range(n)],
                **columns,
            }
        )
        path = tmp_path / "items.parquet"
        frame.write_parquet(path)
        return path

    return make


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """``serve(path, "asha,ravi")``: the app in a thread of this process, its database in the test's folder."""
    running: list[tuple[uvicorn.Server, threading.Thread, Database]] = []

    def start(path: Path, raters: str, rubric: str | Path = "core-12", *, place: str = "", **options: int) -> Server:
        segments = read_segments(path)
        database = Database(place or tmp_path / f"ratings-{len(running)}.db")
        roster = read_roster(raters, sorted(set(segments.frame["language"])))
        study, links = create_study(database, segments, read_rubric(rubric), roster, **options)
        listening = bind("127.0.0.1", 0)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        app = create_app(study, fonts=FOLDER)
        config = uvicorn.Config(app, access_log=False, server_header=False, log_level="critical", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        running.append((server, thread, database))
        raters_links = {name: f"{url}/r/{token}" for name, token in links.raters.items()}
        return Server(url, raters_links, f"{url}/o/{links.organizer}", study)

    yield start
    for server, thread, database in running:
        server.should_exit = True
        thread.join()
        database.close()


@pytest.fixture
def rate(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """``rate("--items", path, "--raters", 3)``: the command, in a process of its own; ended with the test."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: object, port: int = 0) -> Server:
        command = [sys.executable, "-m", "equiglot", "rate", *map(str, arguments), "--port", str(port), "--json"]
        with (tmp_path / "errors.txt").open("a") as errors:
            process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=errors, text=True)
        running.append(process)
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if line.rstrip() == "}":
                break
        assert said, (tmp_path / "errors.txt").read_text()
        told = json.loads(said)
        return Server(told["url"], told["raters"] or {}, told["organizer"], process=process)

    yield start
    for process in running:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, found on the path or where EQUIGLOT_CHROMIUM says."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
    path = os.environ.get("EQUIGLOT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        pytest.skip("there is no Chromium (apt-get install chromium, or set EQUIGLOT_CHROMIUM)")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def shoot() -> Callable[[Any, str], None]:
    """``shoot(page, name)``: a screenshot of the whole page, where EQUIGLOT_SCREENSHOTS names a folder for them."""
    asked = os.environ.get("EQUIGLOT_SCREENSHOTS")

    def take(page: Any, name: str) -> None:
        if asked:
            Path(asked).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(asked) / f"{name}.png", full_page=True)

    return take
