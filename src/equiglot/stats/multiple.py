"""Holm's step-down correction (1979): controls the chance of any false claim in a family, whatever the dependence."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["holm"]


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Holm-adjusted p-values, in the order given: ``max over j <= i of (m - j + 1) p_(j)``, at most 1.

    A test that could not be made (None) is no member of the family: it stays None and does not count in m.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    made = sorted((value, i) for i, value in enumerate(p) if value is not None)
    if any(not 0 <= value <= 1 for value, _ in made):
        raise ValueError("a p-value lies outside [0, 1]")
    adjusted: list[float | None] = [None] * len(p)
    floor = 0.0
    for step, (value, i) in enumerate(made):
        floor = max(floor, min(1.0, (len(made) - step) * value))
        adjusted[i] = floor
    return adjusted
