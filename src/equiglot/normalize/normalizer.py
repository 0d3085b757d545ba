"""COMET-QN as something fitted: learned on one table, saved, and put to another.

Fitting keeps two things: the reference (the scores of the native-script cells, pooled and in order) and, for every
(language, script) cell, its empirical distribution function. A score seen in fitting is mapped exactly as
:func:`~equiglot.normalize.quantile.quantile_normalize` maps it; a new score takes the rank that linear interpolation
between its cell's neighbouring scores gives, and one outside the cell's range the rank of its end, which is counted in
a note. Paper 1 (eq. 3) has no rule for new scores: it maps the data it was fitted on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.normalize._cells import Cell
from equiglot.normalize._file import Arrays, read_map
from equiglot.normalize._reference import POOLED, Reference, choose_references, reference_of
from equiglot.normalize._rows import FitRows, fit_rows
from equiglot.normalize._signature import tokenizer_identity
from equiglot.normalize.correction import Correction, Method, read_distributions, today
from equiglot.normalize.distribution import CellDistribution
from equiglot.normalize.quantile import reference_values
from equiglot.table import Segments

__all__ = ["QuantileNormalizer"]

_FIX = "fit the map again with this version of equiglot"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class QuantileNormalizer(Correction):
    """A fitted map from the scores of each cell onto a reference.

    Attributes:
        references: the reference's scores in ascending order, shape (m,): under the empty key where all cells share it,
            else by language.
    """

    references: Mapping[str, NDArray[np.float64]]

    @classmethod
    def fit(
        cls, segments: Segments, metric: str, *, reference: Reference = "native-pooled", points: int | None = None
    ) -> QuantileNormalizer:
        """Learn the reference and every cell's distribution from a scored table; null scores are left out.

        Args:
            segments: the table, with ``metric`` among its measures.
            metric: the score column.
            reference: ``native-pooled`` (the rows whose condition is ``native``), ``native-own`` (those of the cell's
                own language), or the (language, script) cells to pool.
            points: keep the reference at no more than this many evenly spaced positions, for a smaller file; where
                that thins it, a reference mapped through itself is no longer itself exactly.

        Raises:
            InputError: no such measure, a NaN or infinite score, no reference row with a score, an unknown cell.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"id": ["1", "2"] * 2, "language": "ta", "script": ["Taml"] * 2 + ["Latn"] * 2,
        ...     "condition": ["native"] * 2 + ["romanized"] * 2, "system": "a", "comet": [80.0, 90.0, 50.0, 70.0]})
        >>> table = Segments(frame, {"comet": MeasureInfo("comet", "points", "higher", "metric:comet")})
        >>> QuantileNormalizer.fit(table, "comet").transform(table).frame["comet_qn"].to_list()
        [80.0, 90.0, 80.0, 90.0]
        """
        info, rows = segments.info(metric), fit_rows(segments, metric)
        fitted = cls.of_rows(rows, info, reference=reference, tokenizer=tokenizer_identity(segments.measures, metric))
        return fitted if points is None else fitted._thinned(points)

    @classmethod
    def of_rows(
        cls, rows: FitRows, info: MeasureInfo, *, reference: Reference, tokenizer: str | None = None
    ) -> QuantileNormalizer:
        """The map of scores that were taken from their table."""
        name, references = choose_references(rows, info.name, reference)
        return cls(
            info=info,
            reference_name=name,
            references=references,
            distributions={cell: CellDistribution.of(scores) for cell, scores in rows.cells.items()},
            tokenizer=tokenizer,
            fitted=today(),
            notes=rows.notes,
        )

    @property
    def method(self) -> Method:
        """``qn``."""
        return "qn"

    @property
    def reference(self) -> NDArray[np.float64]:
        """All scores of the reference, in ascending order."""
        return np.sort(np.concatenate(list(self.references.values())))

    def map_scores(self, cell: Cell, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """One cell's scores as the reference's values at the same positions."""
        fitted = self.distributions[cell]
        return reference_values(fitted.rank(scores), fitted.n, reference_of(cell, self.references))

    @classmethod
    def load(cls, path: str | Path) -> QuantileNormalizer:
        """The map that :meth:`save` wrote, bit for bit.

        Raises:
            InputError: no such file, a file of something else, a damaged one, or one of a newer format.
        """
        header, arrays = read_map(Path(path))
        return cls.of_file(header, arrays, path)

    @classmethod
    def of_file(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[np.float64]], path: str | Path
    ) -> QuantileNormalizer:
        """The map of a file's content."""
        if header.get("method", "qn") != "qn":
            problem = f"the map is of method '{header['method']}', and this reads quantile maps"
            raise InputError(problem, path=path, fix="load it with load_correction")
        try:
            own = header["reference"] == "native-own"
            keys = sorted({entry["language"] for entry in header["cells"]}) if own else [POOLED]
            loaded = cls(
                info=MeasureInfo(**header["metric"]),
                reference_name=header["reference"],
                references={key: arrays[_reference_name(key)] for key in keys},
                distributions=read_distributions(header, arrays, path),
                tokenizer=header["tokenizer"],
                fitted=header["fitted"],
                version=header["equiglot"],
                notes=tuple(header["notes"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"the map lacks a part ({error})", path=path, fix=_FIX) from error
        if any(not reference.size for reference in loaded.references.values()):
            raise InputError("the map's reference is empty", path=path, fix=_FIX)
        return loaded

    def _thinned(self, points: int) -> QuantileNormalizer:
        if points < 1:
            raise InputError(f"a reference of {points} points", fix="keep one or more, a few thousand say")
        if all(points >= reference.size for reference in self.references.values()):
            return self
        places = np.arange(1.0, points + 1)
        thinned = {
            key: reference_values(places, points, scores) if points < scores.size else scores
            for key, scores in self.references.items()
        }
        return replace(self, reference_name=f"{self.reference_name}@{points}", references=thinned)

    def _arrays(self) -> Arrays:
        named = {_reference_name(key): reference for key, reference in self.references.items()}
        return {**named, **self._distribution_arrays()}


def _reference_name(key: str) -> str:
    return f"reference {key}" if key else "reference"
