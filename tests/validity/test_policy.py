"""Thresholds and kinds are the user's, and are in the signature."""

from __future__ import annotations

import json
import subprocess
import sys

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.table import Segments
from equiglot.validity import INVALID, KINDS, Policy, Validation, failure_summary, validate


def segments(*targets: str | None, source: str | None = "Please come home early today", **columns) -> Segments:
    n = len(targets)
    frame = pl.DataFrame(
        {"id": [str(i) for i in range(n)], "target": list(targets)}, schema_overrides={"target": pl.String}
    )
    keys = {"language": "hi", "script": "Latn", "condition": "romanized", "system": "a", **columns}
    frame = frame.with_columns(pl.lit(value).alias(name) for name, value in keys.items())
    return Segments(frame.with_columns(pl.lit(source, pl.String).alias("source")))


def found(policy: Policy, *targets: str | None, **options) -> list[tuple[bool, list[str], list[str]]]:
    return validate(segments(*targets), policy=policy, **options).frame.select("valid", "failures", "remarks").rows()


def test_the_defaults_are_the_papers():
    policy = Policy()
    assert (policy.copy, policy.near_copy, policy.repeats, policy.phrase, policy.phrase_repeats) == (
        1.0,
        0.9,
        20,
        4,
        50,
    )
    assert set(INVALID) <= set(KINDS)


@pytest.mark.parametrize(
    ("policy", "target", "valid"),
    [
        (Policy(repeats=3), "haan haan haan", False),
        (Policy(repeats=4), "haan haan haan", True),
        (Policy(phrase=2, phrase_repeats=3), "ek do ek do ek do", False),
        (Policy(phrase=2, phrase_repeats=4), "ek do ek do ek do", True),
        (Policy(copy=0.8), "Please come home late today", False),
        (Policy(), "Please come home late today", True),
        (Policy(), "haan haan haan haan haan", True),
        (Policy().count_also("short loop"), "haan haan haan haan haan", False),
        (Policy(short_loop=6).count_also("short loop"), "haan haan haan haan haan", True),
        (Policy().count_also("no letters"), "42", False),
        (Policy().count_also("placeholder"), "N/A", False),
        (Policy().count_also("near copy"), "Please come home late today", False),
        (Policy().count_also("native digits"), "५ baje", False),
        (Policy().count_not("spillage"), "वह ghar", True),
        (Policy(short=9), "Please come home early today", False),
        (Policy(short=9).count_not("short copy"), "Please come home early today", True),
    ],
)
def test_every_threshold_decides(policy, target, valid):
    assert found(policy, target)[0][0] is valid


def test_every_threshold_is_in_the_signature():
    usual = Policy().signature()
    others = [
        Policy(copy=0.5), Policy(near_copy=0.5), Policy(short=1), Policy(repeats=9), Policy(phrase=5),
        Policy(phrase_repeats=9), Policy(short_loop=9), Policy(max_tokens=7),
        Policy().count_also("loop"), Policy().count_not("copy"),
    ]  # fmt: skip
    signatures = {usual, Policy().signature(expected="Latn"), *(policy.signature() for policy in others)}
    assert len(signatures) == len(others) + 2


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Policy(copy=0), "copy"),
        (lambda: Policy(near_copy=1.1), "near_copy"),
        (lambda: Policy(repeats=1), "repeats"),
        (lambda: Policy(short_loop=1), "short_loop is 1"),
        (lambda: Policy(invalid=("copies",)), "the kinds are"),
        (lambda: found(Policy(max_tokens=5), "a"), "tokeniser"),
        (lambda: found(Policy(), "a", tokenizer="pkg:xlmr"), "limit"),
        (lambda: found(Policy(), "a", scripts=["Latin"]), "Latn"),
        (lambda: found(Policy(), "a", may_copy="task"), "no column 'task'"),
        (lambda: found(Policy(), "a", may_copy="system"), "row 1, column 'system'"),
        (lambda: validate(segments(None)), "target"),
        (lambda: validate(segments("a", language="qaa", script=None)), "script"),
        (lambda: failure_summary(segments("a")), "validate"),
    ],
)
def test_what_cannot_be_is_an_error_that_says_how_to_mend_it(make, says):
    with pytest.raises(InputError, match=says):
        make()


def test_tokens_at_the_limit_are_reported():
    texts = ("ghar", "main kal subah jaldi ghar aa jaunga")
    made = validate(segments(*texts), policy=Policy(max_tokens=6), tokenizer="pkg:xlmr")
    assert made.frame["remarks"].to_list() == [[], ["token limit"]]
    assert "limit:6@xlmr@" in made.measures["valid"].signature


def test_rows_that_may_be_copies():
    table = segments("Please come home early today", "Please come home early today", "")
    frame = table.frame.with_columns(task=pl.Series(["yes", "no", "Yes"]))
    made = validate(Segments(frame), may_copy="task").frame
    assert made["failure"].to_list() == [None, "copy", "empty"]


def test_without_a_source_nothing_is_a_copy_and_this_is_said():
    table = segments("ghar aao")
    made = validate(Segments(table.frame.drop("source")))
    assert made.frame["valid"].all()
    assert any("no source" in note for note in made.notes)
    whole = Validation.of(made)
    copies = whole.summary.filter(pl.col("measure").is_in(["copy", "short copy"]))
    assert copies.select("value", "n").rows() == [(None, 0)] * 2
    assert set(copies["reason"]) == {"there is no source, so copies of it can't be found"}
    assert whole.headline.endswith("Copies were not looked for, as there is no source.")


