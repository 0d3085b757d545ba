"""Rubrics: what raters are asked.

A rubric has one of two tasks. *Scales* ask for a rating per dimension; the ratings add up to the total, and larger is
better. *Spans* ask for errors marked in the text, each with a category and a severity; the score is minus the sum of
the severities' weights, so larger is better here too (0: no error).

Texts are by language, with English always among them. How a rubric is written as a file: :mod:`.rubric_files`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from equiglot.people._yaml import Texts

__all__ = ["Category", "Dimension", "Example", "Rubric", "Severity", "Task"]

Task = Literal["scales", "spans"]


@dataclass(frozen=True, slots=True)
class Dimension:
    """One scale: its name in results, what raters read, and what each of its values stands for."""

    name: str
    label: Texts
    question: Texts
    anchors: dict[int, Texts]

    @property
    def low(self) -> int:
        """The lowest value."""
        return min(self.anchors)

    @property
    def high(self) -> int:
        """The highest value."""
        return max(self.anchors)


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of error."""

    name: str
    label: Texts


@dataclass(frozen=True, slots=True)
class Severity:
    """How bad an error is, and what it weighs."""

    name: str
    label: Texts
    weight: float


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt, an answer, and how it should be rated and why."""

    prompt: str
    answer: str
    why: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """What raters are asked.

    Attributes:
        name: in results.
        task: ``scales`` or ``spans``.
        title, instructions: by language.
        dimensions: the scales, in order; none where spans are marked.
        categories, severities: of errors; none where scales are rated.
        examples: shown with the instructions.
    """

    name: str
    task: Task
    title: Texts
    instructions: Texts
    dimensions: tuple[Dimension, ...] = ()
    categories: tuple[Category, ...] = ()
    severities: tuple[Severity, ...] = ()
    examples: tuple[Example, ...] = ()

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which every label can be had, English first."""
        labels = [part.label for part in (*self.dimensions, *self.categories, *self.severities)]
        shared = set[str](labels[0]).intersection(*labels)
        return ("en", *(language for language in labels[0] if language in shared - {"en"}))

    @property
    def total(self) -> int:
        """The highest total of the scales."""
        return sum(dimension.high for dimension in self.dimensions)

    @property
    def weights(self) -> dict[str, float]:
        """What an error of each severity weighs."""
        return {severity.name: severity.weight for severity in self.severities}

    def to_dict(self) -> dict[str, Any]:
        """The rubric as its file would hold it, with nothing taken from a base."""
        return {key: value for key, value in asdict(self).items() if value != ()}
