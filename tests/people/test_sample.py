"""Sampling from strata: balance, no duplicates, no false shortage, and what is said of a shortage."""

from __future__ import annotations

import json
from itertools import permutations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.cli import main
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.people import Strata, Stratum, draw_sample, read_strata
from equiglot.people._sample_fill import fill
from equiglot.table import Segments, read_segments

LANGUAGES, SYSTEMS = ("hi", "te", "kn"), ("a", "b", "c", "d")


def table(n=60, **columns):
    rows = [
        {
            "id": str(i),
            "language": language,
            "script": "Latn",
            "condition": "romanized",
            "system": system,
            "source": f"prompt number {i}",
            "target": f"uttar {i} {language} {system}",
            "valid": True,
            "failure": None,
            "failures": [],
            "remarks": [],
        }
        for i in range(n)
        for language in LANGUAGES
        for system in SYSTEMS
    ]
    frame = pl.DataFrame(rows, schema_overrides={"failures": pl.List(pl.String), "remarks": pl.List(pl.String)})
    info = {name: MeasureInfo(name, "cosine", "higher", f"metric:{name}") for name in columns}
    return Segments(frame.with_columns(**columns), info)


def strata(**predicates):
    return Strata("mine", tuple(Stratum(name, name, where) for name, where in predicates.items()), {})


def counts(drawn, measure):
    rows = drawn.strata.filter(pl.col("measure") == measure)
    return dict(rows.select("stratum", "value").iter_rows())


def test_balanced_over_languages_and_systems_without_duplicates():
    drawn = draw_sample(table(), 120, strata=strata(low="id::int < 30", high="id::int >= 30"), seed=3)
    frame = drawn.segments.frame
    assert frame.height == 120
    assert set(drawn.cells["rows"]) == {10}
    assert set(frame.group_by("stratum", "language", "system").len()["len"]) == {5}
    assert not frame.select("id", "language", "system").is_duplicated().any()
    assert frame.group_by("language").agg(pl.col("id").n_unique())["id"].to_list() == [40, 40, 40]  # no prompt twice


def test_the_same_rows_whatever_their_order_and_others_with_another_seed():
    segments = table()
    mixed = Segments(segments.frame.sample(fraction=1, shuffle=True, seed=9), segments.measures)
    asked = strata(all="true")
    drawn = ((segments, 1), (mixed, 1), (mixed, 2))
    ids = [draw_sample(t, 40, strata=asked, seed=s).segments.frame["id"].to_list() for t, s in drawn]
    assert len(ids[0]) == 40
    assert ids[0] == ids[1] != ids[2]


def test_a_text_that_several_systems_give_is_rated_once():
    segments = table()
    same = Segments(segments.frame.with_columns(target=pl.concat_str(pl.lit("uttar "), "id", "language")), {})
    drawn = draw_sample(same, 500, strata=strata(all="true"))
    assert drawn.segments.frame.height == 60 * 3
    assert counts(drawn, "short") == {"all": 500 - 180}


def test_a_shortage_is_told_and_its_places_stay_empty():
    drawn = draw_sample(table(4), 40, strata=strata(rare="id = '0' AND system = 'a'", missing="nothing_here > 1"))
    assert counts(drawn, "wanted") == {"rare": 20, "missing": 20}
    assert counts(drawn, "short") == {"rare": 17, "missing": 20}
    assert "rare by 17 of 20; missing by 20 of 20 (there is no column 'nothing_here')" in drawn.headline
    reason = drawn.strata.filter((pl.col("stratum") == "missing") & (pl.col("measure") == "candidates"))["reason"]
    assert reason.to_list() == ["there is no column 'nothing_here'"]


