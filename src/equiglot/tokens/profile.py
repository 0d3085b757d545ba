"""What one or several tokenisers do to every cell: a result table.

====================== ===================================================== ======= =========================
measure                formula                                               unit    weighting
====================== ===================================================== ======= =========================
``tp``                 n_t / n_s                                             ratio   mean over segments
``fertility``          n_t / w_t                                             tokens/ totals
                                                                             word
``token_premium``      n_t / n_t of the cheapest language, on the segments   ratio   totals
                       (by id) that all have; only without sources
``ctc``                corpus token count                                    tokens  total
``one_token_pct``      word types that are one token                         %       word types
``dv_per_1k``          tokens that are one dependent vowel sign, alone but   per     totals
                       for the word-start marker                             1,000
``mark_per_1k``        the same of any combining mark (only if asked for)    per     totals
                                                                             1,000
``unk_rate``           tokens that are UNK                                   share   totals
``byte_fallback_rate`` tokens that are ``<0xNN>`` or partial UTF-8           share   totals
``word_token_rho``     Spearman of words and tokens; it rises toward 1 when  rho     segments
                       text falls back to characters
``lp``                 TP_rom / TP_nat, each the mean over the same pairs    ratio   mean over segments
``tp_change_pct``      100 (LP - 1)                                          %       mean over segments
====================== ===================================================== ======= =========================

Words are those of ``str.split()``. Sources: paper 1, tables 2 and 10 to 13. A dependent vowel sign is a
character whose Unicode name has VOWEL SIGN; paper 1's own list is not known, and on its data this definition
gives somewhat less than its table 10. Intervals are percentile bootstraps over segments. Rows whose target
holds no text are left out, counted in ``n_failed`` and told apart in ``reason``; so are, for ``tp``, rows
without a source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.measures import Direction, Interval, Measure, result_table, signature
from equiglot.stats import Estimate, bootstrap_mean, bootstrap_spearman
from equiglot.table import CELL, Segments
from equiglot.text import text_state
from equiglot.tokens._premium import has_own_ids, shared_premiums
from equiglot.tokens._ratio import bootstrap_ratio
from equiglot.tokens.parity import add_parity
from equiglot.tokens.tokenizer import TALLY, Tokenizer

__all__ = ["token_profile"]

_KEYS = (*CELL, "condition")
_PAIR = ("id", "language", "system")
_SHARES = (
    ("vowel_sign", "dv_per_1k", 1000),
    ("mark", "mark_per_1k", 1000),
    ("unk", "unk_rate", 1),
    ("byte", "byte_fallback_rate", 1),
)
"""Column of the tally, measure, and of how many tokens it is said."""

_NATIVE, _ROMANIZED, _FOUND = "_tp_native", "_tp_romanized", "_found"


@dataclass(frozen=True, slots=True)
class _Run:
    """What every measure of one tokeniser needs."""

    tokenizer: Tokenizer
    seed: int
    resamples: int
    marks: bool
    romanizer: str | None = None

    def of(self, cell: pl.DataFrame) -> _Run:
        """The run for a cell, whose romaniser belongs into the signatures."""
        if "romanizer" not in cell.columns:
            return self
        names = cell["romanizer"].drop_nulls().unique().sort()
        return replace(self, romanizer=", ".join(names) or None)

    def measure(
        self,
        name: str,
        unit: str,
        direction: Direction,
        estimate: Estimate,
        failures: Mapping[str, int],
        *,
        scale: Callable[[float], float] = float,
        **parts: str,
    ) -> Measure:
        """The estimate as a measure; its reason says first why it has no value, then what was left out."""
        value, interval = estimate.value, estimate.interval
        left_out = [f"{times:,} left out: {why}" for why, times in sorted(failures.items())]
        reasons = [*([estimate.reason] if estimate.reason else []), *left_out]
        if interval is not None:
            ends = scale(interval.low), scale(interval.high)
            interval = Interval(*ends, interval.level, f"{interval.method}, seed {self.seed}")
        return Measure(
            name=name,
            value=None if value is None else scale(value),
            unit=unit,
            direction=direction,
            n=estimate.n,
            n_failed=sum(failures.values()),
            interval=interval,
            reason="; ".join(reasons) or None,
            signature=signature(
                metric=name, tok=self.tokenizer.identity, special="none", romanizer=self.romanizer, **parts
            ),
        )


def token_profile(
    segments: Segments,
    tokenizers: Tokenizer | Sequence[Tokenizer],
    *,
    marks: bool = False,
    seed: int = 0,
    resamples: int = 1000,
) -> pl.DataFrame:
    """The measures of this module by language, script, condition and tokeniser.

    Args:
        segments: the table; needs ``target``, and ``source`` for ``tp`` and what follows from it.
        tokenizers: one or several; the key column ``tokenizer`` holds their identities.
        marks: whether ``mark_per_1k`` is measured too.
        seed, resamples: of the bootstrap.

    Returns:
        A result table, sorted by its keys. Rows with the condition ``romanized/native`` compare the two
        conditions of the same segments; their script is the native one.

    >>> from equiglot.tokens import load_tokenizer
    >>> frame = pl.DataFrame({"id": ["1"], "language": ["hi"], "script": ["Deva"], "condition": ["native"],
    ...                       "system": ["a"], "source": ["hello sir"], "target": ["नमस्ते जी"]})
    >>> table = token_profile(Segments(frame), load_tokenizer("pkg:xlmr"))
    >>> dict(table.select("measure", "value").rows())["fertility"]
    1.5

    Raises:
        InputError: no target, or two tokenisers with one identity.
    """
    segments.require("target", why="is tokenised")
    several = [tokenizers] if isinstance(tokenizers, Tokenizer) else list(tokenizers)
    for identity, times in Counter(t.identity for t in several).items():
        if times > 1:
            raise InputError(f"the tokeniser {identity} is given {times} times", fix="give each once")
    rows: list[tuple[dict[str, str | None], Measure]] = []
    for tokenizer in several:
        run = _Run(tokenizer, seed, resamples, marks)
        table = _tallied(segments, tokenizer)
        for cell in table.partition_by(_KEYS, maintain_order=True):
            where = dict(zip(_KEYS, cell.select(_KEYS).row(0), strict=True))
            rows += [({**where, "tokenizer": tokenizer.identity}, m) for m in _cell(cell, run.of(cell))]
        rows += [({**where, "tokenizer": tokenizer.identity}, m) for where, m in _pairs(table, run)]
        if not _has_source(segments.frame) and has_own_ids(segments):
            rows += [({**where, "tokenizer": tokenizer.identity}, m) for where, m in _premiums(table, run)]
    keys = [*_KEYS, "tokenizer"]
    return result_table(rows).sort(keys, maintain_order=True) if rows else result_table([])


def _tallied(segments: Segments, tokenizer: Tokenizer) -> pl.DataFrame:
    """The rows with their state, words and counts of tokens; counts are null where there is no text."""
    frame = segments.frame
    has_source = _has_source(frame)
    table = add_parity(segments, tokenizer).frame if has_source else frame
    if "tp" not in table.columns or not has_source:
        why = pl.lit("the table has no sources")
        table = table.with_columns(pl.lit(None, pl.Float64).alias("tp"), why.alias("tp_reason"))
    if "tp_reason" not in table.columns:
        table = table.with_columns(pl.lit(None, pl.String).alias("tp_reason"))
    state = text_state(frame["target"])
    present = (state == "text").to_numpy()
    tally = np.full((frame.height, len(TALLY)), np.nan)
    texts = frame["target"].filter(state == "text")
    tally[present] = tokenizer.tally(texts)
    words = np.full(frame.height, np.nan)
    words[present] = [len(text.split()) for text in texts]
    columns = [pl.Series(f"_{name}", tally[:, i]) for i, name in enumerate(TALLY)]
    return table.with_columns(state.alias("_state"), pl.Series("_words", words), *columns)


def _has_source(frame: pl.DataFrame) -> bool:
    return "source" in frame.columns and frame["source"].null_count() < frame.height


def _cell(cell: pl.DataFrame, run: _Run) -> Iterator[Measure]:
    """The measures of one cell in one condition."""
    rows = cell.filter(pl.col("_state") == "text")
    failures = Counter(f"target is {state}" for state in cell["_state"] if state != "text")
    words, tokens = rows["_words"].to_numpy(), rows["_tokens"].to_numpy()
    boot = {"seed": run.seed, "resamples": run.resamples}

    def column(name: str) -> NDArray[np.float64]:
        return rows[f"_{name}"].to_numpy()

    yield _parity(cell, run)
    yield run.measure("fertility", "tokens per word", "lower", bootstrap_ratio(tokens, words, **boot), failures,
                      total="micro", words="split")  # fmt: skip
    total = Estimate(float(tokens.sum()), None, rows.height) if rows.height else Estimate(None, None, 0, "no rows")
    yield run.measure("ctc", "tokens", "neutral", total, failures)
    yield _one_token(rows["target"], run)
    for name, measure, per in _SHARES:
        if measure != "mark_per_1k" or run.marks:
            share = bootstrap_ratio(column(name), tokens, **boot)
            unit = "per 1,000 tokens" if per == 1000 else "share of tokens"
            yield run.measure(measure, unit, "lower", share, failures, scale=lambda x, per=per: per * x, total="micro")
    rho = bootstrap_spearman(words, tokens, **boot)
    yield run.measure("word_token_rho", "rho", "neutral", rho, failures, words="split")


def _parity(cell: pl.DataFrame, run: _Run) -> Measure:
    values = cell["tp"].drop_nulls().to_numpy()
    failures = Counter(cell.filter(pl.col("tp").is_null())["tp_reason"].to_list())
    estimate = bootstrap_mean(values, seed=run.seed, resamples=run.resamples)
    return run.measure("tp", "ratio", "neutral", estimate, failures, mean="segments")


def _one_token(targets: pl.Series, run: _Run) -> Measure:
    """The share of different words that are one token; n counts the words."""
    words = list(dict.fromkeys(word for text in targets for word in text.split()))
    if not words:
        return run.measure("one_token_pct", "%", "higher", Estimate(None, None, 0, "no words"), {})
    alone = int((run.tokenizer.count(words) == 1).sum())
    estimate = Estimate(100 * alone / len(words), None, len(words))
    return run.measure("one_token_pct", "%", "higher", estimate, {}, types="words", words="split")


def _premiums(table: pl.DataFrame, run: _Run) -> Iterator[tuple[dict[str, str | None], Measure]]:
    """What native cells take for the segments that all of them have."""
    native = table.filter(pl.col("condition") == "native")
    for found in shared_premiums(native.filter(pl.col("_state") == "text"), seed=run.seed, resamples=run.resamples):
        where: dict[str, str | None] = {"language": found.language, "script": found.script, "condition": "native"}
        own = native.filter(language=found.language, script=found.script)
        yield where, run.measure("token_premium", "ratio", "lower", found.estimate,
                                 +Counter({"segments that not all languages have": own.height - found.estimate.n}),
                                 total="micro", against=found.against)  # fmt: skip


def _pairs(table: pl.DataFrame, run: _Run) -> Iterator[tuple[dict[str, str | None], Measure]]:
    """LP and the change of TP, for each native cell that has romanised rows of the same segments."""
    romanized = table.filter(pl.col("condition") == "romanized")
    twins = romanized.select(*_PAIR, pl.col("tp").alias(_ROMANIZED), pl.lit(True).alias(_FOUND))
    for cell in table.filter(pl.col("condition") == "native").partition_by(CELL, maintain_order=True):
        pairs = cell.select(*_PAIR, pl.col("tp").alias(_NATIVE)).join(twins, on=_PAIR, how="left", nulls_equal=True)
        if not pairs[_FOUND].any():
            continue
        where = {**dict(zip(CELL, cell.select(CELL).row(0), strict=True)), "condition": "romanized/native"}
        estimate, failures = _language_penalty(pairs, run)
        here = run.of(romanized.join(cell, on=_PAIR, how="semi", nulls_equal=True))
        yield where, here.measure("lp", "ratio", "neutral", estimate, failures, mean="segments")
        yield where, here.measure("tp_change_pct", "%", "neutral", estimate, failures,
                                  scale=lambda x: 100 * (x - 1), mean="segments")  # fmt: skip


def _language_penalty(pairs: pl.DataFrame, run: _Run) -> tuple[Estimate, Counter[str]]:
    """The ratio of the mean TPs, over segments that have both, and why the others are left out."""
    if pairs.select(_PAIR).is_duplicated().any():
        why = "some segments occur twice in one condition (same id, language and system)"
        return Estimate(None, None, 0, why), Counter()
    both = pairs.drop_nulls()
    twins = int(pairs[_FOUND].sum())
    failures = Counter({"no romanized row": pairs.height - twins, "no tp in one condition": twins - both.height})
    tops, bottoms = both[_ROMANIZED].to_numpy(), both[_NATIVE].to_numpy()
    return bootstrap_ratio(tops, bottoms, seed=run.seed, resamples=run.resamples), +failures
