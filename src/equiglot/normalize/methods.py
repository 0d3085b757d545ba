"""Fit a correction by the name of its method, load one of any kind, and refuse what none of them can do."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from equiglot.errors import InputError
from equiglot.normalize._cells import located
from equiglot.normalize._file import read_map
from equiglot.normalize._reference import Reference
from equiglot.normalize.cellwise import CellNormalizer
from equiglot.normalize.correction import Correction, Method
from equiglot.normalize.normalizer import QuantileNormalizer
from equiglot.table import Segments

__all__ = ["METHODS", "Fault", "fit_correction", "load_correction"]

METHODS: tuple[Method, ...] = get_args(Method)
"""Every method, the one to use first."""

Fault = Literal["P1", "P2"]
"""P1, cells lie in different ranges; P2, the order within a script is worse (:mod:`equiglot.audit.verdicts`)."""


def fit_correction(
    segments: Segments,
    metric: str,
    method: Method = "qn",
    *,
    reference: Reference = "native-pooled",
    fault: Fault = "P1",
) -> Correction:
    """Fit one of :data:`METHODS`, all of which keep the order of the scores within a cell.

    Args:
        segments: the table, with ``metric`` among its measures.
        metric: the score column.
        method: the class of transform.
        reference: what cells are mapped onto; see :meth:`~equiglot.normalize.QuantileNormalizer.fit`.
        fault: what the correction is wanted for.

    Raises:
        InputError: P2 was asked to be mended; no such method; as the method's own ``fit``.

    >>> import polars as pl
    >>> fit_correction(Segments(pl.DataFrame()), "comet", "isotonic", fault="P2")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    equiglot.errors.InputError: P2, worse order within a script, can't be mended by 'isotonic': it keeps every order...
    """
    if method not in METHODS:
        raise InputError(f"'{method}' is no method of correction", fix=f"use one of {', '.join(METHODS)}")
    if fault == "P2":
        raise InputError(
            f"P2, worse order within a script, can't be mended by '{method}': it keeps every order within a cell, so "
            "Spearman's rho with people stays what it is",
            fix="compare native text, or see what parity features recover with `equiglot normalize calibrate`",
        )
    with located(segments):
        if method == "qn":
            return QuantileNormalizer.fit(segments, metric, reference=reference)
        return CellNormalizer.fit(segments, metric, method, reference=reference)


def load_correction(path: str | Path) -> Correction:
    """The correction that ``save`` wrote, of any method.

    Raises:
        InputError: no such file, a file of something else, a damaged one, or one of a newer format.
    """
    header, arrays = read_map(Path(path))
    kind = QuantileNormalizer if header.get("method", "qn") == "qn" else CellNormalizer
    return kind.of_file(header, arrays, path)
