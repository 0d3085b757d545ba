"""The paired permutation by clusters: every sign flip where clusters are few, a sample where they are many."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from equiglot.stats import sign_flip, smallest_p

few = st.lists(st.integers(-4, 4).map(float), min_size=2, max_size=9)


@given(few, st.integers(0, 9))
@example([0.0] * 4, 0)
@example([1.0] * 5, 0)
def test_few_clusters_are_flipped_in_every_way(differences, seed):
    found = sign_flip(differences, seed=seed, permutations=100)
    reached = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= abs(sum(differences))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    assert found.p == sum(reached) / len(reached)
    assert found.p >= smallest_p(len(differences)) == 2 / len(reached)
    assert found.method == f"paired permutation, all {len(reached)} sign flips"


@settings(max_examples=20)
@given(st.lists(st.floats(-1, 1), min_size=2, max_size=8))
def test_the_exact_p_is_scipys(differences):
    values = np.array(differences)
    theirs = permutation_test((values,), np.sum, permutation_type="samples", n_resamples=np.inf)
    # Equal up to rounding is reached for us; scipy's margin is another, so take cases where they don't part.
    sums = np.array(list(itertools.product((-1, 1), repeat=len(values)))) @ values
    apart = np.abs(np.abs(sums) - abs(values.sum()))
    if ((apart < 1e-15) | (apart > 1e-9)).all():
        assert sign_flip(values).p == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize(("clusters", "permutations", "flips"), [(12, 100, 4096), (13, 100, None), (13, 8191, None),
                                                                 (13, 8192, 8192), (14, 20_000, 16384)])  # fmt: skip
def test_all_flips_up_to_those_asked_for_or_4096(clusters, permutations, flips):
    found = sign_flip([1.0] * clusters, permutations=permutations)
    smallest = smallest_p(clusters, permutations=permutations)
    if flips is None:
        assert found.method == f"paired permutation, {permutations} sign flips, seed 0"
        assert smallest == 1 / (1 + permutations) <= found.p
    else:
        assert found.method == f"paired permutation, all {flips} sign flips"
        assert found.p == smallest == 2 / flips


def test_a_sample_of_flips_comes_near_all_of_them():
    differences = np.random.default_rng(3).normal(0.2, 1, size=14)
    exact = sign_flip(differences, permutations=1 << 14).p
    assert sign_flip(differences, permutations=8000, seed=1).p == pytest.approx(exact, abs=0.02)


def test_one_cluster_has_no_test():
    assert sign_flip([1.0]).p is None
    assert smallest_p(1) == 1.0
