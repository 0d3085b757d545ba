"""What text costs a causal language model: sentence NLL, information parity, the romanisation tax."""

from equiglot.likelihood.information import add_information
from equiglot.likelihood.model import LanguageModel, load_language_model
from equiglot.likelihood.profile import information_profile
from equiglot.likelihood.score import score_texts
from equiglot.likelihood.tax import Tax, romanization_tax, zone

__all__ = [
    "LanguageModel",
    "Tax",
    "add_information",
    "information_profile",
    "load_language_model",
    "romanization_tax",
    "score_texts",
    "zone",
]
