"""Values of the papers, recomputed from published data, through the command line as a user runs it."""

from __future__ import annotations

import json

import pytest

LANGUAGES = {"gu": "Gujr", "ta": "Taml", "ml": "Mlym", "mr": "Deva", "hi": "Deva"}

# measure, condition -> table of expected.json
PROFILE = {
    ("tp", "native"): "table10_tp_native",
    ("tp", "romanized"): "table2_tp_romanised",
    ("ctc", "native"): "xlmr_tokens_native_total",
    ("ctc", "romanized"): "xlmr_tokens_romanised_total",
    ("word_token_rho", "native"): "table12_native",
    ("word_token_rho", "romanized"): "table12_romanised",
    ("mattr", "native"): "table14_mattr_native",
    ("mattr", "romanized"): "table14_mattr_romanised",
    ("byte_premium", "native"): "table14_byte_premium",
    ("words", "native"): "whitespace_words_native_total",
    ("one_token_pct", "native"): "table13_one_token_pct",
    ("dv_per_1k", "native"): "table10_dv_per_1k_vowel_signs",
    ("mark_per_1k", "native"): "table10_dv_per_1k_any_mark",
    ("lp", "romanized/native"): "table11_lp",
    ("tp_change_pct", "romanized/native"): "table2_tp_delta_pct",
}


@pytest.fixture(scope="module")
def expected(shared_data):
    return json.loads((shared_data / "indicmt" / "expected.json").read_text("utf-8"))["tables"]


def test_profile_gives_every_reproduced_value(equiglot, shared_data, expected):
    file = shared_data / "indicmt" / "segments.parquet"
    done = equiglot("profile", file, "--tokenizer", "pkg:xlmr", "--romanize", "itrans-paper", "--json")
    assert done.code == 0, done.err
    found = {(row["measure"], row["condition"], row["language"]): row["value"] for row in done.json["profile"]}
    for (measure, condition), table in PROFILE.items():
        for language in LANGUAGES:
            want = expected[table]["values"][language]
            assert found[measure, condition, language] == pytest.approx(
                want, abs=expected[table]["tolerance"] or 1e-9
            ), (
                measure,
                condition,
                language,
            )


def test_score_and_audit_reproduce_the_surface_metrics(equiglot, shared_data, expected):
    file = shared_data / "indicmt" / "segments.parquet"
    names = {"bleu": "BLEU", "chrf": "ChrF", "ter": "TER"}
    metrics = [argument for name in names for argument in ("-m", name)]
    scored = equiglot("score", file, "--romanize", "itrans-paper", *metrics, "-o", "scored.parquet")
    assert scored.code == 0, scored.err
    for name, theirs in names.items():
        done = equiglot("audit", "script", "scored.parquet", "-m", name, "--resamples", 100, "--json")
        assert done.code == 0, done.err
        found = {(row["measure"], row["language"]): row["value"] for row in done.json["languages"]}
        for language in LANGUAGES:
            native = expected["table7_native"]["values"][language][theirs]
            romanized = expected["table7_romanised"]["values"][language][theirs]
            assert found["rho_native", language] == pytest.approx(native, abs=0.0015)
            assert found["rho_romanized", language] == pytest.approx(romanized, abs=0.0015)
