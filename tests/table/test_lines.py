"""Aligned line files, and the traps in them."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.table import KEY, read_lines

Write = Callable[[str, str | bytes], Path]

EIGHT = [
    "one",
    "two\u2028more",
    "three\x85more",
    "four\x0bmore",
    "five\x1cmore",
    "six\x0cmore",
    "seven\rmore",
    "eight ",
]
"""Eight lines, which other readers take for nine to thirteen."""


def one_file(path: Path) -> list[str]:
    return read_lines(None, path, language="de", script="Latn").frame["target"].to_list()


def test_eight_lines_are_eight(write: Write) -> None:
    text = "\n".join(EIGHT)
    assert len(text.splitlines()) > 8
    for end in ("", "\n"):
        assert one_file(write("a.txt", text + end)) == EIGHT


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=8), min_size=1))
def test_any_lines_come_back(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.txt"
    path.write_bytes("".join(f"{line}\n" for line in ["", *lines]).encode())
    assert one_file(path) == ["", *lines]


def test_systems_share_ids_and_sources(write: Write) -> None:
    source, reference = write("en.txt", "One\nTwo\n"), write("ref.txt", "Eins\nZwei\n")
    systems = [write("a.v1.txt", "1\n2\n"), write("b.txt.gz", gzip.compress(b"3\n4\n"))]
    segments = read_lines(source, systems, reference, language="deu_Latn")
    assert segments.frame.columns == [*KEY, "source", "target", "reference"]
    assert segments.frame.rows() == [
        ("1", "de", "Latn", "native", "a.v1", "One", "1", "Eins"),
        ("2", "de", "Latn", "native", "a.v1", "Two", "2", "Zwei"),
        ("1", "de", "Latn", "native", "b", "One", "3", "Eins"),
        ("2", "de", "Latn", "native", "b", "Two", "4", "Zwei"),
    ]


def test_files_of_one_name_take_their_folder_s(write: Write) -> None:
    paths = [write("x/out.txt", "1\n"), write("y/out.txt", "2\n")]
    frame = read_lines(None, paths, language="de", script="Latn").frame
    assert frame["system"].to_list() == ["x/out", "y/out"]


def test_a_path_alone_is_one_file_and_not_its_letters(write: Write) -> None:
    assert read_lines(None, str(write("a.txt", "x\n")), language="de", script="Latn").frame.height == 1


def test_carriage_returns_go_where_every_line_has_one(write: Write) -> None:
    segments = read_lines(None, write("a.txt", "x\r\ny\r\nz"), language="de", script="Latn")
    assert segments.frame["target"].to_list() == ["x", "y", "z"]
    assert segments.notes == ("a.txt: every line ended in \\r\\n, and the \\r was dropped",)


def test_carriage_returns_stay_where_some_lines_have_one(write: Write) -> None:
    segments = read_lines(None, write("a.txt", "x\r\ny\n"), language="de", script="Latn")
    assert segments.frame["target"].to_list() == ["x\r", "y"]
    assert segments.notes == ("a.txt: 1 of 2 lines end in \\r\\n; the \\r was kept as text",)


def test_a_mark_is_dropped_and_told(write: Write) -> None:
    segments = read_lines(None, write("a.txt", "\ufeffx\n\ufeffy\n"), language="de", script="Latn")
    assert segments.frame["target"].to_list() == ["x", "\ufeffy"]
    assert segments.notes == ("a.txt: the byte-order mark at its start was dropped",)


def test_empty_lines_are_segments(write: Write) -> None:
    assert one_file(write("a.txt", "\n\nx\n\n")) == ["", "", "x", ""]


def test_nul_is_kept_and_told(write: Write) -> None:
    segments = read_lines(None, write("a.txt", "x\0\ny\n"), language="de", script="Latn")
    assert segments.frame["target"].to_list() == ["x\0", "y"]
    assert segments.notes == ("a.txt: NUL was kept as text in 1 lines",)


def test_a_romanised_language(write: Write) -> None:
    segments = read_lines(None, write("a.txt", "namaste\n"), language="hin_Latn")
    assert segments.frame.row(0)[:5] == ("1", "hi", "Latn", "romanized", "a")


def test_lengths_must_agree(write: Write) -> None:
    source, longer, shorter = write("en.txt", "1\n2\n"), write("a.txt", "1\n2\n3\n"), write("b.txt", "1\n")
    with pytest.raises(InputError) as caught:
        read_lines(source, longer, language="de")
    expected = f"{longer}, row 3: there are 3 lines here and 2 in {source}, so this line has no partner"
    assert str(caught.value).startswith(expected)
    with pytest.raises(InputError) as caught:
        read_lines(source, longer.with_name("en.txt"), shorter, language="de")
    assert str(caught.value).startswith(f"{source}, row 2: there are 2 lines here and 1 in {shorter}")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"x\n\xe0\xa4\n", "row 2: byte 0xe0 at offset 2"),
    ],
)
def test_a_bad_file(write: Write, content: bytes, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        one_file(write("a.txt", content))
    assert expected in str(caught.value)


def test_a_mistyped_path_is_no_text(write: Write) -> None:
    path = write("output.txt", "x\n").with_name("ouput.txt")
    with pytest.raises(InputError, match="there is no such file; did you mean"):
        one_file(path)


def test_one_file_twice(write: Write) -> None:
    path = write("a.txt", "x\n")
    with pytest.raises(InputError, match="would both be the system"):
        read_lines(None, [path, path], language="de")
    with pytest.raises(InputError, match="no file of translations"):
        read_lines(None, [], language="de")
    with pytest.raises(InputError, match="'xx' is not a language"):
        read_lines(None, path, language="xx")
