"""A lab file: what `equiglot lab train` reads.

.. code-block:: yaml

    texts: parallel.parquet          # one column per language, one row per sentence
    evaluate: flores.parquet         # likewise; without it the last tenth of the texts is held out
    languages: [en, ru, zh, ar]
    vocabularies: [512, 1024, 2048]
    size: tiny                       # tiny (a processor), small or medium (GPT-2's sizes; a GPU)
    seed: 0

``epochs``, ``batch``, ``context`` and ``learning_rate`` are the size's own unless given.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from equiglot.engine import read_settings
from equiglot.errors import InputError

__all__ = ["SIZES", "LabConfig", "Size", "read_lab"]


@dataclass(frozen=True, slots=True)
class Size:
    """Shape of a model and how it is trained.

    Attributes:
        n_embd, n_layer, n_head: GPT-2's names of width, depth and attention heads.
        context: the most tokens, the leading end-of-text included, that the model reads at once.
        batch: sentences per update.
        epochs: how often every sentence is seen.
        learning_rate: its highest value; it rises over the first 5% of updates and falls to a tenth by a cosine.
        dropout: as in GPT-2, at all three places.
    """

    n_embd: int
    n_layer: int
    n_head: int
    context: int
    batch: int
    epochs: int
    learning_rate: float
    dropout: float


SIZES = {
    name: Size(**values)
    for name, values in json.loads(files("equiglot.lab").joinpath("sizes.json").read_text()).items()
}
"""The sizes that a lab file may name."""


@dataclass(frozen=True, slots=True)
class LabConfig:
    """One experiment.

    Attributes:
        texts: the parallel table to learn from; a path, relative to the lab file.
        evaluate: the parallel table to be scored; None holds out the last tenth of ``texts``.
        languages: columns of the tables; empty takes all that hold text.
        vocabularies: sizes of the tokenisers, the 256 bytes and end-of-text included.
        size: a key of :data:`SIZES`.
        epochs, batch, context, learning_rate: in place of the size's own.
        bos: how texts are scored: ``auto`` puts end-of-text before each, as in training, so that every token is
            scored; ``never`` leaves the first token unscored, as paper 2 does.
        seed: of weights, dropout and the order of sentences; the same order for every model.
    """

    texts: Path
    evaluate: Path | None = None
    languages: tuple[str, ...] = ()
    vocabularies: tuple[int, ...] = (512, 1024, 2048)
    size: str = "tiny"
    epochs: int | None = None
    batch: int | None = None
    context: int | None = None
    learning_rate: float | None = None
    bos: str = "auto"
    seed: int = 0

    @property
    def training(self) -> Size:
        """The size with what the file changes of it."""
        own = asdict(SIZES[self.size])
        return Size(
            **{name: value if (given := getattr(self, name, None)) is None else given for name, value in own.items()}
        )


_KEYS = [field.name for field in fields(LabConfig)]
_NUMBERS = {"epochs": (1, 10_000), "batch": (1, 100_000), "context": (8, 1_000_000), "seed": (0, 2**32 - 1)}
_LEAST_VOCABULARY, _MOST_VOCABULARY = 300, 1_000_000


def read_lab(path: Path) -> LabConfig:
    """The experiment in a YAML file.

    Raises:
        InputError: no such file, not YAML, an unknown key, or a value that can't be.
    """
    entries = read_settings(path, _KEYS, what="a lab file", example="docs/lab.md")
    if not isinstance(entries.get("texts"), str):
        raise InputError("no 'texts'", path=path, fix="name the parallel table, e.g. texts: parallel.parquet")
    return LabConfig(**{key: _value(key, value, path) for key, value in entries.items()})


def _value(key: str, value: Any, path: Path) -> Any:
    def refuse(wanted: str) -> InputError:
        return InputError(f"{value!r} is not {wanted}", path=path, column=key, fix=f"give {wanted}")

    if key in ("texts", "evaluate"):
        if not isinstance(value, str) or "\0" in value:
            raise refuse("a path")
        return (path.parent / value).resolve()
    if key == "languages":
        if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
            raise refuse('a list of columns (quote "no" in YAML)')
        return tuple(dict.fromkeys(value))
    if key == "vocabularies":
        sizes = value if isinstance(value, list) else [value]
        if not sizes or any(type(one) is not int or not _LEAST_VOCABULARY <= one <= _MOST_VOCABULARY for one in sizes):
            raise refuse(f"a list of sizes from {_LEAST_VOCABULARY} to {_MOST_VOCABULARY:,}")
        return tuple(sorted(set(sizes)))
    if key in _NUMBERS:
        low, high = _NUMBERS[key]
        if type(value) is not int or not low <= value <= high:
            raise refuse(f"a whole number from {low:,} to {high:,}")
        return value
    if key == "learning_rate":
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1:
            raise refuse("a number between 0 and 1")
        return float(value)
    known = {"size": list(SIZES), "bos": ["auto", "never"]}[key]
    if value not in known:
        raise refuse(f"one of {', '.join(known)}")
    return value
