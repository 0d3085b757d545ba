"""CSV and TSV: the fast reader against a plain one, and every way a file can be wrong."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.table import read_segments
from equiglot.table._delimited import read_delimited

PATH = Path("case.csv")
UNUSUAL = 'ab,\t"""\r\n\n\x00\x0b\x0c\x1c\x85\u2028\ufeff é😀'
"""Characters that readers of tables get wrong, the quotes and line ends often."""


def reference_rows(text: str, sep: str) -> list[list[str | None]]:
    """RFC 4180, one character at a time; ValueError where it is not followed."""
    rows: list[list[str | None]] = []
    row: list[str | None] = []
    at = 0
    while at < len(text):
        if text[at] == '"':
            field = ""
            at += 1
            while not (text[at : at + 1] == '"' and text[at + 1 : at + 2] != '"'):
                if at >= len(text):
                    raise ValueError("not closed")
                field += text[at]
                at += 2 if text[at] == '"' else 1
            at += 1
            row.append(field)
            if text[at : at + 2] == "\r\n" or text[at:] == "\r":
                at += 1
            if text[at : at + 1] not in ("", "\n", sep):
                raise ValueError("text after a quote")
        else:
            field = ""
            while text[at : at + 1] not in ("", "\n", sep):
                field += text[at]
                at += 1
            if text[at : at + 1] != sep:
                field = field.removesuffix("\r")
            row.append(field or None)
        if text[at : at + 1] == sep:
            at += 1
            if at == len(text):
                row.append(None)
            continue
        at += 1
        rows.append(row)
        row = []
    return [*rows, row] if row else rows


@given(st.text(st.sampled_from(UNUSUAL), max_size=40), st.sampled_from([",", "\t"]))
@example('1,5" pipe\n2,x', ",")
@example('1,he said "hi, there"\n', ",")
@example('1,"a\nb"\n2,""\n3,\n', ",")
@example('1,"a"b\n', ",")
@example('1,"a\n', ",")
@example("1,x\r\n2,y\n\n\n", ",")
def test_equals_a_plain_reader(body: str, sep: str) -> None:
    text = f"a{sep}b\n{body}"
    assume(not text.endswith("\r"))
    try:
        rows = reference_rows(text, sep)[1:]
    except ValueError:
        rows = [[None]]
    while len(rows) > 1 and rows[-1] == [None]:
        rows.pop()
    if rows and all(len(row) == 2 for row in rows):
        assert read_delimited(text.encode(), PATH, separator=sep).frame.rows() == [tuple(row) for row in rows]
    else:
        with pytest.raises(InputError):
            read_delimited(text.encode(), PATH, separator=sep)


ROWS = st.lists(st.tuples(st.text(st.characters(codec="utf-8")), st.text(st.sampled_from(UNUSUAL))), min_size=1)


@given(ROWS, st.sampled_from([("\r\n", csv.QUOTE_MINIMAL), ("\r\n", csv.QUOTE_ALL), ("\n", csv.QUOTE_ALL)]))
def test_reads_what_the_standard_library_writes(rows: list[tuple[str, str]], form: tuple[str, int]) -> None:
    line_end, quoting = form  # with "\n" alone, Python before 3.13 leaves a "\r" unquoted, which is then a line end's
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator=line_end, quoting=quoting).writerows([("a", "b"), *rows])
    frame = read_delimited(file.getvalue().encode(), PATH, separator=",").frame
    empty = "" if quoting == csv.QUOTE_ALL else None
    assert frame.rows() == [tuple(field or empty for field in row) for row in rows]


def test_many_rows_with_line_ends_in_quotes_are_not_split() -> None:
    lines = "".join(f'{i},"x\n""y"",\n{i}"\n' for i in range(60_000))
    frame = read_delimited(f"a,b\n{lines}".encode(), PATH, separator=",").frame
    assert frame.height == 60_000
    assert frame.row(59_999) == ("59999", 'x\n"y",\n59999')


def test_line_separators_of_unicode_stay_in_their_field() -> None:
    text = "one\u2028two\x85three\x0bfour\x0cfive\x1csix\rseven"
    frame = read_delimited(f"a\tb\n1\t{text}\n".encode(), PATH, separator="\t").frame
    assert frame.rows() == [("1", text)]


PLAIN = st.text(st.sampled_from(UNUSUAL.replace("\n", "").replace("\t", "")), min_size=1).map(lambda text: text + ".")


@given(st.lists(st.tuples(PLAIN, PLAIN), min_size=1))
def test_without_quoting_fields_are_what_lies_between_tabs(rows: list[tuple[str, str]]) -> None:
    data = "".join(f"{a}\t{b}\r\n" for a, b in [("a", "b"), *rows]).encode()
    assert read_delimited(data, PATH, separator="\t", quotes=False).frame.rows() == rows


