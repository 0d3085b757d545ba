"""Ask a model every prompt of a table, and set its answers beside them.

Method of paper 3, section 3.3: one call a prompt, in which the model writes the query and the answer in romanised form
as the two fields of a JSON object; temperature 0. What failed stays in the table, blank and with its reason, so that
the failure policy can count it: an answer without the field is an empty text (the model's failure), a prompt that the
endpoint gave no answer to is missing (null: nobody's failure yet; the same command asks it again).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.generate._asking import Outcome, Question, ask_questions
from equiglot.generate._store import request_key
from equiglot.generate.answers import read_answer, whole_text
from equiglot.generate.endpoint import Endpoint
from equiglot.generate.template import Template, load_template
from equiglot.measures import MeasureInfo, signature
from equiglot.models import cache_folder
from equiglot.table import KEY, Segments
from equiglot.text import text_state

__all__ = ["generate"]

_STATES = {"missing": "missing", "empty": "empty", "white space": "only white space", "invisible": "only invisible"}


def generate(
    prompts: Segments,
    endpoint: Endpoint,
    *,
    system: str | None = None,
    template: Path | None = None,
    concurrency: int = 8,
    cache: Path | Literal[True] | None = True,
    progress: Progress = silent,
) -> Segments:
    """The answers to all prompts, in the order of the prompts.

    Args:
        prompts: with ``source`` the prompt, as :func:`read_prompts` makes it.
        endpoint: the model and how it is asked.
        system: what the model is called in the table; its own name by default.
        template: a file or a folder, as for :func:`load_template`.
        concurrency: requests under way at once.
        cache: folder of kept answers; True is the user's cache, None keeps nothing. Nothing that was answered is asked
            again: not after a kill, nor when the table grows.
        progress: told of prompts answered.

    Returns:
        The prompts' table with ``system``, ``target`` (the answer), ``romanized_query``, ``output_tokens``,
        ``finish_reason``, ``json`` (how the answer was read, see :mod:`equiglot.generate.answers`) and ``reason`` (why
        a field is blank).

    Raises:
        InputError: the endpoint can't be reached, refuses the key or the model, or answers nothing at all.
    """
    prompts.require("source", why="holds the prompts")
    if concurrency < 1:
        raise InputError(f"{concurrency} requests at once are none", fix="take 1 or more")
    frame = prompts.frame.drop(list(prompts.measures), strict=False)  # scores would be of other answers
    templates = {language: load_template(language, template) for language in frame["language"].unique()}
    states = text_state(frame["source"])
    questions = [
        _question(row, endpoint, templates[row["language"]]) if state == "text" else None
        for row, state in zip(frame.iter_rows(named=True), states, strict=True)
    ]
    folder = cache_folder("answers") if cache is True else cache
    found = ask_questions(
        list(filter(None, questions)), endpoint, folder=folder, concurrency=concurrency, progress=progress
    )
    outcomes = [
        f"the prompt is {_STATES[state]}" if question is None else _whole(found[question.key])
        for question, state in zip(questions, states, strict=True)
    ]
    named = frame.with_columns(system=pl.lit(system or endpoint.model))
    return _table(replace(prompts, frame=named, measures={}), outcomes, endpoint, templates)


def _whole(outcome: Outcome) -> Outcome:
    """What came of a question, of whole characters; what the model wrote is mended where it is read."""
    if isinstance(outcome, str):
        return whole_text(outcome)
    finish, refusal = (text and whole_text(text) for text in (outcome.finish_reason, outcome.refusal))
    return replace(outcome, finish_reason=finish, refusal=refusal)


def _question(row: Mapping[str, str], endpoint: Endpoint, template: Template) -> Question:
    body = endpoint.request(template.message(row["source"], row["language"]))
    # At temperature 0 equal prompts have one answer; above it each row is a sample of its own.
    sample = None if endpoint.temperature == 0 else row["id"]
    return Question(request_key(endpoint.base_url.rstrip("/"), body, sample), body)


def _table(
    segments: Segments, outcomes: Sequence[Outcome], endpoint: Endpoint, templates: Mapping[str, Template]
) -> Segments:
    rows = [_row(outcome, endpoint.max_tokens) for outcome in outcomes]
    types = {"target": pl.String, "romanized_query": pl.String, "output_tokens": pl.Float64,
             "finish_reason": pl.String, "json": pl.String, "reason": pl.String}  # fmt: skip
    answers = pl.DataFrame(rows, schema=types, orient="row")
    before = segments.frame.drop(answers.columns, strict=False)
    texts = [c for c in ("source", "reference") if c in before.columns]
    frame = pl.concat([before, answers.drop("output_tokens")], how="horizontal").select(
        *KEY, texts[0], "target", *texts[1:], "romanized_query",
        *(c for c in before.columns if c not in (*KEY, *texts)), "finish_reason", "json", "reason",
    )  # fmt: skip
    uncounted = [
        None
        if tokens is not None
        else "there is no answer"
        if isinstance(outcome, str)
        else "the endpoint counted none"
        for tokens, outcome in zip(answers["output_tokens"], outcomes, strict=True)
    ]
    info = MeasureInfo("output_tokens", "tokens", "neutral", _signature(endpoint, templates))
    made = replace(segments, frame=frame).with_measure(info, answers["output_tokens"], uncounted)
    return made.noted(*_unanswered(outcomes))


def _unanswered(outcomes: Sequence[Outcome]) -> list[str]:
    """How many prompts have no answer, by reason."""
    reasons = Counter(outcome for outcome in outcomes if isinstance(outcome, str))
    if not reasons:
        return []
    told = ", ".join(f"{count:,} because {reason}" for reason, count in reasons.most_common(3))
    more = f", and {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
    return [f"{reasons.total():,} of {len(outcomes):,} prompts have no answer ({told}{more}); "
            "the same command asks them again"]  # fmt: skip


def _row(outcome: Outcome, limit: int) -> tuple[str | float | None, ...]:
    """Target, query, tokens, finish reason, how the JSON was read, and why something is blank."""
    if isinstance(outcome, str):
        return None, None, None, None, None, outcome
    answer = read_answer(outcome.text)
    reason = answer.reason
    if reason and outcome.refusal:
        reason = f"the model refused: {outcome.refusal}"
    elif reason and outcome.finish_reason == "length":
        reason = f"{reason}; it was cut at {limit:,} tokens"
    return answer.response, answer.query, outcome.output_tokens, outcome.finish_reason, answer.json, reason


def _signature(endpoint: Endpoint, templates: Mapping[str, Template]) -> str:
    used = sorted({template.identity for template in templates.values()})
    return signature(
        measure="output_tokens",
        model=endpoint.model,
        endpoint=endpoint.base_url.rstrip("/").split("://", 1)[1],
        template="+".join(used),
        temperature="none" if endpoint.temperature is None else f"{endpoint.temperature:g}",
        max_tokens=endpoint.max_tokens,
        json="server" if endpoint.json_mode else "prompt",
    )
