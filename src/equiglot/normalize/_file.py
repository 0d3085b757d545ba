"""A fitted map on disk: a header and named arrays, with a format version and a checksum, written whole or not at all.

JSON holds the numbers in Python's shortest form that reads back to the same bits, so that a map is exact and any tool
reads it; Parquet holds the same for maps of millions of scores, the header in its key-value metadata.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.errors import InputError

__all__ = ["Arrays", "read_map", "write_map"]

Arrays = Mapping[str, NDArray[np.float64]]

_FORMATS = {"qn": "equiglot-quantile-map"}
_OTHERS = "equiglot-cell-map"
"""The format by method; a quantile map has had one of its own since before there were others."""

_VERSION = 1
_KEY = "equiglot_map"
_SUFFIXES = (".json", ".parquet")


def write_map(path: Path, header: Mapping[str, Any], arrays: Arrays) -> None:
    """Write to ``path``, .json or .parquet, under a temporary name first.

    Raises:
        InputError: another suffix, or the place can't be written to.
    """
    if path.suffix.lower() not in _SUFFIXES:
        fix = f"name a file that ends in {' or '.join(_SUFFIXES)}"
        raise InputError(f"a map is not written to '{path}'", fix=fix)
    head = {
        "format": _format(header),
        "format_version": _VERSION,
        "sha256": _checksum(header, arrays),
        "header": header,
    }
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix.lower() == ".parquet":
            names = pl.Series("array", list(arrays), dtype=pl.String)
            values = pl.Series("values", [array.tolist() for array in arrays.values()], dtype=pl.List(pl.Float64))
            pl.DataFrame([names, values]).write_parquet(temporary, metadata={_KEY: _canonical(head)})
        else:
            document = {**head, "arrays": {name: array.tolist() for name, array in arrays.items()}}
            temporary.write_text(_canonical(document) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise _unusable(error, path, "can't be written", "name a place you may write to") from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def read_map(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[np.float64]]]:
    """The header and the arrays of a map file.

    Raises:
        InputError: no such file, not a map, a newer format, or a checksum that doesn't match.
    """
    try:
        document, arrays = _read_parquet(path) if path.suffix.lower() == ".parquet" else _read_json(path)
    except OSError as error:
        raise _unusable(error, path, "can't be read", "name a file that `save` wrote") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, pl.exceptions.PolarsError) as error:
        raise _foreign(path) from error
    if not isinstance(document, dict) or document.get("format") not in (*_FORMATS.values(), _OTHERS):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _foreign(path)
    version = document.get("format_version")
    if isinstance(version, int) and version > _VERSION:
        problem = f"the map has format {version}, this equiglot reads up to {_VERSION}"
        raise InputError(problem, path=path, fix="upgrade equiglot, or fit the map again with this version")
    header = document.get("header")
    if not isinstance(header, dict) or _checksum(header, arrays) != document.get("sha256"):
        problem = "the map is damaged: its content doesn't match its checksum"
        raise InputError(problem, path=path, fix="copy it again, or fit it again")
    if any(array.ndim != 1 or not np.isfinite(array).all() for array in arrays.values()):
        raise InputError("the map holds what is no list of numbers", path=path, fix="fit it again")
    return header, arrays


def _format(header: Mapping[str, Any]) -> str:
    return _FORMATS.get(header.get("method", "qn"), _OTHERS)


def _read_json(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[np.float64]]]:
    document = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    arrays = document.get("arrays", {})
    return document, {name: np.array(values, dtype=np.float64) for name, values in arrays.items()}


def _read_parquet(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[np.float64]]]:
    document = json.loads(pl.read_parquet_metadata(path)[_KEY], parse_constant=_refuse)
    frame = pl.read_parquet(path)
    return document, {name: values.to_numpy() for name, values in zip(frame["array"], frame["values"], strict=True)}


def _checksum(header: Mapping[str, Any], arrays: Arrays) -> str:
    """SHA-256 of the header and of every array's name, length and little-endian bytes; the same for both file types."""
    digest = sha256(_canonical(header).encode())
    for name in sorted(arrays):
        digest.update(f"\0{name}\0{arrays[name].size}\0".encode("utf-8", "surrogatepass"))
        digest.update(arrays[name].astype("<f8").tobytes())
    return digest.hexdigest()


def _canonical(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _unusable(error: OSError, path: Path, what: str, fix: str) -> InputError:
    return InputError(f"the map {what} ({error.strerror or error})", path=path, fix=fix)


def _foreign(path: Path) -> InputError:
    return InputError("this is not a map of equiglot's", path=path, fix="name a file that `save` wrote")


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