def test_quotes_may_be_text() -> None:
    raw = read_delimited(b'a\tb\n1\t"Hello\n2\tbye"\n', PATH, separator="\t", quotes=False)
    assert raw.frame.rows() == [("1", '"Hello'), ("2", 'bye"')]


def test_rows_swallowed_by_a_stray_quote_are_told() -> None:
    raw = read_delimited(b'a\tb\n1\t"Hello\n2\tbye"\n', PATH, separator="\t")
    assert raw.frame.height == 1
    assert raw.notes == ("text with line ends in it was kept as it is in 1 rows, first in row 1",)


def test_byte_order_mark_is_dropped_and_told() -> None:
    raw = read_delimited("\ufeffa,b\n1,2\n".encode(), PATH, separator=",")
    assert raw.frame.columns == ["a", "b"]
    assert raw.notes == ("the byte-order mark at its start was dropped",)


def test_mixed_line_ends_are_told() -> None:
    raw = read_delimited(b"a,b\r\n1,x\n", PATH, separator=",")
    assert raw.frame.rows() == [("1", "x")]
    assert "1 of 2 lines end in \\r\\n" in raw.notes[0]


def test_nul_is_kept_and_told() -> None:
    raw = read_delimited(b"a,b\n1,x\n2,y\0z\n", PATH, separator=",")
    assert raw.frame["b"].to_list() == ["x", "y\0z"]
    assert raw.notes == ("text with NUL in it was kept as it is in 1 rows, first in row 2",)


def test_a_column_without_a_name_is_left_out_and_told() -> None:
    raw = read_delimited(b",a\n0,x\n1,y\n", PATH, separator=",")
    assert raw.frame.to_dict(as_series=False) == {"a": ["x", "y"]}
    assert raw.notes == ("column 1, which has no name, was left out",)


def test_one_column_keeps_blank_lines_as_missing() -> None:
    assert read_delimited(b'a\nx\n\n""\n\n', PATH, separator=",").frame["a"].to_list() == ["x", None, "", None]


BAD = {
    "empty": (b"", "the file is empty"),
    "blank lines only": (b"\n\n", "the file is empty"),
    "byte-order mark only": (b"\xef\xbb\xbf", "the file is empty"),
    "header only": (b"a,b\n", "there is a header and no row"),
    "short row": (b"a,b\n1,2\n3\n", "row 2: this row has 1 fields and the header has 2"),
    "long row": (b"a,b\n1,2,3\n", "row 1: this row has 3 fields and the header has 2"),
    "long row after quoted line ends": (b'a,b\n1,"x\ny\nz"\n1,2,3\n', "row 2: this row has 3 fields"),
    "short row, odd quotes": (b'a,b\n1,5" x\n3\n', "row 2: this row has 1 fields and the header has 2"),
    "blank line": (b"a,b\n1,2\n\n3,4\n", "row 2: the line is empty"),
    "open quote": (b'a,b\n1,"x\n2,y\n', "row 1: a quote is not closed"),
    "text after a quote": (b'a,b\n1,2\n1,"x"y\n', "row 2: text follows a closing quote"),
    "two of one name": (b"a,b,a\n1,2,3\n", "2 columns are named 'a'"),
    "two without a name": (b"a,,\n1,2,3\n", "2 columns have no name"),
    "bad UTF-8": (b"a,b\n1,x\n2,\xe0\xa4\n", "row 2, column 'b': byte 0xe0 at offset 10 is not UTF-8"),
    "bad UTF-8 after a mark": (b"\xef\xbb\xbfa,b\n1,\xff\n", "row 1, column 'b': byte 0xff at offset 9 is not"),
    "bad UTF-8 in quotes": (b'a,b\n"1\n,2","x\n,\xff"\n', "row 1, column 'b': byte 0xff at offset 15"),
    "bad UTF-8 in the header": (b"a,\xff\n1,2\n", "byte 0xff at offset 2 is not UTF-8"),
    "a surrogate in bytes": (b"a,b\n1,\xed\xa0\x80\n", "byte 0xed at offset 6"),
    "UTF-16": ("a,b\n1,2\n".encode("utf-16"), "looks like UTF-16"),
    "UTF-16 without a mark": ("a,b\n1,2\n".encode("utf-16-le"), "looks like UTF-16"),
    "lone carriage returns": (b"a,b\r1,2\r3,4\r", "its lines end in \\r alone"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_said(case: str) -> None:
    data, expected = BAD[case]
    with pytest.raises(InputError) as caught:
        read_delimited(data, PATH, separator=",")
    assert expected in str(caught.value)
    assert str(caught.value).startswith("case.csv")


def test_gzipped(tmp_path: Path) -> None:
    path = tmp_path / "scores.tsv.gz"
    path.write_bytes(gzip.compress("id\tlanguage\tscript\ttarget\n1\thi\tDeva\tनमस्ते\n".encode()))
    assert read_segments(path).frame["target"].to_list() == ["नमस्ते"]
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="not a whole gzip file"):
        read_segments(path)
