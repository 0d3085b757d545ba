"""Scoring a table: what can't be scored, order, caching, directions and signatures."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.quality import METRICS, NAMES, join_comet_json, score, score_table, scoring
from equiglot.quality.comet import CometResult, Truncated
from equiglot.quality.scorer import Options
from equiglot.table import Segments

SURFACE = ["bleu", "chrf", "ter"]
TARGETS = ["वह घर जाता है।", "the cat sat", "the cat sat", "ஒரு பூனை", "x", "a b c d e f"]
REFERENCES = ["वह घर जा रहा है।", "the cat sat", "a cat sat there", "ஒரு நாய்", "completely different", "a b c"]


def table(targets: list[Any], references: list[Any], **more: list[Any]) -> Segments:
    n = len(targets)
    fixed = {"id": [str(i) for i in range(n)], "language": ["hi"] * n, "script": ["Deva"] * n,
             "condition": ["native"] * n, "system": ["a"] * n}  # fmt: skip
    texts = {"target": targets, "reference": references, **more}
    return Segments(pl.DataFrame({**fixed, **texts}))


@pytest.mark.parametrize(
    ("metric", "direction", "unit"),
    [
        ("bleu", "higher", "points"),
        ("chrf", "higher", "points"),
        ("ter", "lower", "points"),
        ("e5", "higher", "cosine"),
    ],
)
def test_direction_and_unit_are_those_of_what_it_measures(metric: str, direction: str, unit: str) -> None:
    info = METRICS[metric](Options()).info
    assert (info.name, info.direction, info.unit) == (metric, direction, unit)
    assert f"metric:{metric}" in info.signature


def test_every_metric_is_known_by_name() -> None:
    named = {"bleu", "chrf", "ter", "e5", "cosine", "bertscore", "bertscore_precision", "bertscore_recall", "comet"}
    assert set(NAMES) == {*METRICS, "comet"} == named


@pytest.mark.parametrize("metric", SURFACE)
def test_the_better_translation_scores_better(metric: str) -> None:
    good, bad = score(table(["the cat sat here", "dogs"], ["the cat sat there"] * 2), [metric], cache=None).frame[
        metric
    ]
    assert good != bad
    assert (good > bad) == (METRICS[metric](Options()).info.direction == "higher")


@pytest.mark.parametrize("metric", SURFACE)
def test_what_has_no_text_has_no_score_and_says_why(metric: str) -> None:
    targets = [None, "", " \u00a0", "\u200d", "ja", "ja", "ja", "ja", None]
    references = ["ja", "ja", "ja", "ja", None, "", "\t", "\u200b", None]
    scored = score(table(targets, references), [metric], cache=None).frame
    assert scored[metric].null_count() == scored.height
    assert scored[f"{metric}_reason"].to_list() == [
        "target is missing", "target is empty", "target is only white space", "target is only invisible",
        "reference is missing", "reference is empty", "reference is only white space", "reference is only invisible",
        "target is missing",
    ]  # fmt: skip


@pytest.mark.parametrize("metric", SURFACE)
def test_nothing_in_common_is_a_score(metric: str) -> None:
    scored = score(table(["aaa"], ["bbb"]), [metric], cache=None).frame
    assert scored[metric].to_list() == [100.0 if metric == "ter" else 0.0]
    assert f"{metric}_reason" not in scored.columns


def test_order_blocks_and_repetition_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    segments = table(TARGETS * 3, REFERENCES * 3)
    expected = score(segments, SURFACE, cache=None).frame.select(SURFACE)
    order = random.Random(1).sample(range(18), 18)
    shuffled = score(Segments(segments.frame[order]), SURFACE, cache=None).frame.select(SURFACE)
    assert shuffled.equals(expected[order])
    one_by_one = [score(Segments(segments.frame[i : i + 1]), SURFACE, cache=None).frame for i in range(6)]
    assert pl.concat(one_by_one).select(SURFACE).equals(expected[:6])
    real = scoring.score_once
    monkeypatch.setattr(scoring, "score_once", lambda *a, **k: real(*a, **{**k, "block": 2}))
    assert score(segments, SURFACE, cache=None).frame.select(SURFACE).equals(expected)


def test_stored_scores_are_found_again_and_only_under_their_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sacrebleu.metrics.bleu import BLEU

    segments = table(TARGETS, REFERENCES)
    plain = score(segments, ["bleu"], cache=None).frame["bleu"]
    by_character = score(segments, ["bleu"], tokenize="char", cache=None).frame["bleu"]
    assert not plain.equals(by_character), "a danda glued to its word is another word"
    assert score(segments, ["bleu"], cache=tmp_path).frame["bleu"].equals(plain)
    assert score(segments, ["bleu"], tokenize="char", cache=tmp_path).frame["bleu"].equals(by_character)

    computed: list[str] = []
    real = BLEU.sentence_score

    def watched(self: BLEU, hypothesis: str, references: Any) -> Any:
        computed.append(hypothesis)
        return real(self, hypothesis, references)

    monkeypatch.setattr(BLEU, "sentence_score", watched)
    assert score(segments, ["bleu"], cache=tmp_path).frame["bleu"].equals(plain)
    assert not set(computed) & set(TARGETS[:4]), "these come from the folder"


def test_signature_holds_sacrebleus_own() -> None:
    scored = score(table(["a"], ["a"]), SURFACE, cache=None)
    parts = {m: dict(p.split(":", 1) for p in scored.info(m).signature.split("|")) for m in SURFACE}
    assert (parts["bleu"]["tok"], parts["bleu"]["eff"], parts["bleu"]["smooth"]) == ("13a", "yes", "exp")
    assert (parts["chrf"]["nc"], parts["chrf"]["nw"]) == ("6", "0")
    assert parts["ter"]["tok"] == "tercom"
    assert all(p["sacrebleu"] and p["v"] for p in parts.values())
    other = score(table(["a"], ["a"]), ["bleu"], tokenize="intl", cache=None).info("bleu").signature
    assert "|tok:intl|" in other


def test_bad_requests() -> None:
    segments = table(["a"], ["a"])
    with pytest.raises(InputError, match="no metric 'blue'"):
        score(segments, ["blue"])
    with pytest.raises(InputError, match="no BLEU tokeniser 'french'"):
        score(segments, ["bleu"], tokenize="french")
    with pytest.raises(InputError, match="no column 'reference'"):
        score(Segments(segments.frame.drop("reference")), ["chrf"])
    with pytest.raises(InputError, match="every value of this column"):
        score(table(["a"], [None]).noted(), ["e5"], against="reference")


def test_progress_counts_different_pairs() -> None:
    told: list[tuple[str, int, int]] = []
    score(table(TARGETS * 2, REFERENCES * 2), ["chrf"], cache=None, progress=lambda *a: told.append(a))
    assert told[0] == ("scoring chrf", 0, 6)
    assert told[-1] == ("scoring chrf", 6, 6)


def test_comet_joins_in(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def answer(sources: Any, targets: Any, references: Any, *, model: str, progress: Any) -> CometResult:
        asked.append((sources, targets, references, model))
        cut = (Truncated(0, "target", 600, 512),)
        return CometResult([0.5, None], [None, "target is empty"], cut, model, "ab" * 32, "2.2.7", True, "free")

    monkeypatch.setattr(scoring, "comet_scores", answer)
    scored = score(table(["a", ""], ["b", "c"], source=["s", "t"]), ["comet"], comet_model="hf:x/y", cache=None)
    assert asked == [(["s", "t"], ["a", ""], ["b", "c"], "hf:x/y")]
    assert scored.frame["comet"].to_list() == [0.5, None]
    assert scored.frame["comet_reason"].to_list() == [None, "target is empty"]
    assert "model:hf:x/y@abababab" in scored.info("comet").signature
    assert any("free" in note for note in scored.notes)
    assert any("cut 1 rows" in note for note in scored.notes)


def test_scores_of_comet_score_are_joined(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(json.dumps({"a": [{"src": "s", "mt": "a", "COMET": 0.25}, {"src": "t", "mt": "b", "COMET": 0.75}]}))
    scored = join_comet_json(table(["a", "b"], ["a", "b"]), path)
    assert scored.frame["comet"].to_list() == [0.25, 0.75]
    assert scored.info("comet").direction == "higher"


@pytest.mark.parametrize(("key", "row"), [("mt", 2), ("src", 1)])
def test_scores_of_other_texts_are_refused(tmp_path: Path, key: str, row: int) -> None:
    rows = [{"src": "s", "mt": "a", "COMET": 0.25}, {"src": "t", "mt": "b", "COMET": 0.75}]
    segments = table([" a", "b\u3000"], ["a", "b"], source=["s", "t\n"])
    path = tmp_path / "scores.json"
    path.write_text(json.dumps({"a": rows}))
    assert join_comet_json(segments, path).frame["comet"].to_list() == [0.25, 0.75], "comet-score strips lines"
    rows[row - 1][key] = "c"
    path.write_text(json.dumps({"a": rows}))
    with pytest.raises(InputError, match="the text is not the table's") as caught:
        join_comet_json(segments, path)
    assert (caught.value.row, caught.value.column) == (row, key)


def test_table_of_means_states_what_is_left_out() -> None:
    segments = table(["a", "a", None, ""], ["a", "b", "c", "d"])
    segments = Segments(segments.frame.with_columns(system=pl.Series(["x", "x", "x", "y"])))
    segments = segments.with_measure(MeasureInfo("m", "points", "lower", "metric:m"), [100.0, 0.0, None, None])
    rows = score_table(segments).sort("system").select("system", "measure", "value", "n", "n_failed", "direction")
    assert rows.rows() == [("x", "m", 50.0, 2, 1, "lower"), ("y", "m", None, 0, 1, "lower")]
    assert score_table(segments).sort("system")["reason"].to_list() == [None, "no row could be scored"]
