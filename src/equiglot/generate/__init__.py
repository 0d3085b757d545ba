"""Ask a model for romanised answers: prompts in, a segment table of answers out, every failure kept and named."""

from equiglot.generate.answers import Answer, read_answer
from equiglot.generate.endpoint import OPENAI_URL, Endpoint
from equiglot.generate.prompts import read_prompts
from equiglot.generate.run import generate
from equiglot.generate.summary import generation_headline, generation_table
from equiglot.generate.template import Template, load_template

__all__ = [
    "OPENAI_URL",
    "Answer",
    "Endpoint",
    "Template",
    "generate",
    "generation_headline",
    "generation_table",
    "load_template",
    "read_answer",
    "read_prompts",
]
