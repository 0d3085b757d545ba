"""Sums equal those of the scorer here; a server that can't be trusted is refused, a text that isn't whole has none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.likelihood import likelihood_headline, likelihood_profile, score_texts
from equiglot.likelihood.engines import EndpointEngine, add_engine_likelihood, find_engine
from equiglot.likelihood.engines._kept import Kept
from equiglot.table import from_frame

TEXTS = ["the cat sat", " the mat", "बिल्ली चटाई पर", "é😀 x", "a", "😀", "ab\n\ncd", "the cat", "पूனை\u200d", "x\ufffdy"]
_QUICK = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
_TEXT = st.one_of(st.text(max_size=8), st.text("अआकखिी் ்தமிழ் abc😀", max_size=14)).filter(lambda text: "<" not in text)


def _same(ours: Sequence[float | None], theirs: Sequence[float | None]) -> bool:
    """The same texts have a sum, and it is the same to 1e-5."""
    pairs = list(zip(ours, theirs, strict=True))
    return all((a is None) == (b is None) for a, b in pairs) and all(
        a == pytest.approx(b, rel=1e-5) for a, b in pairs if a is not None
    )


def _skipping(stub: Any, texts: Sequence[str]) -> list[float | None]:
    """Sums by the scorer here, BOS before the text, its first token left out."""
    scores = score_texts(texts, stub.model, detail="tokens", cache=False)
    return [None if own is None or len(own) < 2 else sum(own[1:]) for own in scores["token_nlls"].to_list()]


@_QUICK
@given(texts=st.lists(_TEXT, min_size=1, max_size=8))
def test_sums_are_those_of_the_scorer_here(stub: Any, texts: list[str]) -> None:
    texts = [*TEXTS, *texts]
    ours = score_texts(texts, stub.model, cache=False)
    theirs = stub.engine("vllm").score(texts).rows
    assert _same(ours["sent_nll"].to_list(), theirs["sent_nll"].to_list())
    for column in ("n_tokens", "n_scored", "n_bytes", "n_chars", "first"):
        assert theirs[column].to_list() == ours[column].to_list()


def test_tokens_shown_without_their_spaces(stub: Any) -> None:
    scored = stub.engine("bare").score(TEXTS)
    ours = score_texts(TEXTS, stub.model, cache=False)["sent_nll"].to_list()
    assert _same(ours, scored.rows["sent_nll"].to_list())
    assert (scored.settings["prefix"], scored.settings["first"]) == ("unnamed", "scored")


def test_a_hidden_bos_is_counted_and_the_first_token_left_out(stub: Any) -> None:
    texts = [*TEXTS, "the"]
    scored = stub.engine("hidden").score(texts)
    assert _same(_skipping(stub, texts), scored.rows["sent_nll"].to_list())
    assert (scored.settings["prefix"], scored.settings["first"]) == ("hidden", "skipped")
    assert "leave the first token out" in scored.notes[-1]
    alone = dict(zip(texts, scored.rows["reason"], strict=True))["a"]
    assert alone == "one token, and the endpoint doesn't score the first: nothing to score"


@pytest.mark.parametrize(("ways", "bos"), [("none", "auto"), ("none", "never"), ("vllm", "never")])
def test_without_bos(stub: Any, ways: str, bos: str) -> None:
    ours = score_texts(TEXTS, stub.model, bos="never", cache=False)["sent_nll"].to_list()
    scored = stub.engine(ways, bos=bos).score(TEXTS)
    assert _same(ours, scored.rows["sent_nll"].to_list())
    assert (scored.settings["prefix"], scored.settings["first"]) == ("none", "skipped")


@pytest.mark.parametrize(
    ("ways", "more", "says"),
    [
        ("vllm+double", {}, "one BOS is right"),
        ("hidden+double", {}, "one BOS is right"),
        ("off", {}, "one place off"),
        ("prefix", {}, "other log-probs in another request"),
        ("cached", {}, "from its prefix cache"),
        ("echo400", {}, "Only no echo is supported"),
        ("mute", {}, "no log-probs of a prompt's tokens"),
        ("none", {"bos": "require"}, "puts no BOS"),
        ("hidden", {"bos": "never"}, "puts a token before a text"),
        ("down", {"key_env": "WRONG"}, "refuses the API key"),
    ],
)
def test_what_is_refused(
    stub: Any, monkeypatch: pytest.MonkeyPatch, ways: str, more: dict[str, Any], says: str
) -> None:
    monkeypatch.setenv("WRONG", "sk-of-someone-else")
    with pytest.raises(InputError, match=says) as raised:
        stub.engine(ways, **more).score(["the cat"])
    assert "sk-" not in str(raised.value)


def test_vllm_gets_a_salt_of_its_own_with_every_request(stub: Any) -> None:
    scored = stub.engine("vllm+prefix").score(["the cat sat on the mat", "the cat sat on the other"])
    assert scored.rows["reason"].null_count() == 2
    salts = [body["cache_salt"] for body in stub.requests("vllm+prefix")]
    assert len(set(salts)) == len(salts) >= 4
    assert "cache_salt" not in stub.requests("hidden")[0]


def test_no_token_is_lost_unseen(stub: Any) -> None:
    long = "qzjx " * 12
    assert stub.engine("cut").score([long, "the cat"]).rows["reason"].to_list() == [
        "the tokens that the endpoint shows don't spell the text",
        None,
    ]
    reasons = stub.engine("vllm+lost").score(["lost", "lost cat", "the cat"]).rows["reason"].to_list()
    assert reasons[2] is None
    assert all(reasons[:2])


def test_texts_that_have_no_score_say_why(stub: Any) -> None:
    texts = [None, "", " \n", "\ud800", "the <s> cat", "the cat" * 40, "the cat"]
    scored = stub.engine("vllm").score(texts)
    reasons = scored.rows["reason"].to_list()
    assert reasons[:4] == [
        "no text",
        "the text is empty",
        "only white space",
        "not Unicode text: it has a lone surrogate",
    ]
    assert reasons[4] == "the endpoint does not have its <s> once, before the text"
    assert "maximum context length is 64" in reasons[5]
    assert reasons[6] is None
    assert scored.notes[0].startswith("2 of 3 texts have no score (1 because ")
    with pytest.raises(InputError, match="no text was scored"):
        stub.engine("vllm").score(["a <s>"])


def test_what_was_answered_is_not_asked_again(stub: Any, tmp_path: Path) -> None:
    ways, texts = "vllm+flaky+down", ["the cat", "down", "the mat", "the cat"]
    first = stub.engine(ways, cache=tmp_path, attempts=2).score(texts).rows
    assert [reason is None for reason in first["reason"]] == [True, False, True, True]
    before = len(stub.requests(ways))
    again = stub.engine(ways, cache=tmp_path, attempts=1).score([*texts, "new"]).rows
    asked = [body["prompt"] for body in stub.requests(ways)[before:]]
    assert {prompt for prompt in asked if not prompt.startswith("a b c")} == {"down", "new"}
    assert again["sent_nll"].to_list()[:4] == first["sent_nll"].to_list()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert stub.key.encode() not in kept


def test_another_model_at_the_address_is_asked_anew(tmp_path: Path) -> None:
    from equiglot.likelihood.engines._cost import Cost

    def store(*mark: float) -> Kept:
        return Kept(tmp_path, {"url": "u"}, mark)

    one = store(-1.0, -2.0)
    one.put("text", Cost(3.0, 2, 2))
    assert store(-1.05, -1.95).get(["text"]) == {"text": Cost(3.0, 2, 2)}
    assert store(-1.5, -2.0).get(["text"]) == {}
    assert store(-1.0, -2.0).get(["text", "other"]) == {"text": Cost(3.0, 2, 2)}


def test_the_name_may_be_left_out_where_there_is_one_model(stub: Any) -> None:
    engine = find_engine(f"endpoint:{stub.url('vllm')}")
    assert isinstance(engine, EndpointEngine)
    assert engine.score(["the cat"]).rows["n_scored"].to_list() != [0]
    assert engine.name == "tiny"
    with pytest.raises(InputError, match=r"serves 2 models \(tiny, other\)"):
        EndpointEngine(stub.url("vllm+two"), cache=False).score(["the cat"])


@pytest.mark.parametrize(
    ("reference", "more", "says"),
    [
        ("endpoint:127.0.0.1:8000/v1,m", {}, "not the address"),
        ("endpoint:http://u:secret@h/v1,m", {}, "holds a secret"),
        ("endpoint:http://h/v1,m", {"bos": "both"}, "can't be had from an endpoint"),
        ("endpoint:http://h/v1,m", {"key_env": "sk-1-2"}, "not the name of an environment variable"),
        ("endpoint:http://h/v1,m", {"concurrency": 0}, "above 0"),
        ("scores:none.csv", {"bos": "never"}, "its scores are made"),
    ],
)
def test_references_that_cannot_be(reference: str, more: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        find_engine(reference, **more)


def test_the_table_gets_the_metrics(stub: Any) -> None:
    frame = pl.DataFrame({"language": ["en", "en", "hi"], "id": ["1", "2", "1"], "target": ["the cat", "", "बिल्ली"],
                          "source": ["the cat", "the mat", "the cat"]})  # fmt: skip
    made = add_engine_likelihood(from_frame(frame, condition="native"), stub.engine("vllm"))
    assert {"sent_nll", "token_nll", "ppl", "bpb", "bpc", "bpec"} <= set(made.measures)
    assert "mrr" not in made.measures
    assert made.frame["sent_nll_reason"].to_list() == [None, "the text is empty", None]
    signed = made.measures["bpb"].signature
    assert signed.startswith(f"metric:bpb|lm:tiny@127.0.0.1:{stub.port}|engine:completions|bos:auto|prefix:<s>|")
    assert likelihood_headline(likelihood_profile(made), "tiny").startswith("By sentence NLL tiny finds ")
