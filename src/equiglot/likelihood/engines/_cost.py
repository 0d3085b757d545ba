"""A text's cost from what an endpoint says of it, once the reply is known to be of this text and whole."""

from __future__ import annotations

import math
from dataclasses import dataclass

from equiglot.likelihood.engines._reply import Reply, spells
from equiglot.likelihood.engines._start import Start

__all__ = ["Cost", "cost_of"]

_IMPOSSIBLE = -9999.0
"""What vLLM sends for minus infinity, which JSON hasn't got."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a text costs: nats, its tokens, and how many of them the nats are the sum of."""

    nll: float
    n_tokens: int
    n_scored: int


def cost_of(reply: Reply, text: str, start: Start) -> Cost | str:
    """The cost, or why there is none."""
    n = reply.n_prompt - start.shown - start.hidden
    tokens = reply.tokens[start.shown :][:n]
    logprobs = reply.logprobs[start.shown :][:n]
    if n < 1 or len(tokens) < n:
        return f"the endpoint counts {n} tokens of the text and shows {len(tokens)}"
    if start.bos and (reply.tokens[0] != start.bos or start.bos in tokens):
        return f"the endpoint does not have its {start.bos} once, before the text"
    if not spells(tokens, text):
        return "the tokens that the endpoint shows don't spell the text"
    scored = logprobs[1:] if start.first == "skipped" else logprobs
    if not scored:
        return "one token, and the endpoint doesn't score the first: nothing to score"
    known = [value for value in scored if value is not None]
    if len(known) < len(scored):
        return f"the endpoint gives no log-prob of {len(scored) - len(known)} of {len(scored)} tokens"
    if not all(_IMPOSSIBLE < value < math.inf for value in known):
        return "the endpoint gives no finite probability"
    return Cost(max(0.0, -math.fsum(known)), n, len(known))
