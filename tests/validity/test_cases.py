"""Answers as people and models write them: each says what is to be found, and why it is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from equiglot.table import Segments, parse_language
from equiglot.validity import INVALID, Policy, validate

FOLDER = Path(__file__).with_name("cases")
CASES: dict[str, list[dict[str, Any]]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
ALL = [(name, case) for name, cases in CASES.items() for case in cases]


def table(case: dict[str, Any]) -> pl.DataFrame:
    tag = parse_language(case["language"])
    target = case["target"]
    if target is not None:
        target = target * case.get("times", 1) + case.get("after", "") * case.get("after_times", 1)
    return pl.DataFrame(
        {
            "id": ["1"],
            "language": [tag.language],
            "script": [tag.script],
            "condition": ["native"],
            "system": ["a"],
            "source": [case.get("source")],
            "target": [target],
            "mend": [case.get("may_copy", False)],
        },
        schema_overrides=dict.fromkeys(("script", "source", "target"), pl.String),
    )


def judge(case: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    from equiglot.validity.validate import judged

    frame = table(case)
    scripts = case["script"].split(",") if "script" in case else ()
    row = judged(frame, Policy(), scripts, may_copy="mend").row(0, named=True)
    return frame["target"][0], row


@pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(n, c, id=f"{n}: {c['why']}") for n, c in ALL],
)
def test_case(name, case):
    target, row = judge(case)
    details = json.loads(row["failure_details"])
    assert list(dict.fromkeys(found["kind"] for found in details)) == case["finds"]
    assert row["failures"] == [kind for kind in case["finds"] if kind in INVALID]
    assert row["remarks"] == [kind for kind in case["finds"] if kind not in INVALID]
    assert row["valid"] == (not row["failures"])
    assert row["failure"] == (row["failures"][0] if row["failures"] else None)
    if "spans" in case:
        first = case["finds"][0]
        assert [[d["start"], d["end"]] for d in details if d["kind"] == first] == case["spans"]
    if "scripts" in case:
        assert [d["script"] for d in details if d["kind"] == "spillage"] == case["scripts"]
    for found in details:
        assert found["reason"]
        assert 0 <= found["start"] <= found["end"] <= len(target or "")
        if found["kind"] == "spillage":
            assert found["text"] == target[found["start"] : found["end"]]


def test_there_are_enough_cases_and_each_says_why():
    assert len(ALL) >= 150
    assert len({case["language"].split("-")[0] for _, case in ALL}) >= 12
    whys = [case["why"] for _, case in ALL]
    assert all(whys)
    assert len(set(whys)) == len(whys)


def test_all_cases_in_one_table_are_as_each_alone():
    """Rows with other languages, scripts and lengths beside them."""
    cases = [case for _, case in ALL if "script" not in case and not case.get("may_copy")]
    frame = pl.concat([table(case) for case in cases]).with_columns(id=pl.int_range(pl.len()).cast(pl.String))
    together = validate(Segments(frame)).frame.select("failures", "remarks", "failure_details")
    alone = pl.concat(
        [validate(Segments(frame[i])).frame for i in range(frame.height) if frame["target"][i] is not None]
    )
    there = together.filter(frame["target"].is_not_null())
    assert there.equals(alone.select(there.columns))
