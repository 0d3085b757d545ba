"""The failure-aware policy on a segment table.

Columns added:

=================== ==================================================================================
``valid``           whether nothing was found that makes the answer invalid
``failure``         the first kind that does, null where valid
``failures``        all of them, a list
``remarks``         the kinds that were found and do not, a list
``failure_details`` everything found, a JSON list of {kind, start, end, script, text, count, reason}
=================== ==================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table import Segments, usual_script
from equiglot.tokens import load_tokenizer
from equiglot.tokens.tokenizer import Tokenizer
from equiglot.validity._missing import has_cells, missing_by_system, missing_note
from equiglot.validity.brought import yes_or_no
from equiglot.validity.expected import expected_scripts
from equiglot.validity.findings import to_json
from equiglot.validity.judge import Answers, judge
from equiglot.validity.policy import Policy
from equiglot.validity.tally import NO_SOURCE

__all__ = ["COLUMNS", "judged", "limit_tokenizer", "valid_info", "validate"]

COLUMNS = ("valid", "failure", "failures", "remarks", "failure_details")
"""The columns that validation adds."""


def validate(
    segments: Segments,
    *,
    policy: Policy | None = None,
    scripts: Sequence[str] = (),
    may_copy: str | None = None,
    tokenizer: str | None = None,
) -> Segments:
    """The table with what is wrong with each target, and whether it is valid.

    Args:
        segments: needs ``target``; copies are found where there is ``source``.
        policy: thresholds and the kinds that make a target invalid; default: paper 3's.
        scripts: ISO 15924 codes that every target may be in; default: each row's own ``script``.
        may_copy: a column of yes and no: whether a row's task may return its source, as mending grammar may.
        tokenizer: reference of the tokeniser in which ``policy.max_tokens`` is counted.

    >>> frame = pl.DataFrame({"id": ["1", "2"], "language": "hi", "script": "Latn", "condition": "romanized",
    ...                       "system": "a", "source": "It is raining again", "target": ["phir मानना hai", "baarish"]})
    >>> validate(Segments(frame)).frame.select("valid", "failure").rows()
    [(False, 'spillage'), (True, None)]

    Raises:
        InputError: no target; a script that is not known; a limit without a tokeniser; a column of neither yes nor no.
    """
    policy = policy or Policy()
    segments.require("target", why="is what is validated")
    counter = limit_tokenizer(policy, tokenizer)
    frame = judged(segments.frame, policy, scripts, may_copy=may_copy, tokenizer=counter)
    info = valid_info(policy, scripts, counter)
    made = replace(segments, frame=frame, measures={**segments.measures, info.name: info})
    said = missing_note(missing_by_system(frame), cells=has_cells(segments.path))
    return made.noted(*said, *([] if "source" in frame.columns else [NO_SOURCE]))


def valid_info(policy: Policy, scripts: Sequence[str], tokenizer: Tokenizer | None) -> MeasureInfo:
    """What is known of the column ``valid``."""
    identity = tokenizer.identity if tokenizer else None
    made = policy.signature(expected="+".join(scripts) or "column", tokenizer=identity)
    return MeasureInfo("valid", "share", "higher", made)


def limit_tokenizer(policy: Policy, tokenizer: str | None) -> Tokenizer | None:
    """The tokeniser that a limit is counted in.

    Raises:
        InputError: a limit without a tokeniser, or the other way round.
    """
    if (policy.max_tokens is None) != (tokenizer is None):
        raise InputError("a token limit and a tokeniser need each other", fix="give both, or neither")
    return None if tokenizer is None else load_tokenizer(tokenizer)


def judged(
    frame: pl.DataFrame,
    policy: Policy,
    scripts: Sequence[str],
    *,
    may_copy: str | None = None,
    tokenizer: Tokenizer | None = None,
) -> pl.DataFrame:
    """The rows with the columns of :data:`COLUMNS`; the arguments are those of :func:`validate`."""
    n = frame.height
    sources = frame["source"].to_list() if "source" in frame.columns else [None] * n
    found = judge(
        Answers(
            targets=frame["target"].to_list(),
            sources=sources,
            expected=_expected(frame, scripts),
            languages=frame["language"].to_list(),
            may_copy=[False] * n if may_copy is None else _said(frame, may_copy),
        ),
        policy,
        tokenizer,
    )
    fatal = set(policy.invalid)
    kinds = [list(dict.fromkeys(finding.kind for finding in row)) for row in found]
    failures = [[kind for kind in row if kind in fatal] for row in kinds]
    return frame.with_columns(
        pl.Series("valid", [not row for row in failures], dtype=pl.Boolean),
        pl.Series("failure", [row[0] if row else None for row in failures], dtype=pl.String),
        _lists("failures", failures),
        _lists("remarks", [[kind for kind in row if kind not in fatal] for row in kinds]),
        pl.Series("failure_details", [to_json(row) if row else "[]" for row in found], dtype=pl.String),
    )


def _lists(name: str, rows: list[list[str]]) -> pl.Series:
    """A column of lists; Polars alone takes longer to make it than the rows take to be judged."""
    import pyarrow as pa

    ends = np.cumsum([0, *map(len, rows)])
    values = pa.array([kind for row in rows for kind in row], pa.large_string())
    return pl.Series(name, pa.LargeListArray.from_arrays(pa.array(ends, pa.int64()), values))


def _expected(frame: pl.DataFrame, scripts: Sequence[str]) -> list[frozenset[str]]:
    if scripts:
        return [expected_scripts(*scripts)] * frame.height
    pairs = frame.select("language", "script").iter_rows()
    return [_of_row(language, script) for language, script in pairs]


@lru_cache(maxsize=4096)
def _of_row(language: str | None, script: str | None) -> frozenset[str]:
    code = script or (usual_script(language) if language else None)
    if code is None:
        fix = "add a column 'script', or say which scripts are expected"
        raise InputError(f"nothing says which script '{language}' is expected in", fix=fix, column="script")
    primary = (language or "").partition("-")[0]
    # Japanese and Korean write with several scripts at once, whichever of them a table calls theirs.
    if primary == "ja" and code in ("Hani", "Hira", "Kana", "Hrkt"):
        code = "Jpan"
    if primary == "ko" and code == "Hang":
        code = "Kore"
    return expected_scripts(code)


def _said(frame: pl.DataFrame, column: str) -> list[bool]:
    if column not in frame.columns:
        fix = f"the columns are {', '.join(frame.columns)}"
        raise InputError(f"there is no column '{column}' that says which rows may be copies", fix=fix)
    return yes_or_no(Segments(frame), column, no=("", None)).to_list()
