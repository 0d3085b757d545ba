"""Settings files: YAML in which a misspelt or repeated key is an error, because it would change a number unseen."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from equiglot.errors import InputError

__all__ = ["read_settings", "read_yaml"]


class _OneOfEach(yaml.SafeLoader):
    """YAML in which a key given twice is an error: the last would win unseen."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping of a node."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = next((key for i, key in enumerate(keys) if key in keys[:i]), None)
        if twice is not None:
            raise yaml.constructor.ConstructorError(None, None, f"the key '{twice}' is there twice", node.start_mark)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path, *, what: str, see: str = "") -> Any:
    """What a YAML file holds.

    Args:
        path: the file.
        what: it is to be, as in "give the path of a study file".
        see: where an example is, e.g. ``docs/study.md``.

    Raises:
        InputError: no such file, or not YAML.
    """
    fix = f"give the path of {what} in YAML"
    try:
        return yaml.load(path.read_text("utf-8"), _OneOfEach)
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", path=path, fix=fix) from None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        # ValueError: bytes that aren't UTF-8, or a date such as 2026-02-30; TypeError: a key that is a mapping.
        said = " ".join(str(error).split())[:200]
        raise InputError(f"not YAML ({said})", path=path, fix=f"see the example in {see}" if see else fix) from None


def read_settings(path: Path, known: Collection[str], *, what: str, example: str) -> dict[str, Any]:
    """The mapping in a YAML file, all of whose keys are known; values are not looked at.

    Args:
        path: the file.
        known: every key that there may be.
        what: such a file, as in "give the path of a study file".
        example: where one can be seen, e.g. ``docs/study.md``.

    Raises:
        InputError: no such file, not YAML, not a mapping, or an unknown key (with the nearest known one).
    """
    entries = read_yaml(path, what=what, see=example)
    if not isinstance(entries, dict):
        raise InputError("not a mapping of keys to values", path=path, fix=f"see the example in {example}")
    for key in entries:
        if key not in known:
            near = get_close_matches(str(key), known, n=1)
            fix = f"did you mean '{near[0]}'?" if near else f"use {', '.join(known)}"
            raise InputError(f"unknown key '{key}'", path=path, fix=fix)
    return entries
