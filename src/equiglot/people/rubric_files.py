"""Rubrics as YAML files: the bundled ones, and users' own.

.. code-block:: yaml

    name: mine
    title: How good is the answer?                     # each text is English, or by language with English among them
    instructions: {en: Judge each question by itself., hi: ...}
    dimensions:
      - name: naturalness
        label: {en: Naturalness, hi: सहजता}
        question: Does it read naturally?
        anchors: {0: "No", 1: Partly, 2: "Yes"}        # consecutive whole numbers from 0 to 9: one key each
    examples:
      - {prompt: ..., answer: ..., why: ...}

``task: spans`` asks for errors marked in the text, with ``categories`` and ``severities`` (each with a ``weight``)
in place of ``dimensions``. A rubric may take another's dimensions: ``base: full-25`` and
``keep: [naturalness, usability]``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from equiglot.errors import InputError
from equiglot.people._yaml import Entries, Texts, read_entries
from equiglot.people.rubric import Category, Dimension, Example, Rubric, Severity

__all__ = ["read_rubric", "rubric_from_json", "rubric_names"]

_FOLDER = Path(__file__).with_name("rubrics")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_COMMON = ("name", "task", "title", "instructions", "examples")


def rubric_names() -> list[str]:
    """The bundled rubrics.

    >>> rubric_names()
    ['core-12', 'full-25', 'mqm']
    """
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def read_rubric(name: str | Path) -> Rubric:
    """A bundled rubric by its name, or the one in a YAML file.

    Raises:
        InputError: no such rubric; not YAML; an entry that is unknown, missing or wrong, named by its key.

    >>> rubric = read_rubric("core-12")
    >>> [d.name for d in rubric.dimensions], rubric.total, rubric.languages
    (['naturalness', 'grammar', 'word_choice', 'register', 'usability'], 12, ('en', 'hi', 'te', 'kn'))
    >>> read_rubric("mqm").weights
    {'neutral': 0, 'minor': 1, 'major': 5, 'critical': 10}
    """
    path = _path(name)
    return _rubric(read_entries(path, what="a rubric"))


def rubric_from_json(text: str) -> Rubric:
    """The rubric that ``json.dumps(rubric.to_dict())`` holds."""
    return _rubric(Entries(json.loads(text), Path("rubric.json")))


def _path(name: str | Path) -> Path:
    if str(name) in rubric_names():
        return _FOLDER / f"{name}.yaml"
    path = Path(name)
    if not path.is_file():
        fix = f"give the path of a rubric file, or one of {', '.join(rubric_names())}"
        raise InputError(f"there is no rubric '{name}'", fix=fix)
    return path


def _rubric(found: Entries) -> Rubric:
    task = found.text("task", "scales")
    if task not in ("scales", "spans"):
        raise found.error(f"'{task}' is no task", fix="use scales or spans", key="task")
    if task == "spans":
        found.only(*_COMMON, "categories", "severities")
        base = None
    else:
        found.only(*_COMMON, "dimensions", "base", "keep")
        base = _base(found)
    return Rubric(
        name=found.text("name"),
        task="spans" if task == "spans" else "scales",
        title=found.texts("title"),
        instructions=base.instructions if base and "instructions" not in found else found.texts("instructions"),
        dimensions=_dimensions(found, base) if task == "scales" else (),
        categories=tuple(_categories(found)) if task == "spans" else (),
        severities=tuple(_severities(found)) if task == "spans" else (),
        examples=base.examples if base and "examples" not in found else tuple(_examples(found)),
    )


def _base(found: Entries) -> Rubric | None:
    if "base" not in found:
        return None
    name = found.text("base")
    if name not in rubric_names():
        fix = f"use one of {', '.join(rubric_names())}"
        raise found.error(f"'{name}' is not a bundled rubric", fix=fix, key="base")
    base = read_rubric(name)
    if base.task != "scales":
        raise found.error(f"'{name}' has no dimensions", fix="use a rubric of scales", key="base")
    return base


def _dimensions(found: Entries, base: Rubric | None) -> tuple[Dimension, ...]:
    if base is None:
        if "keep" in found:
            raise found.error("there is no base to keep dimensions of", fix="add `base: full-25`", key="keep")
        own = [_dimension(entry) for entry in found.entries("dimensions")]
    else:
        own = [_dimension(entry) for entry in found.entries("dimensions")] if "dimensions" in found else []
    kept = _kept(found, base) if base else []
    _check_names(found, "dimensions", [dimension.name for dimension in (*kept, *own)])
    return (*kept, *own)


def _kept(found: Entries, base: Rubric) -> list[Dimension]:
    by_name = {dimension.name: dimension for dimension in base.dimensions}
    names = found.list("keep", list(by_name))
    for name in names:
        if name not in by_name:
            fix = f"use some of {', '.join(by_name)}"
            raise found.error(f"'{name}' is no dimension of {base.name}", fix=fix, key="keep")
    return [by_name[name] for name in names]


def _dimension(entry: Entries) -> Dimension:
    entry.only("name", "label", "question", "anchors")
    return Dimension(_name(entry), entry.texts("label"), entry.texts("question"), _anchors(entry))


def _anchors(entry: Entries) -> dict[int, Texts]:
    anchors = entry.inner("anchors")
    texts: dict[int, Texts] = {}
    for key in anchors:
        value = int(key) if isinstance(key, str) and key.isdecimal() else key
        if type(value) is not int or not 0 <= value <= 9:
            raise entry.error(f"'{key}' is not a whole number from 0 to 9", fix="use 0 to 9", key="anchors")
        texts[value] = anchors.texts(key)
    values = sorted(texts)
    if len(values) < 2 or values != list(range(values[0], values[-1] + 1)):
        raise entry.error(
            "a scale needs two or more consecutive values", fix="give each an anchor, e.g. 0, 1, 2", key="anchors"
        )
    return {value: texts[value] for value in values}


def _categories(found: Entries) -> list[Category]:
    entries = found.entries("categories")
    for entry in entries:
        entry.only("name", "label")
    _check_names(found, "categories", [entry.text("name") for entry in entries])
    return [Category(_name(entry), entry.texts("label")) for entry in entries]


def _severities(found: Entries) -> list[Severity]:
    entries = found.entries("severities")
    for entry in entries:
        entry.only("name", "label", "weight")
    _check_names(found, "severities", [entry.text("name") for entry in entries])
    return [Severity(_name(entry), entry.texts("label"), entry.number("weight", 0, 1000)) for entry in entries]


def _examples(found: Entries) -> list[Example]:
    if "examples" not in found:
        return []
    entries = found.entries("examples")
    for entry in entries:
        entry.only("prompt", "answer", "why")
    return [Example(entry.text("prompt"), entry.text("answer"), entry.text("why")) for entry in entries]


def _name(entry: Entries) -> str:
    name = entry.text("name")
    if not _NAME.fullmatch(name):
        fix = "use lower-case letters, digits and underscores, a letter first"
        raise entry.error(f"'{name}' is not a name", fix=fix, key="name")
    return name


def _check_names(found: Entries, key: str, names: Sequence[Any]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise found.error(f"the name '{name}' is there twice", fix="rename one of them", key=key)
