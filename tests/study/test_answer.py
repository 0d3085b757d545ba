"""What stands beside a metric's scores was made just as they were, or does not stand there."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.quality import score
from equiglot.study import answer_script
from equiglot.table import Segments, from_frame


@pytest.fixture
def segments() -> Segments:
    texts = [f"er geht {word} nach Haus" for word in ("heute", "morgen", "bald", "nun", "nie", "oft")]
    columns = {"source": [text.upper() for text in texts], "target": texts, "reference": texts[::-1]}
    return from_frame(pl.DataFrame(columns), language="de", script="Latn")


@pytest.mark.parametrize(("tokenize", "beside"), [("13a", True), ("intl", False)])
def test_floors_are_of_scores_made_alike(segments: Segments, tokenize: str, beside: bool) -> None:
    scored = score(segments, ["bleu"], tokenize=tokenize, cache=None)
    answer = answer_script(scored, "bleu", resamples=100, permutations=100)
    assert (answer.floors is not None) == beside


def test_scores_that_were_brought_have_no_floors(segments: Segments) -> None:
    frame = segments.frame.with_columns(chrf=pl.Series([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    assert answer_script(from_frame(frame), "chrf", resamples=100, permutations=100).floors is None


def romanized_only() -> pl.DataFrame:
    rows = [(f"s{i}", "hi", "Latn", "romanized", "a", i / 40) for i in range(40)]
    return pl.DataFrame(rows, schema=["id", "language", "script", "condition", "system", "chrf"], orient="row")


def test_without_a_native_score_the_question_is_answered_and_nothing_is_normalised() -> None:
    answer = answer_script(from_frame(romanized_only()), "chrf", resamples=100, permutations=100)
    assert answer.audit.verdicts[0].answer == "can't tell"
    assert answer.normalizer is answer.corrected is None
    assert "chrf was not normalised: no native row has a score to map onto." in answer.segments.notes


def test_a_score_that_no_row_has_is_refused() -> None:
    table = from_frame(romanized_only())
    with pytest.raises(InputError, match="column 'chrf': every value"):
        answer_script(replace(table, frame=table.frame.with_columns(chrf=pl.lit(None, pl.Float64))), "chrf")
