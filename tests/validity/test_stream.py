"""Files of any format, cut anywhere, are judged as one table is."""

from __future__ import annotations

import gzip
import json
from functools import partial

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.table import read_segments
from equiglot.validity import Policy, Validation, validate, validate_files, validate_lines
from equiglot.validity import _blocks as blocks
from equiglot.validity import stream as streaming

TEXTS = st.text(st.sampled_from('ab ,"\n\r;कि\u2028x'), max_size=12)
ROWS = [
    ("The bus leaves at seven", "The bus leaves at seven"),
    ("Where is it", "yeh कहाँ hai"),
    ("Say it", 'usne kaha, "haan"\nphir gaya'),
    ("Good day", ""),
    ("Tell me", "bolo " * 25),
    ("Fine", "theek\u2028hai"),
]


@pytest.fixture
def table():
    rows = [(lang, system, s, t) for lang in ("hi-Latn", "te-Latn") for system in "AB" for s, t in ROWS * 3]
    return pl.DataFrame(rows, schema=["language", "system", "source", "target"], orient="row")


def write(frame: pl.DataFrame, path):
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    return path


def in_small_blocks(monkeypatch, size: int) -> None:
    monkeypatch.setattr(blocks, "line_blocks", partial(blocks.line_blocks, size=size))
    monkeypatch.setattr(blocks, "_ROWS", max(1, size // 50))
    monkeypatch.setattr(streaming, "_LINES_AT_ONCE", max(1, size // 50))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("size", [1, 60, 333, 1 << 20])
def test_every_format_cut_anywhere_gives_the_same(monkeypatch, tmp_path, table, suffix, size):
    path = write(table, tmp_path / f"in{suffix}")
    expected = validate(read_segments(path))
    in_small_blocks(monkeypatch, size)
    found = validate_files([path], tmp_path / "out.parquet")
    written = read_segments(tmp_path / "out.parquet").frame
    columns = ["language", "script", "condition", "system", "target", "valid", "failures", "remarks", "failure_details"]
    if suffix in (".csv", ".tsv"):  # Polars writes an empty text as a missing one
        assert written["valid"].to_list() == expected.frame["valid"].to_list()
    else:
        assert written.select(columns).equals(expected.frame.select(columns))
    assert written["id"].to_list() == expected.frame["id"].to_list()
    assert found.summary.equals(Validation.of(expected).summary)
    assert found.failures.equals(Validation.of(expected).failures)
    assert found.examples.equals(Validation.of(expected).examples)


@settings(max_examples=80)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=12), st.integers(1, 80), st.booleans())
def test_csv_is_cut_where_rows_end(tmp_path_factory, rows, size, returns):
    """Quotes, doubled quotes, line ends inside quotes, and CRLF."""
    folder = tmp_path_factory.mktemp("csv")
    frame = pl.DataFrame(rows, schema=["source", "target"], orient="row").with_columns(pl.lit("hi-Latn").alias("lang"))
    text = frame.write_csv(quote_style="always", line_terminator="\r\n" if returns else "\n")
    path = folder / "in.csv"
    path.write_bytes(text.encode())
    try:
        whole = read_segments(path).frame
    except InputError:
        return
    with pytest.MonkeyPatch.context() as patch:
        in_small_blocks(patch, size)
        parts = [raw.frame for _, raw in blocks.table_blocks(path)]
    assert pl.concat(parts)["target"].to_list() == whole["target"].to_list()
    assert pl.concat(parts)["source"].to_list() == whole["source"].to_list()


@pytest.mark.parametrize("size", [1, 20, 1 << 20])
def test_a_stray_quote_is_text_in_blocks_too(monkeypatch, tmp_path, size):
    path = tmp_path / "in.csv"
    path.write_text('lang,target\nhi-Latn,5" ka pipe\nhi-Latn,"aur, ek"\nhi-Latn,6" ka\nhi-Latn,bas\n', "utf-8")
    in_small_blocks(monkeypatch, size)
    validate_files([path], tmp_path / "out.jsonl")
    written = [json.loads(line)["target"] for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert written == ['5" ka pipe', "aur, ek", '6" ka', "bas"]


def test_an_error_names_the_row_of_the_file(monkeypatch, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"lang": "hi", "target": "क"}\n' * 40 + '{"lang": "marathish", "target": "क"}\n', "utf-8")
    in_small_blocks(monkeypatch, 60)
    with pytest.raises(InputError, match="row 41, column 'language'"):
        validate_files([path])
    (tmp_path / "in.csv").write_text("lang,target\n" + "hi,क\n" * 40 + "hi,क,x\n", "utf-8")
    with pytest.raises(InputError, match="row 41"):
        validate_files([tmp_path / "in.csv"])


def test_nothing_is_left_half_written(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"lang": "hi", "target": "क"}\n' * 3 + "no JSON\n", "utf-8")
    (tmp_path / "out.parquet").write_text("old")
    with pytest.raises(InputError):
        validate_files([path], tmp_path / "out.parquet")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.jsonl", "out.parquet"]
    assert (tmp_path / "out.parquet").read_text() == "old"


def test_a_place_that_cannot_be_written_is_said_before_the_work(tmp_path):
    (tmp_path / "in.jsonl").write_text('{"lang": "hi", "target": "क"}\n', "utf-8")
    with pytest.raises(InputError, match="format"):
        validate_files([tmp_path / "in.jsonl"], tmp_path / "out.xlsx")


def test_the_signature_is_in_the_file(tmp_path, table):
    path = write(table, tmp_path / "in.parquet")
    found = validate_files([path], tmp_path / "out.parquet", policy=Policy(repeats=10))
    metadata = json.loads(pl.read_parquet_metadata(tmp_path / "out.parquet")["equiglot"])
    assert metadata["measures"]["valid"]["signature"] == found.signature
    assert "repeats:10" in found.signature
    assert "invalid:empty+copy+short-copy+spillage+degenerate" in found.signature


def test_the_usual_script_is_assumed_and_said_and_never_taken_from_the_answers(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"lang": "hi", "target": "main theek hoon"}\n' * 5, "utf-8")
    found = validate_files([path])
    assert found.invalid == 5
    assert any("say --script" in note and "Deva for hi" in note for note in found.notes)
    assert "5 spillage, though the expected script, Devanagari, was only assumed" in found.headline
    assert "give --script Latn" in found.headline
    assert any("no source" in note for note in found.notes)
    asked = validate_files([path], tmp_path / "out.parquet", scripts=["Latn"])
    assert asked.invalid == 0
    assert "assumed" not in asked.headline
    assert read_segments(tmp_path / "out.parquet").frame["condition"].unique().to_list() == ["romanized"]
    assert not any("say --script" in note for note in asked.notes)


def test_ids_go_on_through_blocks_within_each_system(monkeypatch, tmp_path):
    rows = [{"lang": "hi", "system": s, "target": f"क {i}"} for s in "AB" for i in range(7)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    in_small_blocks(monkeypatch, 100)
    validate_files([tmp_path / "in.jsonl"], tmp_path / "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet")["id"].to_list() == [str(i) for i in range(1, 8)] * 2


def test_rows_of_other_types_later_can_go_to_json_lines(monkeypatch, tmp_path):
    rows = [{"lang": "hi", "target": "क", "note": 1}] * 3 + [{"lang": "hi", "target": "क", "note": "one", "more": 2}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    in_small_blocks(monkeypatch, 1)
    with pytest.raises(InputError, match=r"\.jsonl"):
        validate_files([tmp_path / "in.jsonl"], tmp_path / "out.parquet")
    validate_files([tmp_path / "in.jsonl"], tmp_path / "out.jsonl")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 4


COLUMNS_LATE = [
    [{}, {"target": "haan"}],
    [{"target": "haan"}, {}, {"target": "ji"}],
    [{"target": None}, {"target": "haan"}],
    [{"target": "haan", "chrf": None}, {"target": "ji", "chrf": 1}, {"target": "ji", "chrf": 2.5}],
    [{"target": "haan"}, {"target": "ji", "system": "a", "more": ["x"]}],
    [{"hyp": "haan"}, {"translation": "ji"}],
    [{"target": "haan", "a.*": 1}, {"target": "ji", "^.*$": 2}],
]


@pytest.mark.parametrize("rows", COLUMNS_LATE)
@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".csv"])
def test_a_column_that_a_block_lacks_is_null_in_it(monkeypatch, tmp_path, rows, suffix):
    path = tmp_path / "in.jsonl"
    lines = [
        {"lang": "hi-Latn", "source": f"say it now {i}", **row}
        for i, row in enumerate(row for row in rows for _ in "ab")
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    in_small_blocks(monkeypatch, 1)
    try:
        expected = read_segments(path).frame
    except InputError as error:
        with pytest.raises(InputError) as caught:
            validate_files([path], tmp_path / f"out{suffix}")
        assert caught.value.problem == error.problem
        return
    found = validate_files([path], tmp_path / f"out{suffix}")
    written = read_segments(tmp_path / f"out{suffix}").frame[expected.columns]
    if suffix != ".csv":  # there a list is one text
        assert written.equals(expected)
    assert written["target"].equals(expected["target"])
    assert sum(found.missing.values()) == expected["target"].null_count()


def test_bad_json_is_said_with_its_row_where_columns_differ(monkeypatch, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"lang": "hi"}\n{"lang": "hi", "target": "क"}\n{"lang"\n', "utf-8")
    in_small_blocks(monkeypatch, 1)
    with pytest.raises(InputError, match=r"row 3.*not JSON"):
        validate_files([tmp_path / "in.jsonl"])


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_missing_answers_are_counted_and_csv_says_that_it_cannot_tell(monkeypatch, tmp_path, suffix, size):
    frame = pl.DataFrame(
        {"lang": "hi-Latn", "source": "say it now", "target": [None, "", "haan", None], "system": list("abab")}
    )
    path = write(frame, tmp_path / f"in{suffix}")
    in_small_blocks(monkeypatch, size)
    found = validate_files([path], tmp_path / "out.parquet")
    assert found.missing == {"a": 1, "b": 1}
    word = "missing or blank in the table" if suffix in (".csv", ".tsv") else "missing altogether"
    assert f"3 empty (2 {word})." in found.headline
    notes = [note for note in found.notes if note.startswith(f"2 answers are {word}")]
    assert len(notes) == 1
    assert notes == [note for note in validate(read_segments(path)).notes if "answers are" in note]
    assert notes[0] in read_segments(tmp_path / "out.parquet").notes


@pytest.mark.parametrize("size", [1, 60, 1 << 20])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_two_rows_of_one_key_are_found_wherever_blocks_end(monkeypatch, tmp_path, suffix, size):
    ids = ["1", "2", "3", "4", "2"]
    frame = pl.DataFrame({"id": ids, "lang": "hi", "target": "क"})
    path = write(frame, tmp_path / f"in{suffix}")
    in_small_blocks(monkeypatch, size)
    with pytest.raises(InputError, match=r"row 5: rows 2 and 5 have the same id.*\(2, hi, Deva, native, system\)"):
        validate_files([path], tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()
    write(frame.head(4), path)
    assert validate_files([path]).n == 4


@pytest.mark.parametrize("text", ["lang,target", "lang,target\n", "\ufefflang,target\r\n"])
def test_a_header_alone_is_refused(tmp_path, text):
    (tmp_path / "in.csv").write_bytes(text.encode())
    with pytest.raises(InputError, match="a header and no row"):
        validate_files([tmp_path / "in.csv"])


@pytest.mark.parametrize("size", [1, 90, 1 << 20])
def test_notes_are_of_the_file_and_not_of_its_blocks(monkeypatch, tmp_path, size):
    rows = [("hin-Latn", "ek"), ("hin-Latn", '"do\nteen"'), ("tel-Latn", "chaar"), ("tel-Latn", '"a\nb"')]
    (tmp_path / "in.csv").write_text("lang,target\n" + "".join(f"{lang},{text}\n" for lang, text in rows), "utf-8")
    in_small_blocks(monkeypatch, size)
    notes = validate_files([tmp_path / "in.csv"]).notes
    assert "in.csv: languages were read: hin-Latn as hi in Latn, tel-Latn as te in Latn" in notes
    assert "in.csv: text with line ends in it was kept as it is in 2 rows, first in row 2" in notes
    assert [sum(says in note for note in notes) for says in ("were read", "text with line ends")] == [1, 1]


def test_a_byte_that_is_not_utf8_is_in_the_row_that_other_readers_name(tmp_path):
    (tmp_path / "in.csv").write_bytes(b"lang,target\nhi,a\nhi,nam\xe9\n")
    for read in (lambda path: validate_files([path]), read_segments):
        with pytest.raises(InputError, match=r"row 2.* is not UTF-8"):
            read(tmp_path / "in.csv")
    (tmp_path / "in.csv").write_bytes(b"lang,t\xe9\nhi,a\n")
    with pytest.raises(InputError, match=r"in\.csv: byte 0xe9"):
        validate_files([tmp_path / "in.csv"])


def test_the_order_of_rows_changes_no_number(tmp_path, table):
    rows = table.with_columns(id=pl.int_range(pl.len()))
    one = validate_files([write(rows, tmp_path / "one.parquet")])
    other = validate_files([write(rows.reverse(), tmp_path / "two.parquet")])
    for of in ("summary", "failures", "spilled"):
        assert getattr(one, of).equals(getattr(other, of))
    assert one.headline == other.headline


def test_an_error_of_a_column_names_the_file(tmp_path, table):
    path = write(table, tmp_path / "in.parquet")
    with pytest.raises(InputError, match=r"in\.parquet, row 1, column 'source'.*neither yes nor no"):
        validate_files([path], may_copy="source")


class TestLines:
    def test_systems_and_lines(self, tmp_path):
        (tmp_path / "src").write_text("The bus leaves now\nWhere is it\n")
        (tmp_path / "a.txt").write_text("The bus leaves now\nkahan hai\n")
        (tmp_path / "b.txt.gz").write_bytes(gzip.compress("bas ab जाती है\nkahan hai".encode()))
        targets = [tmp_path / "a.txt", tmp_path / "b.txt.gz"]
        found = validate_lines(tmp_path / "src", targets, tmp_path / "out.csv", language="hi-Latn")
        assert found.failures.select("system", "failure").rows() == [("a", "copy"), ("b", "spillage")]
        assert pl.read_csv(tmp_path / "out.csv")["id"].to_list() == [1, 2, 1, 2]

    def test_lengths_that_differ_name_the_line_and_what_may_have_broken_it(self, tmp_path):
        (tmp_path / "src").write_bytes(b"one\ntwo\n")
        (tmp_path / "hyp").write_bytes("ek\ndo\u2028aur\nteen\n".encode())
        with pytest.raises(InputError, match=r"row 3: there are 3 lines here and 2 .*U\+2028.*first in line 2"):
            validate_lines(tmp_path / "src", [tmp_path / "hyp"], language="hi-Latn")

    @pytest.mark.parametrize("size", [1, 7, 1 << 20])
    def test_returns_are_dropped_where_every_line_has_them(self, monkeypatch, tmp_path, size):
        from equiglot.table import read_lines

        for data in (b"\xef\xbb\xbfek\r\ndo\r\n", b"ek\r\ndo\n\r\n", b"ek\r\ndo\r\nteen", b"\n\nek", b"ek\r\ndo\r"):
            (tmp_path / "hyp").write_bytes(data)
            expected = read_lines(None, tmp_path / "hyp", language="hi-Latn").frame["target"].to_list()
            in_small_blocks(monkeypatch, size)
            validate_lines(None, [tmp_path / "hyp"], tmp_path / "out.parquet", language="hi-Latn")
            assert pl.read_parquet(tmp_path / "out.parquet")["target"].to_list() == expected

    def test_files_alike_in_name_are_told_apart_by_folder(self, tmp_path):
        for folder in "ab":
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "hyp.txt").write_text("kal\n")
        targets = [tmp_path / "a" / "hyp.txt", tmp_path / "b" / "hyp.txt"]
        found = validate_lines(None, targets, language="hi-Latn")
        assert found.summary["system"].unique().sort().to_list() == ["a/hyp", "b/hyp"]
