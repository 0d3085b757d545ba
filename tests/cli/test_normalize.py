"""`equiglot normalize` as a user runs it: fit, apply, compare, calibrate, sizes; and what it refuses."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

SCRIPTS = {"gu": "Gujr", "ta": "Taml", "hi": "Deva"}
WORDS = {"gu": "નમસ્તે દુનિયા", "ta": "வணக்கம் உலகம்", "hi": "नमस्ते दुनिया"}


@pytest.fixture
def table(tmp_path):
    """Scores of three languages, native and romanised, with people's scores; romanised ones shift by language."""
    rng = np.random.default_rng(6)
    n, parts = 60, []
    for i, (language, script) in enumerate(SCRIPTS.items()):
        human = rng.normal(15, 4, n).round(1)
        native = 0.7 + human / 100 + rng.normal(0, 0.02, n)
        long = rng.integers(1, 5, n)
        for condition, tag, scores in (
            ("native", script, native),
            ("romanized", "Latn", native - 0.02 * long - 0.05 * i),
        ):
            text = {"native": WORDS[language], "romanized": "namaste duniya"}[condition]
            parts.append(
                pl.DataFrame(
                    {
                        "id": [str(j) for j in range(n)],
                        "language": language,
                        "script": tag,
                        "condition": condition,
                        "system": "a",
                        "source": ["hello world " * int(k) for k in long],
                        "target": [f"{text} " * int(k) for k in long],
                        "human": human,
                        "comet": scores,
                    }
                )
            )
    pl.concat(parts).write_parquet(tmp_path / "scores.parquet")
    return "scores.parquet"


@pytest.mark.parametrize("method", ["qn", "isotonic"])
def test_fit_and_apply(equiglot, table, tmp_path, method):
    fitted = equiglot("normalize", "fit", table, "-m", "comet", "--method", method, "-o", "map.json", "--json")
    assert fitted.code == 0, fitted.err
    assert f"|norm:{method}|" in fitted.json["signature"]
    applied = equiglot("normalize", "apply", table, "--correction", "map.json", "-o", "out.parquet", "--json")
    assert applied.code == 0, applied.err
    assert applied.json["signature"] == fitted.json["signature"]
    assert {cell["statistic"] for cell in applied.json["drift"]} == {0.0}
    assert f"comet_{method}" in pl.read_parquet(tmp_path / "out.parquet").columns


def test_a_map_put_to_scores_that_lie_elsewhere_warns(equiglot, table, tmp_path):
    assert equiglot("normalize", "fit", table, "-m", "comet", "-o", "map.json").code == 0
    moved = pl.read_parquet(tmp_path / table).with_columns(pl.col("comet") + 0.1)
    moved.write_parquet(tmp_path / "moved.parquet")
    done = equiglot("normalize", "apply", "moved.parquet", "--correction", "map.json", "-o", "out.parquet")
    assert done.code == 0, done.err
    assert "do not follow those of the fit in gu-Gujr (D = " in done.err
    assert "outside the fitted range" in done.err


def test_who_wants_p2_mended_is_refused_in_one_line(equiglot, table, tmp_path):
    done = equiglot("normalize", "fit", table, "-m", "comet", "--method", "isotonic", "--fault", "P2", "-o", "map.json")
    assert done.code == 2
    errors = [line for line in done.err.splitlines() if not line.startswith("note: ")]
    assert len(errors) == 1
    assert "P2, worse order within a script, can't be mended by 'isotonic'" in errors[0]
    assert not (tmp_path / "map.json").exists()


