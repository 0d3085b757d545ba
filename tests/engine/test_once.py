"""Unique items once, in the order asked for, kept block by block."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.engine import Cache, score_once

ITEMS = st.lists(st.one_of(st.text(max_size=6), st.tuples(st.text(max_size=4), st.text(max_size=4))), max_size=40)


def _value(item):
    return float(sum(map(ord, "".join(item))) + 31 * len(item))


def _compute(items):
    return np.array([[_value(item)] for item in items])


@given(ITEMS, st.integers(1, 7))
def test_values_are_those_of_a_plain_loop_whatever_the_block(items, block):
    assert score_once(items, _compute, block=block).ravel().tolist() == [_value(item) for item in items]


def test_each_unique_item_is_computed_once():
    seen = []

    def compute(items):
        seen.extend(items)
        return _compute(items)

    score_once(["a", "b", "a", "a"], compute, block=1)
    assert sorted(seen) == ["a", "b"]


def test_a_second_run_computes_nothing(tmp_path):
    score_once(["a", "b"], _compute, cache=Cache(tmp_path, {"m": "1"}, 1))

    def refuse(items):
        raise AssertionError(f"computed again: {items}")

    assert score_once(["b", "a"], refuse, cache=Cache(tmp_path, {"m": "1"}, 1)).ravel().tolist() == [
        _value("b"),
        _value("a"),
    ]


def test_another_identity_is_never_shown_the_first_ones_values(tmp_path):
    score_once(["a"], _compute, cache=Cache(tmp_path, {"model": "a"}, 1))
    other = score_once(["a"], lambda items: np.array([[-1.0]]), cache=Cache(tmp_path, {"model": "b"}, 1))
    assert other.tolist() == [[-1.0]]


def test_what_was_made_before_a_stop_is_kept(tmp_path):
    done = []

    def stops(items):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.extend(items)
        return _compute(items)

    with pytest.raises(KeyboardInterrupt):
        score_once(list("abcd"), stops, block=1, cache=Cache(tmp_path, {"m": "1"}, 1))
    rest = []

    def goes_on(items):
        rest.extend(items)
        return _compute(items)

    score_once(list("abcd"), goes_on, block=1, cache=Cache(tmp_path, {"m": "1"}, 1))
    assert sorted(done + rest) == list("abcd")


def test_two_items_that_join_to_the_same_text_are_two_items(tmp_path):
    cache = Cache(tmp_path, {"m": "1"}, 1)
    cache.put([("ab", "c"), ("a", "bc")], np.array([[1.0], [2.0]]))
    assert cache.get([("a", "bc"), ("ab", "c")])[0].ravel().tolist() == [2.0, 1.0]


def test_lone_surrogates_can_be_keys(tmp_path):
    cache = Cache(tmp_path, {"m": "1"}, 1)
    cache.put(["\ud800"], np.array([[1.0]]))
    assert cache.get(["\ud800"])[1].tolist() == [True]


def test_two_processes_may_write_at_once(tmp_path: Path):
    script = (
        "import sys, numpy as np; from pathlib import Path; from equiglot.engine import Cache\n"
        "c = Cache(Path(sys.argv[1]), {'m': '1'}, 1)\n"
        "for i in range(200): c.put([f'{sys.argv[2]}{i}'], np.array([[float(i)]]))\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name]) for name in "ab"]
    assert [run.wait() for run in runs] == [0, 0]
    values, found = Cache(tmp_path, {"m": "1"}, 1).get([f"{name}{i}" for name in "ab" for i in range(200)])
    assert found.all()
    assert values.ravel().tolist() == [float(i) for i in range(200)] * 2
