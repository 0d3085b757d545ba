"""What people make of the texts: samples for them to rate, rubrics, the rating app, and how far they agree."""

from equiglot.people.rubric import Rubric
from equiglot.people.rubric_files import read_rubric, rubric_names
from equiglot.people.sample import Sample, draw_sample
from equiglot.people.strata import Strata, Stratum, read_strata

__all__ = [
    "Rubric",
    "Sample",
    "Strata",
    "Stratum",
    "draw_sample",
    "read_rubric",
    "read_strata",
    "rubric_names",
]
