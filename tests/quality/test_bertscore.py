"""BERTScore: the library's own values, its silent faults, and what a value may depend on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.quality import METRICS, score, scoring
from equiglot.quality.bertscore import _Matching
from equiglot.quality.scorer import Options
from equiglot.table import Segments

bert_score = pytest.importorskip("bert_score", reason="bert-score is not installed")

pytestmark = pytest.mark.usefixtures("own_cache")

STATISTICS = ["bertscore_precision", "bertscore_recall", "bertscore"]
TARGETS = ["main ghar jaata hoon", "घर पर बारिश", "the dog sat", "cat", "the cat sat on the mat " * 20, "ela unnaru?!"]
REFERENCES = ["vah ghar se aati hai", "घर पर बारिश", "the cat sat", "the cat sat on the mat", "the dog", "meeru " * 70]


def table(targets: list[Any], references: list[Any], languages: list[str] | None = None) -> Segments:
    n = len(targets)
    fixed = {"id": list(map(str, range(n))), "language": languages or ["hi"] * n, "script": ["Latn"] * n,
             "condition": ["romanized"] * n, "system": ["a"] * n}  # fmt: skip
    return Segments(pl.DataFrame({**fixed, "target": targets, "reference": references, "source": references}))


def values(targets: list[Any], references: list[Any], model: Path, layer: int = 3, **more: Any) -> np.ndarray[Any, Any]:
    settings = {"metric_model": str(model), "layer": layer, "max_cut": 1.0, "cache": None, **more}
    return score(table(targets, references), STATISTICS, **settings).frame.select(STATISTICS).to_numpy()


def librarys(targets: list[str], references: list[str], model: Path, layer: int) -> np.ndarray[Any, Any]:
    parts = bert_score.score(targets, references, model_type=str(model), num_layers=layer, device="cpu")
    return np.stack([part.numpy() for part in parts], axis=1)


@pytest.mark.parametrize("kind", ["bert", "xlmr"])
@pytest.mark.parametrize("layer", [1, 3, 4])
def test_values_are_the_librarys(small_models: dict[str, Path], kind: str, layer: int) -> None:
    model = small_models[kind]
    expected = librarys(TARGETS, REFERENCES, model, layer)
    assert np.ptp(expected[:, 2]) > 0.01, "the model tells texts apart"
    assert values(TARGETS, REFERENCES, model, layer) == pytest.approx(expected, abs=1e-6)


WORDS = st.lists(
    st.sampled_from(["main", "ghar", "the cat", "कमल", "बारिश", "meeru", ",", "?", "x"]), min_size=1, max_size=12
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
def test_values_are_the_librarys_for_any_words(
    small_models: dict[str, Path], pairs: list[tuple[list[str], list[str]]]
) -> None:
    targets, references = ([" ".join(words) for words in side] for side in zip(*pairs, strict=True))
    expected = librarys(targets, references, small_models["bert"], 2)
    assert values(targets, references, small_models["bert"], 2) == pytest.approx(expected, abs=1e-6)


def test_a_value_depends_neither_on_batch_nor_on_order(
    small_models: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = small_models["xlmr"]
    together = values(TARGETS, REFERENCES, model)
    assert values(TARGETS[::-1], REFERENCES[::-1], model)[::-1] == pytest.approx(together, abs=1e-6)
    real = scoring.score_once
    monkeypatch.setattr(scoring, "score_once", lambda *a, **k: real(*a, **{**k, "block": 1}))
    assert values(TARGETS, REFERENCES, model) == pytest.approx(together, abs=1e-6)


def test_equal_texts_have_one_and_others_less(small_models: dict[str, Path]) -> None:
    found = values([*TARGETS, "the cat"], [*TARGETS, "बारिश"], small_models["bert"])
    assert found[:-1] == pytest.approx(np.ones((len(TARGETS), 3)), abs=1e-6)
    assert found.max() <= 1.0
    assert (found[-1] < 0.99).all()


def test_precision_and_recall_change_places_with_the_sides(small_models: dict[str, Path]) -> None:
    one, other = (values(*sides, small_models["bert"]) for sides in ((TARGETS, REFERENCES), (REFERENCES, TARGETS)))
    assert one == pytest.approx(other[:, [1, 0, 2]], abs=1e-6)


def test_the_three_are_computed_once(
    small_models: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = values(TARGETS, REFERENCES, small_models["bert"], cache=tmp_path)
    calls: list[int] = []
    monkeypatch.setattr(_Matching, "scores", lambda self, items: calls.append(len(items)))
    assert (values(TARGETS, REFERENCES, small_models["bert"], cache=tmp_path) == first).all()
    assert not calls


def test_what_is_cut_is_counted_by_cell_and_refused_above_a_share(small_models: dict[str, Path]) -> None:
    """The library cuts without a word."""
    rows = table(TARGETS, REFERENCES, ["hi", "hi", "te", "te", "te", "te"])
    model = {"metric_model": str(small_models["bert"]), "layer": 2}
    scored = score(rows, ["bertscore"], **model, max_cut=0.34, cache=None)
    assert scored.frame["bertscore"].null_count() == 0
    told = "bertscore: in 2 of 6 rows a text is longer than the model reads, and its end does not count (te-Latn 50.0%)"
    assert told in scored.notes
    with pytest.raises(InputError, match=r"in 2 of 6 rows.*--max-cut 0.34"):
        score(rows, ["bertscore"], **model, cache=None)
    with pytest.raises(InputError, match="no share"):
        score(rows, ["bertscore"], **model, max_cut=2, cache=None)


def test_what_has_no_token_has_no_score(small_models: dict[str, Path], capfd: pytest.CaptureFixture[str]) -> None:
    """The library gives 0 and goes on."""
    found = score(
        table(["\ufffd", "cat", None, " "], ["cat", "\ufffd", "cat", "cat"]), ["bertscore"],
        metric_model=str(small_models["bert"]), layer=2, cache=None,
    ).frame  # fmt: skip
    assert found["bertscore"].null_count() == 4
    assert found["bertscore_reason"].to_list() == [
        "bertscore gave no number",
        "bertscore gave no number",
        "target is missing",
        "target is only white space",
    ]
    assert "Warning" not in capfd.readouterr().err


def test_the_signature_names_all_that_changes_a_value(small_models: dict[str, Path], tmp_path: Path) -> None:
    def signed(**options: Any) -> str:
        given = {"metric_model": str(small_models["bert"]), "layer": 2, **options}
        return METRICS["bertscore"](Options(**given)).info.signature

    assert "|layer:2|idf:no|rescaled:no|library:bert-score-" in signed()
    changed = tmp_path / "small-bert"
    shutil.copytree(small_models["bert"], changed)
    assert signed(metric_model=str(changed)) == signed()
    config = json.loads((changed / "config.json").read_text())
    (changed / "config.json").write_text(json.dumps(config | {"hidden_act": "relu"}))
    assert len({signed(), signed(layer=3), signed(against="source"), signed(metric_model=str(changed))}) == 4


def test_the_usual_layer_of_a_known_model(small_models: dict[str, Path], tmp_path: Path) -> None:
    known = tmp_path / "bert-base-multilingual-cased"
    shutil.copytree(small_models["bert"], known)
    assert "|layer:9|" in METRICS["bertscore"](Options(metric_model=str(known))).info.signature


def test_a_model_that_the_library_does_not_take(tmp_path: Path, small_models: dict[str, Path]) -> None:
    """A GPT-2: no padding, and its layers under another name."""
    from transformers import AutoTokenizer, GPT2Config, GPT2Model

    tokenizer: Any = AutoTokenizer.from_pretrained(small_models["xlmr"])
    tokenizer.pad_token, tokenizer.eos_token = None, "</s>"
    tokenizer.save_pretrained(tmp_path / "gpt")
    GPT2Model(GPT2Config(vocab_size=len(tokenizer), n_embd=32, n_layer=3, n_head=4, n_positions=64)).save_pretrained(
        tmp_path / "gpt"
    )
    texts = [*TARGETS, "cat", "घर"]  # of few tokens, which the library would give 0
    assert values(texts, texts, tmp_path / "gpt", 2) == pytest.approx(np.ones((8, 3)), abs=1e-6)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"metric_model": None}, "needs a model"),
        ({"layer": None}, "which layer"),
        ({"metric_model": "/"}, "no folder with a model"),
        ({"metric_model": "no-such"}, "neither a path"),
        ({"metric_model": "pkg:nothing"}, "is not a language model"),
        ({"metric_model": "tiktoken:gpt2"}, "no folder with a model"),
    ],
)
def test_models_that_there_are_not(small_models: dict[str, Path], options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        METRICS["bertscore"](Options(**{"metric_model": str(small_models["bert"]), "layer": 2, **options}))


def test_models_that_are_not_whole(small_models: dict[str, Path], tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    with pytest.raises(InputError, match="has layers 0 to 4"):
        values(TARGETS, REFERENCES, small_models["bert"], 5)
    broken = tmp_path / "broken"
    shutil.copytree(small_models["bert"], broken)
    tensors = load_file(broken / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if "layer.2" not in name}
    save_file(kept, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match="is not whole"):
        values(TARGETS, REFERENCES, broken, 2)
    (broken / "model.safetensors").unlink()
    with pytest.raises(InputError, match="has no weights"):
        values(TARGETS, REFERENCES, broken, 2)
