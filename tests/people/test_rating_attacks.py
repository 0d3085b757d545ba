"""What someone without, or with another, link may try: each is refused or harmless."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from equiglot.people.app.guard import LARGEST_BODY


@pytest.fixture
def server(serve, items):
    return serve(items(4), "asha,ravi")


def test_a_save_is_kept_and_nothing_tells_the_system(server, save):
    link = server.raters["asha"]
    assert server.post(f"{link}/1", save(ratings={"grammar": 2}, note="fine")) == (200, {"revision": 1})
    assert server.ratings.select("rater", "dimension", "rating", "note").rows() == [("asha", "grammar", 2.0, "fine")]
    for path in (link, *(f"{link}/{i}" for i in range(1, 5))):
        _, _, page = server.request("GET", urlsplit(path).path)
        assert not re.search(rb"alpha|beta", page)


def test_tokens_of_others_and_of_nobody(server, save):
    asha, ravi = (urlsplit(server.raters[name]).path for name in ("asha", "ravi"))
    organizer = urlsplit(server.organizer).path
    number, secret = asha.removeprefix("/r/").split(".")
    other = ravi.removeprefix("/r/").split(".")[0]
    wrong = [
        f"{other}.{secret}",
        secret,
        f"{number}.",
        f"{number}.{secret[:-1]}",
        f"{number}.{secret}x",
        "1",
        "-1.x",
        "%00",
    ]
    wrong += [organizer.removeprefix("/o/"), f"99999999999999999999.{secret}", f"{number}.{secret[::-1]}", "é.é"]
    answers = set()
    for token in wrong:
        path = "/r/" + "".join(c if c.isascii() else f"%{ord(c):02X}" for c in token)
        for tail in ("", "/1"):
            status, _, body = server.request("GET", path + tail)
            answers.add((status, body))
        assert server.post(path + "/1", save(ratings={"grammar": 1}))[0] == 404
        assert server.post(path + "/words", {"words": "hi"})[0] == 404
    assert answers == {(404, b"Not Found")}
    for path in (f"/o/{number}.{secret}", f"/o/{secret}/ratings.csv", "/o/x", "/o/x/ratings.parquet"):
        assert server.request("GET", path)[0] == 404
    assert server.ratings.height == 0


def test_tokens_are_long_and_kept_only_as_hashes(server, tmp_path):
    links = [*server.raters.values(), server.organizer]
    secrets = [link.rsplit("/", 1)[1].split(".")[-1] for link in links]
    assert len(set(secrets)) == 3
    assert all(len(secret) * 6 >= 128 for secret in secrets)
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("ratings-0.db*"))
    assert not any(secret.encode() in stored for secret in secrets)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../study.py",
        "/static/%2e%2e/study.py",
        "/static/..%2fstudy.py",
        "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd",
        "/static//etc/passwd",
        "/static/..\\study.py",
        "/fonts/../theme.py",
        "/fonts/%2e%2e/theme.py",
        "/fonts/....//theme.py",
        "/static/app.css%00.js",
        "/static/",
        "/static",
        "/",
        "/items.ratings.db",
        "/r/../static/../../items.ratings.db",
        "/../items.ratings.db",
    ],
)
def test_path_traversal(server, path):
    status, headers, body = server.request("GET", path)
    assert status in (404, 405, 307, 400)
    assert b"import" not in body
    assert b"root:" not in body
    if status == 307:
        assert urlsplit(headers["Location"]).hostname in (None, "127.0.0.1")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "http://[bad"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_forged_origins_and_forms(server, save, headers, status):
    assert server.post(server.raters["asha"] + "/1", save(ratings={"grammar": 1}), **headers)[0] == status
    assert server.ratings.height == 0


def test_no_origin_and_other_host_names(server, save):
    path = urlsplit(server.raters["asha"]).path
    body = json.dumps(save()).encode()
    assert server.request("POST", path + "/1", body, Content_Type="application/json")[0] == 403
    for host in ("evil.example", "127.0.0.1.evil.example", "", "[bad"):
        assert server.request("GET", path, Host=host)[0] in (400, 421)
        forged = {"Host": host, "Origin": f"http://{host}", "Content_Type": "application/json"}
        assert server.request("POST", path + "/1", body, **forged)[0] in (400, 421)
    assert server.request("GET", path, Host=f"localhost:{server.port}")[0] == 200


def test_oversized_bodies(server, save):
    link = server.raters["asha"] + "/1"
    assert server.post(link, save(note="x" * 4001))[0] == 400
    assert server.post(link, b"[" + b" " * LARGEST_BODY + b"]")[0] == 413
    own = {"Origin": server.url, "Content_Type": "application/json"}
    path = urlsplit(link).path
    assert server.request("POST", path, b"", **own, Content_Length=str(10**12))[0] == 413
    chunk = b"%x\r\n" % 50_000 + b"x" * 50_000 + b"\r\n"
    status, _, _ = server.request("POST", path, chunk * 3 + b"0\r\n\r\n", **own, Transfer_Encoding="chunked")
    assert status == 413
    with suppress(ConnectionError):  # hung up on before the path was read to its end
        assert server.request("GET", path + "x" * 200_000)[0] in (400, 404, 414, 431)
    assert server.post(link, save(note="still here"))[0] == 200


def test_replay_and_retry(server, save):
    link = server.raters["asha"] + "/1"
    first = save(ratings={"grammar": 1})
    assert server.post(link, first) == (200, {"revision": 1})
    assert server.post(link, first) == (200, {"revision": 1})  # its acknowledgement was lost: nothing changes
    assert server.post(link, save(revision=1, ratings={"grammar": 2})) == (200, {"revision": 2})
    assert server.post(link, first)[0] == 409  # replayed later
    assert server.post(link, save(revision=0, ratings={"grammar": 0}))[0] == 409
    assert server.post(link, save(revision=7, ratings={"grammar": 0}))[0] == 409
    assert server.post(server.raters["ravi"] + "/1", first)[0] == 200  # on his own page, as anything he says himself
    assert server.ratings.filter(rater="asha")["rating"].to_list() == [2.0]


@pytest.mark.parametrize(
    "change",
    [
        {"revision": -1},
        {"revision": 0.0},
        {"revision": True},
        {"revision": 2**40},
        {"save": "short"},
        {"save": "'; DROP TABLE ratings; --"},
        {"save": 3},
        {"ratings": {"grammar": 3}},
        {"ratings": {"grammar": -1}},
        {"ratings": {"grammar": 1.5}},
        {"ratings": {"grammar": True}},
        {"ratings": {"grammar": "1"}},
        {"ratings": {"grammar": None}},
        {"ratings": {"no_such": 1}},
        {"ratings": [1]},
        {"spans": [{"start": 0, "end": 1, "category": "grammar", "severity": "minor"}]},
        {"spans": {}},
        {"note": "\0"},
        {"note": "\ud800"},
        {"note": 5},
        {"skipped": "because"},
        {"skipped": True},
        {"seconds": -1},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"seconds": "3"},
        {"seconds": 10**30},
        {"finished": 1},
        {"extra": 1},
    ],
)
def test_what_no_page_sends(server, save, change):
    assert server.post(server.raters["asha"] + "/1", save(**change))[0] == 400
    assert server.ratings.height == 0


def test_what_is_no_save_at_all(server):
    link = server.raters["asha"] + "/1"
    for body in (b"", b"[]", b"null", b'"x"', b"{", b"\xff", b"[" * 30_000, b"{}"):
        assert server.post(link, body)[0] == 400
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert server.request(method, urlsplit(link).path)[0] in (403, 405)
    for position in ("0", "5", "-1", "99999999999999999999999"):
        assert server.request("GET", urlsplit(server.raters["asha"]).path + f"/{position}")[0] == 404


def test_every_answer_has_the_headers(server):
    path = urlsplit(server.raters["asha"]).path
    for place in (path, path + "/1", urlsplit(server.organizer).path, "/static/app.css", "/nothing", "/r/x"):
        _, headers, _ = server.request("GET", place)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == ("no-cache" if place.startswith("/static") else "no-store")
        assert "Set-Cookie" not in headers
        assert "Server" not in headers


def test_pages_name_no_other_host():
    folder = Path(__import__("equiglot.people.app", fromlist=["app"]).__file__).parent
    for path in [*folder.glob("static/*"), *folder.glob("templates/*")]:
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|//[a-z]+\.", text), path


def test_spans_outside_the_text_and_too_many(serve, items, save):
    server = serve(items(1, target=["abc"]), "asha", "mqm")
    link = server.raters["asha"] + "/1"
    good = {"start": 0, "end": 3, "category": "grammar", "severity": "minor"}
    changes = [
        {"end": 4},
        {"start": 3},
        {"start": -1},
        {"end": None},
        {"start": None},
        {"category": "x"},
        {"severity": "x"},
    ]
    for change in [*changes, {"extra": 1}, {"start": 0.5}]:
        assert server.post(link, save(spans=[{**good, **change}]))[0] == 400
    assert server.post(link, save(spans=[good] * 201))[0] == 400
    assert server.post(link, save(spans=[good]))[0] == 200
