"""What an endpoint puts before a text, and whether its log-probs are what they seem: found out by asking.

Two prompts are asked that differ in their last letter. Of a server that can be trusted

- at most one token stands before the text (BOS; two are a known fault). Some show it, some only count it;
- the beginning that both share has the same log-probs in both, whatever was asked before (with a prefix cache, vLLM has
  given those of another request, or none);
- what is likeliest at the last place is the same in both, for it hangs on what stands before that place
  (llama-cpp-python 0.3 is one place off where a model has no BOS: it gives ln P of a token after that token).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from equiglot.errors import InputError
from equiglot.likelihood.engines._reply import Reply, spells

__all__ = ["Start", "find_start"]

_SHARED = "a b c d e f g h i j k l m n o p q r s"
"""More tokens than a block of vLLM's prefix cache (16) has."""
_ENDINGS = (("t", "u"), ("1", "2"))
"""The second pair is for vocabularies that have only one of the first as a token."""

_FIX = "use another server or version; docs/engines.md lists what is known to work"


@dataclass(frozen=True, slots=True)
class Start:
    """What stands before a text.

    Attributes:
        shown: how many tokens before the text the endpoint shows, 0 or 1.
        hidden: how many it only counts, 0 or 1.
        bos: the token, where it is shown; some servers show it as nothing.
        first: what becomes of a text's first token; ``skipped`` where the endpoint gives no log-prob of it.
    """

    shown: int
    hidden: int
    bos: str | None
    first: Literal["scored", "skipped"]

    @property
    def prefix(self) -> str:
        """As in a signature."""
        return "hidden" if self.hidden else "none" if self.bos is None else self.bos or "unnamed"


def find_start(ask: Callable[[str], Reply]) -> tuple[Start, Sequence[float]]:
    """What stands before every text, and the log-probs by which the model behind an endpoint is known again.

    Raises:
        InputError: the endpoint fails one of the checks.
    """
    start, n, one, other = _like_prompts(ask)
    end = start.shown + n
    pairs = zip(one.logprobs[start.shown : end - 1], other.logprobs[start.shown : end - 1], strict=True)
    shared = [pair for pair in pairs if pair != (None, None)]
    for before, after in shared:
        if before is None or after is None or not _close(before, after):
            raise InputError(
                f"the endpoint gives the same beginning other log-probs in another request ({before} and {after})",
                fix="switch its prefix cache off (vLLM: --no-enable-prefix-caching)",
            )
    best, again = one.best[end - 1], other.best[end - 1]
    if best is None or again is None:
        raise InputError("the endpoint does not say which token is likeliest (top_logprobs)", fix=_FIX)
    if best[0] != again[0] or not _close(best[1], again[1]):
        raise InputError(
            "what the endpoint takes for likeliest at a place changes with the token that stands there: its log-probs "
            "are one place off (llama-cpp-python's are, for a model without BOS)",
            fix="serve a model whose tokeniser puts BOS before a text, or use vLLM",
        )
    return start, [before for before, _ in shared if before is not None]


def _like_prompts(ask: Callable[[str], Reply]) -> tuple[Start, int, Reply, Reply]:
    """Two replies whose tokens differ in the last only, what stands before them, and how many tokens they have."""
    for endings in _ENDINGS:
        prompts = [f"{_SHARED} {ending}" for ending in endings]
        one, other = map(ask, prompts)
        (start, n), again = _counted(one, prompts[0]), _counted(other, prompts[1])
        end = start.shown + n - 1
        if (start, n) == again and one.tokens[:end] == other.tokens[:end]:
            return start, n, one, other
    raise InputError("the endpoint reads two prompts that differ in their last letter as different tokens", fix=_FIX)


def _counted(reply: Reply, prompt: str) -> tuple[Start, int]:
    """What stands before the prompt, and how many tokens the prompt is, in a reply whose tokens are all whole."""
    found = ((lead, _length(reply.tokens[lead:], prompt)) for lead in range(4))
    shown, n = next(((lead, n) for lead, n in found if n), (0, 0))
    if not n:
        seen = "".join(reply.tokens)[:60]
        raise InputError(f"the tokens that the endpoint returns don't spell the prompt ('{seen}')", fix=_FIX)
    hidden = reply.n_prompt - shown - n
    if hidden < 0 or shown + hidden > 1:
        raise InputError(
            f"the endpoint counts {reply.n_prompt} tokens of a prompt of {n}, of which it shows {shown} before the "
            "text: one BOS is right, or none",
            fix="have one added only: by the tokeniser, or by a template, not both",
        )
    first = reply.logprobs[shown]
    if first is not None and not shown and not hidden:
        raise InputError("the endpoint gives the first token a log-prob, and nothing stands before it", fix=_FIX)
    bos = reply.tokens[0] if shown else None
    return Start(shown, hidden, bos, "skipped" if first is None else "scored"), n


def _length(tokens: Sequence[str], prompt: str) -> int:
    """How many of the tokens are the prompt's, 0 where they don't begin with it."""
    if not tokens or not tokens[0]:  # the prompt has no part of a character, so this is something else
        return 0
    return next((n for n in range(1, len(tokens) + 1) if spells(tokens[:n], prompt)), 0)


def _close(one: float, other: float) -> bool:
    """Equal but for the rounding of 16-bit arithmetic in another batch."""
    return abs(one - other) <= 0.1 + 0.02 * abs(one)
