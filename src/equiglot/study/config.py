"""A study file: what `equiglot run` reads.

.. code-block:: yaml

    title: IndicMT, native and romanised
    data: segments.parquet
    columns: {id: segment_id}
    romanize: itrans-paper
    tokenizers: [pkg:xlmr]
    language_model: pkg:gemma3-270m
    metrics: [chrf, e5]
    severity: first_severity

Every key but ``data`` has a default; an unknown key is an error, because a misspelt one would change a number unseen.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from equiglot.engine import read_settings
from equiglot.errors import InputError

__all__ = ["StudyConfig", "read_study"]


@dataclass(frozen=True, slots=True)
class StudyConfig:
    """One study.

    Attributes:
        data: the table; a path, relative to the study file.
        parallel: another table whose texts are profiled instead of those of ``data``, e.g. reference translations; its
            columns have our names or common ones.
        title: stands above the report; by default the name of the data file.
        columns: ours to theirs, as in ``--map``.
        language: of all rows, where no column says it.
        quotes: whether ``"`` quotes in CSV and TSV.
        lower_is_better: brought score columns in which a smaller value is better.
        romanize: scheme of the romanised condition; None keeps the table's own conditions.
        romanize_reference: romanise the reference with the target.
        tokenizers: references; the first one's TP goes into SBI.
        language_model: reference of the model for IP; None leaves information parity out.
        bos, dtype: policies of the language model.
        metrics: to be scored (bleu, chrf, ter, e5, cosine, bertscore, comet), or score columns that the table already
            has.
        metric_model, layer: of ``bertscore`` and ``cosine``; see :func:`equiglot.quality.score`.
        human: column of people's scores.
        raters: who gave them, in the words of the report; what stands in for people must not be called people.
        severity: column with an error severity per row, or None.
        seed, resamples, permutations: of every random step.
    """

    data: Path
    parallel: Path | None = None
    title: str | None = None
    columns: dict[str, str] = field(default_factory=dict[str, str])
    language: str | None = None
    quotes: bool = True
    lower_is_better: tuple[str, ...] = ()
    romanize: str | None = None
    romanize_reference: bool = True
    tokenizers: tuple[str, ...] = ("pkg:xlmr",)
    language_model: str | None = None
    bos: str = "auto"
    dtype: str = "auto"
    metrics: tuple[str, ...] = ()
    metric_model: str | None = None
    layer: int | None = None
    human: str = "human"
    raters: str = "people"
    severity: str | None = None
    seed: int = 0
    resamples: int = 1000
    permutations: int = 1000


_FIELDS = {f.name: f for f in dataclasses.fields(StudyConfig)}
_LISTS = ("tokenizers", "metrics", "lower_is_better")
_SWITCHES = ("quotes", "romanize_reference")
_PATHS = {"data", "parallel"}
_NUMBERS = {
    "layer": (0, 10_000),
    "seed": (0, 2**32 - 1),
    "resamples": (100, 1_000_000),
    "permutations": (100, 1_000_000),
}
_WORDS = {"bos": ("auto", "require", "never"), "dtype": ("auto", "bfloat16", "float32", "float16", "float64")}


def read_study(path: Path) -> StudyConfig:
    """The study in a YAML file.

    Raises:
        InputError: no such file, not YAML, an unknown key (with the nearest known one), a value of the wrong type.
    """
    entries = read_settings(path, _FIELDS, what="a study file", example="docs/study.md")
    if not isinstance(entries.get("data"), str):
        raise InputError("no 'data'", path=path, fix="name the table, e.g. data: segments.parquet")
    values = {key: _checked(key, value, path) for key, value in entries.items()}
    for key in _PATHS & values.keys():
        values[key] = (path.parent / values[key]).resolve()
    return StudyConfig(**values)


def _checked(key: str, value: Any, path: Path) -> Any:
    wanted: str
    if value is None and _FIELDS[key].default is None:
        return None
    if key in _LISTS:
        wanted, good = "a list of names", isinstance(value, list) and all(isinstance(v, str) for v in value)
    elif key in _NUMBERS:
        low, high = _NUMBERS[key]
        wanted, good = f"a whole number from {low:,} to {high:,}", type(value) is int and low <= value <= high
    elif key in _WORDS:
        wanted, good = f"one of {', '.join(_WORDS[key])}", value in _WORDS[key]
    elif key == "columns":
        wanted = "a mapping of our names to yours"
        good = isinstance(value, dict) and all(isinstance(v, str) for v in (*value.keys(), *value.values()))
    elif key in _SWITCHES:
        wanted, good = "true or false", isinstance(value, bool)
    else:
        wanted, good = "text", isinstance(value, str) and _is_text(value)
    if not good:
        raise InputError(f"{value!r} is not {wanted}", path=path, column=key, fix=f"give {wanted}")
    return tuple(cast("list[str]", value)) if key in _LISTS else value


def _is_text(value: str) -> bool:
    return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)
