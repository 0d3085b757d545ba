"""`equiglot agreement` and `equiglot divergence` as a user runs them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

MEANS = {"GPT-5.5": (10.73, 0.790), "Claude": (9.30, 0.786)}
DIMENSIONS = {"naturalness": 3, "grammar": 2}


@pytest.fixture
def files(tmp_path):
    """Paper 3's means over 24 rows a system, and two raters' ratings of them."""
    rng, rows = np.random.default_rng(0), []
    for system, (human, bge) in MEANS.items():
        people, scores = rng.normal(0, 1, 24), rng.normal(0, 0.05, 24)
        for i in range(24):
            own = (human + people[i] - people.mean(), bge + scores[i] - scores.mean())
            rows.append((str(i), "hi-Latn", system, *own, own[0] + 1, f"uttar {i}"))
    columns = ["id", "language", "system", "human", "bge", "judge", "target"]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    frame.write_csv(tmp_path / "answers.csv")
    ratings = [
        {"id": i, "language": "hi", "system": system, "rater": rater, "dimension": name, "repeat": False,
         "rating": min(top, (int(i) + (rater == "ravi" and int(i) % 5 == 0) + len(system) % 5) % (top + 1))}
        for i, system in frame.select("id", "system").iter_rows()
        for rater in ("asha", "ravi")
        for name, top in DIMENSIONS.items()
    ]  # fmt: skip
    pl.DataFrame(ratings).write_csv(tmp_path / "ratings.csv")
    return tmp_path


def test_agreement_in_words_tables_and_a_report(equiglot, files):
    done = equiglot("agreement", "ratings.csv", "--report", "rep", "-o", "alpha.csv")
    assert done.code == 0, done.err
    assert "On the total, 2 raters agree with Krippendorff's alpha" in done.out
    for says in ("How far raters agree", "Every two raters: asha and ravi", "Kappa (quadratic)"):
        assert says in done.out
    assert pl.read_csv(files / "alpha.csv")["dimension"].to_list() == ["naturalness", "grammar", "total"]
    page = (files / "rep" / "report.html").read_text("utf-8")
    assert "Do people agree?" in page
    assert (files / "rep" / "charts" / "agreement.png").stat().st_size > 1000


def test_agreement_as_json_and_of_one_rater(equiglot, files):
    done = equiglot("agreement", "ratings.csv", "--json", "--resamples", "100")
    assert done.code == 0, done.err
    alpha = {row["dimension"]: row for row in done.json["alpha"]}
    assert 0 < alpha["total"]["low"] < alpha["total"]["value"] < 1
    assert "resamples:100" in done.json["signature"]
    pl.read_csv(files / "ratings.csv").filter(rater="asha").write_csv(files / "one.csv")
    alone = equiglot("agreement", "one.csv")
    assert alone.code == 0, alone.err
    assert "There is one rater, so agreement can't be measured." in alone.out


def test_the_papers_numbers_come_out_of_a_table_with_its_means(equiglot, files):
    done = equiglot("divergence", "answers.csv", "--metric", "bge", "--human", "human", "--judge", "judge", "--json")
    assert done.code == 0, done.err
    own = {row["measure"]: row for row in done.json["gaps"] if row["metric"] == "bge"}
    assert (own["human_gap"]["system"], own["human_gap"]["other_system"]) == ("GPT-5.5", "Claude")
    assert own["human_gap"]["value"] == pytest.approx(10.73 - 9.30)
    assert own["metric_gap"]["value"] == pytest.approx(0.790 - 0.786)
    assert int(own["gap_ratio"]["value"]) == 357
    assert own["human_gap_sd"]["low"] < own["human_gap_sd"]["value"] < own["human_gap_sd"]["high"]
    assert "a ratio that mixes units" in done.json["headline"]
    judge = {row["measure"]: row["value"] for row in done.json["rows"] if row["metric"] == "judge"}
    assert judge["mad"] == pytest.approx(1)
    assert judge["bias"] == pytest.approx(1)


@pytest.mark.parametrize("people", ["ratings.csv", "totals.csv"])
def test_ratings_in_place_of_a_column(equiglot, files, people):
    from equiglot.people import read_ratings, totals

    human = totals(read_ratings(files / "ratings.csv"))
    human.write_csv(files / "totals.csv")
    command = ("divergence", "answers.csv", "-m", "bge", "--ratings", people, "--report", "rep", "-o", "gaps.csv")
    done = equiglot(*command, "--map", "human=judge", "--json")
    assert done.code == 0, done.err
    means = dict(human.group_by("system").agg(pl.col("human").mean()).iter_rows())
    gap = next(row for row in done.json["gaps"] if row["measure"] == "human_gap")
    assert gap["value"] == pytest.approx(means[gap["system"]] - means[gap["other_system"]])
    assert ("agreement" in done.json) == (people == "ratings.csv")
    assert "people rated 48 of 48 rows" in done.err
    page = (files / "rep" / "report.html").read_text("utf-8")
    assert "Do metrics see what people see?" in page
    assert f"{gap['value']:+.3f} <span class" in page  # with its interval, though no column stands before it
    assert ("How far raters agree" in page) == (people == "ratings.csv")
    assert (files / "rep" / "charts" / "divergence.svg").is_file()
    assert pl.read_csv(files / "gaps.csv").height == len(done.json["gaps"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("agreement",), "no input"),
        (("agreement", "missing.csv"), "missing.csv"),
        (("agreement", "answers.csv"), "no column 'rater'"),
        (("agreement", "ratings.csv", "-o", "no/alpha.csv"), "no such folder"),
        (("divergence",), "no input"),
        (("divergence", "answers.csv"), "no score was named"),
        (("divergence", "answers.csv", "-m", "bgee"), "bgee"),
        (("divergence", "answers.csv", "-m", "bge", "--human", "people"), "people"),
        (("divergence", "answers.csv", "-m", "bge", "--ratings", "answers.txt"), "answers.txt"),
        (("divergence", "answers.csv", "-m", "target"), "not a score"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(files, monkeypatch, capsys, arguments, says):
    from equiglot.cli import main

    monkeypatch.chdir(files)
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    said = capsys.readouterr()
    assert ended.value.code == 2, said.out
    assert says in said.err
    assert len([line for line in said.err.splitlines() if not line.startswith("note:")]) == 1
    assert said.out == ""
