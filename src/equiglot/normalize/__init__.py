"""Corrections that put scores of different scripts on one axis: fitted, saved, and put to other scores."""

from equiglot.normalize.distribution import CellDistribution
from equiglot.normalize.normalizer import EQUAL_MEANS_WARNING, SMALLEST_CELL, QuantileNormalizer
from equiglot.normalize.quantile import quantile_normalize

__all__ = ["EQUAL_MEANS_WARNING", "SMALLEST_CELL", "CellDistribution", "QuantileNormalizer", "quantile_normalize"]
