"""What is written is what was there."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.measures import Measure, MeasureInfo, result_table, signature
from equiglot.table import Segments, from_frame, read_segments, write_segments, write_table

UNUSUAL = st.text(st.sampled_from("a,\t\"'\\\r\n\0\x0b\x0c\x1c\x1f\x7f\x85\u2028\u2029\ufeff\ufffe\uffff é😀{}[]#"))
TEXTS = st.none() | st.text(st.characters(codec="utf-8")) | UNUSUAL
SCORES = st.none() | st.floats(-1e100, 1e100)
SUFFIXES = [".parquet", ".csv", ".tsv", ".jsonl", ".ndjson"]
INFO = MeasureInfo("chrf", "score", "higher", signature(metric="chrf", case="mixed"))


def table(rows: list[tuple[str | None, str | None, float | None]]) -> Segments:
    columns = {"source": pl.String, "target": pl.String, "chrf": pl.Float64}
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    segments = from_frame(frame.drop("chrf"), language="hi", script="Deva", system="a", condition="native")
    return segments.with_measure(INFO, frame["chrf"]).noted("a note, é")


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(rows=st.lists(st.tuples(TEXTS, TEXTS, SCORES), min_size=1, max_size=6))
def test_rows_come_back(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, rows: list[tuple[str | None, str | None, float | None]]
) -> None:
    segments = table(rows)
    path = tmp_path_factory.mktemp("written") / f"a{suffix}"
    write_segments(segments, path)
    read = read_segments(path).frame
    if read.schema != segments.frame.schema:  # JSON does not tell a column without values from any other
        assert suffix in (".jsonl", ".ndjson", ".csv", ".tsv")
        read = read.cast({"chrf": pl.Float64})
    assert read.rows() == segments.frame.rows()
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_parquet_keeps_what_is_known(tmp_path: Path) -> None:
    segments = table([("x", "y", 1.0)]).with_measure(
        MeasureInfo("mine", "points", "lower", "metric:mine"), [None], ["why"]
    )
    write_segments(segments, tmp_path / "a.parquet")
    read = read_segments(tmp_path / "a.parquet")
    assert read.measures == segments.measures
    assert read.notes == segments.notes
    assert read.frame.equals(segments.frame)
    assert read.frame["mine_reason"].to_list() == ["why"]


def test_other_formats_do_not_keep_what_made_a_score(tmp_path: Path) -> None:
    write_segments(table([("x", "y", 1.0)]), tmp_path / "a.csv")
    assert read_segments(tmp_path / "a.csv").measures["chrf"].signature == "metric:chrf|origin:brought"


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
def test_a_failed_write_leaves_the_old_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text("old", "utf-8")
    segments = table([("x", "y", 1.0)])
    for odd in (b"\xff", [b"\xff"], {"of": b"\xff"}):
        pictures = Segments(segments.frame.with_columns(picture=pl.Series([odd])), segments.measures)
        with pytest.raises(InputError) as caught:
            write_segments(pictures, path)
        assert str(caught.value) == (
            f"{path}, column 'picture': a column of bytes can't be written as '{suffix}'; "
            "write Parquet, or leave the column out"
        )
        assert path.read_text("utf-8") == "old"
        assert [p.name for p in tmp_path.iterdir()] == [path.name]
    write_segments(segments, path)
    assert read_segments(path).frame.height == 1


def test_a_type_that_csv_lacks_is_one_line(tmp_path: Path) -> None:
    frame = pl.DataFrame({"took": [1]}).cast(pl.Duration("us"))
    with pytest.raises(InputError, match="write Parquet"):
        write_table(frame, tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("suffix", "separator"), [(".csv", ","), (".tsv", "\t")])
def test_lists_stand_in_one_cell(tmp_path: Path, suffix: str, separator: str) -> None:
    nested = {"kinds": [["empty", "copy"], [], None], "places": [[1, 2], None, []], "of": [{"a": "é"}, None, None]}
    frame = pl.DataFrame(nested)
    write_table(frame, tmp_path / f"a{suffix}")
    written = pl.read_csv(tmp_path / f"a{suffix}", separator=separator)
    assert written["kinds"].to_list()[0] == "empty; copy"
    assert written["places"].to_list() == ["[1, 2]", None, "[]"]
    assert written["of"].to_list() == ['{"a": "é"}', None, None]
    for other in (".parquet", ".jsonl"):
        write_table(frame, tmp_path / f"a{other}")
    assert pl.read_parquet(tmp_path / "a.parquet").equals(frame)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.xlsx", "'.xlsx' is not a format that tables are written in"), ("no/a.csv", "there is no such folder")],
)
def test_where_nothing_can_be_written(tmp_path: Path, name: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        write_segments(table([("x", "y", 1.0)]), tmp_path / name)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(InputError, match=r"a\.csv"):
        write_segments(table([("x", "y", 1.0)]), tmp_path / "a.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_a_result_table(tmp_path: Path) -> None:
    frame = result_table([({"language": "gu"}, Measure("tp", 1.388, unit="ratio", direction="neutral", n=1400))])
    write_table(frame, tmp_path / "a.parquet")
    assert pl.read_parquet(tmp_path / "a.parquet").equals(frame)
    write_table(frame, tmp_path / "a.tsv")
    assert (tmp_path / "a.tsv").read_text("utf-8").splitlines()[1].startswith("gu\ttp\t1.388\tratio\tneutral\t1400\t")
