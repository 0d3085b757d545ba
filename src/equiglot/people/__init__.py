"""What people make of the texts: samples for them to rate, rubrics, the rating app, and how far they agree."""

from equiglot.people.agreement import Agreement, measure_agreement
from equiglot.people.agreement_alpha import krippendorff_alpha
from equiglot.people.agreement_kappa import weighted_kappa
from equiglot.people.divergence import Divergence, measure_divergence
from equiglot.people.ratings import RATINGS, read_ratings, read_totals, totals, with_totals
from equiglot.people.rubric import Rubric
from equiglot.people.rubric_files import read_rubric, rubric_names
from equiglot.people.sample import Sample, draw_sample
from equiglot.people.strata import Strata, Stratum, read_strata

__all__ = [
    "RATINGS",
    "Agreement",
    "Divergence",
    "Rubric",
    "Sample",
    "Strata",
    "Stratum",
    "draw_sample",
    "krippendorff_alpha",
    "measure_agreement",
    "measure_divergence",
    "read_ratings",
    "read_rubric",
    "read_strata",
    "read_totals",
    "rubric_names",
    "totals",
    "weighted_kappa",
    "with_totals",
]
