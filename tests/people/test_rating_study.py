"""Making and opening studies, the orders of raters, tables of what they said, and the command."""

from __future__ import annotations

import json

import polars as pl
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from equiglot.errors import InputError
from equiglot.people import read_rubric, totals
from equiglot.people.app import Database, bind, create_study, items_digest, open_existing, read_roster
from equiglot.people.app.opening import open_or_create
from equiglot.people.app.plan import plan_pages
from equiglot.people.app.spans import snapped, spans_score
from equiglot.table import Segments, read_segments

CORE = read_rubric("core-12")


@given(st.integers(1, 40), st.integers(0, 5), st.integers(0, 12), st.integers(0, 99))
def test_every_item_once_repeats_far_apart_checks_anywhere(n, checks, repeats, seed):
    attention = list(range(1000, 1000 + checks))
    plan = plan_pages(range(n), attention, repeats=repeats, seed=[seed])
    assert sorted(page.item for page in plan if not page.repeat) == [*range(n), *attention]
    again = [(i, page.item) for i, page in enumerate(plan) if page.repeat]
    assert len(again) == min(repeats, n // 3)
    for place, item in again:
        first = next(i for i, page in enumerate(plan) if page.item == item and not page.repeat)
        assert place - first > n // 3 - 1
    assert plan == plan_pages(range(n), attention, repeats=repeats, seed=[seed])
    assert plan[0].item < 1000


def test_orders_differ_between_raters():
    assert len({plan_pages(range(20), [], repeats=0, seed=[0, rater]) for rater in range(10)}) == 10


@given(st.text(max_size=30), st.data())
def test_spans_are_whole_graphemes(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    low, high = snapped(text, start, end)
    edges = {0, *(m.end() for m in regex.finditer(r"\X", text))}
    assert low <= start <= end <= high
    if start < end:
        assert {low, high} <= edges
        assert not any(low < edge <= start or end <= edge < high for edge in edges)
    assert snapped(text, low, high) == (low, high)


def test_the_score_of_spans():
    weights = read_rubric("mqm").weights
    assert spans_score([], weights) == 0
    assert spans_score(["minor", "major", "critical", "neutral"], weights) == -16


@pytest.fixture
def segments(items):
    return read_segments(items(12))


def test_what_can_not_be_rated(segments, tmp_path):
    roster = read_roster("1", ["hi"])
    frame = segments.frame
    cases = [
        (frame.with_columns(id=pl.lit("1"), system=pl.lit("a")), "same id, language and system", {}),
        (frame.with_columns(target=pl.when(pl.col("id") != "3").then("target")), "row 4, column 'target'", {}),
        (frame, "5 repeated items are too many for 12 items; give 4", {"repeats": 5}),
    ]
    for table, says, options in cases:
        with pytest.raises(InputError, match=says):
            create_study(Database(tmp_path / "x.db"), Segments(table), CORE, roster, **options)
    with pytest.raises(InputError, match="attention checks need scales"):
        create_study(Database(tmp_path / "x.db"), segments, read_rubric("mqm"), roster, checks=1)


def test_a_study_is_opened_again_only_with_its_own_items_and_rubric(segments, tmp_path):
    place = tmp_path / "study.db"
    made, links = open_or_create(place, segments, "2", None, default_rubric=CORE)
    assert links is not None
    shuffled = Segments(segments.frame.reverse())
    again, none = open_or_create(place, shuffled, "2", CORE, default_rubric=CORE)
    assert none is None
    assert again.items_digest == made.items_digest == items_digest(shuffled)
    _, renewed = open_or_create(place, None, None, None, default_rubric=CORE, renew=True)
    assert renewed is not None
    assert set(renewed.raters) == set(links.raters)
    assert not set(renewed.raters.values()) & set(links.raters.values())
    changed = Segments(segments.frame.with_columns(target=pl.col("target") + "!"))
    with pytest.raises(InputError, match="other items"):
        open_or_create(place, changed, None, None, default_rubric=CORE)
    with pytest.raises(InputError, match="another rubric"):
        open_or_create(place, segments, None, read_rubric("full-25"), default_rubric=CORE)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"raters": "3"}, "with the raters rater-1:hi,rater-2:hi, not rater-1:hi,rater-2:hi,rater-3:hi; leave"),
        ({"raters": "asha,ravi"}, "with the raters rater-1:hi,rater-2:hi, not asha:hi,ravi:hi"),
        ({"raters": "9"}, "rater-3:hi,rater-4:hi and 5 more"),
        ({"seed": 0}, "with --seed 7, not 0"),
        ({"repeats": 1}, "with --repeats 2, not 1"),
        ({"checks": 0}, "with --checks 3, not 0"),
        ({"rubric": read_rubric("full-25")}, "with another rubric .core-12."),
    ],
)
def test_a_study_that_is_there_is_not_made_anew_with_other_options(segments, tmp_path, asked, says):
    place = tmp_path / "study.db"
    own = {"raters": "2", "rubric": None, "default_rubric": CORE, "seed": 7, "repeats": 2, "checks": 3}
    open_or_create(place, segments, **own)
    assert open_or_create(place, segments, **own)[1] is None  # the same again goes on
    nothing = {"raters": None, "rubric": None, "default_rubric": CORE}
    assert open_or_create(place, None, **nothing)[1] is None
    for options in ({**own, **asked}, {**nothing, **asked}):
        with pytest.raises(InputError, match=says):
            open_or_create(place, None, **options)