def test_the_summary_counts_invalid_rows_in_the_denominator():
    table = validate(segments("", "वह ghar", "ghar aao jaldi", "५ baje"))
    summary = {
        name: (value, n) for name, value, n in failure_summary(table).select("measure", "value", "n").iter_rows()
    }
    assert summary["invalid"] == (50.0, 4)
    assert summary["empty"] == (25.0, 4)
    assert summary["spillage"] == (25.0, 4)
    assert summary["native digits"] == (25.0, 4)
    assert summary["copy"] == (0.0, 4)
    assert failure_summary(table)["low"].is_not_null().all()


def test_an_answer_counts_once_by_its_first_failure():
    table = validate(segments("वह " * 30, "ghar"))
    whole = Validation.of(table)
    assert table.frame["failures"].to_list() == [["spillage", "degenerate"], []]
    assert whole.failures.select("failure", "rows", "percent").rows() == [("spillage", 1, 50.0)]
    assert whole.counts == {"spillage": 1, "degenerate": 1}
    assert whole.spilled.select("spilled", "what", "rows", "characters").rows() == [
        ("Deva", "the language's own script", 1, 60)
    ]
    assert "1 of 2 answers is invalid: 50.0%" in whole.headline
    json.dumps(whole.to_dict())


def test_text_is_left_as_it_is_and_rows_stay_in_order():
    texts = ["  ghar \u00a0", "वह\r\n", None, "\ufeff"]
    made = validate(segments(*texts)).frame
    assert made["target"].to_list() == texts
    assert made["id"].to_list() == ["0", "1", "2", "3"]


def test_validating_again_changes_nothing():
    once = validate(segments("वह ghar", "ghar"))
    assert validate(once).frame.equals(once.frame)


def test_answers_that_are_missing_altogether_are_told_apart_from_empty_ones():
    frame = segments(None, "", " ", None, "ghar").frame.with_columns(system=pl.Series(["a", "a", "b", "b", "b"]))
    made = validate(Segments(frame))
    assert made.frame["failure"].to_list() == ["empty"] * 4 + [None]
    assert "2 answers are missing altogether (null): 1 of a, 1 of b, and counted as empty" in made.notes[0]
    whole = Validation.of(made)
    assert whole.missing == {"a": 1, "b": 1}
    assert "4 empty (2 missing altogether)." in whole.headline
    assert (whole.to_dict()["missing"], whole.to_dict()["missing_by_system"]) == (2, {"a": 1, "b": 1})


def test_where_no_answer_is_missing_nothing_is_said_of_it():
    made = validate(segments("", " ", "ghar"))
    assert made.notes == ()
    assert Validation.of(made).to_dict()["missing"] == 0
    assert "2 empty. " in f"{Validation.of(made).headline} "


def test_one_kind_is_not_both_allowed_and_a_failure(tmp_path):
    (tmp_path / "in.jsonl").write_text('{"lang": "hi", "target": "क"}\n', "utf-8")
    for allowed, code, says in (("loop", 2, "'loop' is both allowed and counted as a failure"), ("copy", 0, "")):
        asked = ["validate", str(tmp_path / "in.jsonl"), "--allow", allowed, "--also-invalid", "loop"]
        done = subprocess.run([sys.executable, "-m", "equiglot", *asked], capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert says in done.stderr
        assert code == 0 or len(done.stderr.splitlines()) == 1


def several(*answers):
    """Rows of (system, language, target)."""
    rows = [(str(i), language, "Latn", "romanized", system, "Please come home early today", target)
            for i, (system, language, target) in enumerate(answers)]  # fmt: skip
    return Segments(
        pl.DataFrame(rows, ["id", "language", "script", "condition", "system", "source", "target"], orient="row")
    )


def test_what_is_found_and_not_counted_is_in_the_headline():
    table = several(
        *[("b", "hi", "N/A")] * 3, ("a", "hi", "please come home, early now"), ("a", "hi", "42"), ("b", "hi", "!!"),
        ("a", "hi", "२ baje"),
    )  # fmt: skip
    said = Validation.of(validate(table)).headline
    assert said.startswith("None of 7 answers is invalid")
    assert said.endswith(
        "Found but not counted: 1 near copy of a, 3 placeholder of b, 2 no letters (1 of a, 1 of b); "
        "--also-invalid 'near copy' --also-invalid placeholder --also-invalid 'no letters' count them."
    )
    policy = Policy().count_also("near copy", "placeholder", "no letters")
    assert "not counted" not in Validation.of(validate(table, policy=policy)).headline
    one = validate(several(("a", "hi", ""), ("a", "hi", "N/A")))
    assert (
        "Found but not counted: 1 placeholder; --also-invalid placeholder counts them." in Validation.of(one).headline
    )


def test_all_that_share_the_largest_share_are_named_a_few_of_many():
    worst = [(system, language, text) for system in "ab" for language in ("hi", "te") for text in ("", "ghar aao")]
    better = [("c", "hi", "ghar aao")]
    few = Validation.of(validate(several(*worst[2:], *better))).headline
    assert few.endswith(
        "The largest share, 50.0%, is that of b, hi-Latn [9.5, 90.5] of 2; a, te-Latn [9.5, 90.5] of 2; "
        "b, te-Latn [9.5, 90.5] of 2."
    )
    assert Validation.of(validate(several(*worst, *better))).headline.endswith(
        "; a, te-Latn [9.5, 90.5] of 2; and 1 more."
    )
