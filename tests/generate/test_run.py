"""Asking a server that misbehaves: what is tried again, what is given up, what is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.generate import Endpoint, generate, generation_headline, generation_table
from equiglot.generate._store import Reply, ReplyStore
from equiglot.table import Segments, read_segments, write_segments


def asking(*prompts: str | None, languages: tuple[str, ...] = ("hi",)) -> Segments:
    rows = [
        {"id": str(i), "language": language, "script": "Latn", "condition": "romanized", "system": "prompts",
         "source": prompt, "category": f"c{i % 2}"}
        for language in languages for i, prompt in enumerate(prompts)
    ]  # fmt: skip
    return Segments(pl.DataFrame(rows, schema_overrides={"source": pl.String}))


def ask(stub: Any, *prompts: str | None, cache: Path | None = None, **settings: object) -> pl.DataFrame:
    endpoint = Endpoint("stub", stub.url, **{"timeout": 2.0, "attempts": 3, **settings})  # type: ignore[arg-type]
    return generate(asking(*prompts), endpoint, cache=cache).frame


def test_answers_stand_beside_their_prompts(stub: Any) -> None:
    prompts = asking("Hi?", "Why?", languages=("hi", "kn"))
    answers = generate(prompts, Endpoint("stub", stub.url), system="A", cache=None)
    assert answers.frame["source"].to_list() == prompts.frame["source"].to_list()
    assert answers.frame["target"].to_list() == ["jawab: Hi?", "jawab: Why?"] * 2
    assert answers.frame["romanized_query"].to_list() == ["romanised Hi?", "romanised Why?"] * 2
    assert answers.frame["category"].to_list() == ["c0", "c1"] * 2
    assert set(answers.frame["system"]) == {"A"}
    assert set(answers.frame["json"]) == {"valid"}
    assert answers.frame["reason"].null_count() == 4
    assert answers.frame["output_tokens"].min() > 0


def test_each_language_is_asked_with_its_own_template(stub: Any) -> None:
    generate(asking("Hi?", languages=("hi", "kn")), Endpoint("stub", stub.url), cache=None)
    hindi, kannada = sorted(r["body"]["messages"][0]["content"] for r in stub.requests())
    hindi, kannada = (hindi, kannada) if "Hindi" in hindi else (kannada, hindi)
    assert "Kannada" in kannada
    assert "strict" in kannada
    assert "strict" not in hindi


def test_what_is_sent(stub: Any) -> None:
    ask(stub, "Hi?")
    body = stub.requests()[0]["body"]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("stub", 0, 4096)
    assert "response_format" not in body
    ask(stub, "Hi?", temperature=None, json_mode=True, max_tokens=9)
    body = stub.requests()[1]["body"]
    assert "temperature" not in body
    assert body["response_format"] == {"type": "json_object"}
    assert body["max_tokens"] == 9


@pytest.mark.parametrize("fault", ["429", "500", "slow", "drop", "no choices", "html"])
def test_a_passing_fault_is_tried_again(stub: Any, fault: str) -> None:
    frame = ask(stub, "plain", f"[{fault}] hi")
    assert frame["target"].to_list() == ["jawab: plain", f"jawab: [{fault}] hi"]
    assert stub.prompts().count(f"[{fault}] hi") == 2
    assert stub.prompts().count("plain") == 1


def test_all_workers_wait_as_long_as_the_server_asks(stub: Any) -> None:
    ask(stub, "[429] first", *(f"p{i}" for i in range(30)))
    requests = stub.requests()
    refused = next(i for i, request in enumerate(requests) if request["prompt"] == "[429] first")
    again = next(r["time"] for r in requests[refused + 1 :] if r["prompt"] == "[429] first")
    assert again - requests[refused]["time"] >= 1.0


@pytest.mark.parametrize(
    ("fault", "tries", "reason"),
    [
        ("always 500", 3, "status 500: The server had an error, Bearer [API key] (3 attempts)"),
        ("400", 1, "the endpoint refused the prompt (400: Invalid prompt of Bearer [API key])"),
    ],
)
def test_a_prompt_that_gets_no_answer_is_missing_with_its_reason(
    stub: Any, fault: str, tries: int, reason: str
) -> None:
    frame = ask(stub, f"[{fault}] hi", "plain")
    row = frame.row(0, named=True)
    assert (row["target"], row["romanized_query"], row["output_tokens"], row["json"]) == (None,) * 4
    assert row["reason"] == reason
    assert stub.prompts().count(f"[{fault}] hi") == tries


@pytest.mark.parametrize(
    ("fault", "target", "reading", "reason"),
    [
        ("truncated", "jawab: [truncat", "repaired", None),
        ("fenced", "jawab: [fenced] hi", "unwrapped", None),
        ("quote", "jawab: [quote] hi", "repaired", None),
        ("prose", "", "failed", "there is no JSON object in the answer, which begins 'jawab: [prose] hi'"),
        ("half", "", "valid", "there is no romanized_response in the answer"),
        ("silent", "", "failed", "the answer is empty; it was cut at 4,096 tokens"),
        ("refuse", "", "failed", "the model refused: I can't help with that"),
    ],
)
def test_an_odd_answer_is_read_as_far_as_it_goes(
    stub: Any, fault: str, target: str, reading: str, reason: str | None
) -> None:
    row = ask(stub, f"[{fault}] hi").row(0, named=True)
    assert (row["target"], row["json"], row["reason"]) == (target, reading, reason)
    assert stub.prompts() == [f"[{fault}] hi"]


def test_tokens_that_are_not_counted_are_missing_and_say_so(stub: Any) -> None:
    frame = ask(stub, "[uncounted] hi", "[400] hi", "plain")
    assert frame["output_tokens"].null_count() == 2
    assert frame["output_tokens_reason"].to_list() == ["the endpoint counted none", "there is no answer", None]


def test_prompts_without_text_are_not_asked(stub: Any) -> None:
    frame = ask(stub, None, "", " \n", "\u200b", "plain")
    assert stub.prompts() == ["plain"]
    assert frame["reason"].to_list()[:4] == [
        "the prompt is missing",
        "the prompt is empty",
        "the prompt is only white space",
        "the prompt is only invisible",
    ]


@pytest.mark.parametrize(
    ("prompt", "settings", "says"),
    [
        ("plain", {"key_env": "OTHER_KEY"}, "refuses the API key"),
        ("[429 for an hour] hi", {}, "asks to wait 60 minutes"),
        ("[no credit] hi", {}, "no credit"),
        ("[cold] hi", {}, "--no-temperature"),
        ("[always 500] hi", {"attempts": 1}, "no prompt was answered"),
    ],
)
def test_what_would_fail_every_prompt_ends_the_run(
    stub: Any, monkeypatch: pytest.MonkeyPatch, prompt: str, settings: dict[str, object], says: str
) -> None:
    monkeypatch.setenv("OTHER_KEY", "sk-of-someone-else")
    with pytest.raises(InputError, match=says) as raised:
        ask(stub, prompt, **settings)
    assert "sk-" not in str(raised.value)


def test_no_such_model(stub: Any) -> None:
    with pytest.raises(InputError, match="knows no model 'no-such-model'"):
        generate(asking("plain"), Endpoint("no-such-model", stub.url), cache=None)


def test_nobody_there_is_said_at_once(stub: Any) -> None:
    with pytest.raises(InputError, match="nothing answers at"):
        generate(asking("plain"), Endpoint("m", "http://127.0.0.1:9/v1"), cache=None)


def test_the_newer_name_of_the_limit_is_found_out(stub: Any) -> None:
    frame = ask(stub, "[new] hi", max_tokens=77)
    assert frame["target"].to_list() == ["jawab: [new] hi"]
    assert stub.requests()[-1]["body"]["max_completion_tokens"] == 77


def test_nothing_is_asked_twice(stub: Any, tmp_path: Path) -> None:
    first = ask(stub, "a", "b", "a", "[always 500] c", cache=tmp_path, attempts=1)
    assert sorted(stub.prompts()) == ["[always 500] c", "a", "b"]
    second = ask(stub, "a", "b", "a", "[always 500] c", "d", cache=tmp_path, attempts=1)
    assert sorted(stub.prompts()) == ["[always 500] c", "[always 500] c", "a", "b", "d"]
    assert second.head(4).equals(first)
    ask(stub, "a", cache=tmp_path, max_tokens=5)
    assert stub.prompts().count("a") == 2, "another limit is another question"


def test_above_temperature_0_each_row_is_a_sample(stub: Any) -> None:
    ask(stub, "a", "a", temperature=0.7)
    assert stub.prompts() == ["a", "a"]


def test_order_and_number_of_workers_change_nothing(stub: Any) -> None:
    prompts = [f"p{i}" for i in range(20)]
    endpoint = Endpoint("stub", stub.url)
    one = generate(asking(*prompts), endpoint, concurrency=1, cache=None).frame
    many = generate(asking(*prompts), endpoint, concurrency=16, cache=None).frame
    assert one.equals(many)


def test_summary_counts_what_there_is(stub: Any) -> None:
    prompts = asking("a", "[fenced] b", "[quote] c", "[prose] d", "[truncated] e", "[400] f")
    answers = generate(prompts, Endpoint("stub", stub.url), cache=None)
    table = generation_table(answers)
    values = dict(table.select("measure", "value").iter_rows())
    tokens = values.pop("output_tokens")
    assert tokens == pytest.approx(answers.frame["output_tokens"].mean())
    assert values == {"answers": 5, "json_unwrapped": 1, "json_repaired": 2, "json_failed": 1, "blank_answers": 1,
                      "cut_answers": 1}  # fmt: skip
    assert generation_headline(answers).startswith("stub answered 5 of 6 prompts in 1 language.")
    assert any("1 of 6 prompts have no answer (1 because the endpoint refused" in note for note in answers.notes)


def test_the_table_can_be_written_and_read(stub: Any, tmp_path: Path) -> None:
    answers = generate(asking("a", "[400] b", "[prose] c"), Endpoint("stub", stub.url), cache=None)
    write_segments(answers, tmp_path / "answers.parquet")
    again = read_segments(tmp_path / "answers.parquet")
    assert again.frame.equals(answers.frame.select(again.frame.columns))
    signature = again.info("output_tokens").signature
    assert "model:stub|" in signature
    assert "|temperature:0|max_tokens:4096|json:prompt|" in signature
    assert stub.key not in signature


def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    store = ReplyStore(tmp_path)
    store.put(b"1", Reply("kept"))
    store._database.execute("PRAGMA max_page_count = 3")
    with pytest.raises(InputError, match="cannot be used"):
        store.put(b"2", Reply("x" * 100_000))
    assert store.get([b"1", b"2"]) == {b"1": Reply("kept")}
