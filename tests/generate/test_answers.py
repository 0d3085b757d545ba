"""Reading what models write; the cases are in cases.json, each with the reason why it is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.generate import Endpoint, read_answer
from equiglot.table import Segments

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    answer = read_answer(case["text"])
    assert (answer.json, answer.query, answer.response) == (case["json"], case["query"], case["response"])
    assert (answer.reason is None) == bool(answer.query.strip() and answer.response.strip())


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(TEXT, TEXT, st.booleans())
def test_any_text_comes_back_as_it_was_written(query: str, response: str, ascii_only: bool) -> None:
    fields = {"romanized_query": query, "romanized_response": response}
    answer = read_answer(json.dumps(fields, ensure_ascii=ascii_only))
    assert (answer.query, answer.response) == (query, response)
    fenced = read_answer(f"```json\n{json.dumps(fields)}\n```")
    assert (fenced.query, fenced.response) == (query, response)
    assert fenced.json == ("unwrapped" if query.strip() or response.strip() else "failed")


@given(st.text(max_size=60) | st.text('{}[]":, \\romanized_query', max_size=60))
def test_no_text_is_too_odd(text: str) -> None:
    answer = read_answer(text)
    (answer.query + answer.response).encode()


@given(st.integers(1, 200))
def test_a_cut_answer_keeps_what_was_written(cut: int) -> None:
    """Whatever is had of the text is its beginning."""
    response = "Haan, main kal aaunga. " * 5
    whole = json.dumps({"romanized_query": "kal aaoge?", "romanized_response": response})
    answer = read_answer(whole[:cut])
    assert response.startswith(answer.response)


@pytest.mark.parametrize(
    "text", ["{" * 5_000, '{"a":' * 20_000, "[" * 20_000, '{"romanized_response": "' + "x " * 50_000]
)
def test_loops_are_read_without_a_fault(text: str) -> None:
    read_answer(text)


def test_half_a_surrogate_pair_outside_the_json_is_mended() -> None:
    answer = read_answer("no JSON \ud800")
    assert answer.reason == "there is no JSON object in the answer, which begins 'no JSON \ufffd'"
    whole = '\ud800 {"romanized_query": "a", "romanized_response": "b\ud83d\ude00"}'
    assert (read_answer(whole).json, read_answer(whole).response) == ("unwrapped", "b😀")


def test_a_stored_reply_of_half_characters_makes_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    from equiglot.generate import run
    from equiglot.generate._store import Reply

    def asked(questions: list[Any], *_: object, **__: object) -> dict[bytes, Any]:
        first, second = (question.key for question in questions)
        return {first: Reply("\ud800", "sto\ud800", 3, "no\ud800"), second: "refused: \ud800"}

    monkeypatch.setattr(run, "ask_questions", asked)
    rows = [{"id": i, "language": "hi", "script": "Latn", "condition": "romanized", "system": "p", "source": f"q {i}"}
            for i in "12"]  # fmt: skip
    frame = run.generate(Segments(pl.DataFrame(rows)), Endpoint("m", "http://127.0.0.1:9/v1"), cache=None).frame
    assert frame["finish_reason"].to_list() == ["sto\ufffd", None]
    assert frame["reason"].to_list() == ["the model refused: no\ufffd", "refused: \ufffd"]


@pytest.mark.parametrize(
    ("counted", "tokens"), [(7, 7), (0, 0), (-5, None), (True, None), (1.5, None), (1 << 60, None)]
)
def test_only_a_count_is_a_count(counted: object, tokens: int | None) -> None:
    from equiglot.generate._ask import Asker

    body = {"choices": [{"message": {"content": "x"}}], "usage": {"completion_tokens": counted}}
    with Asker(Endpoint("m", "http://127.0.0.1:9/v1")) as asker:
        assert asker._reply(body).output_tokens == tokens
