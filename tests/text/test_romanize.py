"""Romanisation: cases with their reasons, and the laws of the table that comes back."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.models import cache_folder
from equiglot.table import Segments
from equiglot.text import SCHEMES, residual_letters, romanize, romanize_texts
from equiglot.text import _schemes as schemes
from equiglot.text._text_cache import TextCache

_CASES = json.loads((Path(__file__).parent / "cases" / "romanize.json").read_text("utf-8"))


def _segments(**columns) -> Segments:
    """A small table in three languages; more or other columns by name."""
    frame = pl.DataFrame(
        {
            "id": ["1", "1", "2", "1"],
            "language": ["hi", "ta", "hi", "sw"],
            "script": ["Deva", "Taml", "Deva", "Latn"],
            "condition": ["native"] * 4,
            "system": ["a"] * 4,
            "source": ["One."] * 4,
            "target": ["एक", "ஒன்று", None, "moja"],
            "reference": ["एक।", "அவன்", "दो", "mbili"],
            "human": [1.0, 2.0, None, 4.0],
        }
    )
    return Segments(frame.with_columns(pl.Series(name, values) for name, values in columns.items()))


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["why"])
def test_cases(case):
    made = romanize_texts([case["text"]], case["scheme"], language=case["language"], script=case["script"])
    assert made == [case["latin"]]


@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), st.text(st.sampled_from("कमा्ँ\u200d।A.,?! \u00a0१"), max_size=9)), max_size=8))
def test_paper_s_recipe_obeys_its_own_rules(texts):
    made = romanize_texts(texts, "itrans-paper", language="hi", script="Deva")
    assert [text is None for text in made] == [text is None for text in texts]
    for text in (text for text in made if text is not None):
        assert text == text.lower() == " ".join(text.split())
        assert not set("\u200c\u200d") & set(text)
        assert all(mark not in word or word == mark for word in text.split() for mark in ".,!?;:")


@settings(deadline=None)
@given(st.lists(st.text(st.sampled_from("कमिा् ।"), max_size=6), max_size=8))
def test_a_text_is_romanised_alone(texts):
    together = romanize_texts(texts, "iast", language="hi", script="Deva")
    alone = [romanize_texts([text], "iast", language="hi", script="Deva")[0] for text in texts]
    assert together == alone


def test_cache_changes_nothing_and_is_used(monkeypatch):
    texts = ["एक", "दो", "एक", None, "\ud800 तीन"]
    calls: list[str] = []

    def counted(scheme, language, script):
        return lambda text: calls.append(text) or f"<{text}>"

    monkeypatch.setattr(sys.modules[romanize.__module__], "romanizer", counted)
    for cache in (False, True, True):
        calls.clear()
        made = romanize_texts(texts, "uroman", language="hi-test", script="Deva", cache=cache)
        assert made == ["<एक>", "<दो>", "<एक>", None, "<\ud800 तीन>"]
    assert calls == []
    assert list(cache_folder("romanized").glob("*.sqlite"))
    romanize_texts(texts, "uroman", language="mr-test", script="Deva")
    assert calls == ["एक", "दो", "\ud800 तीन"], "another language is another identity, and a text is done once"


def test_cache_keeps_the_later_result(tmp_path):
    store = TextCache(tmp_path, {"a": "b"})
    store.put({"x": "1"})
    store.put({"x": "2", "\ud800": ""})
    assert TextCache(tmp_path, {"a": "b"}).get(["x", "y", "\ud800"]) == {"x": "2", "\ud800": ""}
    assert TextCache(tmp_path, {"a": "c"}).get(["x"]) == {}
    many = {str(i): str(-i) for i in range(1200)}
    store.put(many)
    assert store.get(list(many)) == many
    store.close()


def test_progress_ends_with_all_done():
    seen: list[tuple[str, int, int]] = []
    romanize_texts(["एक", "दो", "एक"], "iast", language="hi", script="Deva", progress=lambda *told: seen.append(told))
    assert seen[0] == ("romanising hi", 0, 2)
    assert seen[-1] == ("romanising hi", 2, 2)


def test_rows_are_appended_in_order():
    before = _segments()
    after = romanize(before, "iast").frame
    assert after.drop("romanizer").head(4).equals(before.frame)
    made = after.tail(-4)
    assert made.select("id", "language", "system", "source", "human").rows() == [
        ("1", "hi", "a", "One.", 1.0),
        ("1", "ta", "a", "One.", 2.0),
        ("2", "hi", "a", "One.", None),
    ]
    assert set(made["condition"]) == {"romanized"}
    assert set(made["script"]) == {"Latn"}
    assert made["target"].to_list()[0] == "eka"
    assert made["target"].to_list()[2] is None
    assert made["reference"].to_list()[::2] == ["eka|", "do"]
    assert after["romanizer"].head(4).null_count() == 4
    assert set(made["romanizer"]) == {schemes.romanizer_name("iast")}
    assert made["romanizer"][0].startswith("iast@indic-transliteration-")


def test_order_of_rows_and_cells_does_not_matter():
    frame = _segments().frame
    forward = romanize(Segments(frame), "itrans").frame.filter(condition="romanized")
    backward = romanize(Segments(frame.reverse()), "itrans").frame.filter(condition="romanized")
    assert forward.equals(backward.reverse())


def test_reference_may_stay_native():
    made = romanize(_segments(), "iast", reference=False).frame.tail(-4)
    assert made["reference"].to_list() == ["एक।", "அவன்", "दो"]
    assert made["romanizer"][0].endswith("+native-reference")
    without = Segments(_segments().frame.drop("reference"))
    assert not romanize(without, "iast", reference=False).frame["romanizer"][-1].endswith("+native-reference")


def test_references_in_lists():
    several = _segments(reference=[["एक", "अनेक"], [], None, ["x"]])
    assert romanize(several, "iast").frame.tail(-4)["reference"].to_list() == [["eka", "aneka"], [], None]


def test_measures_of_native_text_are_not_carried_over():
    chrf = MeasureInfo("chrf", "chrF", "higher", "metric:chrf")
    human = MeasureInfo("human", "points", "higher", "human")
    before = _segments().with_measure(chrf, [50.0, None, 60.0, 70.0], [None, "no reference", None, None])
    after = romanize(before.with_measure(human, [1.0, 2.0, None, 4.0]), "iast")
    made = after.frame.tail(-4)
    assert made["chrf"].null_count() == 3
    assert set(made["chrf_reason"]) == {"the text was romanised after it was scored: score it again"}
    assert made["human"].to_list() == [1.0, 2.0, None]
    assert after.frame["chrf"].to_list()[:4] == [50.0, None, 60.0, 70.0]
    assert after.frame["chrf_reason"].to_list()[:4] == [None, "no reference", None, None]
    assert after.measures["chrf"] == chrf


def test_notes_say_what_was_left_out_and_left_native():
    notes = " / ".join(romanize(_segments(), "itrans").notes)
    assert "1 native rows are in Latin script already" in notes
    assert "itrans is wrong for Tamil" in notes
    joined = romanize(_segments(target=["क्\u200dष", "x", "", ""]), "iso15919")
    assert any("ZWJ and ZWNJ, which 1 texts in hi hold" in note for note in joined.notes)
    left = romanize(_segments(target=["एक", "அவன்", "दो", "moja"]), "itrans")
    assert any("ta: 1 non-Latin letters left in 1 of 1 texts: U+0BA9" in note for note in left.notes)
    assert not any(": 0 non-Latin" in note or "hi: " in note for note in left.notes)


def test_script_from_the_letters_where_the_table_has_none():
    unknown = _segments(script=[None, "Taml", None, None], language=["und", "ta", "hi", "sw"])
    made = romanize(unknown, "iast")
    assert made.frame.filter(condition="romanized")["target"].to_list()[0] == "eka"
    assert any("1 native rows are in Latin script" in note for note in made.notes)


def test_column_of_the_user():
    own = _segments(mine=["ek", "onru", None, "moja"], theirs=["ek.", "avan", "do", "mbili"])
    made = romanize(own, "column:mine,theirs")
    rows = made.frame.tail(-4)
    assert rows["target"].to_list() == ["ek", "onru", None]
    assert rows["reference"].to_list() == ["ek.", "avan", "do"]
    assert set(rows["romanizer"]) == {"column:mine,theirs"}
    assert any("1 of 3 romanised targets are missing" in note for note in made.notes)


def test_column_without_references_leaves_none_and_says_so():
    made = romanize(_segments(mine=["ek", "onru", "do", "moja"]), "column:mine")
    assert made.frame.tail(-4)["reference"].null_count() == 3
    assert any("have no reference" in note for note in made.notes)
    native = romanize(_segments(mine=["ek", "onru", "do", "moja"]), "column:mine", reference=False)
    assert native.frame.tail(-4)["reference"].to_list() == ["एक।", "அவன்", "दो"]
    assert native.frame["romanizer"][-1] == "column:mine+native-reference"


def test_column_of_references_without_native_ones():
    own = Segments(_segments(mine=["ek", "onru", "do", "moja"], theirs=["a", "b", "c", "d"]).frame.drop("reference"))
    made = romanize(own, "column:mine,theirs").frame
    assert made["reference"].to_list() == [None] * 4 + ["a", "b", "c"]


def test_an_empty_table_stays_empty():
    made = romanize(Segments(_segments().frame.clear()), "iast")
    assert made.frame.is_empty()
    assert "romanizer" in made.frame.columns


def test_other_conditions_and_latin_alone():
    kept = romanize(_segments(condition=["native", "noisy", "native", "native"]), "iast")
    assert kept.frame.height == 6
    assert any("1 rows of a condition other than native" in note for note in kept.notes)
    latin = romanize(Segments(_segments().frame.filter(script="Latn")), "iast")
    assert latin.frame.height == 1
    assert any("nothing was romanised" in note for note in latin.notes)


@pytest.mark.parametrize(
    ("change", "scheme", "says"),
    [
        ({"condition": ["native", "native", "romanized", "native"]}, "iast", "row 3, column 'condition'.*already"),
        ({}, "nonsense", "not a romanisation scheme; use uroman"),
        ({"script": ["Deva", "Arab", "Deva", "Latn"]}, "iast", "does not romanise script Arab"),
        ({"script": [None] * 4, "target": ["1"] * 4, "language": ["und"] * 4}, "iast", "script unknown"),
        ({}, "column:nothing", "no column 'nothing'"),
        ({}, "column:human", "column 'human': the column holds Float64, not String"),
        ({}, "column:system,human", "column 'human': the column holds Float64, not String"),
        ({}, "column:", "no column ''"),
        ({"target": pl.Series([None] * 4, dtype=pl.String)}, "iast", "every value of this column"),
    ],
)
def test_refuses(change, scheme, says):
    with pytest.raises(InputError, match=says):
        romanize(_segments(**change), scheme)


def test_every_scheme_is_described_and_named():
    assert next(iter(SCHEMES)) == "uroman"
    assert all(schemes.romanizer_name(scheme).startswith(f"{scheme}@") for scheme in SCHEMES)


def test_residue_names_the_worst():
    left = residual_letters(["ன ன a", None, "", "ൽ", "á1१।", "ன"])
    assert (left.letters, left.rows, left.n) == (4, 3, 5)
    assert left.characters == (("ன", 3), ("ൽ", 1))
    assert str(left).endswith("U+0BA9 TAMIL LETTER NNNA (3), U+0D7D MALAYALAM LETTER CHILLU L (1)")
    assert str(residual_letters(["a"])) == "no non-Latin letter left in 1 texts"
    assert residual_letters([]).letters == 0


@settings(deadline=None)
@given(st.lists(st.text(st.sampled_from("aकि।१éஅñ\u0301漢"), max_size=8), max_size=8))
def test_residue_is_what_a_loop_says(texts):
    native = set("किஅ漢")
    left = residual_letters(texts)
    assert left.letters == sum(character in native for text in texts for character in text)
    assert left.rows == sum(bool(native & set(text)) for text in texts)


def test_columns_of_the_user_are_no_obstacle():
    columns = {"_at": ["w", "x", "y", "z"], "chrf": [1.0, 2.0, 3.0, 4.0], "chrf_reason": [1, 2, 3, 4],
               "ter": [0.5] * 4, "ter_reason": [None] * 4, "romanizer": [None, None, None, "by hand"]}  # fmt: skip
    made = romanize(_segments(**columns), "iast").frame
    assert made["_at"].to_list() == ["w", "x", "y", "z", "w", "x", "y"]
    assert made["chrf"].to_list() == [1.0, 2.0, 3.0, 4.0, None, None, None]
    assert made["chrf_reason"].to_list() == [1, 2, 3, 4, 1, 2, 3]
    assert made["ter_reason"].null_count() == 4
    assert made["romanizer"].to_list()[:4] == [None, None, None, "by hand"]
    assert made["romanizer"][4].startswith("iast")
