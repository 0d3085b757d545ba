"""From what a model wrote to the two fields that it was asked for.

Models wrap their JSON in a code fence, put a sentence before it, or break it. What can be had is kept and said:

=========== ==========================================================================================
json        how the answer was read
=========== ==========================================================================================
valid       one JSON object and nothing else
unwrapped   a sound object inside something else: a code fence, a sentence before or after, a model's thoughts
repaired    the JSON was broken (a quote missing, cut off) and json-repair mended it
failed      no object with one of the two fields in it
=========== ==========================================================================================

A field that is missing, or no text, is blank: the empty text, which the failure policy counts as a failure, and the
reason says why (paper 3, section 3.3: "failed fields remain blank"). What a model wrote in a field is not touched, save
that half a surrogate pair (``"\\ud83d"``), which is not text and can't be stored, becomes U+FFFD.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["FIELDS", "Answer", "Reading", "read_answer", "whole_text"]

Reading = Literal["valid", "unwrapped", "repaired", "failed"]

FIELDS = ("romanized_query", "romanized_response")

_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_MOST_SHOWN = 60
_FENCE_AT_END = re.compile(r"\s*```\s*\Z")
_KINDS = {type(None): "null", bool: "true or false", list: "a list", dict: "an object"}
_MOST_STARTS = 50
"""Opening braces tried: an object that starts after as many is not one that was asked for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The two fields of one answer.

    Attributes:
        query, response: text as the model wrote it; empty where there is none.
        json: how it was read.
        reason: which fields are blank and why; None where neither is.
    """

    query: str
    response: str
    json: Reading
    reason: str | None


def read_answer(text: str) -> Answer:
    """The fields in a model's text.

    >>> read_answer('{"romanized_query": "kaise ho?", "romanized_response": "theek hoon"}').response
    'theek hoon'
    >>> read_answer('{"romanized_query": "kaise ho?", "romanized_response": "theek ho').json
    'repaired'
    >>> read_answer("theek hoon").reason
    "there is no JSON object in the answer, which begins 'theek hoon'"
    """
    text = whole_text(text)
    if not text.strip():
        return Answer("", "", "failed", "the answer is empty")
    found, reading = _object(text)
    if found is None:
        return Answer("", "", "failed", f"there is no JSON object in the answer, which begins '{_beginning(text)}'")
    (query, no_query), (response, no_response) = (_text(found, field) for field in FIELDS)
    if no_query and no_response:
        reading = "failed"
    return Answer(query, response, reading, "; ".join(filter(None, (no_query, no_response))) or None)


def whole_text(text: str) -> str:
    r"""A text in which half a surrogate pair, which can't be stored, is U+FFFD.

    >>> whole_text("a\ud83d") == "a\ufffd"
    True
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}..."


def _object(text: str) -> tuple[Mapping[str, Any] | None, Reading]:
    whole = _decoded(text)
    if isinstance(whole, dict):
        return whole, "valid"
    said = _THOUGHTS.sub("", text, count=1)
    for value in _inside(said):
        if _has_field(value):
            return value, "unwrapped"
    return _repaired(said), "repaired"


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _inside(text: str) -> Iterator[Any]:
    """The sound objects in a text, from the left, the outer ones first."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return
        try:
            value = decoder.raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            value = None
        yield value
        start = text.find("{", start + 1)


def _repaired(text: str) -> Mapping[str, Any] | None:
    from json_repair import repair_json

    start = text.find("{")
    text = _FENCE_AT_END.sub("", text)  # which json-repair would take into a text that was cut off
    if start < 0:  # json-repair makes something of any text; without a brace it is nothing that was asked for
        return None
    try:
        value: Any = repair_json(text[start:], return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    values: list[Any] = value if isinstance(value, list) else [value]
    objects = [item for item in values if isinstance(item, dict)]
    return next((item for item in objects if _has_field(item)), objects[0] if objects else None)


def _has_field(value: Any) -> bool:
    return isinstance(value, dict) and any(field in value for field in FIELDS)


def _text(found: Mapping[str, Any], field: str) -> tuple[str, str | None]:
    if field not in found:
        return "", f"there is no {field} in the answer"
    value = found[field]
    if not isinstance(value, str):
        return "", f"{field} is {_KINDS.get(type(value), 'a number')}, not text"
    whole = whole_text(value)
    return whole, None if whole.strip() else f"{field} is empty"
