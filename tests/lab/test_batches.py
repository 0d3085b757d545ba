"""Batches hold every token once, and the order of sentences depends on the seed and the epoch alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from equiglot.lab.batches import IGNORED, epoch_order, padded, updates_per_epoch

sentences = st.lists(st.lists(st.integers(1, 50), max_size=30), min_size=1, max_size=6)


@given(sentences, st.integers(2, 12))
def test_every_token_is_foretold_once(sentences, context):
    tokens, labels = padded(sentences, 0, context)
    assert tokens.shape == labels.shape
    assert tokens.shape[1] <= context
    foretold = [int(token) for row in labels for token in row[1:] if token != IGNORED]
    assert foretold == [token for ids in sentences for token in (*ids, 0)]


@given(st.integers(1, 100), st.integers(0, 9), st.integers(0, 9))
def test_an_epoch_sees_each_sentence_once_in_an_order_of_its_own(n, seed, epoch):
    order = epoch_order(n, seed, epoch)
    assert sorted(order.tolist()) == list(range(n))
    assert np.array_equal(order, epoch_order(n, seed, epoch))


def test_the_last_update_of_an_epoch_takes_what_is_left():
    assert [updates_per_epoch(n, 32) for n in (1, 32, 33)] == [1, 1, 2]
