"""The commands on language-model scores, as a user runs them: words, JSON, reports, bad input."""

from __future__ import annotations

import pytest

LANGUAGES = {"en": 30, "de": 41, "fi": 38, "zh": 25, "ru": 60, "tr": 36}
ROWS = [
    f"{i},{tag},{90 + (i * 7 + k * 5) % 11},{3 * size},{size}"
    for i in range(20)
    for k, (tag, size) in enumerate(LANGUAGES.items())
]
SCORES = "sentence,lang,sent_nll,n_bytes,n_scored\n" + "\n".join(ROWS) + "\n"


@pytest.fixture
def file(tmp_path):
    (tmp_path / "scores.csv").write_text(SCORES, "utf-8")
    (tmp_path / "pairs.csv").write_text("language,good_sent_nll,bad_sent_nll\n" + "en,1,2\nen,2,1\n" * 60, "utf-8")
    return "scores.csv"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("audit", "confound", "scores.csv"), "may not rank languages"),
        (("audit", "stability", "scores.csv", "--sizes", "1,5"), "Sentences that the order of languages needs"),
        (("audit", "ranking", "scores.csv", "--expected", "en, zh, de"), "Expected order en, zh, de"),
        (("minimal-pairs", "pairs.csv", "--good", "good_sent_nll", "--bad", "bad_sent_nll"), "English 0.50"),
    ],
)
def test_words_json_and_report(equiglot, tmp_path, file, arguments, said):
    words = equiglot(*arguments, "--report", "folder")
    assert words.code == 0, words.err
    assert said in " ".join(words.out.split())
    assert (tmp_path / "folder" / "report.html").is_file()
    assert "wrote folder/report.html" in words.err
    document = equiglot(*arguments, "--json")
    assert document.json["headline"]
    assert document.json["signature"].endswith(f"v:{document.json['equiglot']}")


def test_alternatives(equiglot, tmp_path):
    rows = [f"{i},{t[:2]},{t},{20 + k + i % 3}" for i in range(30) for k, t in enumerate(("en", "de_a", "de_b"))]
    (tmp_path / "scores.csv").write_text("id,language,text,sent_nll\n" + "\n".join(rows), "utf-8")
    done = equiglot("audit", "alternatives", "scores.csv", "--report", "folder", "--json")
    assert done.code == 0, done.err
    assert done.json["orders"] == [
        {"metric": "sent_nll", "model": "model", "order": "en>de_a>lowest>de_b>highest", "consistent": True}
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("audit", "confound", "score.csv"), "did you mean 'scores.csv'"),
        (("audit", "confound", "scores.csv", "--texts", "pairs.csv"), "no column of texts"),
        (("audit", "confound", "scores.csv", "--model", "lm"), "no column 'lm'"),
        (("audit", "confound", "scores.csv", "-m", "surprisal"), "--direction"),
        (("audit", "confound", "scores.csv", "-m", "n_bytes", "--direction", "lower"), "'n_bytes' is a count"),
        (("audit", "confound", "scores.csv", "--report", "pairs.csv"), "is a file"),
        (("audit", "confound", "scores.csv", "--map", "id=line"), "no column 'line'"),
        (("audit", "alternatives", "scores.csv"), "--alternatives"),
        (("audit", "stability", "scores.csv", "--seeds", "a"), "not a list of numbers"),
        (("audit", "ranking", "scores.csv", "--expected", "en"), "no order of two"),
        (("minimal-pairs", "scores.csv"), "--good and --bad"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(equiglot, file, arguments, said):
    done = equiglot(*arguments)
    lines = [line for line in done.err.splitlines() if not line.startswith("note: ")]
    assert done.code == 2, done.err
    assert len(lines) == 1
    assert said in lines[0]
    assert done.out == ""
