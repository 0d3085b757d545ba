"""A store gives back what was put into it, across processes' worth of openings and after damage."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from equiglot.engine import Cache, Store
from equiglot.text._text_cache import TextCache

PAIRS = st.lists(st.tuples(st.binary(max_size=4), st.binary(max_size=4)), max_size=20)


@given(st.lists(PAIRS, max_size=4))
def test_it_is_a_dictionary_that_stays(puts: list[list[tuple[bytes, bytes]]]) -> None:
    plain: dict[bytes, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        for pairs in puts:
            store = Store(Path(folder), {"a": 1})
            store.put(pairs)
            plain |= dict(pairs)
            store.close()
        store = Store(Path(folder), {"a": 1})
        assert store.get([*plain, b"never put"]) == plain
        store.close()
        other = Store(Path(folder), {"a": 2})
        assert other.get(list(plain)) == {}
        other.close()


def test_more_keys_than_sqlite_takes_at_once(tmp_path: Path) -> None:
    pairs = [(str(i).encode(), bytes([i % 256])) for i in range(1301)]
    store = Store(tmp_path, {})
    store.put(pairs)
    assert store.get([key for key, _ in pairs]) == dict(pairs)
    store.close()


def test_nothing_is_kept_of_values_that_do_not_fit_their_items(tmp_path: Path) -> None:
    cache = Cache(tmp_path, {}, width=1)
    try:
        cache.put(["a", "b"], np.ones((1, 1)))
    except ValueError:
        pass
    else:
        raise AssertionError("one value for two items was taken")
    assert not cache.get(["a", "b"])[1].any()
    cache.close()


def test_romanised_texts_outlive_a_damaged_file(tmp_path: Path) -> None:
    cache = TextCache(tmp_path, {"scheme": "upper"})
    cache.put({str(i): "x" * 50 for i in range(2000)})
    cache.close()
    (file,) = tmp_path.glob("*.sqlite")
    data = file.read_bytes()
    file.write_bytes(data[: 3 * 4096] + b"\xff" * (len(data) - 3 * 4096))
    again = TextCache(tmp_path, {"scheme": "upper"})
    assert again.get([str(i) for i in range(2000)]) == {}
    again.put({"a": "A"})
    assert again.get(["a"]) == {"a": "A"}
    again.close()
