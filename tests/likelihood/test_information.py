"""IP and SBI per segment: ratios of whole segments' nats, nulls with reasons, notes."""

from __future__ import annotations

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.likelihood import LanguageModel, add_information, score_texts
from equiglot.measures import MeasureInfo
from equiglot.table import Segments

_TP = MeasureInfo("tp", "ratio", "neutral", "metric:tp|tok:pkg:xlmr@0b44a9d7|v:0")


def _segments(targets: list[str | None], sources: list[str | None], **more: list[object]) -> Segments:
    n = len(targets)
    columns = {"id": [str(i) for i in range(n)], "language": ["hi"] * n, "script": ["Deva"] * n,
               "condition": ["native"] * n, "system": ["a"] * n, "source": sources, "target": targets}  # fmt: skip
    return Segments(pl.DataFrame({**columns, **more}))


def test_ip_is_source_over_target(llama: LanguageModel) -> None:
    sources, targets = ["the cat", "the cat sat on"], ["बिल्ली", "पर बैठी थी"]
    made = add_information(_segments(targets, sources), llama, cache=False)
    nll = [score_texts(texts, llama, cache=False)["sent_nll"].to_list() for texts in (sources, targets)]
    assert made.frame["source_nll"].to_list() == pytest.approx(nll[0])
    assert made.frame["sent_nll"].to_list() == pytest.approx(nll[1])
    assert made.frame["ip"].to_list() == pytest.approx([s / t for s, t in zip(*nll, strict=True)])
    assert "sbi" not in made.measures
    infos = {name: (info.unit, info.direction) for name, info in made.measures.items()}
    assert infos == {"sent_nll": ("nats", "lower"), "source_nll": ("nats", "lower"), "ip": ("ratio", "neutral")}
    assert made.measures["ip"].signature.startswith(f"metric:ip|lm:{llama.identity}|")


def test_the_same_text_on_both_sides_is_parity(llama: LanguageModel) -> None:
    assert add_information(_segments(["the cat"], ["the cat"]), llama, cache=False).frame["ip"].to_list() == [1.0]


def test_sbi_is_tp_over_ip(llama: LanguageModel) -> None:
    table = _segments(["बिल्ली", "पर"], ["the cat", "mat"], tp=[2.0, None])
    made = add_information(Segments(table.frame, {"tp": _TP}), llama, cache=False)
    assert made.frame["sbi"][0] == pytest.approx(2.0 / made.frame["ip"][0])
    assert made.frame["sbi"][1] is None
    assert made.frame["sbi_reason"].to_list() == [None, "no token parity"]
    assert "|tp:metric:tp,tok:pkg:xlmr@0b44a9d7|v:" in made.measures["sbi"].signature


def test_what_is_missing_is_null_with_a_reason(llama: LanguageModel) -> None:
    made = add_information(_segments(["cat", "", None, "cat"], ["cat", "cat", " ", None]), llama, cache=False).frame
    assert made["ip"].is_null().to_list() == [False, True, True, True]
    assert made["ip_reason"].to_list() == [
        None, "target: the text is empty", "target: no text; source: only white space", "source: no text",
    ]  # fmt: skip
    assert made["sent_nll_reason"].to_list() == [None, "the text is empty", "no text", None]


def test_rows_keep_their_order_and_columns(llama: LanguageModel) -> None:
    before = _segments(["b", "a", "b"], ["x", "y", "z"], mine=[3, 1, 2])
    after = add_information(before, llama, cache=False)
    assert after.frame.select(before.frame.columns).equals(before.frame)


def test_texts_beyond_the_window_are_noted(llama: LanguageModel) -> None:
    made = add_information(_segments(["mat " * 90, "cat"], ["cat", "cat"]), llama, cache=False)
    assert any("1 of 2 targets of hi-Deva are longer" in note and "64/32 tokens" in note for note in made.notes)
    assert not add_information(_segments(["cat"], ["cat"]), llama, cache=False).notes


def test_a_source_that_is_not_english_is_noted(llama: LanguageModel) -> None:
    by_script = add_information(_segments(["cat", "mat"], ["पर बैठी", "the cat"]), llama, cache=False)
    assert any("1 of 2 sources aren't in Latin script" in note for note in by_script.notes)
    by_column = _segments(["cat"], ["die Katze"], source_language=["de"])
    assert any("which is de and not English" in note for note in add_information(by_column, llama, cache=False).notes)


def test_a_table_without_sources_is_refused(llama: LanguageModel) -> None:
    table = _segments(["cat"], ["cat"])
    with pytest.raises(InputError, match="no column 'source'"):
        add_information(Segments(table.frame.drop("source")), llama, cache=False)
