"""How much longer a text is than its source: in bytes per word, bytes and characters.

========================= ======================================= ======================================
measure                   formula (totals over all pairs)         source
========================= ======================================= ======================================
``byte_premium``          (b_t / w_t) / (b_s / w_s), white-space  paper 1, table 14
                          bytes left out
``byte_premium_content``  b_t / b_s, all bytes                    Arnett, Chang and Bergen 2024
``length_premium``        c_t / c_s, all code points              as above, in characters
========================= ======================================= ======================================

Unit: ratio; 1 where both sides are alike. Weighting: totals first, then one division (micro), so long
segments weigh more; a mean of ratios per segment would be ruled by the shortest sources. The first divides
out the number of words and says what a word costs in bytes; the second says what the same content costs, and
is the byte premium that Arnett et al. tabulate.
"""

from __future__ import annotations

from collections.abc import Sequence

from equiglot.errors import InputError
from equiglot.measures import Measure, signature
from equiglot.text._texts import Texts, as_list
from equiglot.text.counts import text_counts

__all__ = ["PREMIUMS", "byte_premium", "byte_premium_content", "length_premium", "premiums"]

PREMIUMS = {
    "byte_premium": ("word_bytes", "words"),
    "byte_premium_content": ("bytes",),
    "length_premium": ("chars",),
}
"""By measure, the count of either side, and the count that it is divided by, if any."""


def byte_premium(targets: Texts, sources: Texts) -> Measure:
    """Bytes per word of the targets over those of their sources, white space left out.

    Args:
        targets: texts, one per row.
        sources: their sources, as many; rows in which either is missing are left out and counted as failed.

    >>> byte_premium(["नमस्ते जी"], ["hello sir"]).value
    3.0

    Raises:
        InputError: the numbers of targets and sources differ.
    """
    return premiums(targets, sources, ["byte_premium"])[0]


def byte_premium_content(targets: Texts, sources: Texts) -> Measure:
    """UTF-8 bytes of the targets over those of their sources; arguments as for :func:`byte_premium`.

    >>> byte_premium_content(["नमस्ते"], ["hello!"]).value
    3.0
    """
    return premiums(targets, sources, ["byte_premium_content"])[0]


def length_premium(targets: Texts, sources: Texts) -> Measure:
    """Code points of the targets over those of their sources; arguments as for :func:`byte_premium`.

    >>> length_premium(["नमस्ते"], ["hello!"]).value
    1.0
    """
    return premiums(targets, sources, ["length_premium"])[0]


def premiums(targets: Texts, sources: Texts, names: Sequence[str] = tuple(PREMIUMS)) -> list[Measure]:
    """Several premiums of the same pairs, the texts counted once."""
    t, s = as_list(targets, "target"), as_list(sources, "source")
    if len(t) != len(s):
        raise InputError(f"{len(t)} targets and {len(s)} sources",
                         fix="give each target its source, None where it has none")  # fmt: skip
    pairs = [(a, b) for a, b in zip(t, s, strict=True) if a is not None and b is not None]
    totals = [text_counts([p[side] for p in pairs]).sum().fill_null(0).row(0, named=True) for side in (0, 1)]
    return [_premium(name, totals[0], totals[1], len(pairs), len(t) - len(pairs)) for name in names]


def _premium(name: str, target: dict[str, int], source: dict[str, int], n: int, failed: int) -> Measure:
    amount, *per = PREMIUMS[name]
    value, reason = None, None
    if n == 0:
        reason = "there is no pair of target and source"
    elif not target[amount] or not source[amount]:
        side = "source" if target[amount] else "target"
        reason = f"no {side} has any text"
    else:
        of_target, of_source = (side[amount] / (side[per[0]] if per else 1) for side in (target, source))
        value = of_target / of_source
    made = signature(measure=name, total="micro", words="split" if per else None)
    return Measure(name, value, "ratio", "neutral", n, failed, reason=reason, signature=made)
