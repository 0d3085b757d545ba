"""Every value that was recomputed from paper 2's data, through the command line."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

METRICS = ("bpb", "bpc", "mrr", "ppl", "token_nll", "sent_nll")
CLEAN_UP = (" .", " ?", " !", " ,", " ' ", " n't", " 'm", " 's", " 've", " 're")
"""What Transformers' decoding joins; the scored text is the decoded one (the data's README, convention 3)."""


@pytest.fixture(scope="module")
def data(shared_data):
    folder = shared_data / "parallel"
    if not (folder / "expected.json").is_file():
        pytest.skip(f"paper 2's data is not at {folder}")
    return folder


@pytest.fixture(scope="module")
def expected(data):
    return json.loads((data / "expected.json").read_text("utf-8"))


class Results:
    """Rows of a result table by their keys and measure."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        stop = list(rows[0]).index("measure")
        self.keys = list(rows[0])[:stop]
        self.rows = {(*(row[key] for key in self.keys), row["measure"]): row for row in rows}

    def __call__(self, *keys: Any) -> Any:
        return self.rows[keys]["value"]

    def row(self, *keys: Any) -> dict[str, Any]:
        return self.rows[keys]


def rel(value: float, tolerance: float = 1e-5) -> Any:
    return pytest.approx(value, rel=tolerance)


@pytest.fixture(scope="module")
def confound(data, run_once):
    return run_once(
        "audit", "confound", data / "scores_flores.parquet", "--texts", data / "texts_flores.parquet", "--json"
    )


@pytest.fixture(scope="module")
def exp1(expected):
    return expected["exp1"]["flores"]


@pytest.fixture(scope="module")
def rows(confound):
    return Results(confound["confounds"])


@pytest.fixture(scope="module")
def cells(confound):
    return Results(confound["cells"])


def test_confounds_with_rho_and_both_p(rows, exp1):
    for name, known in exp1["confounds"].items():
        metric, confound = name.split("~")
        if metric == "ppl_arithmetic":
            continue  # an arithmetic mean of perplexities is not offered; below it is a score of the user's own
        key = (metric, "tokens", "models") if confound == "ctc" else (metric, confound, "languages")
        assert rows(*key, "rho") == pytest.approx(known["rho"], abs=5e-4), name
        assert rows(*key, "p") == rel(known["p"], 0.02), name
        assert rows.row(*key, "rho")["n"] == known["n"]
        if "p_exact" in known:
            assert rows(*key, "p_exact") == rel(known["p_exact"], 0.02), name
        else:
            assert rows(*key, "p_exact") is None
            assert rows.row(*key, "p_exact")["reason"]


def test_arithmetic_perplexity_as_a_score_of_ones_own(equiglot, data, exp1, expected, tmp_path):
    for name in ("flores", "wmt19ende"):
        scores = pl.read_parquet(data / f"scores_{name}.parquet").with_columns(pl.col("ppl").alias("own_perplexity"))
        scores.write_parquet(tmp_path / f"{name}.parquet")
    own = ("-m", "own_perplexity", "--direction", "lower", "--json")
    document = equiglot("audit", "confound", "flores.parquet", *own).json
    rows, cells = Results(document["confounds"]), Results(document["cells"])
    known = exp1["confounds"]["ppl_arithmetic~ctc"]
    assert rows("own_perplexity", "tokens", "models", "rho") == pytest.approx(known["rho"], abs=5e-4)
    assert rows("own_perplexity", "tokens", "models", "p") == rel(known["p"], 0.02)
    for cell in exp1["cells"]:
        assert cells(cell["language"], str(cell["vocab_size"]), "own_perplexity") == rel(cell["ppl_arithmetic"])
    document = equiglot("audit", "alternatives", "wmt19ende.parquet", "--alternatives", "de,de_ar", *own).json
    means = Results(document["means"])
    for size in (8192, 32768, 49152, 65536, 81920):
        wanted = expected["exp2"][f"ppl|{size}"]["arithmetic_ppl"]
        for theirs, ours in SERIES.items():
            assert means("own_perplexity", str(size), ours, "own_perplexity") == rel(wanted["means"][theirs])
        winners = [row["winner"] for row in document["winners"] if row["model"] == str(size)]
        assert winners == wanted["better"]
        assert (len(set(winners)) == 1) == wanted["consistent"]


def test_rho_within_one_vocabulary(rows, exp1):
    for metric, by_size in exp1["within_vocabulary_rho_with_ctc"].items():
        for size, rho in by_size.items():
            assert rows(metric, "tokens", f"model {size}", "rho") == pytest.approx(rho, abs=5e-4)


def test_lengths_of_texts(confound, exp1):
    languages = Results(confound["languages"])
    for measure in ("bytes", "chars", "bytes_nospace", "chars_nospace"):
        for language, count in exp1[measure].items():
            assert languages(language, measure) == count


