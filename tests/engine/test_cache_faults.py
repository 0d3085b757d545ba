"""A cache that can't be used says so, and a damaged one is begun anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equiglot.engine import Cache
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
