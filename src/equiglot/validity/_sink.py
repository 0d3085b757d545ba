"""A table written block by block, under a temporary name until it is whole.

Formats hold what :mod:`equiglot.table.writing` says: Parquet lists and what is known of the measures, JSON Lines lists,
CSV and TSV the kinds of a list in one cell, joined by "; ".
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import polars as pl

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table import require_place
from equiglot.table.reading import METADATA_KEY
from equiglot.table.writing import as_cells, require_cells

__all__ = ["Sink"]

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_FEW_VALUES = ("language", "script", "condition", "system", "failure")


class Sink:
    """Writes blocks of rows to a file; used as a context manager, which leaves the old file where the work fails.

    Raises:
        InputError: at once, where the file can't be written.
    """

    def __init__(self, path: Path) -> None:
        require_place(path)
        self._path = path
        self._suffix = path.suffix.lower()
        self._unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        self._file: IO[bytes] | None = None
        self._schema: dict[str, pl.DataType] = {}
        self._parquet: Any = None
        self._rows = 0

    def __enter__(self) -> Sink:
        try:
            self._file = self._unfinished.open("wb")
        except OSError as error:
            problem = error.strerror or "the file cannot be written"
            raise InputError(problem, fix="name a file that can be written", path=self._path) from error
        return self

    def write(self, frame: pl.DataFrame) -> None:
        """Add rows; columns and types are those of the first block, except in JSON Lines."""
        assert self._file is not None
        require_cells(frame, self._path)
        if self._suffix in _SEPARATORS:
            frame = self._conformed(as_cells(frame))
            frame.write_csv(self._file, separator=_SEPARATORS[self._suffix], include_header=not self._rows)
        elif self._suffix == ".parquet":
            self._write_parquet(self._conformed(frame))
        else:
            frame.write_ndjson(self._file)
        self._rows += frame.height

    def _write_parquet(self, frame: pl.DataFrame) -> None:
        import pyarrow.parquet as pq

        table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
        if self._parquet is None:
            # A dictionary of texts costs time and saves nothing.
            few: Any = [name for name in _FEW_VALUES if name in table.schema.names]
            self._parquet = pq.ParquetWriter(self._file, table.schema, compression="zstd", use_dictionary=few)
        self._parquet.write_table(table)

    def _conformed(self, frame: pl.DataFrame) -> pl.DataFrame:
        if not self._schema:
            # A column without a value so far is text until it shows what it is.
            self._schema = {name: pl.String() if d == pl.Null else d for name, d in frame.schema.items()}
        for name in frame.columns:
            if name not in self._schema:
                raise self._odd(name, "is not in the rows before")
        try:
            return pl.DataFrame(
                [
                    (frame[name] if name in frame.columns else pl.Series(name, [None] * frame.height)).cast(dtype)
                    for name, dtype in self._schema.items()  # as series: a name may read as a pattern
                ]
            )
        except pl.exceptions.PolarsError as error:
            raise self._odd("", f"changes its type ({error})") from error

    def _odd(self, column: str, what: str) -> InputError:
        problem = f"a column {what}, after {self._rows:,} rows"
        return InputError(problem, fix="write .jsonl, where rows may differ", column=column or None)

    def finish(self, measures: Mapping[str, MeasureInfo], notes: Sequence[str]) -> None:
        """Say what is known of the measures, and move the file to its place."""
        assert self._file is not None
        if self._parquet is not None:
            known = {"measures": {name: asdict(info) for name, info in measures.items()}, "notes": list(notes)}
            self._parquet.add_key_value_metadata({METADATA_KEY: json.dumps(known, ensure_ascii=False)})
            self._parquet.close()
        self._file.close()
        self._unfinished.replace(self._path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._parquet is not None:
            self._parquet.close()  # once more is no harm
        if self._file is not None:
            self._file.close()
        self._unfinished.unlink(missing_ok=True)