def test_the_six_strata_of_the_paper():
    scores = [i / 720 for i in range(720)]
    segments = table(e5=pl.Series(scores), bertscore=pl.Series([(i % 5) / 5 for i in range(720)]))
    i = pl.int_range(pl.len())
    frame = segments.frame.with_columns(
        target=pl.when(i % 10 == 0).then("source").otherwise("target"),
        failures=pl.when(i % 7 == 0).then(pl.lit(["spillage"])).otherwise(pl.lit([], pl.List(pl.String))),
        valid=i % 7 != 0,
        category=pl.when(i % 4 == 0).then(pl.lit("Emotional")).otherwise(pl.lit("factual")),
        english_task=i % 30 == 10,
    )
    drawn = draw_sample(Segments(frame, segments.measures), 72)
    assert counts(drawn, "sampled") == dict.fromkeys([s.name for s in read_strata().strata], 12)
    rows = {name: part for (name,), part in drawn.segments.frame.group_by("stratum")}
    assert (rows["script-leakage"]["failures"].list.contains("spillage")).all()
    assert ((rows["metrics-disagree"]["e5"] - rows["metrics-disagree"]["bertscore"]).abs() > 0.15).all()
    assert (rows["english-but-high"]["target"] == rows["english-but-high"]["source"]).all()
    assert not rows["english-but-high"]["english_task"].any()
    assert rows["english-tasks"]["english_task"].all()
    assert rows["clean-anchors"]["valid"].all()
    assert set(rows["creative-emotional"]["category"]) == {"Emotional"}
    assert "shares of failures" in " ".join(drawn.segments.notes)


def test_ranks_run_the_way_the_metric_does():
    segments = table(20, ter=pl.Series([float(i) for i in range(240)]))
    lower = {"ter": MeasureInfo("ter", "score", "lower", "metric:ter")}
    drawn = draw_sample(Segments(segments.frame, lower), 30, strata=strata(best="metric_rank >= 0.9"), metrics=["ter"])
    assert drawn.segments.frame["ter"].max() < 24


def test_validity_is_judged_where_the_table_lacks_it():
    segments = table(6)
    plain = segments.frame.drop("valid", "failure", "failures", "remarks").with_columns(
        target=pl.when(pl.col("id") == "0").then(pl.lit("haan मानना")).otherwise("target")
    )
    drawn = draw_sample(Segments(plain), 4, strata=strata(leak="array_contains(failures, 'spillage')"))
    assert set(drawn.segments.frame["target"]) == {"haan मानना"}


