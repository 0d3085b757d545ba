"""Fifty raters at once: how long a save takes until it is acknowledged, and whether every acknowledged one is kept.

python benchmarks/rating.py [SECONDS] [DATABASE]

Each rater saves a rating every five seconds, ten a second in all, for a minute, against `equiglot rate` in a process of
its own. DATABASE is a URL of PostgreSQL; a SQLite file in a temporary folder if left out. Exit code 1 where a save
failed or was lost, or 95% of saves took more than 200 ms.
"""

from __future__ import annotations

import http.client
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import polars as pl

from equiglot.people.app import export_ratings, open_existing

RATERS, EVERY, N_ITEMS = 50, 5.0, 30
SCALES = ("naturalness", "grammar", "word_choice", "register", "usability")


def work(link: str, delay: float, seconds: float, waits: list[float], kept: dict[tuple[int, str], int]) -> None:
    """One rater: a save every five seconds, each with one more scale of the page rated."""
    url = urlsplit(link)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=30)
    headers = {"Origin": f"http://{url.netloc}", "Content-Type": "application/json"}
    begun = time.monotonic() + delay
    for turn in range(int(seconds / EVERY)):
        time.sleep(max(0.0, begun + turn * EVERY - time.monotonic()))
        position, scale = 1 + turn // len(SCALES), turn % len(SCALES)
        ratings = {name: (turn + i) % 3 for i, name in enumerate(SCALES[: scale + 1])}
        page = {"ratings": ratings, "spans": [], "note": "", "skipped": None, "seconds": turn, "finished": False}
        body = json.dumps({"revision": scale, "save": os.urandom(16).hex(), **page})
        before = time.perf_counter()
        try:
            connection.request("POST", f"{url.path}/{position}", body, headers)
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            waits.append(np.inf)
            continue
        waits.append(time.perf_counter() - before if answer.status == 200 else np.inf)
        if answer.status == 200:
            kept.update({(position, name): value for name, value in ratings.items()})
    connection.close()


def main(seconds: float = 60, place: str = "") -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = [f"Uttar {i}." for i in range(N_ITEMS)]
        items = pl.DataFrame(
            {"id": [str(i) for i in range(N_ITEMS)], "language": "hi", "script": "Latn", "target": text}
        )
        items.write_parquet(folder / "items.parquet")
        place = place or str(folder / "ratings.db")
        command = [
            sys.executable,
            "-m",
            "equiglot",
            "rate",
            "--items",
            folder / "items.parquet",
            "--raters",
            str(RATERS),
        ]
        command += ["--database", place, "--port", "0", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            said = ""
            for line in server.stdout or ():
                said += line
                if line.rstrip() == "}":
                    break
            links = json.loads(said)["raters"]
            waits: list[list[float]] = [[] for _ in links]
            kept: list[dict[tuple[int, str], int]] = [{} for _ in links]
            threads = [
                threading.Thread(target=work, args=(link, EVERY * i / RATERS, seconds, waits[i], kept[i]))
                for i, link in enumerate(links.values())
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            server.kill()
        return judge(place, list(links), [w for own in waits for w in own], kept)


def judge(place: str, names: list[str], waits: list[float], kept: list[dict[tuple[int, str], int]]) -> int:
    study = open_existing(place)
    ratings = export_ratings(study)
    study.database.close()
    lost = 0
    for name, own in zip(names, kept, strict=True):
        rows = ratings.filter(pl.col("rater") == name)
        lost += abs(rows.height - len(own)) + int(sorted(rows["rating"]) != sorted(map(float, own.values())))
    failed = sum(not np.isfinite(wait) for wait in waits)
    p50, p95, p99, worst = 1000 * np.quantile(waits, [0.5, 0.95, 0.99, 1.0])
    intact = "ok"
    if "://" not in place:
        with sqlite3.connect(place) as database:
            (intact,) = database.execute("PRAGMA integrity_check").fetchone()
        database.close()
    print(f"{len(waits)} saves by {len(names)} raters: {failed} failed; {ratings.height} ratings kept, {lost} lost")
    print(f"until acknowledged: median {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms, at most {worst:.1f} ms")
    print(f"integrity_check: {intact}")
    return int(failed > 0 or lost > 0 or p95 > 200 or intact != "ok")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(main(*([float(arguments[0])] if arguments else []), *arguments[1:2]))
