"""Bad input gets one clear line and exit code 2, and nothing half written."""

from __future__ import annotations

import pytest

GOOD = "id\tlanguage\ttarget\treference\thuman\tcomet\n" + "".join(
    f"{i}\t{language}\tनमस्ते {i}\tनमस्कार {i}\t{i}\t{0.5 + i / 100}\n" for language in ("hi", "mr") for i in range(1, 9)
)


@pytest.fixture
def one_line(equiglot, tmp_path):
    """Write a file, run `audit script` on it, and return its one line of error."""

    def run(content, *, name="in.tsv", arguments=("audit", "script", "-m", "comet")):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        done = equiglot(*arguments[:2], path, *arguments[2:])
        errors = [line for line in done.err.splitlines() if not line.startswith("note: ")]
        assert done.code == 2, done.err
        assert len(errors) == 1, done.err
        assert errors[0].startswith("equiglot: ")
        assert "Traceback" not in done.err
        assert done.out == ""
        return errors[0]

    return run


def test_the_good_file_is_good(equiglot, tmp_path):
    (tmp_path / "in.tsv").write_text(GOOD, "utf-8")
    done = equiglot("audit", "script", "in.tsv", "-m", "comet", "--json")
    assert done.code == 0, done.err
    assert done.json["verdicts"]


def test_empty_file(one_line):
    assert "empty" in one_line(b"")


def test_missing_column(one_line):
    assert "no column for the language" in one_line("target\tcomet\na\t1\n")


def test_missing_score_column_lists_the_columns(one_line):
    line = one_line(GOOD, arguments=("audit", "script", "-m", "comte"))
    assert "'comte'" in line
    assert "comet" in line.replace("comte", "")


def test_text_in_a_score_column(one_line):
    line = one_line(GOOD.replace("0.53", "good", 1))
    assert "row 3" in line
    assert "'comet'" in line
    assert "good" in line


def test_nan_in_a_score_column(one_line):
    line = one_line(GOOD.replace("0.53", "NaN", 1))
    assert "row 3" in line
    assert "'comet'" in line


def test_text_in_the_human_column(one_line):
    line = one_line(GOOD.replace("\t3\t", "\tfair\t", 1))
    assert "row 3" in line
    assert "'human'" in line


def test_unknown_language(one_line):
    line = one_line(GOOD.replace("\tmr\t", "\tmarathish\t", 1))
    assert "row 9" in line
    assert "marathish" in line


def test_duplicate_rows(one_line):
    line = one_line(GOOD + GOOD.splitlines()[1] + "\n")
    assert "row 1" in line
    assert "17" in line


def test_bad_utf8_names_the_byte(one_line):
    data = GOOD.encode("utf-8")
    at = data.index("नमस्ते 3".encode())
    assert str(at) in one_line(data[:at] + b"\xff" + data[at:])


def test_ragged_row(one_line):
    assert "row 2" in one_line("language\tcomet\nhi\t1\nhi\t1\t2\n")


def test_mistyped_path(equiglot):
    done = equiglot("audit", "script", "no-such.tsv", "-m", "comet")
    assert done.code == 2
    assert "no-such.tsv" in done.err
    assert len(done.err.splitlines()) == 1


def test_lengths_that_differ(equiglot, tmp_path):
    (tmp_path / "s").write_text("a\nb\nc\n")
    (tmp_path / "t").write_text("क\nख\n")
    done = equiglot("score", "-s", "s", "-t", "t", "--language", "hi", "-m", "chrf", "-o", "out.parquet")
    assert done.code == 2
    assert "3" in done.err
    assert "2" in done.err
    assert not (tmp_path / "out.parquet").exists()


def test_one_language_is_an_answer_and_not_an_error(equiglot, tmp_path):
    (tmp_path / "in.tsv").write_text(
        "\n".join(line for line in GOOD.splitlines() if "\tmr\t" not in line) + "\n", "utf-8"
    )
    done = equiglot("audit", "script", "in.tsv", "-m", "comet", "--json")
    assert done.code == 0, done.err
    assert {v["answer"] for v in done.json["verdicts"]} == {"can't tell"}


def test_one_row_is_an_answer_and_not_an_error(equiglot, tmp_path):
    (tmp_path / "in.tsv").write_text("\n".join(GOOD.splitlines()[:2]) + "\n", "utf-8")
    done = equiglot("audit", "script", "in.tsv", "-m", "comet", "--json")
    assert done.code == 0, done.err
    assert {v["answer"] for v in done.json["verdicts"]} == {"can't tell"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("data: in.tsv\nmetrcs: [chrf]\n", "metrics"),
        ("metrics: [chrf]\n", "data"),
        ("data: in.tsv\nseed: many\n", "seed"),
        ("[1, 2]\n", "mapping"),
        ("data: [\n", "YAML"),
        ("data: in.tsv\nseed: 1\nseed: 2\n", "twice"),
        ("data: in.tsv\nresamples: 1\n", "resamples"),
        ("data: in.tsv\nbos: sometimes\n", "bos"),
        ("data: in.tsv\ntitle: 2026-02-30\n", "YAML"),
    ],
)
def test_study_files(equiglot, tmp_path, text, says):
    (tmp_path / "study.yaml").write_text(text)
    done = equiglot("run", "study.yaml")
    assert done.code == 2
    assert says in done.err
    assert len(done.err.splitlines()) == 1
    assert not (tmp_path / "results").exists()


def test_a_column_that_is_nearly_the_metric_is_not_passed_over(equiglot, tmp_path):
    (tmp_path / "in.tsv").write_text(GOOD.replace("\tcomet\n", "\tchrF\n"), "utf-8")
    done = equiglot("report", "in.tsv", "-m", "chrf")
    assert done.code == 2
    assert "chrF" in done.err
    assert not (tmp_path / "equiglot-report").exists()


def test_scores_without_texts_can_be_reported(equiglot, tmp_path):
    rows = (f"{language}\t{0.5 + i / 100}\n" for language in ("hi", "ta") for i in range(40))
    (tmp_path / "in.tsv").write_text("language\tcomet\n" + "".join(rows), "utf-8")
    done = equiglot("report", "in.tsv", "-m", "comet", "-o", "out")
    assert done.code == 0, done.err
    assert (tmp_path / "out" / "report.html").is_file()


def test_a_results_folder_that_is_a_file(equiglot, tmp_path):
    (tmp_path / "in.tsv").write_text(GOOD, "utf-8")
    done = equiglot("report", "in.tsv", "-m", "comet", "-o", "in.tsv")
    assert done.code == 2
    assert "in.tsv" in done.err


def test_help_is_light(equiglot):
    import subprocess
    import sys

    script = (
        "import sys\nsys.argv = ['equiglot', '--help']\nfrom equiglot.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = ('polars', 'numpy', 'scipy', 'torch', 'transformers', 'altair')\n"
        "print('HEAVY', [name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "HEAVY []"