def test_raters_are_the_same_in_any_order(tmp_path, items):
    frame = read_segments(items(12)).frame
    place = tmp_path / "study.db"
    two = Segments(pl.concat([frame, frame.with_columns(language=pl.lit("te"), script=pl.lit("Telu"))]))
    open_or_create(place, two, "asha,ravi:te", None, default_rubric=CORE)
    open_or_create(place, two, "ravi:te,asha:te+hi", None, default_rubric=CORE)
    with pytest.raises(InputError, match=r"asha:hi\+te,ravi:te, not asha:hi,ravi:te"):
        open_or_create(place, two, "asha:hi,ravi:te", None, default_rubric=CORE)


def test_places_that_can_not_be_used(segments, tmp_path):
    (tmp_path / "text.db").write_text("not a database " * 100)
    for place, says in [
        (tmp_path / "no" / "x.db", "no such folder"),
        (tmp_path / "text.db", "can't be used"),
        ("mysql://host/name", "not supported|not the URL"),
        ("postgresql://", "can't be used|no driver"),
    ]:
        with pytest.raises(InputError, match=says):
            open_or_create(place, segments, "1", None, default_rubric=CORE)
    with pytest.raises(InputError, match="no such file"):
        open_existing(tmp_path / "missing.db")
    assert not (tmp_path / "missing.db").exists()
    with pytest.raises(InputError, match="no raters"):
        open_or_create(tmp_path / "new.db", segments, None, None, default_rubric=CORE)


@pytest.mark.parametrize("raters", ["0", "999999", "", "a,a", "a:ta", ":hi", "a:xx-no-language"])
def test_rosters_that_are_none(raters):
    with pytest.raises(InputError):
        read_roster(raters, ["hi", "te"])


def test_every_language_needs_a_rater():
    with pytest.raises(InputError, match="nobody rates te"):
        read_roster("asha:hi", ["hi", "te"])


def test_totals_are_means_over_raters_who_rated_all():
    rows = [
        ("1", "asha", "x", 2.0, False),
        ("1", "asha", "y", 1.0, False),
        ("1", "ravi", "x", 1.0, False),
        ("1", "ravi", "y", 0.0, False),
        ("1", "asha", "x", 0.0, True),  # the second time
        ("1", "asha", "y", 0.0, True),
        ("1", "meena", "x", 2.0, False),  # left y out
        ("2", "asha", "x", None, False),  # skipped
        ("2", "asha", "y", None, False),
    ]
    table = pl.DataFrame(rows, schema=["id", "rater", "dimension", "rating", "repeat"], orient="row")
    found = totals(table.with_columns(language=pl.lit("hi"), system=pl.lit("a")))
    assert found.sort("id").rows() == [("1", "hi", "a", 2.0), ("2", "hi", "a", None)]