def test_compare(equiglot, table, tmp_path):
    done = equiglot("normalize", "compare", table, "-m", "comet", "--resamples", 100, "--report", "report")
    assert done.code == 0, done.err
    assert "Agreement with people over all languages together goes from" in " ".join(done.out.split())
    assert "quantile" in done.out
    assert "Fitted on 90 translations and read on 90 others" in done.err
    assert (tmp_path / "report" / "report.html").is_file()
    assert (tmp_path / "report" / "charts" / "comet-rho-pooled.png").is_file()
    again = equiglot("normalize", "compare", table, "-m", "comet", "--resamples", 100, "--json")
    rows = {(r["correction"], r["reference"], r["measure"]): r["value"] for r in again.json["table"]}
    assert rows["qn", "native-own", "abs_delta"] < rows["identity", None, "abs_delta"]


def test_calibrate(equiglot, table, tmp_path):
    done = equiglot(
        "normalize", "calibrate", table, "-m", "comet", "--resamples", 100, "--report", "report", "-o", "out.parquet"
    )
    assert done.code == 0, done.err
    assert "had seen the other 2 only" in " ".join(done.out.split())
    assert "comet_boosting" in pl.read_parquet(tmp_path / "out.parquet").columns
    assert (tmp_path / "report" / "charts" / "comet-calibration.svg").is_file()
    arguments = ("normalize", "calibrate", table, "-m", "comet", "--resamples", 100, "--json")
    named = equiglot(*arguments, "--features", "target_words,source_words")
    assert named.json["features"] == ["target_words", "source_words"]
    assert {row["regressor"] for row in named.json["languages"]} == {"ridge", "boosting"}
    wrong = equiglot(*arguments, "--features", "human")
    assert wrong.code == 2
    assert "can't be a feature" in wrong.err


def test_sizes(equiglot, table):
    arguments = ("normalize", "sizes", table, "-m", "comet", "--resamples", 100)
    done = equiglot(*arguments, "--n", "30,100")
    assert done.code == 0, done.err
    assert "a middling comet score is mapped to within" in " ".join(done.out.split())
    as_json = equiglot(*arguments, "--n", "30", "--json")
    assert {row["rows"] for row in as_json.json["table"]} == {30, None}
    wrong = equiglot(*arguments, "--n", "many")
    assert wrong.code == 2
    assert "--n 'many' is not a list of numbers" in wrong.err


def test_a_table_is_not_overwritten_by_a_map_or_by_results(equiglot, table, tmp_path):
    assert equiglot("normalize", "fit", table, "-m", "comet", "-o", "map.parquet").code == 0
    (tmp_path / "other.parquet").symlink_to(tmp_path / table)
    before = {name: (tmp_path / name).read_bytes() for name in (table, "map.parquet")}
    metric, fitted = ("-m", "comet"), ("--correction", "map.parquet")
    for command, output, over in (
        (("normalize", "fit", table, *metric), table, "table"),
        (("normalize", "apply", table, *fitted), table, "table"),
        (("normalize", "apply", table, *fitted), "other.parquet", "table"),
        (("normalize", "apply", table, *fitted), "map.parquet", "map"),
        (("normalize", "calibrate", table, *metric), table, "table"),
        (("audit", "metrics", table, *metric), table, "table"),
    ):
        done = equiglot(*command, "-o", output)
        assert done.code == 2
        assert f"would be written over the {over}; name another file" in done.err
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_no_feature_is_not_all_features(equiglot, table):
    done = equiglot("normalize", "calibrate", table, "-m", "comet", "--features", ",")
    assert done.code == 2
    assert "--features names no column" in done.err


def test_the_report_of_romanised_rows_alone_answers_without_normalising(equiglot, table, tmp_path):
    pl.read_parquet(tmp_path / table).filter(condition="romanized").write_parquet(tmp_path / "rom.parquet")
    done = equiglot("report", "rom.parquet", "-m", "comet", "-o", "out")
    assert done.code == 0, done.err
    assert "Normalised scores: none of comet, for no native row has a score to map onto" in done.out
    assert (tmp_path / "out" / "report.html").is_file()
    assert not list((tmp_path / "out").glob("qn-*"))
    card = equiglot("card", "out", "--json")
    assert card.code == 0, card.err
    assert card.json["cards"][0]["facts"]["Normalised score"] == "none"