def test_language_means(confound, exp1):
    languages = Results(confound["languages"])
    for language, means in exp1["language_means"].items():
        for metric, value in means.items():
            assert languages(language, metric) == rel(value)


def test_cells_macro_micro_tokens_and_ranks(confound, cells, exp1):
    ranks = Results(confound["ranks"])
    for cell in exp1["cells"]:
        key = (cell["language"], str(cell["vocab_size"]))
        for metric in (*METRICS, "bpb_micro", "bpc_micro", "token_nll_micro"):
            assert cells(*key, metric) == rel(cell[metric])
        assert cells(*key, "ctc") == cell["ctc"]
        for metric, rank in cell["ranks"].items():
            assert ranks(metric, *key, "rank") == rank
        low, high = (cells.row(*key, "bpb")[end] for end in ("low", "high"))
        assert low < cell["bpb"] < high


def test_what_ranks_follow(confound, exp1):
    shares, mean_ranks, ranks = (Results(confound[t]) for t in ("rank_shares", "mean_ranks", "ranks"))
    for metric, known in exp1["ranks"].items():
        assert shares(metric, "rank_share_model") == pytest.approx(known["rank_share_vocab"], abs=1e-3)
        assert shares(metric, "rank_share_language") == pytest.approx(known["rank_share_language"], abs=1e-3)
        assert shares(metric, "languages_worse") == known["languages_rank_worsens_monotonically_with_vocab"]
        assert shares(metric, "languages_better") == known["languages_rank_improves_monotonically_with_vocab"]
        for language, rank in known["mean_rank_by_language"].items():
            assert mean_ranks(metric, language, None, "mean_rank") == pytest.approx(rank, abs=0.051)
        for size, rank in known["mean_rank_by_vocab"].items():
            assert mean_ranks(metric, None, size, "mean_rank") == pytest.approx(rank, abs=0.051)
        own = sorted((row["value"], f"{key[1]}-{key[2]}") for key, row in ranks.rows.items() if key[0] == metric)
        names = [name for _, name in own]
        assert names[:5] == known["best5"]
        assert names[:-6:-1] == known["worst5"]
        assert sum(name.endswith("-8192") for name in names[:10]) / 10 == known["share_of_top10_with_smallest_vocab"]
        assert sorted(v for v, name in own if name.startswith("zh-")) == known["zh_ranks"]


def test_the_answer_is_the_papers_finding_and_no_more(confound):
    answers = {answer["metric"]: answer["answer"] for answer in confound["answers"]}
    assert answers == dict.fromkeys(METRICS, "no") | {"sent_nll": "can't tell"}
    assert "bits per byte follows bytes (rho = -0.94, 95% CI" in confound["headline"]
    assert "n = 10 languages" in confound["headline"]


SERIES = {"en": "en", "de1": "de", "de2": "de_ar", "de_lowest": "lowest", "de_highest": "highest"}


def test_english_against_four_kinds_of_german(data, expected, run_once):
    document = run_once(
        "audit", "alternatives", data / "scores_wmt19ende.parquet", "--alternatives", "de,de_ar", "--json"
    )
    means = Results(document["means"])
    orders = {(row["metric"], row["model"]): row for row in document["orders"]}
    back = {ours: theirs for theirs, ours in SERIES.items()}
    for key, known in expected["exp2"].items():
        metric, size = key.split("|")
        for theirs, value in known["means"].items():
            assert means(metric, size, SERIES[theirs], metric) == rel(value)
        won = [r["winner"] for r in document["winners"] if (r["metric"], r["model"]) == (metric, size)]
        assert won == known["better"]
        order = orders[metric, size]
        assert ">".join(back[name] for name in order["order"].split(">")) == known["order_best_first"]
        assert order["consistent"] == known["consistent"]
    assert {a["metric"]: a["answer"] for a in document["answers"]} == {
        **dict.fromkeys(("sent_nll", "bpb", "bpc"), "yes"),
        **dict.fromkeys(("token_nll", "ppl", "mrr"), "no"),
    }


