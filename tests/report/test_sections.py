"""Sections: what an audit and a profile say in words, and which evidence stands below."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from equiglot.audit import ScriptAudit, script_audit
from equiglot.measures import Measure, result_table
from equiglot.normalize import EQUAL_MEANS_WARNING
from equiglot.report import distinct_ranges, parity_section, script_section, write_report
from equiglot.table import Segments


def test_script_section_answers_with_the_verdicts(audit: ScriptAudit, normalized: Segments) -> None:
    section = script_section(audit, normalized)
    assert section.lead == audit.headline
    assert [(a.question, a.answer, a.sentence, a.fix) for a in section.answers] == [
        (v.question, v.answer, v.sentence, v.fix) for v in audit.verdicts
    ]


def test_scores_that_are_all_missing_are_said_and_not_drawn(segments: Segments, evil: str, tmp_path: Path) -> None:
    null = pl.lit(None, pl.Float64)
    empty = replace(segments, frame=segments.frame.with_columns(null.alias(evil)))
    for frame, why in (
        (empty.frame, "no row says why"),
        (
            empty.frame.with_columns(pl.lit("target is empty").alias(f"{evil}_reason")),
            f"{len(empty.frame)} target is empty",
        ),
    ):
        table = replace(empty, frame=frame)
        section = script_section(script_audit(table, evil, resamples=50, permutations=100), table)
        assert not [chart for chart in section.charts if chart.name.endswith("-cells")]
        assert "No scores" in section.lead
        assert f"is null in all {len(frame)} rows ({why})" in section.lead
        page = write_report(tmp_path / "report", title="none", sections=[section], card={}, notes=[])
        assert "No scores" in page.read_text("utf-8")


def test_the_warning_stands_under_normalised_scores_and_only_there(
    audit: ScriptAudit, segments: Segments, normalized: Segments
) -> None:
    assert EQUAL_MEANS_WARNING in script_section(audit, normalized).charts[0].note
    before = script_section(audit, segments).charts[0]
    assert EQUAL_MEANS_WARNING not in before.note
    assert "quantile" not in before.title


def test_pooled_agreement_stands_before_and_after(audit: ScriptAudit, normalized: Segments, evil: str) -> None:
    corrected = script_audit(normalized, f"{evil}_qn", resamples=50, permutations=100)
    table = next(t for t in script_section(audit, normalized, corrected=corrected).tables if t.name.endswith("pooled"))
    assert table.frame["Score"].to_list() == [evil] * 3 + [f"{evil}, quantile-normalised"] * 3
    assert table.data is not None
    both = table.data.filter(condition="native + romanized")["value"].to_list()
    assert both == [*(a.pooled.filter(condition="native + romanized")["value"][0] for a in (audit, corrected))]
    assert both[1] > both[0]


def test_severity_has_a_column_per_level(audit: ScriptAudit, normalized: Segments) -> None:
    table = next(t for t in script_section(audit, normalized).tables if t.name.endswith("severity"))
    assert table.frame.columns == ["Language", "Low", "High", "rho severity-shift", "n"]
    assert table.data is audit.severity


def test_an_audit_without_people_or_romanised_rows_has_fewer_parts(segments: Segments, evil: str) -> None:
    frame = segments.frame.filter(condition="native").drop("human", "severity")
    native = Segments(frame, segments.measures)
    section = script_section(script_audit(native, evil, resamples=50, permutations=100), native)
    assert [chart.name for chart in section.charts] == [f"{evil}-cells"]
    names = {table.name.rpartition("-")[2] for table in section.tables}
    assert names == {"cells", "ranges"} | ({"gaps"} & names)


def test_the_description_says_where_medians_lie(audit: ScriptAudit, segments: Segments, evil: str) -> None:
    medians = segments.frame.filter(condition="native").group_by("language").agg(pl.col(evil).median())
    low, high = medians[evil].min(), medians[evil].max()
    alt = script_section(audit, segments).charts[0].alt
    assert f"native: medians from {low:.2f} in Hindi (hi-Deva) to {high:.2f} in Tamil (ta-Taml)." in alt


def test_lower_is_better_says_which_agreement_is_perfect(audit: ScriptAudit, segments: Segments) -> None:
    lower = replace(audit, metric=replace(audit.metric, direction="lower"))
    assert "-1 is perfect" in script_section(lower, segments).charts[1].note
    assert "; 1 is perfect" in script_section(audit, segments).charts[1].note


def test_parity_section_says_who_pays_most(profile: pl.DataFrame) -> None:
    section = parity_section(profile)
    assert section.title == "What do tokeniser and language model cost each language?"
    assert section.lead == (
        "Under xlmr@0b44a9d7, Tamil (ta-Taml) takes 1.32 tokens for each one of the source, and Hindi (hi-Deva) takes "
        "1.21. "
        "Romanised, the same text of Tamil (ta-Taml) takes 77.9% more tokens, that of Hindi (hi-Deva) 37.2% more. "
        "Of 2 languages, 0 are in the paradox zone of information parity in native script and 2 romanised."
    )
    assert [chart.name for chart in section.charts] == ["tp-xlmr@0b44a9d7", "ipi-zones"]
    assert [table.name for table in section.tables] == ["tokens", "information", "romanization", "texts"]
    assert "0.83, paradox" in section.charts[1].alt
    assert section.charts[0].note == "Lines at the ends of bars: 95% intervals."


def test_parity_section_of_texts_alone(profile: pl.DataFrame) -> None:
    section = parity_section(profile.filter(pl.col("measure").is_in(["mattr", "words"])).drop("tokenizer"))
    assert (section.title, section.lead, section.charts) == ("What are the texts like?", "", ())
    assert [table.name for table in section.tables] == ["texts"]


def test_fertility_is_drawn_where_there_are_no_sources(profile: pl.DataFrame) -> None:
    section = parity_section(profile.filter(measure="fertility"))
    assert [chart.name for chart in section.charts] == ["fertility-xlmr@0b44a9d7"]
    assert section.title == "What does the tokeniser cost each language?"


def test_several_tokenizers_are_told_apart(profile: pl.DataFrame) -> None:
    other = profile.filter(pl.col("tokenizer").is_not_null()).with_columns(tokenizer=pl.lit("gemma@1"))
    section = parity_section(pl.concat([profile, other]))
    assert [chart.name for chart in section.charts] == ["tp-xlmr@0b44a9d7", "tp-gemma@1", "ipi-zones"]
    assert "Tokeniser" in section.tables[0].frame.columns


def test_a_profile_without_rows() -> None:
    section = parity_section(result_table([]))
    assert (section.charts, section.tables) == ((), ())


def test_one_language_is_not_compared_with_itself() -> None:
    key = {"language": "ta", "script": "Taml", "condition": "native", "tokenizer": "t"}
    section = parity_section(result_table([(key, Measure("tp", 1.5, "ratio", "neutral", 3))]))
    assert section.lead == "Under t, Tamil (ta-Taml) takes 1.50 tokens for each one of the source."


def test_texts_shorter_than_the_window_have_a_type_token_ratio_and_no_mattr() -> None:
    def cell(language: str) -> dict[str, str]:
        return {"language": language, "script": "Latn", "condition": "native"}

    short = Measure("mattr", 0.4, "types per word", "neutral", 9, reason="80 words are fewer than the window of 500")
    full = Measure("mattr", 0.7, "types per word", "neutral", 9)
    profile = result_table([(cell("de"), short), (cell("fr"), full)])
    table = parity_section(profile).tables[0]
    assert table.frame.select("MATTR", "TTR").rows() == [("", "0.400"), ("0.700", "")]
    assert any(note.startswith("TTR: type-token ratio of all words at once") for note in table.footnotes)
    assert any(note.startswith("MATTR: ") and "depends on the order of the rows" in note for note in table.footnotes)
    assert table.data is not None
    assert table.data["measure"].to_list() == ["mattr", "mattr"]
    only = parity_section(profile.filter(language="de")).tables[0]
    assert "MATTR" not in only.frame.columns
    assert not any("windows of 500" in note for note in only.footnotes)


def test_what_romanisation_costs_is_left_out_without_romanised_rows() -> None:
    pair = {"language": "ta", "script": "Taml", "condition": "romanized/native", "tokenizer": "t"}
    native = {**pair, "condition": "native"}
    absent = Measure("lp", None, "ratio", "neutral", 0, reason="no romanised rows")
    section = parity_section(result_table([(native, Measure("tp", 1.5, "ratio", "neutral", 3)), (pair, absent)]))
    assert [table.name for table in section.tables] == ["tokens"]


def test_agreement_alone_stands_by_language_without_romanised_rows(segments: Segments, evil: str) -> None:
    native = Segments(segments.frame.filter(condition="native").drop("severity"), segments.measures)
    section = script_section(script_audit(native, evil, resamples=50, permutations=100), native)
    table = next(table for table in section.tables if table.name == f"{evil}-languages")
    assert table.title == f"How well {evil} agrees with people, by language"
    assert not {"Shift (points)", "rho romanised"} & set(table.frame.columns)
    assert any("no romanised rows" in note for note in table.footnotes)


def test_groupings_that_are_the_same_are_said_once(segments: Segments, evil: str) -> None:
    ranges = script_audit(segments, evil, resamples=50, permutations=100).ranges
    kept = distinct_ranges(ranges)
    groups = {
        (row["condition"], row["scored"], row["grouping"]): row["value"]
        for row in ranges.filter(measure="groups").iter_rows(named=True)
    }
    for condition, scored in {key[:2] for key in groups}:
        left = set(kept.filter(condition=condition, scored=scored)["grouping"])
        same = groups[condition, scored, "script"] == groups[condition, scored, "cell"]
        assert left == ({"cell"} if same else {"script", "cell"})
    assert distinct_ranges(result_table([])).height == 0


def test_a_section_has_a_short_heading_and_its_cautions_in_the_lead(audit: ScriptAudit, segments: Segments) -> None:
    section = script_section(replace(audit, cautions=("Row 3 is odd.",)), segments)
    assert section.title == f"{audit.metric.name} across scripts"
    assert section.lead == f"{audit.headline} Row 3 is odd."
