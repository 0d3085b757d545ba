"""A cache of the tests' own, so that what the user has romanised before neither helps nor is touched."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("EQUIGLOT_CACHE", str(tmp_path_factory.getbasetemp() / "equiglot-cache"))
