"""Rubrics: the paper's points, and mistakes in users' files named by their key."""

from __future__ import annotations

import json

import pytest

from equiglot.errors import InputError
from equiglot.people import read_rubric, rubric_names
from equiglot.people.rubric_files import rubric_from_json

PAPER = {
    "completeness": 2,
    "script_purity": 2,
    "english_balance": 3,
    "consistency": 3,
    "faithfulness": 3,
    "naturalness": 3,
    "grammar": 2,
    "word_choice": 2,
    "register": 2,
    "usability": 3,
}
"""Paper 3, table 5."""


def test_the_papers_points():
    full, core = read_rubric("full-25"), read_rubric("core-12")
    assert {d.name: d.high for d in full.dimensions} == PAPER
    assert {d.low for d in full.dimensions} == {0}
    assert (full.total, core.total) == (25, 12)
    assert core.dimensions == tuple(d for d in full.dimensions if d in core.dimensions)


@pytest.mark.parametrize("name", rubric_names())
def test_bundled_rubrics_are_whole_and_kept_as_they_are(name):
    rubric = read_rubric(name)
    assert rubric.languages == ("en", "hi", "te", "kn")
    assert all(set(texts) >= {"en", "hi", "te", "kn"} for texts in (rubric.title, rubric.instructions))
    assert rubric_from_json(json.dumps(rubric.to_dict())) == rubric


def test_usual_weights():
    assert read_rubric("mqm").weights == {"neutral": 0, "minor": 1, "major": 5, "critical": 10}


GOOD = "name: mine\ntitle: T\ninstructions: I\ndimensions:\n- {name: a, label: A, question: Q, anchors: {0: x, 1: y}}\n"
SPANS = (
    "name: mine\ntask: spans\ntitle: T\ninstructions: I\ncategories:\n- {name: a, label: A}\n"
    "severities:\n- {name: minor, label: M, weight: 1}\n"
)


def test_users_own(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD)
    assert [d.high for d in read_rubric(path).dimensions] == [1]
    path.write_text(SPANS)
    assert read_rubric(path).weights == {"minor": 1}
    path.write_text("name: mine\nbase: full-25\ntitle: T\nkeep: [usability, grammar]\n")
    assert [d.name for d in read_rubric(path).dimensions] == ["usability", "grammar"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD.replace("title: T\n", ""), "there is no 'title'"),
        (GOOD.replace("question: Q, ", ""), r"column 'dimensions\[1\]'.*no 'question'"),
        (GOOD.replace("question", "qestion"), "did you mean 'question'"),
        (GOOD.replace("{0: x, 1: y}", "{0: x}"), r"dimensions\[1\].anchors.*two or more consecutive"),
        (GOOD.replace("{0: x, 1: y}", "{0: x, 2: y}"), "consecutive"),
        (GOOD.replace("{0: x, 1: y}", "{0: x, 10: y}"), "'10' is not a whole number from 0 to 9"),
        (GOOD.replace("{0: x, 1: y}", "{0: x, 1: No}"), r"dimensions\[1\].anchors.1"),
        (GOOD.replace("name: a", "name: A B"), r"dimensions\[1\].name.*not a name"),
        (GOOD.replace("label: A", "label: {hi: A}"), "no English"),
        (GOOD.replace("label: A", "label: {en: A, and more: B}"), "not a language tag"),
        (GOOD + "- {name: a, label: A, question: Q, anchors: {0: x, 1: y}}\n", "'a' is there twice"),
        (GOOD + "task: stars\n", "column 'task'.*use scales or spans"),
        (GOOD + "weights: {}\n", "unknown key 'weights'"),
        (GOOD + "base: mine\n", "column 'base'"),
        (GOOD + "keep: [a]\n", "column 'keep'"),
        ("name: m\ntitle: T\nbase: full-25\nkeep: [fluency]\n", "'fluency' is no dimension of full-25"),
        (SPANS.replace("weight: 1", "weight: many"), r"severities\[1\].weight"),
        (SPANS.replace("categories:\n- {name: a, label: A}\n", ""), "no 'categories'"),
        ("[1]", "not a mapping"),
        ("name: [", "not YAML"),
    ],
)
def test_mistakes_are_named(tmp_path, text, says):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=says) as caught:
        read_rubric(path)
    assert str(path) in str(caught.value)


def test_no_such_rubric():
    with pytest.raises(InputError, match="no rubric 'core-13'"):
        read_rubric("core-13")
