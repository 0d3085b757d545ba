"""YAML files of users, read so that every mistake is named by its key.

A key that is not known, or given twice, is an error: a misspelt one would change what raters see, or what is sampled,
unseen. Places are written as in ``dimensions[2].high``, list entries counted from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from equiglot.engine import read_yaml
from equiglot.errors import InputError

__all__ = ["Entries", "Texts", "read_entries"]

Texts = Mapping[str, str]
"""A text by language; English is always among them."""

_MISSING = object()
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def read_entries(path: Path, *, what: str) -> Entries:
    """The mapping in a YAML file; ``what`` it is to be, e.g. ``"a rubric"``.

    Raises:
        InputError: no such file; not YAML; not a mapping.
    """
    return Entries(read_yaml(path, what=what), path)


class Entries:
    """One mapping of a YAML file, its place known, so that what is wrong in it can be named."""

    def __init__(self, data: Any, path: Path, place: str = "") -> None:
        self.path, self.place = path, place
        if not isinstance(data, dict):
            raise self.error("not a mapping of keys to values", fix="write it as `key: value` lines")
        self._data = cast("dict[Any, Any]", data)

    def error(self, problem: str, *, fix: str, key: str | None = None) -> InputError:
        """An error at a key of this mapping, or at the mapping itself."""
        place = self.place if key is None else self._place(key)
        return InputError(problem, fix=fix, path=self.path, column=place or None)

    def only(self, *known: str) -> None:
        """Raise :class:`InputError` for a key that is not known, with the nearest one that is."""
        for key in self._data:
            if key not in known:
                near = get_close_matches(str(key), known, n=1)
                fix = f"did you mean '{near[0]}'?" if near else f"use {', '.join(known)}"
                raise self.error(f"unknown key '{key}'", fix=fix)

    def __contains__(self, key: str) -> bool:
        return self._data.get(key) is not None

    def __iter__(self) -> Iterator[Any]:
        """The keys as they are in the file."""
        return iter(self._data)

    def value(self, key: str) -> Any:
        """Whatever stands there; None where nothing does."""
        return self._data.get(key)

    def text(self, key: str, default: Any = _MISSING) -> str:
        """A text that is not blank."""
        value = self._given(key, default)
        if value is default:
            return value
        if not isinstance(value, str) or not value.strip():
            raise self.error(f"{value!r} is not a text", fix="give a text", key=key)
        return value

    def number(self, key: str, low: float, high: float, default: Any = _MISSING) -> float:
        """A number from ``low`` to ``high``."""
        value = self._given(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            fix = f"give a number from {low:g} to {high:g}"
            raise self.error(f"{value!r} is not a number from {low:g} to {high:g}", fix=fix, key=key)
        return value

    def whole(self, key: str, low: int, high: int, default: Any = _MISSING) -> int:
        """A whole number from ``low`` to ``high``."""
        value = self.number(key, low, high, default)
        if not isinstance(value, int):
            raise self.error(f"{value!r} is not a whole number", fix="give a whole number", key=key)
        return value

    def list(self, key: str, default: Any = _MISSING) -> list[Any]:
        """A list with at least one entry."""
        value = self._given(key, default)
        if value is default:
            return cast("list[Any]", value)
        if not isinstance(value, list) or not value:
            raise self.error("this is not a list with entries", fix="write each entry on a line with `- `", key=key)
        return cast("list[Any]", value)

    def entries(self, key: str) -> list[Entries]:
        """A list of mappings."""
        return [Entries(one, self.path, self._place(f"{key}[{i}]")) for i, one in enumerate(self.list(key), 1)]

    def inner(self, key: str) -> Entries:
        """A mapping inside this one; empty where there is none."""
        return Entries({} if self._data.get(key) is None else self._data[key], self.path, self._place(key))

    def texts(self, key: str) -> Texts:
        """A text by language, ``{en: ..., hi: ...}``; a plain text is English."""
        value = self._given(key, _MISSING)
        if isinstance(value, str):
            return {"en": self.text(key)}
        inner = self.inner(key)
        languages = list(inner)
        if "en" not in languages:
            raise self.error("there is no English text", fix="add `en: ...`", key=key)
        odd = next((tag for tag in languages if not _LANGUAGE.fullmatch(str(tag))), None)
        if odd is not None:
            fix = "write {en: ..., hi: ...}, and quote a text that holds a comma"
            raise self.error(f"'{odd}' is not a language tag", fix=fix, key=key)
        return {str(language): inner.text(language) for language in languages}

    def _given(self, key: str, default: Any) -> Any:
        value = self._data.get(key)
        if value is not None:
            return value
        if default is _MISSING:
            raise self.error(f"there is no '{key}'", fix=f"add `{key}: ...`")
        return default

    def _place(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else f"{key}"