def test_no_row_at_all_and_what_no_predicate_is():
    with pytest.raises(InputError, match="no stratum has any row"):
        draw_sample(table(2), 10, strata=strata(none="false"))
    with pytest.raises(InputError, match="predicate of stratum 'odd' fails"):
        draw_sample(table(2), 10, strata=strata(odd="target + 1 > 3"))
    with pytest.raises(InputError, match="fails"):
        draw_sample(table(2), 10, strata=strata(odd="length(target)"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: x\nstrata: []\n", "column 'strata'"),
        ("name: x\nstrata:\n- {name: a, where: 'm >'}\n", r"strata\[1\].where"),
        ("name: x\nstrata:\n- {name: a, wher: 'm > 1'}\n", "did you mean 'where'"),
        ("name: x\nstrata:\n- {name: A B, where: 'true'}\n", r"strata\[1\].name"),
        ("name: x\nstrata:\n- {name: a, where: 'true'}\n- {name: a, where: 'true'}\n", "two strata 'a'"),
        ("name: x\nstrata:\n- {name: a, where: 'true', share: -1}\n", r"strata\[1\].share"),
        ("name: x\nname: y\n", "twice"),
        ("- 1\n", "not a mapping"),
    ],
)
def test_mistakes_in_a_strata_file_are_named(tmp_path, text, says):
    path = tmp_path / "strata.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=says) as caught:
        read_strata(path)
    assert str(path) in str(caught.value)


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    table(10).frame.drop("valid", "failure", "failures", "remarks").with_columns(
        mine=pl.int_range(pl.len()) / 120, category=pl.lit("creative")
    ).write_parquet("in.parquet")
    main(["sample", "in.parquet", "--n", "24", "-m", "mine", "-o", "out.parquet", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert "a second metric is needed: name it with --metric" in told["headline"]
    assert {"language", "script", "system", "rows"} == set(told["cells"][0])
    assert not any("valid as metric" in note for note in told["notes"])
    found = read_segments("out.parquet")
    assert found.frame.height == sum(cell["rows"] for cell in told["cells"])
    assert "mine" in found.measures
    assert set(found.frame["stratum"]) == {"creative-emotional", "clean-anchors"}
    with pytest.raises(SystemExit) as ended:
        main(["sample", "in.parquet", "--strata", "missing.yaml"])
    assert ended.value.code == 2


@given(
    st.lists(st.lists(st.integers(0, 6), unique=True), min_size=1, max_size=3),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
)
def test_as_many_rows_as_can_be_and_each_once(candidates, wanted):
    wanted = wanted[: len(candidates)]
    chosen = fill(candidates, wanted, ["cell"] * 7, list(range(7)))
    rows = [row for part in chosen for row in part]
    assert len(rows) == len(set(rows))
    for part, may, want in zip(chosen, candidates, wanted, strict=True):
        assert set(part) <= set(may)
        assert len(part) <= want
    assert len(rows) == _most(candidates, wanted)


def _most(candidates, wanted):
    """The plain slow way: fill the strata from every order of rows, as far as each goes."""
    best = 0
    for order in permutations(range(7)):
        left, filled = list(wanted), 0
        for row in order:
            stratum = next((s for s, may in enumerate(candidates) if row in may and left[s]), None)
            if stratum is not None:
                left[stratum] -= 1
                filled += 1
        best = max(best, filled)
        if best == min(sum(wanted), 7):
            break
    return best


def test_words_of_a_csv_are_read_as_what_they_say():
    words = table(n=6).frame.with_columns(
        valid=pl.lit("yes"),
        failures=pl.lit("copy; spillage"),
        english_task=pl.when(pl.col("id") == "1").then(pl.lit("1")),
    )
    mine = strata(both="valid AND NOT english_task AND array_contains(failures, 'spillage')")
    drawn = draw_sample(Segments(words), 100, strata=mine)
    assert drawn.segments.frame.height == 5 * len(LANGUAGES) * len(SYSTEMS)
    with pytest.raises(InputError, match="column 'english_task': 'perhaps' is neither yes nor no"):
        draw_sample(Segments(words.with_columns(english_task=pl.lit("perhaps"))), 9)


def test_whether_a_row_is_valid_is_no_metric():
    judged = Segments(table(n=2).frame, {"valid": MeasureInfo("valid", "share", "higher", "measure:valid")})
    drawn = draw_sample(judged, 2, strata=strata(all="valid"))
    assert "metric" not in drawn.signature.split("|")[3]
    with pytest.raises(InputError, match="column 'valid': this column is not of numbers"):
        draw_sample(judged, 2, strata=strata(all="valid"), metrics=["valid"])


def test_rows_that_no_sample_could_hold_are_counted_by_reason_and_system():
    segments = table(2, m=pl.Series([None, *[0.5] * 23], dtype=pl.Float64))
    place = pl.int_range(pl.len())
    text = pl.when(place == 5).then(None).when(place.is_in([6, 7])).then(pl.lit("same")).otherwise("target")
    segments = Segments(segments.frame.with_columns(target=text, n=place), segments.measures)
    drawn = draw_sample(segments, 100, strata=strata(some="metric > 0 AND n < 22"), metrics=["m"])
    assert drawn.segments.frame.height == 24 - 5
    told = [note for note in drawn.segments.notes if "could not be chosen" in note]
    of_same = next(s for s in "cd" if s not in drawn.segments.frame.filter(target="same")["system"].to_list())
    assert told == [
        "5 of 24 rows could not be chosen: in no stratum (1 of c, 1 of d); in no stratum, and no m (1 of a); "
        f"no text (1 of b); the same text as another row (1 of {of_same})"
    ]
    whole = draw_sample(table(2), 5, strata=strata(all="true"))
    assert not [note for note in whole.segments.notes if "could not be chosen" in note]
