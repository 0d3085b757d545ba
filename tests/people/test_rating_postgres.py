"""The same app on PostgreSQL, where a server can be started."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from equiglot.people import totals
from equiglot.people.app import Database, export_spans, open_study, renew_links


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs."""
    found = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    return Path(found).resolve().parent if found else debian[0].parent if debian else None


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The URL of a server of our own, on a free port."""
    if not any(find_spec(driver) for driver in ("psycopg", "pg8000", "psycopg2")):
        pytest.skip("no driver for PostgreSQL is installed (pip install pg8000)")
    programs = _programs()
    if programs is None:
        pytest.skip("there is no PostgreSQL server (apt-get install postgresql)")
    with tempfile.TemporaryDirectory() as name, socket.socket() as free:
        folder = Path(name)  # not pytest's, which only its owner may enter
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        user = None
        if os.geteuid() == 0:  # the server refuses to run as root
            user = next((entry.pw_name for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody")), None)
            if user is None:
                pytest.skip("PostgreSQL does not run as root, and there is no other user to run it")
            shutil.chown(folder, user)

        def run(program: str, *arguments: object) -> None:
            command = [str(programs / program), "-D", str(folder / "data"), *map(str, arguments)]
            with (folder / "said").open("ab") as said:  # a pipe would stay open as long as the server runs
                subprocess.run(command, check=True, cwd=folder, user=user, stdout=said, stderr=said)

        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        try:
            run("initdb", "-U", "rating", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
            run("pg_ctl", "-o", options, "-l", folder / "log", "-w", "start")
        except subprocess.CalledProcessError:
            pytest.skip(f"PostgreSQL can't be started ({(folder / 'said').read_text('utf-8')[-300:]})")
        yield f"postgresql://rating@127.0.0.1:{port}/postgres"
        run("pg_ctl", "-m", "immediate", "-w", "stop")


def test_the_same_app_on_postgres(postgres, serve, items, save):
    text = "क" + chr(0x093F) + " 😀 'quoted'; --"
    server = serve(items(3, target=[text, "b", "c"]), "asha,ravi", place=postgres)
    assert server.study.database.engine.dialect.name == "postgresql"
    link = server.raters["asha"]
    rated = {"naturalness": 3, "grammar": 2, "word_choice": 2, "register": 2, "usability": 0}
    first = save(ratings=rated, note="टिप्पणी")
    assert server.post(f"{link}/1", first) == (200, {"revision": 1})
    assert server.post(f"{link}/1", first) == (200, {"revision": 1})
    assert server.post(f"{link}/1", save(ratings=rated))[0] == 409
    assert server.post(f"{link}/2", save(skipped="other"))[0] == 200
    assert server.post(f"{link}/words", {"words": "kn"})[0] == 200
    for path in (link, f"{link}/1", server.organizer, f"{server.organizer}/totals.csv"):
        assert server.request("GET", urlsplit(path).path)[0] == 200
    assert sorted(totals(server.ratings)["human"].drop_nulls()) == [9.0]
    assert server.ratings["rating"].null_count() == 5
    assert export_spans(server.study).height == 0
    database = Database(postgres)
    again = open_study(database)
    assert again.items_digest == server.study.items_digest
    assert renew_links(again).raters.keys() == {"asha", "ravi"}
    assert server.request("GET", urlsplit(link).path)[0] == 404
    database.close()
