"""Corrections that put scores of different scripts on one axis: fitted, saved, and put to other scores."""

from equiglot.normalize._rows import SMALLEST_CELL
from equiglot.normalize.cellwise import CellNormalizer
from equiglot.normalize.comparison import CEILING, Comparison, compare_corrections
from equiglot.normalize.correction import EQUAL_MEANS_WARNING, Correction, Method
from equiglot.normalize.distribution import CellDistribution
from equiglot.normalize.drift import Drift
from equiglot.normalize.features import FEATURES
from equiglot.normalize.methods import METHODS, Fault, fit_correction, load_correction
from equiglot.normalize.normalizer import QuantileNormalizer
from equiglot.normalize.parity import REGRESSORS, ParityCalibration, calibrate_parity
from equiglot.normalize.quantile import quantile_normalize
from equiglot.normalize.sizes import SIZES, CalibrationSizes, calibration_sizes

__all__ = [
    "CEILING",
    "EQUAL_MEANS_WARNING",
    "FEATURES",
    "METHODS",
    "REGRESSORS",
    "SIZES",
    "SMALLEST_CELL",
    "CalibrationSizes",
    "CellDistribution",
    "CellNormalizer",
    "Comparison",
    "Correction",
    "Drift",
    "Fault",
    "Method",
    "ParityCalibration",
    "QuantileNormalizer",
    "calibrate_parity",
    "calibration_sizes",
    "compare_corrections",
    "fit_correction",
    "load_correction",
    "quantile_normalize",
]
