"""What a table of scores lacks and its other columns tell, row by row.

    n_scored  = n_tokens - 1 where the first token is skipped, else n_tokens
    n_bytes, n_chars = those of the text, where the table has no count
    sent_nll  = bpb n_bytes ln 2, else bpc n_chars ln 2, else token_nll n_scored
    token_nll = sent_nll / n_scored, else ln ppl        ppl = exp(token_nll)
    bpb       = sent_nll / (n_bytes ln 2)               bpc = sent_nll / (n_chars ln 2)
    sent_nll_uncut, where some texts were cut, of every row: bpb x (bytes of the whole text) x ln 2, else token_nll x
              (its tokens that would be scored): what the sum would be had the rest cost as much. An estimate.

The reciprocal rank of a token is told by nothing else, so mrr is never derived. Where nothing is scored (one token, the
first skipped) token_nll and ppl are not defined and stay null; the sum is 0 and stays.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import polars as pl

from equiglot.audit._words import counted
from equiglot.measures import MeasureInfo
from equiglot.table import known_measure

__all__ = ["COUNTS", "SIX", "derived"]

SIX = ("sent_nll", "token_nll", "ppl", "bpb", "bpc", "mrr")
COUNTS = ("n_scored", "n_tokens", "n_bytes", "n_chars")

_LN2 = math.log(2)


def derived(
    frame: pl.DataFrame, infos: Mapping[str, MeasureInfo], first_token: str
) -> tuple[pl.DataFrame, dict[str, MeasureInfo], list[str]]:
    """The rows with what could be derived, the measures that there are then, and what was derived in words."""
    before = {name: frame[name].null_count() if name in frame.columns else frame.height for name in SIX}
    has = set(frame.columns)
    blank = [pl.lit(None, pl.Float64).alias(c) for c in (*SIX, *COUNTS, "text_bytes", "text_chars") if c not in has]
    rows = frame.with_columns(blank)
    skipped = 1 if first_token == "skipped" else 0
    rows = rows.with_columns(
        n_scored=pl.coalesce("n_scored", pl.col("n_tokens") - skipped),
        n_bytes=pl.coalesce("n_bytes", "text_bytes"),
        n_chars=pl.coalesce("n_chars", "text_chars"),
    )
    whole = {
        "bpb": pl.col("bpb") * pl.col("n_bytes") * _LN2,
        "bpc": pl.col("bpc") * pl.col("n_chars") * _LN2,
        "token_nll": pl.col("token_nll") * pl.col("n_scored"),
    }
    rows = rows.with_columns(sent_nll=pl.coalesce("sent_nll", *whole.values()))
    scored = pl.when(pl.col("n_scored") > 0).then("n_scored")
    rows = rows.with_columns(token_nll=pl.coalesce("token_nll", pl.col("ppl").log(), pl.col("sent_nll") / scored))
    bytes_, chars = (pl.when(pl.col(c) > 0).then(c) for c in ("n_bytes", "n_chars"))
    rows = rows.with_columns(
        ppl=pl.coalesce("ppl", pl.col("token_nll").exp()),
        bpb=pl.coalesce("bpb", pl.col("sent_nll") / (bytes_ * _LN2)),
        bpc=pl.coalesce("bpc", pl.col("sent_nll") / (chars * _LN2)),
    )
    made = {name: infos.get(name) or _info(name) for name in (*SIX, *infos) if _has_values(rows, name)}
    said = [
        f"{name} was derived in {counted(n, 'row')} from the other columns"
        for name, had in before.items()
        if name in made and (n := had - rows[name].null_count())
    ]
    if "truncated" in has and rows["truncated"].any() and (uncut := _uncut(rows)) is not None:
        rows = rows.with_columns(uncut.alias("sent_nll_uncut"))
        made["sent_nll_uncut"] = MeasureInfo(
            "sent_nll_uncut", "nats", "lower", "metric:sent_nll|origin:estimated uncut"
        )
        said.append(
            "sent_nll_uncut estimates the sum of the whole text where it was cut, at the rate of its scored part"
        )
    kept = [c for c in rows.columns if c in has or c in made or (c in COUNTS and _has_values(rows, c))]
    return rows.select(kept), made, said


def _uncut(rows: pl.DataFrame) -> pl.Series | None:
    by_byte = pl.col("bpb") * pl.col("text_bytes") * _LN2
    # Where the table says how many tokens were left out, n_scored is of the rest; else of the whole text.
    left_out = pl.col("n_cut").fill_null(0) if "n_cut" in rows.columns else 0
    by_token = pl.col("token_nll") * (pl.col("n_scored") + left_out)
    uncut = rows.select(pl.coalesce(by_byte, by_token)).to_series()
    return None if uncut.null_count() == len(uncut) else uncut


def _has_values(rows: pl.DataFrame, name: str) -> bool:
    return name in rows.columns and rows[name].null_count() < rows.height


def _info(name: str) -> MeasureInfo:
    known = known_measure(name)
    assert known is not None
    return MeasureInfo(name, *known, f"metric:{name}|origin:derived")
