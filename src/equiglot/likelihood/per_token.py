"""Every token of every target: what it cost, how the model ranked it, and which characters it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.likelihood._encode import spans
from equiglot.likelihood._taken import take
from equiglot.likelihood.model import LanguageModel
from equiglot.likelihood.score import score_texts
from equiglot.table import KEY, Segments

__all__ = ["token_table"]

_SCHEMA: dict[str, Any] = {
    "row": pl.Int64,
    **dict.fromkeys(KEY, pl.String),
    "position": pl.Int64,
    "token_id": pl.Int64,
    "token": pl.String,
    "start": pl.Int64,
    "end": pl.Int64,
    "text": pl.String,
    "nll": pl.Float64,
    "rank": pl.Int64,
}


def token_table(
    segments: Segments,
    model: LanguageModel,
    *,
    bos: str = "auto",
    window: int | None = None,
    stride: int | None = None,
    cut: int | None = None,
    cache: bool | Path = True,
    progress: Progress = silent,
) -> pl.DataFrame:
    """One row per token of each target that could be scored, in the order of the table.

    Args:
        segments: needs ``target``.
        model: from :func:`~equiglot.likelihood.load_language_model`.
        bos, window, stride, cut, cache: as in :func:`~equiglot.likelihood.score_texts`.
        progress: told of unique texts done.

    Returns:
        ``row`` (of the table, from 1) and its keys; ``position`` in the text, from 1; ``token_id`` and ``token`` as the
        vocabulary spells it; ``start`` and ``end`` of the characters that it stands for, in code points, and that
        ``text``, null where the tokeniser can't say (tokens that are parts of one character all have it); ``nll`` in
        nats and ``rank`` from 1, null for a first token that was not scored.
    """
    segments.require("target", why="is scored by the language model")
    target = segments.frame["target"]
    scores = score_texts(
        target, model, detail="tokens", bos=bos, window=window, stride=stride, cut=cut, cache=cache, progress=progress
    )
    texts = target.filter(scores["reason"].is_null()).unique(maintain_order=True).to_list()
    taken = take(texts, model, cut)
    found = spans(model.tokenizer, texts)
    places = dict(zip(texts, found, strict=True)) if found is not None else {}

    def rows() -> Iterator[tuple[Any, ...]]:
        keys = segments.frame.select(KEY).iter_rows()
        scored = scores.select("token_nlls", "token_ranks").iter_rows()
        for row, (key, text, (nll, rank)) in enumerate(zip(keys, target, scored, strict=True), start=1):
            if nll is None:
                continue
            ids = taken[text].ids
            skipped = [None] * (len(ids) - len(nll))
            names = model.tokenizer.convert_ids_to_tokens(list(ids))
            where = places[text][: len(ids)] if text in places else [(None, None)] * len(ids)
            told = zip(ids, names, where, [*skipped, *nll], [*skipped, *rank], strict=True)
            for position, (token, name, (start, end), cost, place) in enumerate(told, start=1):
                part = None if start is None else text[start:end]
                yield (row, *key, position, token, name, start, end, part, cost, place)

    return pl.DataFrame(rows(), schema=_SCHEMA, orient="row")
