"""Information parity per segment, and the script burden index.

    ip_i  = NLL(source_i) / NLL(target_i)        about 1 is parity, far below 1 the target costs the model much more
    sbi_i = tp_i / ip_i                          tp_i = tokens(target_i) / tokens(source_i), from the tokens room

Sums in nats of whole segments (paper 1, section 4; METHODS, section 3), so ip is not a ratio of per-token values.
Parity is with the source's language: English in the paper. Where the source isn't English the numbers compare with that
language instead, and a note says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.likelihood._notes import source_notes, terms, window_notes
from equiglot.likelihood.model import LanguageModel
from equiglot.likelihood.policy import settle
from equiglot.likelihood.score import score_texts
from equiglot.measures import Direction, MeasureInfo
from equiglot.table import Segments

__all__ = ["add_information"]


def add_information(
    segments: Segments,
    model: LanguageModel,
    *,
    bos: str = "auto",
    window: int | None = None,
    stride: int | None = None,
    cache: bool | Path = True,
    progress: Progress = silent,
) -> Segments:
    """The table with ``sent_nll``, ``source_nll`` (nats), ``ip`` and, where ``tp`` is there, ``sbi`` (ratios) added.

    Args:
        segments: needs ``target`` and ``source``.
        model: from :func:`~equiglot.likelihood.load_language_model`.
        bos, window, stride, cache: as in :func:`~equiglot.likelihood.score_texts`.
        progress: told of unique texts done.

    Returns:
        The same rows in the same order. A value that can't be had is null, and ``<measure>_reason`` says why.

    Raises:
        InputError: a column is missing, or as in :func:`~equiglot.likelihood.score_texts`.
    """
    segments.require("target", "source", why="is scored by the language model")
    settled = settle(model, bos=bos, window=window, stride=stride)
    frame = segments.frame
    # One call for both sides, so that they are packed together and progress runs from start to end once.
    scores = score_texts(
        pl.concat([frame["target"], frame["source"]]),
        model, bos=bos, window=window, stride=stride, cache=cache, progress=progress,
    )  # fmt: skip
    target, source = scores.head(frame.height), scores.tail(frame.height)

    def info(name: str, unit: str, direction: Direction) -> MeasureInfo:
        return MeasureInfo(name, unit, direction, settled.signature(name, model))

    made = segments
    for name, side in (("sent_nll", target), ("source_nll", source)):
        made = made.with_measure(info(name, "nats", "lower"), side["sent_nll"], side["reason"].to_list())
    both = [_why(t, s) for t, s in zip(target["reason"], source["reason"], strict=True)]
    ip, reasons = _ratio(source["sent_nll"], target["sent_nll"], both, "the target costs the model nothing (0 nats)")
    made = made.with_measure(info("ip", "ratio", "neutral"), ip, reasons)
    if "tp" in segments.measures:
        tp = frame["tp"].cast(pl.Float64)
        no_tp = ["no token parity" if value is None else None for value in tp]
        either = [why or also for why, also in zip(reasons, no_tp, strict=True)]
        sbi, reasons = _ratio(tp, ip, either, "IP is 0: the source costs the model nothing (0 nats)")
        signed = settled.signature("sbi", model).replace("|v:", f"|tp:{_inner(segments.measures['tp'])}|v:")
        made = made.with_measure(MeasureInfo("sbi", "ratio", "lower", signed), sbi, reasons)
    windows = window_notes(frame.with_columns(target["windows"]), str(settled.windows))
    return made.noted(*windows, *source_notes(frame, "IP"), *terms(model))


def _why(target: str | None, source: str | None) -> str | None:
    told = [f"{side}: {why}" for side, why in (("target", target), ("source", source)) if why]
    return "; ".join(told) or None


def _ratio(
    above: Iterable[float | None], below: Iterable[float | None], reasons: list[str | None], nothing_below: str
) -> tuple[list[float | None], list[str | None]]:
    """above / below where both are there and below isn't 0, with the reasons for the rest."""
    values: list[float | None] = []
    told: list[str | None] = []
    for a, b, why in zip(above, below, reasons, strict=True):
        if a is None or b is None or b == 0:
            values.append(None)
            told.append(why or nothing_below)
        else:
            values.append(a / b)
            told.append(None)
    return values, told


def _inner(tp: MeasureInfo) -> str:
    """The signature of TP as a value inside another signature: its own version is the same, and | would end it."""
    return tp.signature.rpartition("|v:")[0].replace("|", ",") or "unknown"
