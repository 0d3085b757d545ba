"""Scores that are no numbers, and files separated by something else: the error says which, where and what to write."""

from __future__ import annotations

import pytest

from equiglot.errors import InputError
from equiglot.table import read_segments

HEADER = "language\ttarget\tcomet\n"


@pytest.fixture
def error_of(tmp_path):
    def read(content, name="a.tsv"):
        path = tmp_path / name
        path.write_text(content, "utf-8")
        with pytest.raises(InputError) as found:
            read_segments(path)
        return str(found.value).removeprefix(f"{path}")

    return read


def test_a_decimal_comma_is_told_how_to_be_written(error_of):
    said = error_of(HEADER + "hi\tx\t0,81\nhi\ty\t0,9\n")
    assert said == (
        ", row 1, column 'comet': '0,81' is not a number, for it has a decimal comma (line 2); nor is '0,9' in row 2 "
        "(line 3); write 0.81"
    )


def test_a_comma_that_may_be_either(error_of):
    said = error_of(HEADER + "hi\tx\t1\nhi\ty\t1,234\n")
    assert said.endswith("write 1234, or 1.234 if it is decimal")


@pytest.mark.parametrize("word", ["n/a", "NA", "-", "–", "None"])
def test_words_for_a_missing_score_are_known(error_of, word):
    said = error_of(HEADER + f"hi\tx\t1\nhi\ty\t{word}\n")
    assert f"row 2, column 'comet': '{word}' is not a number but a word for a missing one (line 3)" in said
    assert said.endswith("leave the cell empty where the score is missing")


def test_the_first_bad_rows_are_named_together(error_of):
    rows = "".join(f"hi\tx{i}\t{'?' if i in (2, 3, 5, 7, 8, 9) else 0.5}\n" for i in range(1, 11))
    said = error_of(HEADER + rows)
    assert said.startswith(", row 2, ")
    assert (
        "nor are '?' in row 3 (line 4), '?' in row 5 (line 6), '?' in row 7 (line 8) and those in 2 more rows" in said
    )


def test_lines_count_those_inside_quotes(error_of):
    assert "row 2, column 'comet': 'bad' is not a number (line 5)" in error_of(
        HEADER + 'hi\t"one\ntwo\nthree"\t1\nhi\ty\tbad\n'
    )


def test_no_line_is_made_up_where_the_file_has_none(error_of):
    said = error_of('{"language":"hi","comet":1}\n{"language":"hi","comet":"bad"}\n', "a.jsonl")
    assert "line" not in said


@pytest.mark.parametrize(
    ("name", "separator", "says", "mend"),
    [
        ("a.csv", ";", "it looks separated by ';', not by commas", "with commas as .csv"),
        ("a.csv", "\t", "it looks separated by tabs, not by commas", "name it .tsv"),
        ("a.tsv", ",", "it looks separated by commas, not by tabs", "name it .csv"),
        ("a.csv", "|", "it looks separated by '|', not by commas", "with commas as .csv"),
    ],
)
def test_another_separator_is_recognised(error_of, name, separator, says, mend):
    rows = [["language", "translation", "comet"], ["hi", "नमस्ते", "0.8"], ["ta", "வணக்கம்", "0.7"]]
    said = error_of("".join(separator.join(row) + "\r\n" for row in rows), name)
    assert says in said
    assert said.endswith(mend)


def test_decimal_commas_between_semicolons_are_no_ragged_rows(error_of):
    assert "looks separated by ';'" in error_of("language;target;comet\nhi;a, b;0,8\n", "a.csv")


def test_one_column_of_sentences_is_one_column(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("target\na; b\nc\n", "utf-8")
    assert read_segments(path, language="de", script="Latn").frame["target"].to_list() == ["a; b", "c"]
    path.write_text("target;\na; b\nc\n", "utf-8")
    with pytest.raises(InputError, match="neither a text nor a score"):
        read_segments(path, language="de", script="Latn")
