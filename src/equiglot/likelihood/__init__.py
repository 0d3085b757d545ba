"""What text costs a causal language model: NLL and its kin, information parity, the romanisation tax."""

from equiglot.likelihood.by_language import language_order, likelihood_profile
from equiglot.likelihood.headline import likelihood_headline
from equiglot.likelihood.information import add_information
from equiglot.likelihood.metrics import COUNTS, METRICS, Metric, add_likelihood
from equiglot.likelihood.model import LanguageModel, load_language_model
from equiglot.likelihood.neighbours import Neighbours, neighbours
from equiglot.likelihood.per_token import token_table
from equiglot.likelihood.profile import information_profile
from equiglot.likelihood.score import score_texts
from equiglot.likelihood.tax import Tax, romanization_tax, zone

__all__ = [
    "COUNTS",
    "METRICS",
    "LanguageModel",
    "Metric",
    "Neighbours",
    "Tax",
    "add_information",
    "add_likelihood",
    "information_profile",
    "language_order",
    "likelihood_headline",
    "likelihood_profile",
    "load_language_model",
    "neighbours",
    "romanization_tax",
    "score_texts",
    "token_table",
    "zone",
]
