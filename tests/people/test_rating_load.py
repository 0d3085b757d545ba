"""Many raters at once: no error, nothing lost. How fast it is: ``benchmarks/rating.py``."""

from __future__ import annotations

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException

from equiglot.people.app import export_ratings, open_existing

N_RATERS, N_SAVES = 50, 8


def test_fifty_raters_at_once_lose_nothing(serve, items, save, tmp_path):
    server = serve(items(10), ",".join(f"rater{i}" for i in range(N_RATERS)))

    def work(name):
        acknowledged = []
        for i in range(N_SAVES):
            position, value = 1 + i // 2, i % 3
            data = save(revision=i % 2, ratings={"grammar": value}, note=f"{name} {i}")
            status, answer = server.post(f"{server.raters[name]}/{position}", data)
            acknowledged.append((status, answer["revision"]))
        return acknowledged

    with ThreadPoolExecutor(N_RATERS) as pool:
        answers = list(pool.map(work, server.raters))
    assert answers == [[(200, 1 + i % 2) for i in range(N_SAVES)]] * N_RATERS
    ratings = server.ratings
    assert ratings.height == N_RATERS * N_SAVES // 2
    for (rater,), rows in ratings.group_by("rater"):
        kept = sorted(zip(rows["note"], rows["rating"], strict=True))
        assert kept == sorted((f"{rater} {i}", float(i % 3)) for i in range(1, N_SAVES, 2))
    with sqlite3.connect(tmp_path / "ratings-0.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_one_page_saved_by_many_at_once_is_saved_by_one(serve, items, save):
    server = serve(items(3), "asha")
    saves = [save(ratings={"grammar": i % 3}) for i in range(20)]
    with ThreadPoolExecutor(20) as pool:
        statuses = list(pool.map(lambda data: server.post(server.raters["asha"] + "/1", data)[0], saves))
    assert sorted(statuses) == [200, *[409] * 19]
    assert server.ratings["rating"].to_list() == [float(statuses.index(200) % 3)]


def test_kill_9_loses_nothing_that_was_acknowledged(rate, items, save, tmp_path):
    names = [f"rater{i}" for i in range(8)]
    server = rate("--items", items(3), "--raters", ",".join(names))
    acknowledged = dict.fromkeys(names, 0)

    def work(name):
        with suppress(OSError, HTTPException):
            while acknowledged[name] < 10_000:
                data = save(revision=acknowledged[name], seconds=acknowledged[name] + 1, ratings={"grammar": 1})
                status, answer = server.post(f"{server.raters[name]}/1", data)
                assert status == 200
                acknowledged[name] = answer["revision"]

    with ThreadPoolExecutor(len(names)) as pool:
        done = [pool.submit(work, name) for name in names]
        while sum(acknowledged.values()) < 50:
            time.sleep(0.01)
        server.kill()
    assert all(each.exception() is None for each in done)
    study = open_existing(tmp_path / "items.ratings.db")
    kept = dict(export_ratings(study).select("rater", "seconds").iter_rows())
    study.database.close()
    for name in names:  # what was on its way may have been kept, or not
        assert kept.get(name, 0) in (acknowledged[name], acknowledged[name] + 1)
    with sqlite3.connect(tmp_path / "items.ratings.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