def test_sampling_with_the_papers_seeds(data, expected, run_once):
    sampling = expected["sampling"]
    seeds, sizes = (",".join(map(str, sampling[name])) for name in ("seeds", "sizes"))
    scores = data / "scores_wmt19ende.parquet"
    options = ("--alternatives", "de,de_ar", "--seeds", seeds, "--sizes", sizes, "--json")
    document = run_once("audit", "stability", scores, *options)
    agreement, totals, curves = (Results(document[table]) for table in ("agreement", "totals", "curves"))

    def count(share: float | None, of: int) -> int | None:
        return None if share is None else round(share * of)

    names = {"agree_pattern": "agree_winner", "agree_en_vs_de1": "agree_first"}
    for metric, by_size in sampling["totals_over_vocabularies"].items():
        for size, known in by_size.items():
            for theirs, ours in names.items():
                assert count(totals(metric, int(size), ours), known["of"]) == known[theirs]
    for metric, by_model in sampling["by_metric_vocab_n"].items():
        for model, by_size in by_model.items():
            for size, known in by_size.items():
                key = (metric, model, int(size))
                for theirs, ours in {**names, "agree_full_order": "agree_order"}.items():
                    assert count(agreement(*key, ours), 15) == known[theirs], (key, theirs)
                for theirs, ours in SERIES.items():
                    row = curves.row(*key, ours, "mean")
                    assert row["value"] == rel(known["mean"][theirs])
                    half = (row["high"] - row["low"]) / 2
                    assert half == pytest.approx(known["ci95_halfwidth"][theirs], rel=1e-3, abs=1e-12)


@pytest.fixture(scope="module")
def scored_texts(data, tmp_path_factory):
    """The lines as they were decoded, which are what was scored."""
    texts = pl.read_parquet(data / "texts_flores.parquet")
    for place in CLEAN_UP:
        joined = place.strip() if place != " ' " else "'"
        texts = texts.with_columns(pl.col(pl.String).str.replace_all(place, joined, literal=True))
    path = tmp_path_factory.mktemp("texts") / "decoded.parquet"
    texts.write_parquet(path)
    return path


@pytest.fixture(scope="module")
def case_study(data, scored_texts, run_once):
    scores = data / "scores_casestudy_flores.parquet"
    return run_once("audit", "ranking", scores, "--texts", scored_texts, "--expected", "en,zh,ar,ru", "--json")


@pytest.mark.parametrize("model", ["bloom-1b1", "gpt2"])
def test_case_study(case_study, expected, model):
    known = expected["exp3"][model]
    values, ranks, agreement = (Results(case_study[table]) for table in ("values", "ranks", "agreement"))
    names = {"sent_nll_uncut_estimate": "sent_nll_uncut", "token_nll_reconstructed_all": "token_nll"}
    for language, given in known["values"].items():
        for theirs, value in given.items():
            ours = names.get(theirs, theirs)
            if ours in (*METRICS, "sent_nll_uncut"):
                assert values(ours, model, language, "mean") == rel(value), (language, theirs)
    for theirs, order in known["ranks"].items():
        ours = names.get(theirs, theirs)
        for language in ("en", "zh", "ar", "ru"):
            wanted = None if order is None else order[language]
            assert ranks(ours, model, language, "rank") == wanted, (theirs, language)
    for theirs, rho in (known["spearman_with_expected_en_zh_ar_ru"] or {}).items():
        assert agreement(names.get(theirs, theirs), model, "rho") == pytest.approx(rho, abs=5e-4)


def test_case_study_says_what_was_cut(case_study, expected):
    cut = {l: v["truncated"] for l, v in expected["exp3"]["gpt2"]["values"].items() if v["truncated"]}  # noqa: E741
    said = " ".join(case_study["notes"])
    assert all(f"{language} {n} of 1,012 (gpt2)" in said for language, n in cut.items())
    assert "cut before they were scored" in case_study["headline"]
    missing = [r for r in case_study["agreement"] if (r["metric"], r["model"]) == ("mrr", "bloom-1b1")]
    assert all(row["value"] is None and "no value in en, zh, ar" in row["reason"] for row in missing)


def test_case_study_on_whole_sentences_only_and_at_the_rate_per_token(equiglot, data, expected, scored_texts, tmp_path):
    scores = pl.read_parquet(data / "scores_casestudy_flores.parquet")
    scores.filter(~pl.col("truncated")).write_parquet(tmp_path / "whole.parquet")
    scores.drop("bpb", "bpc").write_parquet(tmp_path / "no bytes.parquet")
    options = ("--expected", "en,zh,ar,ru", "--json")
    whole = equiglot("audit", "ranking", "whole.parquet", "--texts", scored_texts, *options)
    values, known = Results(whole.json["values"]), expected["exp3"]["bloom-1b1"]["values"]["ru"]
    assert values("token_nll", "bloom-1b1", "ru", "mean") == rel(known["token_nll_reconstructed_uncut_sentences"])
    assert values("sent_nll", "bloom-1b1", "ru", "mean") == rel(known["sent_nll_reconstructed_uncut_sentences"])
    document = equiglot("audit", "ranking", "no bytes.parquet", *options).json
    values = Results(document["values"])
    for model in ("bloom-1b1", "gpt2"):
        for language, given in expected["exp3"][model]["values"].items():
            if estimate := given.get("sent_nll_uncut_estimate_token_rate"):
                assert values("sent_nll_uncut", model, language, "mean") == rel(estimate)
