"""Endpoints, templates, prompts and waits: what can't be is refused in one line."""

from __future__ import annotations

from email.utils import formatdate
from pathlib import Path
from time import time

import polars as pl
import pytest

from equiglot.engine.pace import Pace, backoff, retry_after
from equiglot.errors import InputError
from equiglot.generate import Endpoint, Template, load_template, read_prompts

KEY = "sk-proj-0123456789"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"model": " "}, "no name"),
        ({"base_url": "api.openai.com"}, "not the address"),
        ({"base_url": "http://[::1"}, "not the address"),
        ({"base_url": f"https://user:{KEY}@host/v1"}, "holds a secret"),
        ({"base_url": f"https://host/v1?api_key={KEY}"}, "holds a secret"),
        ({"key_env": KEY}, "not the name of an environment variable"),
        ({"temperature": -1.0}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"max_tokens": 0}, "above 0"),
        ({"timeout": 0.0}, "above 0"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says) as raised:
        Endpoint(**{"model": "m", **settings})  # type: ignore[arg-type]
    assert KEY not in str(raised.value)


def test_the_key_is_only_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", KEY)
    endpoint = Endpoint("m", "http://localhost:1/v1", key_env="MINE")
    assert endpoint.key() == KEY
    assert KEY not in repr(endpoint)
    monkeypatch.delenv("MINE")
    assert endpoint.key() is None
    with pytest.raises(InputError, match="the environment holds none"):
        Endpoint("m", key_env="MINE").key()
    for broken in (f"{KEY}\nx", f"{KEY} x", f"{KEY}é"):
        monkeypatch.setenv("MINE", broken)
        with pytest.raises(InputError, match="no key has") as raised:
            endpoint.key()
        assert KEY not in str(raised.value)


def test_templates_of_a_folder_and_of_one_file(tmp_path: Path) -> None:
    (tmp_path / "default.txt").write_text("$language: $prompt", "utf-8")
    (tmp_path / "te.txt").write_text("Telugu $$5: $prompt", "utf-8")
    assert load_template("te", tmp_path).message("a $prompt b", "te") == "Telugu $5: a $prompt b"
    assert load_template("hi", tmp_path).message("a", "hi") == "Hindi: a"
    assert load_template("hi", tmp_path / "te.txt").name == "te"
    assert load_template("hi", tmp_path).identity != load_template("te", tmp_path).identity


@pytest.mark.parametrize("language", ["hi", "te", "kn", "ta", "ar"])
def test_bundled_templates_ask_for_both_fields_and_hold_no_native_letter(language: str) -> None:
    template = load_template(language)
    message = template.message("Why?", language)
    assert message.endswith("Why?\n")
    assert "romanized_query" in message
    assert "romanized_response" in message
    assert message.isascii()
    assert (template.name == "kn") == (language == "kn")


@pytest.mark.parametrize("text", ["no place", "$prompt $other", "$prompt $", "$language"])
def test_what_is_no_template(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.txt").write_text(text, "utf-8")
    with pytest.raises(InputError, match="is no template"):
        load_template("hi", tmp_path / "t.txt")


def test_templates_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"neither hi\.txt nor default\.txt"):
        load_template("hi", tmp_path)
    (tmp_path / "latin1.txt").write_bytes("$prompt é".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        load_template("hi", tmp_path / "latin1.txt")


def test_template_repr_of_language() -> None:
    assert Template("t", "$language $prompt").message("x", "pa") == "Punjabi x"


def _csv(folder: Path, text: str) -> Path:
    path = folder / "prompts.csv"
    path.write_text(text, "utf-8")
    return path


def test_prompts_with_their_language_and_category(tmp_path: Path) -> None:
    path = _csv(
        tmp_path, "id,language,prompt,category,reference,source,chrf\n1,hi-Latn,A,x,R,S,3\n2,kan_Latn,B,y,R,S,4\n"
    )
    frame = read_prompts(path).frame
    assert frame.columns == ["id", "language", "script", "condition", "system", "source", "reference", "category"]
    assert frame["source"].to_list() == ["A", "B"]
    assert frame["language"].to_list() == ["hi", "kn"]
    assert set(frame["condition"]) == {"romanized"}


def test_prompts_under_another_name_and_in_many_languages(tmp_path: Path) -> None:
    path = _csv(tmp_path, "instruction\nA\nB\n")
    frame = read_prompts(path, columns={"prompt": "instruction"}, languages=["hi-Latn", "te", "kn-Latn"]).frame
    assert frame.group_by("language", maintain_order=True).agg("source").rows() == [
        ("hi", ["A", "B"]), ("te", ["A", "B"]), ("kn", ["A", "B"]),
    ]  # fmt: skip
    assert frame["id"].to_list() == ["1", "2"] * 3


def test_parquet_prompts(tmp_path: Path) -> None:
    pl.DataFrame({"prompt": ["A"], "language": ["ar-Latn"]}).write_parquet(tmp_path / "p.parquet")
    assert read_prompts(tmp_path / "p.parquet").frame["source"].to_list() == ["A"]


@pytest.mark.parametrize(
    ("text", "languages", "says"),
    [
        ("id,text\n1,A\n", ["hi"], "there is no column 'prompt' to read prompts from"),
        ("id,prompt\n1,A\n", [], "no column for the language"),
        ("id,prompt\n1,A\n", ["hi-Deva"], "write hi-Latn"),
        ("id,prompt\n1,A\n", ["de"], "written in Latn anyway"),
        ("id,prompt,language\n1,A,xx-nonsense\n", [], "'xx-nonsense' is not a language"),
        ("id,prompt,language\n1,A,hi\n1,B,hi\n", [], "rows 1 and 2 have the same"),
        ("id,prompt,language\n1,A,hi\n", ["te"], "column for language"),
        ("", ["hi"], "empty"),
    ],
)
def test_prompts_that_cannot_be_read(tmp_path: Path, text: str, languages: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says) as raised:
        read_prompts(_csv(tmp_path, text), languages=languages)
    assert "target" not in str(raised.value)


def test_retry_after_in_every_form() -> None:
    assert retry_after({}) is None
    assert retry_after({"retry-after": "1.5"}) == 1.5
    assert retry_after({"retry-after": "-3"}) == 0
    assert retry_after({"retry-after": "nan"}) is None
    assert retry_after({"retry-after": "inf"}) is None
    assert retry_after({"retry-after": formatdate(time() + 30, usegmt=True)}) == pytest.approx(30, abs=3)
    assert retry_after({"retry-after": formatdate(time() - 30, usegmt=True)}) == 0


def test_waits_grow_and_end() -> None:
    waits = [backoff(attempt, 1.0) for attempt in range(10)]
    assert waits == sorted(waits)
    assert waits[-1] == 30
    assert backoff(3, 0.0) < backoff(3, 0.5) < backoff(3, 1.0)


def test_a_stopped_pace_holds_nobody() -> None:
    pace = Pace()
    pace.hold(3600)
    pace.stop()
    pace.wait()
    pace.sleep(3600)
    assert pace.stopped


@pytest.mark.parametrize("timeout", [float("inf"), 1e300, 86_401.0])
def test_nobody_waits_for_ever(timeout: float) -> None:
    with pytest.raises(InputError, match="86,400"):
        Endpoint("m", "http://127.0.0.1:9/v1", timeout=timeout)


def test_one_language_under_two_names_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("id,prompt\n1,a\n", "utf-8")
    with pytest.raises(InputError, match="asked twice in hi-Latn"):
        read_prompts(path, languages=["hi", "hi-Latn"])
