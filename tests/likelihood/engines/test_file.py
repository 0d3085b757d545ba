"""Scores from a file: found by the text, to the letter; what is no score is an error that names the row."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.likelihood.engines import FileEngine, add_engine_likelihood, find_engine
from equiglot.measures import MeasureInfo
from equiglot.table import Segments, from_frame, write_segments


def _write(path: Path, **columns: list[object]) -> Path:
    pl.DataFrame(columns).write_parquet(path)
    return path


def test_scores_are_found_by_their_text(tmp_path: Path) -> None:
    path = _write(tmp_path / "s.parquet", text=["a b", "c", "gone"], sent_nll=[8.0, 2.0, None], n_scored=[2, 1, 1])
    scored = FileEngine(path).score(["c", None, "a b", " c", "gone", "c"])
    assert scored.rows["sent_nll"].to_list() == [2.0, None, 8.0, None, None, 2.0]
    assert scored.rows["n_scored"].to_list()[:3] == [1, 0, 2]
    assert scored.rows["reason"].to_list()[1:5] == [
        "no text", None, "the text is not in s.parquet", "the text has no sent_nll in s.parquet"
    ]  # fmt: skip
    assert scored.notes == ["1 of 4 texts are not in s.parquet"]


def test_metrics_are_those_that_the_columns_allow(tmp_path: Path) -> None:
    frame = pl.DataFrame({"language": ["en"], "target": ["a b"], "source": ["a b c d"]})
    whole = _write(tmp_path / "w.parquet", target=["a b"], sent_nll=[8.0], n_scored=[2], n_tokens=[3], mrr=[0.5])
    bare = _write(tmp_path / "b.parquet", sentence=["a b"], sent_nll=[8.0])
    made = add_engine_likelihood(from_frame(frame, script="Latn"), FileEngine(whole))
    assert made.frame.select("sent_nll", "token_nll", "mrr", "n_tokens").row(0) == (8.0, 4.0, 0.5, 3)
    made = add_engine_likelihood(from_frame(frame, script="Latn"), FileEngine(bare))
    assert set(made.measures) == {"sent_nll", "bpb", "bpc", "bpec"}


def test_the_signature_goes_along(tmp_path: Path) -> None:
    info = MeasureInfo("sent_nll", "nats", "lower", "metric:sent_nll|lm:m@1|bos:auto|v:1")
    segments = from_frame(pl.DataFrame({"language": ["en"], "target": ["a b"]}), script="Latn")
    segments = Segments(segments.frame.with_columns(sent_nll=pl.lit(8.0)), {"sent_nll": info})
    write_segments(segments, tmp_path / "s.parquet")
    engine = find_engine(f"scores:{tmp_path / 's.parquet'}")
    assert engine is not None
    made = engine.score(["a b"])
    assert made.settings["made"] == "metric:sent_nll,lm:m@1,bos:auto,v:1"


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"words": ["a"], "sent_nll": [1.0]}, "no column of the texts"),
        ({"text": ["a"], "nll": [1.0]}, "no column of sent_nll"),
        ({"text": ["a"], "sent_nll": [-1.0]}, "row 1, column 'sent_nll': sent_nll is -1, and can't be below 0"),
        ({"text": ["a"], "sent_nll": [float("nan")]}, "NaN"),
        ({"text": ["a"], "sent_nll": [1.0], "n_scored": [0]}, "the sum is over no token"),
        ({"text": ["a"], "sent_nll": [1.0], "n_scored": [1.5]}, "give a whole number"),
        ({"text": ["a", "a"], "sent_nll": [1.0, 2.0]}, "row 2: this text has another score"),
        ({"text": ["b"], "sent_nll": [1.0]}, "none of the texts is in this file"),
    ],
)
def test_what_is_no_score(tmp_path: Path, columns: dict[str, list[object]], says: str) -> None:
    with pytest.raises(InputError, match=says):
        FileEngine(_write(tmp_path / "s.parquet", **columns)).score(["a"])
