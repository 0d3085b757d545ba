"""What a completions endpoint says of a prompt: its tokens and the log-prob of each.

The request is one for a completion of one token with the prompt echoed (``echo``, ``logprobs``). Never of none: some
servers take 0 for no limit. What is generated is thrown away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from equiglot.engine.client import TryAgainError
from equiglot.errors import InputError

__all__ = ["Reply", "read_reply", "request", "spells"]

_GAP = re.compile("(\ufffd+)")
"""How servers show bytes that are no whole character, where they show anything."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The tokens that an endpoint shows of a prompt, and maybe of what it went on with.

    Attributes:
        tokens: as text; empty or U+FFFD where a token is a part of a character.
        logprobs: ln P of each; None where the endpoint gives none.
        best: the likeliest token at each place, and its ln P.
        n_prompt: how many tokens of it the endpoint counts as the prompt.
    """

    tokens: Sequence[str]
    logprobs: Sequence[float | None]
    best: Sequence[tuple[str, float] | None]
    n_prompt: int


def request(prompt: str) -> dict[str, Any]:
    """The body of the request for one prompt, without the model's name."""
    return {"prompt": prompt, "max_tokens": 1, "temperature": 0, "echo": True, "logprobs": 1}


def read_reply(body: Any) -> Reply:
    """The reply in a response's body, of which nothing is taken for granted.

    Raises:
        TryAgainError: there are no choices in it.
        InputError: it is of a server that gives no log-probs of a prompt, or that has used its prefix cache.
    """
    choices: Any = body.get("choices") if isinstance(body, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise TryAgainError("the endpoint sent no choices")
    given, usage = _map(choices[0].get("logprobs")), _map(body.get("usage"))
    columns: list[Any] = [given.get(key) for key in ("tokens", "token_logprobs", "top_logprobs")]
    n_prompt, cached = usage.get("prompt_tokens"), _map(usage.get("prompt_tokens_details")).get("cached_tokens")
    if not all(isinstance(c, list) and len(c) == len(columns[0]) for c in columns):
        raise InputError(
            "the endpoint returns no log-probs of a prompt's tokens",
            fix="use a server whose completions do (echo with logprobs): vLLM, or llama-cpp-python's with --logits_all",
        )
    if not isinstance(n_prompt, int):
        raise InputError("the endpoint doesn't count the prompt's tokens", fix="use a server that sends usage")
    if cached:
        raise InputError(
            f"the endpoint took {cached} tokens of a prompt from its prefix cache, and their "
            "log-probs may be another request's",
            fix="start it without: vLLM's --no-enable-prefix-caching",
        )
    tokens, logprobs, top = columns
    return Reply([str(t) for t in tokens], [_number(p) for p in logprobs], [_best(t) for t in top], n_prompt)


def spells(tokens: Sequence[str], text: str) -> bool:
    """Whether tokens, as an endpoint shows them, are a text's.

    A token that is a part of a character is shown as nothing or as U+FFFD, and stands for one character that is not
    ASCII, or for none. Between two tokens a space may be missing, or such a character: some tokenisers drop the space
    of a token that they decode alone, some servers show only the whole characters of what a token holds. One space
    before the text may be the tokeniser's own. That no token is missing is for the caller to count.

    >>> spells(["ab", "", "\ufffd", " c"], "abक c"), spells(["ab"], "ab c"), spells([" ab"], "ab")
    (True, False, True)
    """
    if "".join(tokens) == text:
        return True
    ends = {0}
    if tokens and tokens[0].startswith(" ") and not text.startswith(" "):
        tokens = [tokens[0][1:], *tokens[1:]]
    elif tokens and text.startswith(" ") and not tokens[0].startswith(" "):
        ends.add(1)
    for place, token in enumerate(tokens):
        if place:
            ends |= _one_more(ends, text, " ")
        for part in _GAP.split(token) if token else ("\ufffd",):
            if part.startswith("\ufffd"):
                for _ in part:
                    ends |= _one_more(ends, text)
            else:
                ends = {end + len(part) for end in ends if text.startswith(part, end)}
    return len(text) in ends


def _one_more(ends: set[int], text: str, or_this: str = "") -> set[int]:
    """The places one character on, where that is not ASCII or the one given."""
    return {end + 1 for end in ends if end < len(text) and (not text[end].isascii() or text[end] == or_this)}


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _best(top: object) -> tuple[str, float] | None:
    """Likeliest of the tokens given at a place."""
    numbers = {str(token): number for token, value in _map(top).items() if (number := _number(value)) is not None}
    return max(numbers.items(), key=lambda pair: pair[1], default=None)
