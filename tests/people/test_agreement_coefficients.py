"""Alpha and kappa: equal to the krippendorff package and scikit-learn, and to their definitions written out."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from equiglot.people import krippendorff_alpha, weighted_kappa
from equiglot.people.agreement_alpha import _alphas, _counted
from equiglot.people.agreement_kappa import _kappas

CASES = json.loads(Path(__file__).with_name("agreement_cases.json").read_text("utf-8"))["cases"]
LEVELS = ("nominal", "ordinal", "interval")

tables = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=raters, max_size=raters), min_size=2, max_size=8
    )
)
pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=20)


def matrix(rows):
    return np.array([[math.nan if value is None else value for value in row] for row in rows], dtype=float)


def alpha_written_out(rows, level):
    """Alpha from coincidences, with distances as Krippendorff (2011) writes them; None where it is not defined."""
    units = [kept for row in rows if len(kept := [v for v in row if v is not None]) > 1]
    values = sorted({v for unit in units for v in unit})
    if len(units) < 2 or len(values) < 2:
        return None
    coincidences = dict.fromkeys([(c, k) for c in values for k in values], 0.0)
    for unit in units:
        for i, c in enumerate(unit):
            for j, k in enumerate(unit):
                if i != j:
                    coincidences[c, k] += 1 / (len(unit) - 1)
    frequency = {c: sum(coincidences[c, k] for k in values) for c in values}

    def distance(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (c - k) ** 2
        between = sum(frequency[g] for g in values if min(c, k) <= g <= max(c, k))
        return (between - (frequency[c] + frequency[k]) / 2) ** 2

    total = sum(frequency.values())
    observed = sum(coincidences[c, k] * distance(c, k) for c in values for k in values) / total
    expected = sum(frequency[c] * frequency[k] * distance(c, k) for c in values for k in values) / total / (total - 1)
    return 1 - observed / expected


def kappa_written_out(rows, power):
    n = len(rows)
    expected = sum(abs(x - y) ** power for x, _ in rows for _, y in rows) / n**2
    return None if expected == 0 else 1 - sum(abs(x - y) ** power for x, y in rows) / n / expected


@pytest.mark.parametrize("name", CASES)
def test_alpha_is_that_of_the_krippendorff_package(name):
    ratings = matrix(CASES[name]["ratings"]).T
    for level in LEVELS:
        found = krippendorff_alpha(ratings, level=level, resamples=100)
        assert found.value == pytest.approx(CASES[name]["alpha"][level], abs=1e-12)
        assert found.interval.low <= found.value <= found.interval.high


@pytest.mark.parametrize("name", CASES)
def test_kappa_is_that_of_scikit_learn(name):
    both = [pair for pair in zip(*CASES[name]["ratings"][:2], strict=True) if None not in pair]
    for weights, value in CASES[name]["kappa_of_first_two"].items():
        assert weighted_kappa(*zip(*both, strict=True), weights=weights, resamples=100).value == pytest.approx(
            value, abs=1e-12
        )


@given(tables, st.sampled_from(LEVELS))
def test_alpha_is_its_definition(rows, level):
    found = krippendorff_alpha(matrix(rows), level=level, resamples=10)
    expected = alpha_written_out(rows, level)
    assert found.n == sum(sum(v is not None for v in row) > 1 for row in rows)
    if expected is None:
        assert found.value is None
        assert found.reason
    else:
        assert found.value == pytest.approx(expected, abs=1e-12)


@given(pairs, st.sampled_from([("linear", 1), ("quadratic", 2)]))
def test_kappa_is_its_definition(rows, kind):
    found = weighted_kappa(*zip(*rows, strict=True), weights=kind[0], resamples=10)
    expected = kappa_written_out(rows, kind[1])
    if expected is None:
        assert found.value is None
        assert found.reason
    else:
        assert found.value == pytest.approx(expected, abs=1e-12)


@given(pairs, st.sampled_from(["linear", "quadratic"]))
def test_kappa_is_scikit_learns_for_any_ratings(rows, weights):
    metrics = pytest.importorskip("sklearn.metrics")
    one, other = zip(*rows, strict=True)
    assume(len({*one, *other}) > 1)
    expected = metrics.cohen_kappa_score(one, other, weights=weights, labels=range(5))
    assert weighted_kappa(one, other, weights=weights, resamples=10).value == pytest.approx(expected, abs=1e-12)


@given(tables, st.sampled_from(LEVELS), st.data())
def test_a_resample_is_alpha_of_the_items_drawn(rows, level, data):
    counts, values = _counted(matrix(rows))
    assume(len(counts) > 1 and values.size > 1)
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(counts), max_size=len(counts)))
    drawn = [
        [value for value, n in zip(values, row, strict=True) for _ in range(int(n))]
        for row, often in zip(counts, times, strict=True)
        for _ in range(often)
    ]
    (found,) = _alphas(np.array([times], dtype=float), counts, values, level)
    expected = alpha_written_out(drawn, level) if len(drawn) > 1 else None
    if len(drawn) != 1:
        assert math.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-12)


@given(pairs, st.sampled_from([("linear", 1), ("quadratic", 2)]), st.data())
def test_a_resample_is_kappa_of_the_items_drawn(rows, kind, data):
    x, y = (np.array(own, dtype=float) for own in zip(*rows, strict=True))
    values = np.unique(np.concatenate([x, y]))
    n = len(rows)
    places = data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    given_ = [(own[:, None] == values).astype(float) for own in (x, y)]
    times = np.bincount(places, minlength=n)[None, :].astype(float)
    (found,) = _kappas(times, given_, np.abs(x - y) ** kind[1], values, kind[0])
    expected = kappa_written_out([rows[i] for i in places], kind[1])
    assert math.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-12)


@given(tables, st.sampled_from(LEVELS), st.randoms(use_true_random=False))
def test_neither_the_order_of_items_nor_that_of_raters_matters(rows, level, random):
    found = krippendorff_alpha(matrix(rows), level=level, seed=3, resamples=20)
    shuffled = random.sample(rows, len(rows))
    columns = random.sample(range(len(rows[0])), len(rows[0]))
    again = krippendorff_alpha(matrix(shuffled)[:, columns], level=level, seed=3, resamples=20)
    assert again == found


@given(tables)
def test_ordinal_alpha_knows_only_the_order(rows):
    stretched = matrix(rows) ** 3 + 1
    one, other = (krippendorff_alpha(given_, resamples=20) for given_ in (matrix(rows), stretched))
    assert one == other


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12).filter(lambda own: len(set(own)) > 1))
def test_whole_agreement_is_1(own):
    for level in LEVELS:
        assert krippendorff_alpha(matrix([[v, v, v] for v in own]), level=level, resamples=10).value == 1
    assert weighted_kappa(own, own, resamples=10).value == 1


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "no item was rated twice"),
        ([[1, None], [None, 2]], "no item was rated twice"),
        ([[1, 2], [None, 2]], "1 item was rated twice"),
        ([[2, 2], [2, 2]], "every rating is the same"),
    ],
)
def test_alpha_that_can_not_be_had_says_why(rows, why):
    found = krippendorff_alpha(matrix(rows).reshape(len(rows), 2))
    assert (found.value, found.interval) == (None, None)
    assert why in found.reason


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [([], [], "no item"), ([1], [2], "1 item"), ([1, 1], [1, 1], "every rating is the same")],
)
def test_kappa_that_can_not_be_had_says_why(one, other, why):
    found = weighted_kappa(one, other)
    assert (found.value, found.interval) == (None, None)
    assert why in found.reason


def test_intervals_come_from_their_seed_and_not_from_the_size_of_blocks(monkeypatch):
    ratings = matrix(CASES["3 raters, 30 items, scale 0-3"]["ratings"]).T
    found = krippendorff_alpha(ratings, seed=5)
    assert krippendorff_alpha(ratings, seed=6) != found
    monkeypatch.setattr("equiglot.people._estimates._BLOCK", 100)
    assert krippendorff_alpha(ratings, seed=5) == found
