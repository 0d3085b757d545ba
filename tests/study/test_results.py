"""The files that a study leaves behind."""

from __future__ import annotations

from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from equiglot.study.results import _map_files


def test_maps_are_called_by_their_metric() -> None:
    assert _map_files(Path("out"), ["chrF", "my score"]) == {
        "chrF": Path("out/qn-chrF.json"),
        "my score": Path("out/qn-my-score.json"),
    }


@example(["a-2", "a", "A"])
@given(st.lists(st.text("aA-/ 2", min_size=1, max_size=4), unique=True, max_size=12))
def test_no_two_maps_share_a_file(metrics: list[str]) -> None:
    files = [path.name.casefold() for path in _map_files(Path("out"), metrics).values()]
    assert len(set(files)) == len(metrics)
