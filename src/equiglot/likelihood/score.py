"""Sentence negative log-likelihood: what a text costs a causal language model, in nats.

    sent_nll = - sum_i ln P(t_i | prefix, t_1 .. t_{i-1})            (natural logarithm; METHODS, section 3)
    mrr      = mean_i 1 / rank_i,  rank_i = 1 + how many entries of the vocabulary have a strictly higher logit

A sum, not a mean: it is the one number that doesn't divide by tokens, bytes or characters, of which another tokeniser,
encoding or script has more or fewer (paper 2). With a prefix (BOS) every token is scored; without one the first token
is not, because nothing stands before it: a policy (:mod:`equiglot.likelihood.policy`) that changes every number.

Differs from peers: nothing is cut unless asked, and then it is counted (a text beyond the context is scored in strided
windows, counted, or refused); a text's value depends neither on the texts around it nor on the batch (float32 sums
equal those of float64, one text at a time, to 1e-5); the log-sum-exp is float32 at least, whatever the model computes
in; ranks are counted, not sorted; unique texts are scored once, and kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.likelihood._run import Detail, TextScore, score_encoded
from equiglot.likelihood._scorable import COLUMNS, REASONS, states
from equiglot.likelihood._taken import Taken, take
from equiglot.likelihood.model import LanguageModel
from equiglot.likelihood.policy import Policy, settle

__all__ = ["score_texts"]

_RANKS: dict[str, Any] = {"mrr": pl.Float64}
_TOKENS: dict[str, Any] = {"token_nlls": pl.List(pl.Float64), "token_ranks": pl.List(pl.Int64)}


def score_texts(
    texts: Sequence[str | None] | pl.Series,
    model: LanguageModel,
    *,
    detail: Detail = "nll",
    bos: str = "auto",
    window: int | None = None,
    stride: int | None = None,
    overflow: str = "window",
    cut: int | None = None,
    batch_tokens: int = 1024,
    cache: bool | Path = True,
    progress: Progress = silent,
) -> pl.DataFrame:
    """Score each text.

    Args:
        texts: one per row; None is a missing text.
        model: from :func:`~equiglot.likelihood.load_language_model`.
        detail: ``nll``; ``ranks`` adds ``mrr`` (a few per cent more work); ``tokens`` adds every token's values too.
        bos: ``auto``, ``require`` or ``never``.
        window: the most tokens, prefix included, that the model reads at once; None is its context.
        stride: by how many tokens windows are apart; None is half the window.
        overflow: ``window`` scores a text beyond the window in strided windows, ``refuse`` raises.
        cut: score no more than so many tokens of a text, for comparison with work that cuts; None scores all.
        batch_tokens: how many tokens to run together; changes speed and memory, not values.
        cache: keep results in the user's cache and look them up there; or in this folder; or not at all.
        progress: told of unique texts done.

    Returns:
        One row per text, in order: ``sent_nll`` (nats, 0 or more), ``n_tokens`` (without prefix), ``n_scored``,
        ``n_cut`` (tokens left out by ``cut``), ``n_bytes`` (UTF-8) and ``n_chars`` (code points) of the text that was
        scored, ``first`` (``scored`` or ``skipped``), ``windows`` (1 where the text fitted), ``reason``; with ranks
        ``mrr`` (0 to 1); with tokens ``token_nlls`` and ``token_ranks``, lists of ``n_scored``. Where there is nothing
        to score ``sent_nll`` is null and ``reason`` says why.

    >>> model = load_language_model("pkg:gemma3-270m")  # doctest: +SKIP
    >>> score_texts(["How are you?", ""], model)["reason"].to_list()  # doctest: +SKIP
    [None, 'the text is empty']

    Raises:
        InputError: an unknown policy, or with ``overflow="refuse"`` a text that is too long.
    """
    if overflow not in ("window", "refuse"):
        raise InputError(f"'{overflow}' is not a way to deal with long texts", fix="use window or refuse")
    policy = settle(model, bos=bos, window=window, stride=stride, cut=cut)
    found = states(texts)
    listed: list[str | None] = texts.to_list() if isinstance(texts, pl.Series) else list(texts)
    told = zip(listed, found, strict=True)
    unique = list(dict.fromkeys(text for text, state in told if text is not None and state == "text"))
    taken = take(unique, model, cut)
    _check_tokens(taken, model, policy, overflow, listed)
    least = 1 if policy.prefix else 2
    scorable = {part.item: part.ids for part in taken.values() if len(part.ids) >= least}
    scores = score_encoded(
        scorable, model, policy, detail=detail, batch_tokens=batch_tokens, cache=cache, progress=progress
    )

    def row(text: str | None, state: str) -> dict[str, Any]:
        if text is None or state != "text":
            return {"n_scored": 0, "reason": REASONS[state]}
        part = taken[text]
        counts = {"n_tokens": len(part.ids), "n_scored": 0, "n_cut": part.n_cut,
                  "n_bytes": len(part.text.encode()), "n_chars": len(part.text)}  # fmt: skip
        if part.item not in scores:
            return counts | {"reason": _nothing(part)}
        score = scores[part.item]
        if not np.isfinite(score.nll):
            why = f"the model gives no finite probability in {model.dtype}"
            return counts | {"windows": score.windows, "reason": why}
        n_scored = len(part.ids) - least + 1
        scored = {"sent_nll": score.nll, "n_scored": n_scored, "first": policy.first, "windows": score.windows}
        return counts | scored | _detailed(score, n_scored)

    schema = COLUMNS | (_RANKS if detail != "nll" else {}) | (_TOKENS if detail == "tokens" else {})
    return pl.DataFrame([row(text, state) for text, state in zip(listed, found, strict=True)], schema=schema)


def _detailed(score: TextScore, n_scored: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if score.reciprocal_ranks is not None:
        made["mrr"] = score.reciprocal_ranks / n_scored
    if score.token_nll is not None and score.token_rank is not None:
        made["token_nlls"] = score.token_nll.tolist()
        made["token_ranks"] = score.token_rank.astype(np.int64).tolist()
    return made


def _nothing(part: Taken) -> str:
    """Why no token of a text can be scored."""
    if part.ids:
        return "one token and no BOS: nothing to score"
    return "the cut falls inside the first character" if part.n_cut else "the tokeniser makes no token of it"


def _check_tokens(
    taken: Mapping[str, Taken],
    model: LanguageModel,
    policy: Policy,
    overflow: str,
    listed: Sequence[str | None],
) -> None:
    """Refuse tokens that the model has no embedding for and, where asked, a text that is too long; name the first."""
    rows = min(model.head.vocabulary, model.module.get_input_embeddings().weight.shape[0])
    if policy.prefix and max(policy.prefix.ids) >= rows:
        raise InputError(
            f"{model.name} has {rows:,} tokens, and what its tokeniser puts before a text ({policy.prefix.text}) is "
            f"token {max(policy.prefix.ids):,}",
            fix="use the tokeniser that the model was trained with, or leave it out (bos: never)",
        )
    for text, part in taken.items():
        if part.ids and max(part.ids) >= rows:
            raise InputError(
                f"the tokeniser of {model.name} gives token {max(part.ids)}, and the model has only {rows}",
                fix="use the tokeniser that the model was trained with",
                row=listed.index(text) + 1,
            )
        if overflow == "refuse" and policy.room is not None and len(part.ids) > policy.room:
            raise InputError(
                f"a text of {len(part.ids)} tokens, and a window holds {policy.room}",
                fix="allow strided windows, or shorten the text",
                row=listed.index(text) + 1,
            )
