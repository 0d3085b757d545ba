"""A cache that can't be used says so, and a damaged one is begun anew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from equiglot.engine import Cache, Store
from equiglot.errors import InputError
from equiglot.models import cache_folder


def test_a_folder_that_cannot_be_made_names_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EQUIGLOT_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match="set EQUIGLOT_CACHE to a folder that can be written"):
        cache_folder("scores")
    with pytest.raises(InputError, match="set EQUIGLOT_CACHE to a folder that can be written"):
        Cache(tmp_path / "file" / "scores", {}, width=1)


@pytest.mark.parametrize("whole_header", [False, True], ids=["no database", "broken pages"])
def test_a_damaged_file_is_set_aside(tmp_path: Path, whole_header: bool) -> None:
    cache = Cache(tmp_path, {"a": "b"}, width=1)
    items = [str(i) for i in range(2000)]
    cache.put(items, np.ones((2000, 1)))
    cache.close()
    data = cache.path.read_bytes()
    kept = 3 * 4096 if whole_header else 0
    cache.path.write_bytes(data[:kept] + b"\xff" * (len(data) - kept))
    again = Cache(tmp_path, {"a": "b"}, width=1)
    assert not again.get(items)[1].any()
    again.put(["x"], np.array([[2.0]]))
    assert again.get(["x"])[0].tolist() == [[2.0]]
    again.close()
    assert cache.path.with_name(f"{cache.path.name}.damaged").exists()


def test_a_disk_that_fills_up_names_the_way_out_and_nothing_is_half_written(tmp_path: Path) -> None:
    store = Store(tmp_path, {"a": "b"})
    store.put([(b"kept", b"1")])
    ((pages,),) = store._database.execute("PRAGMA page_count")
    store._database.execute(f"PRAGMA max_page_count={pages + 2}")
    rows = [(str(i).encode(), bytes(500)) for i in range(100)]
    with pytest.raises(InputError, match=r"full.*free space on its disk, or set EQUIGLOT_CACHE") as caught:
        store.put(rows)
    assert caught.value.path == str(store.path)
    assert store.get([b"kept", *dict(rows)]) == {b"kept": b"1"}
    store._database.execute("PRAGMA max_page_count=1000")  # there is space again
    store.put(rows)
    assert store.get(list(dict(rows))) == dict(rows)
    store.close()
    assert not list(tmp_path.glob("*.damaged"))


_FILL = """
import resource, sys
from pathlib import Path
from equiglot.engine import Store
from equiglot.errors import InputError
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
try:
    store = Store(Path(sys.argv[1]), {})
    for i in range(1000):
        store.put([(str(i).encode(), bytes(500))])
except InputError as error:
    print(i if "i" in globals() else 0, error)
"""


@pytest.mark.parametrize("most", [8_192, 60_000], ids=["when it is opened", "later"])
def test_a_write_that_the_system_refuses_loses_nothing_that_was_put(tmp_path: Path, most: int) -> None:
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", _FILL, str(tmp_path), str(most)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    put, told = done.stdout.split(maxsplit=1)
    assert "the cache cannot be used (" in told
    assert "set EQUIGLOT_CACHE to a folder that can be written" in told
    keys = [str(i).encode() for i in range(int(put) + 1)]
    store = Store(tmp_path, {})
    assert store.get(keys) == dict.fromkeys(keys[:-1], bytes(500))
    store.close()
