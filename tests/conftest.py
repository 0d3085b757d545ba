"""What all tests share: the data of the papers, where it is there, and a cache of their own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more of the machine than of the code; no test is on timing. What decides whether a
# change lands tries the same examples each time; everybody else's runs look for new ones.
settings.register_profile("any machine", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("any machine")

_DEFAULT_SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A case that is known to fail is kept with its reason; the day it passes, the strict mark fails."""
    for item in items:
        case = item.callspec.params.get("case") if hasattr(item, "callspec") else None
        if isinstance(case, dict) and case.get("known_failure"):
            item.add_marker(pytest.mark.xfail(strict=True, raises=AssertionError, reason=case["why"]))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the papers' data and recomputed values; a test that needs it skips where it is absent."""
    folder = Path(os.environ.get("EQUIGLOT_SHARED_DATA") or _DEFAULT_SHARED_DATA)
    if not (folder / "indicmt" / "expected.json").is_file():
        pytest.skip(f"the papers' data is not at {folder} (set EQUIGLOT_SHARED_DATA)")
    return folder
