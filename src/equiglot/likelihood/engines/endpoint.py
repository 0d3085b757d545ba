"""Sentence NLL from a model that is served elsewhere: an OpenAI-compatible endpoint that gives a prompt's log-probs.

    sent_nll = - sum_i ln P(t_i | BOS, t_1 .. t_{i-1})          of the log-probs that come back, in nats

Servers differ in what they put before a text and what they say of it, so before the first text an endpoint is tried
(:mod:`equiglot.likelihood.engines._start`), and every reply is held against its text: as many tokens as the endpoint
counts, spelling the text to its end. A text of which that isn't so has no score, and the reason says why.

What a server does to a text can't be switched off from here: what looks like a special token in it (``<s>``) is read as
one by most. Numbers are those of the server's arithmetic, often 16 or 4 bits. There are no ranks, and no windows: what
is longer than the server's context is refused by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from equiglot.engine import Progress, silent
from equiglot.engine.address import read_key, require_url, require_variable
from equiglot.engine.client import Client
from equiglot.errors import InputError
from equiglot.likelihood.engines._ask import Asker, served
from equiglot.likelihood.engines._cost import Cost
from equiglot.likelihood.engines._gather import gather
from equiglot.likelihood.engines._kept import Kept
from equiglot.likelihood.engines._start import Start, find_start
from equiglot.likelihood.engines.protocol import Scored, scorable, score_rows
from equiglot.models import cache_folder

__all__ = ["EndpointEngine"]

_VERSION = "1"
"""Goes up when a change of the code changes a value, so that older results are not taken for it."""


class EndpointEngine:
    """A model behind an endpoint.

    Args:
        base_url: up to and with ``/v1``.
        model: its name there; None where the endpoint serves one only.
        bos: ``auto`` takes what the endpoint puts before a text, one token or none; ``require`` fails where it is none;
            ``never`` tells vLLM to put none, and fails where there is one.
        key_env: name of the environment variable with the API key. A server of your own may need none.
        concurrency: requests under way at once.
        timeout: seconds until a request without an answer is given up and made again.
        attempts: how often one request is made, at most.
        cache: keep results in the user's cache and look them up there; or in this folder; or not at all.

    Raises:
        InputError: a setting that can't be.
    """

    def __init__(
        self,
        base_url: str,
        model: str | None = None,
        *,
        bos: str = "auto",
        key_env: str = "OPENAI_API_KEY",
        concurrency: int = 8,
        timeout: float = 300.0,
        attempts: int = 8,
        cache: bool | Path = True,
    ) -> None:
        require_url(base_url)
        require_variable(key_env)
        if bos not in ("auto", "require", "never"):
            raise InputError(f"bos '{bos}' can't be had from an endpoint", fix="use auto, require or never")
        if concurrency < 1 or attempts < 1 or not timeout > 0:
            raise InputError("requests, attempts and seconds start above 0", fix="take a larger number")
        self.base_url, self.timeout, self.attempts = base_url, timeout, attempts
        self.model = model or ""
        self._bos, self._key_env, self._concurrency, self._cache = bos, key_env, concurrency, cache

    @property
    def name(self) -> str:
        """The model's name; the address, until it is known."""
        return self.model or self.base_url

    def key(self) -> str | None:
        """The API key in the environment."""
        return read_key(self._key_env, self.base_url)

    def score(self, texts: Sequence[str | None], *, progress: Progress = silent) -> Scored:
        """Score each text; None is a missing one.

        Raises:
            InputError: the endpoint can't be reached, gives no log-probs of prompts, fails a check, or scores nothing.
        """
        unique = scorable(texts)
        with Client(self) as client:
            models = served(client)
            self.model = self.model or self._only(list(models))
            asker = Asker(client, self.model, vllm="vllm" in models.values(), bos=self._bos != "never")
            start, mark = find_start(asker.prompt)
            self._check_policy(start)
            settings: dict[str, object] = {"bos": self._bos, "prefix": start.prefix, "first": start.first}
            kept = self._kept(settings, mark)
            try:
                found = gather(
                    unique,
                    lambda text, spread: asker.cost(text, start, spread),
                    kept,
                    concurrency=self._concurrency,
                    stop=client.stop,
                    progress=progress,
                    what=f"scoring with {self.name}",
                )
            finally:
                if kept is not None:
                    kept.close()
        rows = {text: _row(outcome, start) for text, outcome in found.items()}
        lm = f"{self.model}@{urlsplit(self.base_url).netloc}"
        notes = [*_unscored(found), *_first_token(start, self.name)]
        return Scored(score_rows(texts, rows, {}), {"lm": lm, "engine": "completions", **settings}, notes)

    def _only(self, models: Sequence[str]) -> str:
        if len(models) != 1:
            raise InputError(
                f"the endpoint serves {len(models)} models ({', '.join(models[:5])})",
                fix=f"name one: endpoint:{self.base_url},MODEL",
            )
        return models[0]

    def _check_policy(self, start: Start) -> None:
        before = start.shown + start.hidden
        if self._bos == "require" and not before:
            raise InputError("the endpoint puts no BOS before a text", fix="use bos auto, or serve the model with BOS")
        if self._bos == "never" and before:
            raise InputError(f"the endpoint puts a token before a text ({start.prefix})", fix="use bos auto")

    def _kept(self, settings: dict[str, object], mark: Sequence[float]) -> Kept | None:
        folder = cache_folder("endpoint-scores") if self._cache is True else self._cache
        if folder is False:
            return None
        identity = {"endpoint scores": _VERSION, "url": self.base_url, "model": self.model, **settings}
        return Kept(folder, identity, mark)


def _row(outcome: Cost | str, start: Start) -> dict[str, Any]:
    if isinstance(outcome, str):
        return {"n_scored": 0, "windows": None, "reason": outcome}
    return {"sent_nll": outcome.nll, "n_tokens": outcome.n_tokens, "n_scored": outcome.n_scored, "first": start.first}


def _unscored(found: dict[str, Cost | str]) -> list[str]:
    """How many texts have no score, by reason.

    Raises:
        InputError: none has one.
    """
    reasons = Counter(outcome for outcome in found.values() if isinstance(outcome, str))
    if not reasons:
        return []
    reason, count = reasons.most_common(1)[0]
    if reasons.total() == len(found):
        raise InputError(f"no text was scored: {reason}", fix="mend that, and give the same command again")
    return [f"{reasons.total():,} of {len(found):,} texts have no score ({count:,} because {reason}); "
            "the same command asks for them again"]  # fmt: skip


def _first_token(start: Start, name: str) -> list[str]:
    if not start.hidden or start.first == "scored":
        return []
    return [
        f"{name}: the endpoint reads BOS before each text and doesn't say what the first token costs after it, so sums "
        "leave the first token out, which can change the order of languages; compare them only with sums that do too"
    ]