def test_the_organisers_page(serve, items, save):
    server = serve(items(6), "asha,ravi", checks=1, repeats=2)
    rated = dict.fromkeys([d.name for d in CORE.dimensions], 0)
    for name, value in (("asha", 0), ("ravi", 1)):
        for position in range(1, 10):
            data = save(ratings={**rated, "grammar": value}, seconds=7)
            assert server.post(f"{server.raters[name]}/{position}", data)[0] == 200
    _, _, page = server.request("GET", "/o/" + server.organizer.rsplit("/", 1)[1])
    text = page.decode()
    assert "18 of 18 pages done by 2 raters" in text
    assert "<td>1 of 1</td><td>10 of 10</td>" in text  # asha gave the lowest where asked, and the same twice
    assert "<td>0 of 1</td>" in text
    assert "On the total, 2 raters agree with Krippendorff&#39;s alpha" in text
    assert "(ordinal, 6 items): too little to conclude from" in text  # one always a point above the other
    _, headers, csv = server.request("GET", "/o/" + server.organizer.rsplit("/", 1)[1] + "/ratings.csv")
    assert headers["Content-Disposition"] == 'attachment; filename="ratings.csv"'
    assert pl.read_csv(csv).height == server.ratings.height == 2 * 8 * 5  # checks are left out, repeats are not


def test_the_command_prints_links_and_exports(rate, items, save, tmp_path):
    import subprocess
    import sys

    server = rate("--items", items(3), "--raters", "asha:hi,ravi", "--host", "localhost")
    assert server.post(server.raters["ravi"].replace("localhost", "127.0.0.1") + "/1", b"{}")[0] in (400, 403)
    link = server.raters["ravi"]
    origin = {"Origin": f"http://127.0.0.1:{server.port}"}
    assert server.post(link + "/1", save(ratings={"grammar": 1}), **origin)[0] == 200
    command = [
        sys.executable,
        "-m",
        "equiglot",
        "rate",
        "--database",
        "items.ratings.db",
        "--export",
        "out.csv",
        "--json",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["written"] == {"out.csv": 1, "out-totals.csv": 1}
    assert pl.read_csv(tmp_path / "out.csv")["rater"].to_list() == ["ravi"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "neither items nor a database"),
        (["--items", "missing.csv", "--raters", "2"], "no such file"),
        (["--database", "missing.db", "--export", "out.csv"], "no such file"),
        (["--items", "items.parquet"], "no raters"),
        (["--items", "items.parquet", "--raters", "2", "--rubric", "core-13"], "no rubric 'core-13'"),
        (["--items", "items.parquet", "--raters", "2", "--host", "no.such.host.invalid"], "can't listen"),
    ],
)
def test_bad_input_is_one_line(items, monkeypatch, capsys, arguments, says):
    from equiglot.cli import main

    monkeypatch.chdir(items(3).parent)
    with pytest.raises(SystemExit) as ended:
        main(["rate", *arguments, "--port", "0"])
    error = capsys.readouterr().err
    assert ended.value.code == 2
    assert says in error
    assert len([line for line in error.splitlines() if not line.startswith("note:")]) == 1


@pytest.mark.parametrize("more", [[], ["--export", "out.csv"]])
@pytest.mark.parametrize(
    "asked", [["--raters", "3"], ["--rubric", "mqm"], ["--seed", "1"], ["--repeats", "1"], ["--checks", "1"]]
)
def test_the_command_refuses_what_a_study_was_not_made_with(items, monkeypatch, capsys, asked, more):
    from equiglot.cli import main

    monkeypatch.chdir(items(3).parent)
    open_or_create("items.ratings.db", read_segments("items.parquet"), "2", None, default_rubric=CORE)
    with pytest.raises(SystemExit) as ended:
        main(["rate", "--items", "items.parquet", *asked, *more, "--port", "0"])
    error = capsys.readouterr().err
    assert ended.value.code == 2
    assert "this database holds a study made with" in error
    assert "another --database" in error
    assert len([line for line in error.splitlines() if not line.startswith("note:")]) == 1


def test_a_port_that_is_taken():
    with bind("127.0.0.1", 0) as listening, pytest.raises(InputError, match="--port"):
        bind("127.0.0.1", listening.getsockname()[1])


@pytest.mark.parametrize(("raters", "says"), [("-1", "out of range"), ("0", "out of range"), ("a\nb:hi", "no rater")])
def test_what_is_no_rater(raters, says):
    with pytest.raises(InputError, match=says):
        read_roster(raters, ["hi"])


def test_no_host_is_not_every_address():
    with pytest.raises(InputError, match="no name"):
        bind("", 0)
