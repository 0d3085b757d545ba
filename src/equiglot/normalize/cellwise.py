"""The corrections that quantile normalisation is held against: identity, shift, affine (z) and isotonic regression.

Each is fitted cell by cell (:mod:`equiglot.normalize.maps` has the formulas), saved and put to other tables as quantile
normalisation is. Shift and affine map onto a reference, as it does. Isotonic regression maps romanised scores onto
the native scores of the same translations, so its reference is always the language's own and native cells stay as
they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.normalize._cells import Cell, named
from equiglot.normalize._file import Arrays, read_map
from equiglot.normalize._reference import Reference, choose_references, reference_of
from equiglot.normalize._rows import FitRows, Pairs, fit_rows, paired_scores
from equiglot.normalize._signature import tokenizer_identity
from equiglot.normalize.correction import Correction, Method, read_distributions, today
from equiglot.normalize.distribution import CellDistribution
from equiglot.normalize.maps import Line, Steps
from equiglot.table import Segments

__all__ = ["CellNormalizer"]

_LINES = {"shift": Line.shift, "affine": Line.affine}
_FIX = "fit the map again with this version of equiglot"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CellNormalizer(Correction):
    """One line, or one isotonic regression, per cell.

    Attributes:
        maps: by cell.
        called: the method.
    """

    maps: Mapping[Cell, Line | Steps]
    called: Method

    @classmethod
    def fit(
        cls, segments: Segments, metric: str, method: Method, *, reference: Reference = "native-pooled"
    ) -> CellNormalizer:
        """Learn a map for every cell of a scored table; null scores are left out.

        Args:
            segments: the table, with ``metric`` among its measures; ``isotonic`` needs translations that are there in
                both conditions.
            metric: the score column.
            method: ``identity``, ``shift``, ``affine`` or ``isotonic``.
            reference: as for :meth:`~equiglot.normalize.QuantileNormalizer.fit`; ``identity`` has none, and that of
                ``isotonic`` is ``native-own`` whatever is given.

        Raises:
            InputError: no such measure or reference, a NaN or infinite score, no translation in both conditions.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"id": ["1", "2"] * 2, "language": "ta", "script": ["Taml"] * 2 + ["Latn"] * 2,
        ...     "condition": ["native"] * 2 + ["romanized"] * 2, "system": "a", "comet": [80.0, 90.0, 50.0, 70.0]})
        >>> table = Segments(frame, {"comet": MeasureInfo("comet", "points", "higher", "metric:comet")})
        >>> CellNormalizer.fit(table, "comet", "shift").transform(table).frame["comet_shift"].to_list()
        [80.0, 90.0, 75.0, 95.0]
        """
        info, rows = segments.info(metric), fit_rows(segments, metric)
        pairs = paired_scores(segments, metric) if method == "isotonic" else {}
        tokenizer = tokenizer_identity(segments.measures, metric)
        return cls.of_rows(rows, pairs, info, method, reference=reference, tokenizer=tokenizer)

    @classmethod
    def of_rows(
        cls,
        rows: FitRows,
        pairs: Pairs,
        info: MeasureInfo,
        method: Method,
        *,
        reference: Reference,
        tokenizer: str | None = None,
    ) -> CellNormalizer:
        """The maps of scores that were taken from their table."""
        notes = list(rows.notes)
        if method == "identity":
            name, maps = "none", dict.fromkeys(rows.cells, Line())
        elif method == "isotonic":
            name, maps = "native-own", _isotonic(rows, pairs, info.name)
            if lost := [named(cell) for cell in rows.cells if cell not in maps]:
                notes.append(f"No translation is there in both conditions in {', '.join(lost)}: not fitted.")
        elif method not in _LINES:
            raise InputError(f"'{method}' is no line and no regression", fix="fit it with fit_correction")
        else:
            name, references = choose_references(rows, info.name, reference)
            maps = {cell: _LINES[method](own, reference_of(cell, references)) for cell, own in rows.cells.items()}
        return cls(
            info=info,
            called=method,
            reference_name=name,
            maps=maps,
            distributions={cell: CellDistribution.of(rows.cells[cell]) for cell in maps},
            tokenizer=tokenizer,
            fitted=today(),
            notes=tuple(notes),
        )

    @property
    def method(self) -> Method:
        """``identity``, ``shift``, ``affine`` or ``isotonic``."""
        return self.called

    def map_scores(self, cell: Cell, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """One cell's scores through its map."""
        return self.maps[cell](scores)

    @classmethod
    def load(cls, path: str | Path) -> CellNormalizer:
        """The maps that :meth:`save` wrote, bit for bit.

        Raises:
            InputError: no such file, a file of something else, a damaged one, or one of a newer format.
        """
        header, arrays = read_map(Path(path))
        return cls.of_file(header, arrays, path)

    @classmethod
    def of_file(cls, header: Mapping[str, Any], arrays: Arrays, path: str | Path) -> CellNormalizer:
        """The maps of a file's content."""
        method = header.get("method", "qn")
        if method not in ("identity", "isotonic", *_LINES):
            problem = f"the map is of method '{method}', and this reads {', '.join(_LINES)}, isotonic and identity"
            raise InputError(problem, path=path, fix="load it with load_correction")
        try:
            distributions = read_distributions(header, arrays, path)
            return cls(
                info=MeasureInfo(**header["metric"]),
                called=method,
                reference_name=header["reference"],
                maps={cell: _read_one(named(cell), arrays) for cell in distributions},
                distributions=distributions,
                tokenizer=header["tokenizer"],
                fitted=header["fitted"],
                version=header["equiglot"],
                notes=tuple(header["notes"]),
            )
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"the map lacks a part ({error})", path=path, fix=_FIX) from error

    def _arrays(self) -> Arrays:
        own = {
            f"{named(cell)} {what}": numbers
            for cell, one in self.maps.items()
            for what, numbers in one.arrays().items()
        }
        return {**own, **self._distribution_arrays()}


def _read_one(cell: str, arrays: Arrays) -> Line | Steps:
    if (line := arrays.get(f"{cell} line")) is not None:
        slope, intercept = line.tolist()
        return Line(slope, intercept)
    steps = Steps(arrays[f"{cell} knots"], arrays[f"{cell} values"])
    if not 0 < steps.scores.size == steps.values.size:
        raise ValueError(f"knots of {cell}")
    return steps


def _isotonic(rows: FitRows, pairs: Pairs, metric: str) -> dict[Cell, Line | Steps]:
    """Regressions for the romanised cells, and native cells as they are."""
    if not pairs:
        raise InputError(
            f"no translation has a '{metric}' score in both conditions, which isotonic regression is fitted on",
            fix="add the romanised condition (`equiglot score --romanize`), or fit with another method",
        )
    maps: dict[Cell, Line | Steps] = {
        cell: Line() for cell in rows.cells if rows.native[cell].all() and cell not in pairs
    }
    maps |= {cell: Steps.isotonic(*both) for cell, both in pairs.items() if cell in rows.cells}
    return {cell: maps[cell] for cell in rows.cells if cell in maps}
