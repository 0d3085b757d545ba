"""What a reader is told of a score: the numbers it replaced, and the rows that have none, by reason."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from equiglot.measures import MeasureInfo
from equiglot.quality import comet, join_comet_json, score, score_table
from equiglot.table import Segments, from_frame

TARGETS = ["ja", "", " ", None, "", "nein"]


def table(**columns: list[float]) -> Segments:
    frame = pl.DataFrame({"id": list("abcdef"), "target": TARGETS, "reference": ["ja"] * 5 + [None], **columns})
    return from_frame(frame, language="de", script="Latn")


def notes_of(segments: Segments, metric: str = "chrf") -> list[str]:
    return [note for note in score(segments, [metric], cache=None).notes if metric in note]


def test_rows_without_a_score_are_summed_up_by_reason() -> None:
    assert notes_of(table()) == [
        "chrf: 5 of 6 rows have no score (2 target is empty, 1 reference is missing, 1 target is missing, "
        "1 target is only white space)"
    ]


def test_where_all_rows_have_a_score_nothing_is_said() -> None:
    whole = table()
    assert notes_of(Segments(whole.frame.filter(id="a"))) == []


def test_a_column_that_was_brought_is_not_replaced_unseen() -> None:
    scored = score(table(chrf=[0.5] * 6), ["chrf"], cache=None)
    assert scored.frame["chrf"][0] == 100
    assert any("the table's own column 'chrf' was replaced" in note for note in scored.notes)
    again = score(Segments(scored.frame, scored.measures), ["chrf"], cache=None)
    assert not any("replaced" in note for note in again.notes), "the same score made anew is no other"


def test_a_column_that_is_no_measure_is_not_replaced_unseen() -> None:
    brought = Segments(table().frame.with_columns(chrf=pl.lit("high")))
    assert any("the table's own column 'chrf' was replaced" in note for note in notes_of(brought))


def test_comet_that_was_brought_is_not_replaced_unseen(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(json.dumps({"a": [{"src": "s", "mt": text or "", "COMET": 0.5} for text in TARGETS]}))
    joined = join_comet_json(table(comet=[0.25] * 6), path)
    assert joined.frame["comet"].to_list() == [0.5] * 6
    assert any("the table's own column 'comet' was replaced" in note for note in joined.notes)
    other = table().with_measure(MeasureInfo("comet", "score", "higher", "metric:comet|origin:comet-score"), [0.5] * 6)
    assert not any("replaced" in note for note in join_comet_json(other, path).notes)


def test_comet_is_not_given_what_shows_nothing() -> None:
    texts = ["ja", None, "", " \u00a0", "\u200d", "\u2800", "\ud800"]
    assert comet._faults(texts) == [
        None, "missing", "empty", "only white space", "only invisible", "only invisible",
        "not valid Unicode (a lone surrogate)",
    ]  # fmt: skip


def test_a_mean_of_one_row_says_why_it_has_no_interval_and_an_unknown_script_is_none() -> None:
    segments = Segments(table().frame.head(1).with_columns(script=pl.lit(None, pl.String)))
    row = score_table(score(segments, ["chrf"], cache=None)).row(0, named=True)
    assert (row["value"], row["low"], row["script"]) == (100.0, None, None)
    assert row["reason"].startswith("one row")
