"""What files become: columns found, keys made, scores told from other columns; and every bad input, once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from equiglot.errors import InputError
from equiglot.table import KEY, Segments, from_frame, read_segments

Write = Callable[[str, str | bytes], Path]

MINIMAL: dict[str, Any] = {
    "id": ["1", "2"],
    "language": ["hi", "hi"],
    "script": ["Deva", "Deva"],
    "condition": ["native", "native"],
    "system": ["a", "a"],
    "target": ["नमस्ते", "शुक्रिया"],
}


def table(**columns: Any) -> pl.DataFrame:
    """The minimal table with columns added or, where None, taken out."""
    return pl.DataFrame({k: v for k, v in {**MINIMAL, **columns}.items() if v is not None}, strict=False)


def _pairs(words: str) -> list[list[str]]:
    return [word.split(":") for word in words.split()]


def error_of(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    line = str(caught.value)
    assert "\n" not in line
    return line


def latin_or_deva(texts: pl.Series, _languages: pl.Series) -> pl.Series:
    """A stand-in for the room `text`."""
    scripts = (
        pl.when(texts.str.contains("[a-z]")).then(pl.lit("Latn")).when(texts.str.contains("[क-ह]")).then(pl.lit("Deva"))
    )
    return pl.select(scripts).to_series()


# --- every format gives the same table


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet"])
def test_every_format_gives_the_same_table(tmp_path: Path, suffix: str) -> None:
    frame = table(human=[21.5, None], chrf=[61.25, 40.0], note=["x", None])
    path = tmp_path / f"scores{suffix}"
    match suffix:
        case ".csv":
            frame.write_csv(path)
        case ".tsv":
            frame.write_csv(path, separator="\t")
        case ".json":
            path.write_text(json.dumps(frame.to_dicts()), "utf-8")
        case ".parquet":
            frame.write_parquet(path)
        case _:
            frame.write_ndjson(path)
    segments = read_segments(path)
    assert segments.frame.equals(frame)
    assert segments.frame.columns[:5] == list(KEY)
    assert segments.notes == ()
    info = segments.measures["chrf"]
    assert list(segments.measures) == ["chrf"]
    assert info.direction == "higher"
    assert info.signature == "metric:chrf|origin:brought"


@pytest.mark.parametrize("make", [lambda f: f, lambda f: f.lazy(), lambda f: f.to_arrow(), lambda f: f.to_pandas()])
def test_frames_of_other_kinds(make: Callable[[pl.DataFrame], Any]) -> None:
    segments = from_frame(make(table(human=[21.5, None], ter=[0.5, None])))
    assert segments.frame.equals(table(human=[21.5, None], ter=[0.5, None]))
    assert segments.measures["ter"].direction == "lower"


def test_pandas_nan_is_a_missing_value() -> None:
    frame = pd.DataFrame({**MINIMAL, "chrf": [1.0, float("nan")]})
    assert from_frame(frame).frame["chrf"].to_list() == [1.0, None]


def test_categories_are_text() -> None:
    frame = from_frame(table().with_columns(pl.col("language", "system", "target").cast(pl.Categorical))).frame
    assert frame.equals(table())


def test_text_is_never_changed(write: Write) -> None:
    text = " \u00a0e\u0301\u200d\ufeff\u2028x\u0085 "
    line = json.dumps({"language": "de", "script": "Latn", "target": text})
    assert read_segments(write("a.jsonl", line)).frame["target"][0] == text
    assert read_segments(write("a.tsv", f"language\tscript\ttarget\nde\tLatn\t{text}\n")).frame["target"][0] == text


def test_missing_and_empty_are_not_the_same(write: Write) -> None:
    path = write("a.csv", 'id,language,script,target\n1,de,Latn,\n2,de,Latn,""\n3,de,Latn," "\n')
    assert read_segments(path).frame["target"].to_list() == [None, "", " "]


# --- columns


@pytest.mark.parametrize(
    ("theirs", "ours"),
    _pairs(
        "segment_id:id seg_id:id segment:id ID:id lang:language language_code:language "
        "tgt_lang:language translation:target hyp:target hypothesis:target mt:target tgt:target "
        "prediction:target Target:target"
    ),
)
def test_other_names_are_found_and_told(theirs: str, ours: str) -> None:
    segments = from_frame(table().rename({ours: theirs}))
    assert segments.frame.equals(table())
    assert segments.notes == (f"frame: column '{theirs}' was read as {ours}",)


def test_other_names_are_not_searched_for_what_is_there() -> None:
    segments = from_frame(table(mt=["x", "y"]))
    assert segments.frame["target"].to_list() == MINIMAL["target"]
    assert segments.frame["mt"].to_list() == ["x", "y"]


@pytest.mark.parametrize("name", ["score", "mqm", "da", "text", "rating"])
def test_ambiguous_names_mean_nothing(name: str) -> None:
    segments = from_frame(table(**{name: [1.0, 2.0]}))
    assert segments.measures == {}
    assert segments.notes == ()
    assert segments.frame[name].to_list() == [1.0, 2.0]


def test_columns_are_renamed_as_asked() -> None:
    frame = table(target=None, final=["x", "y"], rating=[1, 2], mine=[0.5, 0.25])
    segments = from_frame(frame, rename={"target": "final", "chrf": "mine"}, human="rating")
    assert segments.frame["target"].to_list() == ["x", "y"]
    assert segments.frame["human"].to_list() == [1.0, 2.0]
    assert segments.measures["chrf"].direction == "higher"


def test_a_renamed_column_takes_the_place_of_the_file_s_own() -> None:
    segments = from_frame(table(edited=["x", "y"]), rename={"target": "edited"})
    assert segments.frame["target"].to_list() == ["x", "y"]
    assert segments.notes == ("frame: column 'target' was left out, because 'edited' is read as target",)


def test_columns_may_change_places() -> None:
    frame = table(source=["a", "b"], target=["c", "d"])
    made = from_frame(frame, rename={"source": "target", "target": "source"}).frame
    assert made.select("source", "target").rows() == [("c", "a"), ("d", "b")]


def test_a_language_pair_gives_its_target() -> None:
    segments = from_frame(table(language=None, lp=["en-hi", "eng_Latn-hin_Deva"]))
    assert segments.frame["language"].to_list() == ["hi", "hi"]
    assert "lp" not in segments.frame.columns
    assert segments.notes[0] == "frame: column 'lp' was read as language pair"


def test_numbers_may_be_names() -> None:
    frame = from_frame(table(id=[7, 8], system=[1.0, 1.0])).frame
    assert frame.select("id", "system").rows() == [("7", "1"), ("8", "1")]


def test_a_list_of_one_reference_is_that_reference() -> None:
    frame = from_frame(table(reference=[["x"], None])).frame
    assert frame["reference"].to_list() == ["x", None]
    assert from_frame(table(reference=[["x"], []])).frame["reference"].to_list() == ["x", None]


# --- keys


def test_what_is_not_there_is_made_and_told() -> None:
    segments = from_frame(pl.DataFrame({"target": ["x", "y"]}), language="deu", script="Latn")
    assert segments.frame.select(KEY).rows() == [
        ("1", "de", "Latn", "native", "system"),
        ("2", "de", "Latn", "native", "system"),
    ]
    assert segments.notes == (
        "frame: languages were read: deu as de",
        "frame: there is no column 'system', so all rows are of one, 'system'",
        "frame: there is no column 'id', so rows were numbered in file order within language, system and condition",
    )


def test_ids_align_systems_in_file_order() -> None:
    frame = pl.DataFrame({"system": ["a", "b", "b", "a"], "source": ["x", "x", "y", "y"], "target": list("1234")})
    made = from_frame(frame, language="de", script="Latn").frame
    assert made["id"].to_list() == ["1", "1", "2", "2"]


def test_ids_that_would_not_align_are_an_error() -> None:
    frame = pl.DataFrame({"system": ["a", "a", "b", "b"], "source": ["x", "y", "y", "x"], "target": list("1234")})
    line = error_of(lambda: from_frame(frame, language="de", script="Latn"))
    assert line.startswith("row 3, column 'source': without ids, segment 1 of de has another source here (b, native)")


def test_unequal_groups_are_told_when_ids_are_made() -> None:
    frame = pl.DataFrame({"system": ["a", "a", "b"], "target": list("123")})
    notes = from_frame(frame, language="de", script="Latn").notes
    assert notes[-1] == "frame: these have between 1 and 2 rows, so the ids may not align"


@pytest.mark.parametrize("tag", ["hi-Latn", "hin_Latn", "hi_Latn"])
def test_a_romanised_language_by_its_tag(tag: str) -> None:
    frame = table(script=None, condition=None, language=["hin_Deva", tag], id=["1", "1"])
    segments = from_frame(frame)
    assert segments.frame.select(KEY).rows() == [
        ("1", "hi", "Deva", "native", "a"),
        ("1", "hi", "Latn", "romanized", "a"),
    ]
    assert "frame: rows of hi in Latn were taken as romanized; its usual script is Deva" in segments.notes


def test_latin_is_native_where_it_is_usual() -> None:
    frame = table(script=None, condition=None, language=["vi", "sr_Latn"], target=["x", "y"])
    assert from_frame(frame, script_of=latin_or_deva).frame["condition"].to_list() == ["native", "native"]


def test_region_is_kept() -> None:
    assert from_frame(table(language=["pt_BR", "pt"], script=None)).frame["language"].to_list() == ["pt-BR", "pt"]


def test_a_british_condition() -> None:
    segments = from_frame(table(condition=["native", "romanised"], script=["Deva", "Latn"]))
    assert segments.frame["condition"].to_list() == ["native", "romanized"]
    assert segments.notes == ("frame: the condition 'romanised' was read as 'romanized'",)


def test_without_anything_to_tell_it_the_script_is_unknown() -> None:
    assert from_frame(table(script=None)).frame["script"].to_list() == [None, None]


def test_the_majority_of_texts_decides_the_script_of_all() -> None:
    frame = table(
        id=list("1234"), language="hi", script=None, condition=None, system="a", target=["क", "hello", None, "ख"]
    )
    segments = from_frame(frame, script_of=latin_or_deva)
    assert segments.frame["script"].to_list() == ["Deva"] * 4
    assert segments.frame["condition"].to_list() == ["native"] * 4
    assert segments.notes == (
        "frame: 1 of 4 rows of hi (native) have a target in another script than Deva, the others' (Latn 1)",
    )


def test_the_script_is_told_apart_by_condition() -> None:
    frame = table(script=None, condition=["native", "romanized"], target=["क", "ka"])
    assert from_frame(frame, script_of=latin_or_deva).frame["script"].to_list() == ["Deva", "Latn"]


def test_a_tie_goes_to_the_usual_script_and_else_is_an_error() -> None:
    frame = table(script=None, target=["क", "ka"])
    assert from_frame(frame, script_of=latin_or_deva).frame["script"].to_list() == ["Deva", "Deva"]
    line = error_of(lambda: from_frame(frame.with_columns(language=pl.lit("ta")), script_of=latin_or_deva))
    assert "ta (native) has as many rows in" in line


def test_scores_without_text_take_the_usual_script() -> None:
    segments = from_frame(table(script=None, target=None, chrf=[1, 2]))
    assert segments.frame["script"].to_list() == ["Deva", "Deva"]
    assert segments.notes == ("frame: no text shows the script, so the usual one was taken: Deva for hi (native)",)


def test_one_row_and_one_language_are_a_table() -> None:
    assert from_frame(table().head(1)).frame.height == 1


# --- scores


@pytest.mark.parametrize(
    ("column", "direction"),
    _pairs(
        "comet:higher COMET-22:higher wmt22-comet-da:higher xcomet_xl:higher "
        "Unbabel/wmt22-cometkiwi-da:higher bleu:higher chrF++:higher chrf_qn:higher TER:lower "
        "BERTScore-F1:higher bleurt20:higher metricx-24:lower e5:higher sent_nll:lower ppl:lower "
        "bpb:lower bpc:lower mrr:higher"
    ),
)
def test_known_metrics_are_measures(column: str, direction: str) -> None:
    segments = from_frame(table(**{column: [1, None]}))
    assert segments.measures[column].direction == direction
    assert segments.frame[column].to_list() == [1.0, None]


@pytest.mark.parametrize(
    "column", ["comet_rank", "bleu_notes", "cometary", "template", "ters", "e5x", "mt_bleu_reason"]
)
def test_other_columns_are_no_measures(column: str) -> None:
    assert from_frame(table(**{column: [1, 2]})).measures == {}


def test_a_known_name_without_a_number_is_carried_along() -> None:
    segments = from_frame(table(ip=["10.0.0.1", "10.0.0.2"]))
    assert segments.measures == {}
    assert segments.frame["ip"].to_list() == ["10.0.0.1", "10.0.0.2"]


def test_other_scores_are_measures_when_asked_for(write: Write) -> None:
    path = write("a.csv", "language,script,fluency\nde,Latn, 1e1 \nde,Latn,\n")
    segments = read_segments(path, measures={"fluency": "lower"})
    assert segments.frame["fluency"].to_list() == [10.0, None]
    info = segments.measures["fluency"]
    assert (info.unit, info.direction) == ("score", "lower")
    assert info.signature == "metric:fluency|origin:brought"


# --- bad input, once each

BAD_FILES: dict[str, tuple[str, str | bytes, str]] = {
    "empty": ("a.tsv", "", "a.tsv: the file is empty"),
    "empty json": ("a.json", "[]", "there are no rows"),
    "empty jsonl": ("a.jsonl", "\n\n", "there are no rows"),
    "header only": ("a.tsv", "id\tlanguage\ttarget\n", "there is a header and no row"),
    "ragged": ("a.tsv", "id\tlanguage\ttarget\n1\thi\n", "row 1: this row has 2 fields and the header has 3"),
    "bad UTF-8": ("a.tsv", b"language\ttarget\nhi\tx\nhi\t\xff\n", "row 2, column 'target': byte 0xff at offset 24"),
    "bad UTF-8 in jsonl": ("a.jsonl", b'{"a":1}\n{"a":"\xff"}\n', "row 2: byte 0xff at offset 14"),
    "no language": ("a.tsv", "id\ttarget\n1\tx\n", "there is no column for the language; the columns are id, target"),
    "unknown language": ("a.tsv", "language\ttarget\nhi\tx\nxx\ty\n", "row 2, column 'language': 'xx' is not a lang"),
    "misspelt language": ("a.tsv", "language\ttarget\nHindy\tx\n", "did you mean 'hi' (Hindi)"),
    "missing language": ("a.tsv", "language\ttarget\nhi\tx\n\ty\n", "row 2, column 'language': the value is missing"),
    "a pair as language": ("a.tsv", "language\ttarget\nen-hi\tx\n", "name the column 'lp'"),
    "no pair": ("a.tsv", "lp\ttarget\nhi\tx\n", "'hi' is not a language pair"),
    "unknown script": ("a.tsv", "language\tscript\ttarget\nhi\tDevanagari\tx\n", "did you mean 'Deva'"),
    "scripts that differ": ("a.tsv", "language\tscript\ttarget\nhi-Latn\tDeva\tx\n", "the language's tag says Latn"),
    "nothing to read": ("a.tsv", "language\toutput\nhi\tx\n", "there is neither a text nor a score to read"),
    "text in a score": ("a.tsv", "language\tcomet\nhi\t0.5\nhi\tn/a\n", "row 2, column 'comet': 'n/a' is not a number"),
    "a comma in a score": ("a.tsv", "language\tcomet\nhi\t0.5\nhi\t0,5\n", "row 2, column 'comet': '0,5' is not a"),
    "NaN in a score": (
        "a.tsv",
        "language\tcomet\nhi\tNaN\n",
        "row 1, column 'comet': the value is NaN; leave the cell",
    ),
    "infinity in a score": ("a.tsv", "language\tcomet\nhi\t-inf\n", "row 1, column 'comet': the value is infinite"),
    "NaN in jsonl": ("a.jsonl", '{"language":"hi","ter":NaN}', "row 1, column 'ter': the value is NaN"),
    "text for human": ("a.tsv", "language\thuman\nhi\t`19\n", "row 1, column 'human': '`19' is not a number"),
    "numbers for targets": ("a.jsonl", '{"language":"hi","target":5}', "row 1, column 'target': 5 is not text"),
    "one number for a target": (
        "a.jsonl",
        '{"language":"hi","target":"x"}\n{"language":"hi","target":5}\n',
        "row 2, column 'target': 5 is not text",
    ),
    "two references": (
        "a.jsonl",
        '{"language":"hi","target":"x","reference":["y","z"]}',
        "row 1, column 'reference': there are 2 texts in one row",
    ),
    "two same keys": (
        "a.tsv",
        "id\tlanguage\tscript\ttarget\n1\thi\tDeva\tx\n2\thi\tDeva\ty\n1\thin\tDeva\tz\n",
        "rows 1 and 3 have the same id, language, script, condition, system (1, hi, Deva, native, system); "
        "add a column that tells them apart (system or condition)",
    ),
    "two targets": ("a.tsv", "language\thyp\tmt\nhi\tx\ty\n", "columns 'hyp' and 'mt' could each be target"),
    "not JSON": ("a.jsonl", '{"language":"hi"}\n{"language":hi}\n', "row 2: this is not JSON"),
    "not an object": ("a.jsonl", '{"language":"hi"}\n[1]\n', "row 2: this is not an object with values"),
    "no values": ("a.jsonl", "{}\n", "row 1: this is not an object with values"),
    "one key twice": ("a.jsonl", '{"id":1,"id":2}\n', "row 1: this is not JSON (a key stands twice in one object)"),
    "not a list": ("a.json", '{"id":{"0":1}}', "this is not a list of objects"),
    "a list of numbers": ("a.json", '[{"id": 1}, 1]', "row 2: this is not an object"),
    "half a character": ("a.jsonl", '{"id":"x"}\n{"id":"\\ud83d"}', "row 2, column 'id': the text holds an unpaired"),
    "not Parquet": ("a.parquet", "id,language\n", "this is not Parquet"),
    "another format": ("a.xlsx", "x", "'.xlsx' is not a format of tables; use one of .parquet, .csv"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file(write: Write, case: str) -> None:
    name, content, expected = BAD_FILES[case]
    path = write(name, content)
    line = error_of(lambda: read_segments(path))
    assert line.startswith(str(path))
    assert expected in line


def test_nan_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table(chrf=[1.0, float("nan")]).write_parquet(path)
    assert f"{path}, row 2, column 'chrf': the value is NaN; leave the cell empty" in error_of(
        lambda: read_segments(path)
    )


def test_a_mistyped_path(write: Write) -> None:
    write("scores.tsv", "x")
    path = write("x.csv", "x").with_name("scors.tsv")
    line = error_of(lambda: read_segments(path))
    assert "there is no such file; did you mean" in line
    assert "scores.tsv'" in line


def test_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a.csv"
    folder.mkdir()
    assert "this is a folder" in error_of(lambda: read_segments(folder))


BAD_OPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown canonical name": (
        {"rename": {"tagret": "target"}},
        "'tagret' is no column of the table; did you mean 'target'",
    ),
    "unknown column": (
        {"rename": {"target": "tarjet"}},
        "no column 'tarjet' to read target from; did you mean 'target'",
    ),
    "one column twice": ({"rename": {"source": "target", "reference": "target"}}, "'target' is named for two columns"),
    "two for human": ({"rename": {"human": "id"}, "human": "system"}, "both 'system' and 'id' are named as human"),
    "language twice": ({"language": "ta"}, "there is a column for language, and one value for all rows was given too"),
    "unknown language": ({"language": "xx", "rename": {"id": "language"}}, "'xx' is not a language"),
    "unknown measure": ({"measures": {"score": "higher"}}, "there is no column 'score' to read as a score"),
    "a text as measure": ({"measures": {"target": "higher"}}, "this column is not a score"),
    "letters as measure": ({"measures": {"note": "higher"}}, "row 1, column 'note': 'x' is not a number"),
    "no direction": ({"measures": {"chrf": "up"}}, "'up' is not a direction"),
    "another direction": (
        {"measures": {"chrf": "lower"}},
        "'lower' was given as its direction, and this metric's is 'hi",
    ),
}


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_a_bad_option(case: str) -> None:
    options, expected = BAD_OPTIONS[case]
    assert expected in error_of(lambda: from_frame(table(note=["x", "y"], chrf=[1, 2]), **options))


BAD_FRAMES: dict[str, tuple[Any, str]] = {
    "no frame": ({"id": [1]}, "this is not a frame that can be read"),
    "mixed types": (pd.DataFrame({"id": ["x", 1]}, dtype=object), "this is not a frame that can be read"),
    "no rows": (table().clear(), "there are no rows"),
    "text as bytes": (table(target=[b"x", b"y"]), "row 1, column 'target'"),
    "fractions as ids": (table(id=[0.5, 1.0]), "row 1, column 'id': 0.5 is not a name"),
    "missing id": (table(id=["1", None]), "row 2, column 'id': the value is missing"),
    "missing system": (table(system=[None, "a"]), "row 1, column 'system': the value is missing"),
    "truth as score": (table(human=[True, False]), "row 1, column 'human': 'True' is not a number"),
    "two same keys": (table(id=["1", "1"]), "rows 1 and 2 have the same id"),
    "lists as targets": (pa.table({"language": ["hi"], "target": [[1]]}), "row 1, column 'target'"),
}


@pytest.mark.parametrize("case", BAD_FRAMES)
def test_a_bad_frame(case: str) -> None:
    frame, expected = BAD_FRAMES[case]
    assert expected in error_of(lambda: from_frame(frame))


def test_the_papers_data_are_read(shared_data: Path) -> None:
    segments: Segments = read_segments(shared_data / "indicmt" / "segments.parquet")
    assert segments.frame.height == 7000
    assert segments.frame["human"].null_count() == 5
    assert segments.frame["language"].unique().sort().to_list() == ["gu", "hi", "ml", "mr", "ta"]
    assert segments.measures == {}


def test_conditions_in_any_case() -> None:
    frame = table(condition=["Native", "ROMANIZED", "Romanised", "Dialect"], script=["Deva", "Latn", "Latn", "Deva"],
                  id=list("1234"), language=["hi"] * 4, system=["a"] * 4, target=["क"] * 4)  # fmt: skip
    segments = from_frame(frame)
    assert segments.frame["condition"].to_list() == ["native", "romanized", "romanized", "Dialect"]
    assert "frame: the condition 'Native' was read as 'native'" in segments.notes
    assert from_frame(table(condition=None), condition="Native").frame["condition"].to_list() == ["native"] * 2


@pytest.mark.parametrize("column", ["human", "chrF"])
def test_a_number_too_large_to_compute_with(column: str) -> None:
    assert from_frame(table(**{column: [1e100, -1e100]})).frame[column].to_list() == [1e100, -1e100]
    said = error_of(lambda: from_frame(table(**{column: [1.0, -2e100]})))
    assert said.startswith(f"row 2, column '{column}': the value -2e+100 is too large")


@pytest.mark.parametrize(
    "metadata",
    ["", "[]", "null", '{"measures": []}', '{"measures": {"ter": 1}}', '{"measures": {"ter": {"name": "ter"}}}',
     '{"notes": "a"}', '{"notes": [1]}', '{"notes": ["\\ud800"]}', "[" * 100_000,
     '{"measures": {"m": {"name": "m", "unit": "u", "direction": "up", "signature": ""}}}',
     '{"measures": {"m": {"name": "m", "unit": 1, "direction": "higher", "signature": ""}}}',
     '{"measures": {"m": {"name": "m", "unit": "u", "direction": [], "signature": ""}}}',
     '{"measures": {"m": {"name": "n", "unit": "u", "direction": "higher", "signature": ""}}}'],
)  # fmt: skip
def test_damaged_metadata(tmp_path: Path, metadata: str) -> None:
    path = tmp_path / "a.parquet"
    table().write_parquet(path, metadata={"equiglot": metadata})
    assert "the file's equiglot metadata is damaged; write the file again" in error_of(lambda: read_segments(path))


def test_a_folder_with_a_plain_name(tmp_path: Path) -> None:
    assert "this is a folder" in error_of(lambda: read_segments(tmp_path))
