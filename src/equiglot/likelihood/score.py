"""Sentence negative log-likelihood: what a text costs a causal language model, in nats.

    sent_nll = - sum_i ln P(t_i | prefix, t_1 .. t_{i-1})            (natural logarithm; METHODS, section 3)

A sum, not a mean: it is the one number that doesn't divide by tokens, bytes or characters, of which another tokeniser,
encoding or script has more or fewer (paper 2). With a prefix (BOS) every token is scored; without one the first token
is not, because nothing stands before it: a policy (:mod:`equiglot.likelihood.policy`) that changes every number.

Differs from peers: nothing is cut (a text beyond the context is scored in strided windows, counted, or refused);
a text's value depends neither on the texts around it nor on the batch (float32 sums equal those of float64, one text at
a time, to 1e-5); the log-sum-exp is float32 at least, whatever the model computes in; unique texts are scored once, and
kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.likelihood._run import nll_of_texts
from equiglot.likelihood.model import LanguageModel
from equiglot.likelihood.policy import Policy, settle
from equiglot.text import text_state

__all__ = ["score_texts"]

_REASONS = {
    "missing": "no text",
    "empty": "the text is empty",
    "white space": "only white space",
    "invisible": "only invisible characters",
    "surrogate": "not Unicode text: it has a lone surrogate",
}

_SCHEMA: dict[str, type[pl.DataType]] = {
    "sent_nll": pl.Float64,
    "n_tokens": pl.Int64,
    "n_scored": pl.Int64,
    "first": pl.String,
    "windows": pl.Int64,
    "reason": pl.String,
}

_Row = tuple[float | None, int | None, int, str | None, int | None, str | None]


def score_texts(
    texts: Sequence[str | None] | pl.Series,
    model: LanguageModel,
    *,
    bos: str = "auto",
    window: int | None = None,
    stride: int | None = None,
    overflow: str = "window",
    batch_tokens: int = 1024,
    cache: bool | Path = True,
    progress: Progress = silent,
) -> pl.DataFrame:
    """Score each text.

    Args:
        texts: one per row; None is a missing text.
        model: from :func:`~equiglot.likelihood.load_language_model`.
        bos: ``auto``, ``require`` or ``never``.
        window: the most tokens, prefix included, that the model reads at once; None is its context.
        stride: by how many tokens windows are apart; None is half the window.
        overflow: ``window`` scores a text beyond the window in strided windows, ``refuse`` raises.
        batch_tokens: how many tokens to run together; changes speed and memory, not values.
        cache: keep results in the user's cache and look them up there; or in this folder; or not at all.
        progress: told of unique texts done.

    Returns:
        One row per text, in order: ``sent_nll`` (nats, 0 or more), ``n_tokens`` (without prefix), ``n_scored``,
        ``first`` (``scored`` or ``skipped``), ``windows`` (1 where the text fitted), ``reason``. Where there is
        nothing to score ``sent_nll`` is null and ``reason`` says why.

    >>> model = load_language_model("pkg:gemma3-270m")  # doctest: +SKIP
    >>> score_texts(["How are you?", ""], model)["reason"].to_list()  # doctest: +SKIP
    [None, 'the text is empty']

    Raises:
        InputError: an unknown policy, or with ``overflow="refuse"`` a text that is too long.
    """
    if overflow not in ("window", "refuse"):
        raise InputError(f"'{overflow}' is not a way to deal with long texts", fix="use window or refuse")
    policy = settle(model, bos=bos, window=window, stride=stride)
    states = _states(texts)
    listed: list[str | None] = texts.to_list() if isinstance(texts, pl.Series) else list(texts)
    told = zip(listed, states, strict=True)
    unique = list(dict.fromkeys(text for text, state in told if text is not None and state == "text"))
    tokens = dict(zip(unique, model.encode(unique), strict=True))
    _check_tokens(tokens, model, policy, overflow, listed)
    least = 1 if policy.prefix else 2
    scorable = {text: ids for text, ids in tokens.items() if len(ids) >= least}
    values = nll_of_texts(scorable, model, policy, batch_tokens=batch_tokens, cache=cache, progress=progress)

    def row(text: str | None, state: str) -> _Row:
        if text is None or state != "text":
            return None, None, 0, None, None, _REASONS[state]
        n = len(tokens[text])
        if n < least:
            why = "one token and no BOS: nothing to score" if n else "the tokeniser makes no token of it"
            return None, n, 0, None, None, why
        nll, windows = values[text]
        if not np.isfinite(nll):
            return None, n, 0, None, windows, f"the model gives no finite probability in {model.dtype}"
        return nll, n, n - least + 1, policy.first, windows, None

    rows = [row(text, state) for text, state in zip(listed, states, strict=True)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _states(texts: Sequence[str | None] | pl.Series) -> list[str]:
    """What each text is; beyond what the text room tells apart, whether UTF-8 can hold it, for tokenisers want that."""
    return [
        "surrogate" if state == "text" and any("\ud800" <= c <= "\udfff" for c in text or "") else state
        for text, state in zip(texts, text_state(texts), strict=True)
    ]


def _check_tokens(
    tokens: Mapping[str, Sequence[int]],
    model: LanguageModel,
    policy: Policy,
    overflow: str,
    listed: Sequence[str | None],
) -> None:
    """Refuse tokens that the model has no embedding for and, where asked, a text that is too long; name the first."""
    rows = model.head.vocabulary
    for text, ids in tokens.items():
        if ids and max(ids) >= rows:
            raise InputError(
                f"the tokeniser of {model.name} gives token {max(ids)}, and the model has only {rows}",
                fix="use the tokeniser that the model was trained with",
                row=listed.index(text) + 1,
            )
        if overflow == "refuse" and policy.room is not None and len(ids) > policy.room:
            raise InputError(
                f"a text of {len(ids)} tokens, and a window holds {policy.room}",
                fix="allow strided windows, or shorten the text",
                row=listed.index(text) + 1,
            )
