"""What a report leaves on disk: every chart and table in every format, whole, and the same each time."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot.audit import ScriptAudit
from equiglot.errors import InputError
from equiglot.measures import RESULT_COLUMNS
from equiglot.report import ReportTable, Section, parity_section, write_report
from equiglot.report.markup import latex_text, to_csv, to_latex, to_markdown
from equiglot.table import Segments


def test_every_chart_and_table_is_there_in_every_format(folder: Path) -> None:
    charts = {path.stem for path in (folder / "charts").iterdir()}
    tables = {path.stem for path in (folder / "tables").iterdir()}
    assert {"ipi-zones", "tp-xlmr-0b44a9d7"} < charts
    assert {"tokens", "texts", "romanization", "information"} < tables
    for stem in charts:
        svg = (folder / "charts" / f"{stem}.svg").read_text("utf-8")
        assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
        png = (folder / "charts" / f"{stem}.png").read_bytes()
        assert png.startswith(b"\x89PNG")
        width = float(re.search(r'width="([\d.]+)"', svg)[1])  # type: ignore[index]
        assert int.from_bytes(png[16:20], "big") == pytest.approx(2 * width, abs=2)
    for stem in tables:
        assert {path.suffix for path in (folder / "tables").glob(f"{stem}.*")} == {".csv", ".md", ".tex"}
    assert all(re.fullmatch(r"[a-z0-9-]+", stem) for stem in charts | tables)
    assert not list(folder.rglob("*.part"))


def test_the_csv_is_the_result_table(folder: Path, audit: ScriptAudit, profile: pl.DataFrame) -> None:
    path = next((folder / "tables").glob("*-severity.csv"))
    assert pl.read_csv(path, schema=audit.severity.schema).equals(audit.severity)
    tokens = profile.filter(pl.col("measure").is_in(["tp", "fertility"]))
    back = pl.read_csv(folder / "tables" / "tokens.csv", schema=profile.schema)
    keys = ["measure", "language", "script"]
    assert back.sort(keys).equals(tokens.sort(keys))
    assert set(RESULT_COLUMNS) <= set(back.columns)


def test_the_same_report_is_the_same_bytes(
    folder: Path, tmp_path: Path, audit: ScriptAudit, normalized: Segments, profile: pl.DataFrame
) -> None:
    sections = [parity_section(profile)]
    for place in (tmp_path / "a", tmp_path / "b"):
        write_report(place, title="T", sections=sections, card={"a": "b"}, notes=["n"])
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert len(files) > 10
    for path in files:
        assert (tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes(), path


def test_names_that_look_alike_do_not_overwrite_each_other(tmp_path: Path) -> None:
    tables = tuple(ReportTable(name, name, pl.DataFrame({"a": [name]})) for name in ("A b", "a-b", "a_b", "..", "/"))
    page = write_report(tmp_path, title="T", sections=[Section("S", "", tables)], card={}).read_text("utf-8")
    stems = {path.stem: path.read_text("utf-8") for path in (tmp_path / "tables").glob("*.csv")}
    assert stems == {
        "a-b": "a\nA b\n",
        "a-b-2": "a\na-b\n",
        "a-b-3": "a\na_b\n",
        "unnamed": "a\n..\n",
        "unnamed-2": "a\n/\n",
    }
    assert all(f"tables/{stem}.csv" in page for stem in stems)


def test_an_unwritable_folder_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here", "utf-8")
    with pytest.raises(InputError, match="the report can't be written"):
        write_report(tmp_path / "file", title="T", sections=[], card={})


def test_an_interrupted_write_leaves_the_old_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = write_report(tmp_path, title="Old", sections=[], card={})

    def fail(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InputError, match="No space left"):
        write_report(tmp_path, title="New", sections=[], card={})
    assert "<title>Old</title>" in page.read_text("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


UNESCAPE = [
    (r"\textbackslash{}", "\\"),
    (r"\textasciitilde{}", "~"),
    (r"\textasciicircum{}", "^"),
    (r"\textless{}", "<"),
    (r"\textgreater{}", ">"),
    (r"\textbar{}", "|"),
    *((f"\\{c}", c) for c in "&%$#_{}"),
]


@given(st.text(st.sampled_from(r"ab\&%$#_{}~^<>|[]"), max_size=30))
def test_latex_escapes_are_complete_and_can_be_undone(text: str) -> None:
    escaped, plain, i = latex_text(text), "", 0
    while i < len(escaped):
        for code, character in UNESCAPE:
            if escaped.startswith(code, i):
                plain, i = plain + character, i + len(code)
                break
        else:
            assert escaped[i] not in r"\&%$#_{}~^<>|"
            plain, i = plain + escaped[i], i + 1
    assert plain == text


def test_latex_table() -> None:
    table = ReportTable("a b", "50% <x>", pl.DataFrame({"Language": ["A & B"], "TP": ["−1.2 [−2, 3]"]}), ("¹ why",))
    text = to_latex(table)
    assert r"\caption{50\% \textless{}x\textgreater{}}" in text
    assert r"\begin{tabular}{lr}" in text
    assert r"    A \& B & $-$1.2 [$-$2, 3] \\" in text
    assert r"\textsuperscript{1} why" in text
    for rule in ("top", "mid", "bottom"):
        assert text.count(rf"\{rule}rule") == 1
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")


@given(st.lists(st.lists(st.text(max_size=12), min_size=2, max_size=2), max_size=4))
def test_markdown_rows_have_as_many_cells_as_the_head(rows: list[list[str]]) -> None:
    frame = pl.DataFrame(rows, schema={"a": pl.String, "b": pl.String}, orient="row")
    lines = to_markdown(ReportTable("t", "", frame)).splitlines()
    assert len(lines) == 2 + len(rows)
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3 for line in lines)
    assert not any("<" in line for line in lines)


def test_markdown_and_csv_of_missing_values() -> None:
    table = ReportTable("t", "T*", pl.DataFrame({"a": ["x", None], "n": [1.5, None]}), ("note",))
    assert to_markdown(table).splitlines() == [
        r"**T\***", "", "| a | n |", "| --- | ---: |", "| x | 1.5 |", "| – | – |", "", "note",
    ]  # fmt: skip
    assert to_csv(table) == "a,n\nx,1.5\n,\n"
