"""What a tokeniser does to a language: parity, fertility, fallback, and how romanisation changes them."""

from equiglot.tokens.load import load_tokenizer
from equiglot.tokens.parity import add_parity
from equiglot.tokens.profile import token_profile
from equiglot.tokens.tokenizer import TALLY, Tokenizer

__all__ = ["TALLY", "Tokenizer", "add_parity", "load_tokenizer", "token_profile"]
