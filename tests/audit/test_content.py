"""What rows hold: copied scores are refused, matched content is said only of sources that are seen to match; advice."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from equiglot.audit import script_audit
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo

FAST = {"resamples": 100, "permutations": 100}


def brought(segments, name="chrf"):
    return replace(segments, measures={name: MeasureInfo(name, "points", "higher", f"metric:{name}|origin:brought")})


def copied(segments, languages, name="chrf"):
    """The table with the romanised rows of some languages carrying their native rows' scores."""
    native = pl.col(name).filter(pl.col("condition") == "native").first().over("id", "language")
    chosen = pl.when(pl.col("language").is_in(languages)).then(native).otherwise(name)
    return replace(segments, frame=segments.frame.with_columns(chosen.alias(name)))


def place_of(segments):
    return script_audit(segments, "chrf", **FAST).verdicts[0].sentence


@pytest.mark.parametrize("n", [2, 40])
def test_copied_scores_are_refused(table, n):
    with pytest.raises(InputError, match="copied") as error:
        script_audit(copied(brought(table(n=n)), ["hi", "ta"]), "chrf", **FAST)
    assert str(error.value) == (
        "column 'chrf': the romanised rows of hi and ta carry their native rows' scores, so they were copied and not "
        "scored; score the romanised rows, or leave their scores empty"
    )


def test_scores_that_only_look_copied_are_let_through(table):
    segments = table(n=40)
    everyone = ["hi", "mr", "ta"]
    almost = copied(brought(segments), everyone).frame.with_columns(
        chrf=pl.when((pl.col("id") == "s1") & (pl.col("condition") == "romanized")).then(1.0).otherwise("chrf")
    )
    empty = segments.frame.with_columns(chrf=pl.when(pl.col("condition") == "native").then("chrf"))
    latin = copied(brought(segments), everyone).frame.with_columns(target=pl.col("id"))
    constant = segments.frame.with_columns(chrf=pl.lit(4.0))
    for frame in (almost, empty, latin, constant):
        script_audit(brought(replace(segments, frame=frame)), "chrf", **FAST)
    script_audit(copied(segments, everyone), "chrf", **FAST)  # made by equiglot, and not brought
    words_only = table(n=40, metric="ter")
    script_audit(copied(brought(words_only, "ter"), everyone, "ter"), "ter", **FAST)


def test_equal_texts_do_not_excuse_the_others(table):
    segments = copied(brought(table(n=40)), ["hi"])
    texts = pl.when(pl.col("id") == "s1").then(pl.lit("x")).otherwise(pl.col("condition") + pl.col("id"))
    with pytest.raises(InputError, match="of hi carry"):
        script_audit(replace(segments, frame=segments.frame.with_columns(target=texts)), "chrf", **FAST)


def test_content_is_called_matched_only_where_sources_are_seen_to_match(table):
    native = {"conditions": ["native"], "n": 60}
    segments = table(**native)
    assert "content is matched (60 segments, each with the same source in every language)" in place_of(segments)
    numbered = place_of(table(**native, sources=False))
    assert "whether content is matched can't be checked, for there are no sources" in numbered
    assert "is matched (" not in numbered

    def with_sources(expression):
        return place_of(replace(segments, frame=segments.frame.with_columns(source=expression)))

    own = pl.col("source") + pl.col("language")
    assert "content differs (sources of 60 of 60 shared ids are not the same)" in with_sources(own)
    one = pl.when(pl.col("id") == "s1").then(own).otherwise("source")
    assert "content is matched but for 1 of 60 segments" in with_sources(one)
    unknown = pl.when(pl.col("language") != "ta").then("source")
    assert "content can't be called matched (only 0 of 60 segments" in with_sources(unknown)
    assert "can't be checked, for there are no sources" in with_sources(pl.lit(None, pl.String))
    apart = segments.frame.with_columns(pl.col("id", "source") + pl.col("language"))
    assert "content is not matched (0 of 180 segments are there in every language)" in place_of(
        replace(segments, frame=apart)
    )


def test_what_to_do_follows_from_what_is_there(table):
    native = {"conditions": ["native"], "offset": {"ta": 10.0}, "human": False}
    neither = script_audit(table(**native), "chrf", **FAST)
    place, order = neither.verdicts
    assert place.answer == "can't tell"
    assert "people's scores" in place.fix
    assert "or the same translations in Latin script (`equiglot romanize`), scored too" in place.fix
    assert order.fix.endswith("scored too, and people's scores (a column 'human', larger is better).")
    assert "pooled on one axis after quantile normalisation" in neither.headline
    assert "can't rank languages" in neither.headline

    mixed = script_audit(table(**native, languages={"ta": "Taml", "fr": "Latn"}), "chrf", **FAST)
    assert "or the same translations of Tamil (ta-Taml) in Latin script" in mixed.verdicts[0].fix
    latin = script_audit(table(**native, languages={"de": "Latn", "fr": "Latn"}), "chrf", **FAST)
    said = latin.headline + " ".join(v.sentence + v.fix for v in latin.verdicts)
    assert "romanize" not in said
    assert "in Latin script already" in latin.verdicts[1].sentence
    assert latin.verdicts[1].fix == ""

    unrated = script_audit(table(human=False, offset={"ta": 10.0}), "chrf", **FAST)
    assert unrated.verdicts[0].fix == "Add people's scores of the translations (a column 'human', larger is better)."


def test_questions_and_names_are_plain(table):
    audit = script_audit(table(blur={"ta": 14.0, "hi": 14.0}), "chrf", **FAST)
    assert [verdict.question for verdict in audit.verdicts] == [
        "May scores of different languages and scripts be compared?",
        "Does the metric order translations equally well in every script?",
    ]
    assert "in 2 of 3 languages, Hindi" in audit.headline
    assert audit.headline.count("(ta-Taml)") == audit.headline.count("(hi-Deva)") == 1
    called = script_audit(table(metric="score", conditions=["native"], offset={"ta": 12}), "score", **FAST)
    said = called.headline + " ".join(v.sentence for v in called.verdicts)
    assert "score scores" not in said
    assert "cell" not in called.headline
