"""What is wrong with a file itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.validity import check_file
from equiglot.validity.filecheck import line_blocks


@pytest.fixture
def check(tmp_path):
    def run(data: bytes):
        (tmp_path / "f.txt").write_bytes(data)
        return check_file(tmp_path / "f.txt")

    return run


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xef\xbb\xbfa\nb\n", "begins with a byte-order mark"),
        (b"a\n\xef\xbb\xbfb\n", "1 byte-order mark inside"),
        (b"a\r\nb\n", r"mixed: 1 of 2 lines end in \\r\\n"),
        (b"a\rb\nc\rd\n", "2 carriage returns inside lines"),
        ("a\nb\u2028c\nd\u2028\n".encode(), r"2 U\+2028 LINE SEPARATOR, first in line 2"),
        ("a\u0085\n".encode(), r"1 U\+0085 NEXT LINE, first in line 1"),
        (b"a\x0bb\n\x0c\n", r"U\+000B VERTICAL TAB"),
        (b"a\0\n", "1 NUL"),
    ],
)
def test_faults(check, data, says):
    assert any(re.search(says, fault) for fault in check(data).faults)


@pytest.mark.parametrize("data", [b"a\nb\n", b"a\r\nb\r\n", b"a", b"a\r\nb", "क\u200d\n".encode(), b"\n\n"])
def test_sound_files(check, data):
    assert check(data).faults == ()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"ab\nc\xff\n", "row 2: byte 0xff at offset 4"),
        ("a".encode("utf-16"), "UTF-16"),
    ],
)
def test_files_that_cannot_be_read(check, data, says):
    with pytest.raises(InputError, match=says):
        check(data)


def test_a_mistyped_path_names_the_nearest(tmp_path):
    (tmp_path / "answers.txt").write_text("a\n")
    with pytest.raises(InputError, match=r"answers\.txt"):
        check_file(tmp_path / "answer.txt")


@given(st.text(st.sampled_from("ab\n\r\u2028\u0085\0\ufeffक"), min_size=1, max_size=40), st.integers(1, 20))
def test_counts_do_not_depend_on_blocks(tmp_path_factory, text, size):
    from equiglot.validity import filecheck

    path = tmp_path_factory.mktemp("f") / "f.txt"
    path.write_bytes(text.encode())
    if text in ("\ufeff",):
        return
    whole = check_file(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filecheck, "line_blocks", lambda path: line_blocks(path, size))
        assert filecheck.check_file(path) == whole
    assert whole.lines == text.count("\n") + (not text.endswith("\n"))
    assert whole.returns == text.count("\r\n")
    assert whole.lone_returns == text.count("\r") - text.count("\r\n")
