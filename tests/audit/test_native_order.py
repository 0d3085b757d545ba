"""What native rows alone say of order: found where it was made, told with its numbers, and no verdict on script."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from equiglot.audit import script_audit
from equiglot.stats import holm, independent_rhos

FAST = {"resamples": 200, "permutations": 100}
NATIVE = {"conditions": ["native"], "n": 80}


def spoilt(segments, language, noise=40.0):
    """The table with one language's native scores nearly random, at the same mean."""
    rng = np.random.default_rng(5)
    blur = pl.Series(rng.normal(scale=noise, size=segments.frame.height))
    noisy = pl.when(pl.col("language") == language).then(pl.col("chrf") + blur).otherwise("chrf")
    return replace(segments, frame=segments.frame.with_columns(chrf=noisy))


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_worse_order_in_one_language_is_said_with_its_numbers(table, row, direction):
    audit = script_audit(spoilt(table(**NATIVE, direction=direction), "ta"), "chrf", **FAST)
    order = audit.verdicts[1]
    assert order.answer == "can't tell", "languages differ in more than their script"
    sign = -1 if direction == "lower" else 1
    rhos = {}
    for language in ("hi", "ta"):
        found = row(audit.languages, "rho_native", language=language)
        rhos[language] = sign * found["value"]
        low, high = sorted((sign * found["low"], sign * found["high"]))
        told = f"{rhos[language]:.2f} [95% CI {low:.2f} to {high:.2f}; n = 80]"
        assert told in order.sentence
    assert f"rho {rhos['ta']:.2f} [95% CI" in audit.headline
    assert "It agrees less with people in Tamil" in audit.headline
    assert "only romanised rows can tell" in audit.headline
    assert "Fisher's z for independent correlations, Holm-adjusted p" in order.sentence
    assert "equiglot romanize" in order.fix


def test_the_p_is_holm_adjusted_over_all_pairs_of_cells(table, row):
    audit = script_audit(spoilt(table(**NATIVE), "ta", 9.0), "chrf", **FAST)
    rhos = [row(audit.languages, "rho_native", language=language)["value"] for language in ("hi", "mr", "ta")]
    pairs = [(a, b) for i, a in enumerate(rhos) for b in rhos[i + 1 :]]
    p = max(zip(pairs, holm([independent_rhos(a, 80, b, 80).p for a, b in pairs]), strict=True),
            key=lambda item: abs(item[0][0] - item[0][1]))[1]  # fmt: skip
    shown = f"p < 10^-{int(-math.log10(p))}" if p < 0.001 else f"p = {p:.2g}"
    assert f"Holm-adjusted {shown})" in audit.verdicts[1].sentence


def test_equal_order_is_said_to_be_so(table):
    audit = script_audit(table(**NATIVE), "chrf", **FAST)
    assert "No two languages differ clearly in it." in audit.verdicts[1].sentence
    assert "agrees less" not in audit.headline


def test_languages_of_one_script_clear_the_script(table):
    only = {"languages": {"hi": "Deva", "mr": "Deva"}}
    audit = script_audit(spoilt(table(**NATIVE, **only), "mr"), "chrf", **FAST)
    assert "both are in one script, so script is not the cause" in audit.headline


def test_few_rows_tell_nothing_of_order(table):
    audit = script_audit(spoilt(table(conditions=["native"], n=12), "ta"), "chrf", **FAST)
    assert "agrees less" not in audit.headline + audit.verdicts[1].sentence


def test_with_romanised_rows_the_headline_keeps_to_script(table):
    audit = script_audit(spoilt(table(n=80), "ta"), "chrf", **FAST)
    assert "In native script agreement differs between languages" in audit.verdicts[1].sentence
    assert "agrees less" not in audit.headline
