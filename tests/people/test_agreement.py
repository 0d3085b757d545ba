"""Agreement from tables of ratings, as the app exports them and as others write them."""

from __future__ import annotations

from itertools import product

import polars as pl
import pytest

from equiglot.errors import InputError
from equiglot.people import measure_agreement, read_ratings, read_totals, totals, weighted_kappa, with_totals
from equiglot.people.agreement_words import alpha_sentences
from equiglot.people.ratings import rater_totals
from equiglot.table import Segments

COLUMNS = ["id", "language", "system", "rater", "dimension", "rating", "repeat"]


def ratings(rows):
    return pl.DataFrame(rows, schema=COLUMNS, orient="row", infer_schema_length=None).cast({"rating": pl.Float64})


def rated(give, *, raters=("asha", "ravi"), dimensions=("grammar", "register"), items=8, language="hi"):
    """``give(item, rater, dimension)`` for all of them."""
    return ratings(
        [
            (str(i), language, "a", rater, dimension, give(i, rater, dimension), False)
            for i, rater, dimension in product(range(items), raters, dimensions)
        ]
    )


def value(table, measure, **keys):
    own = table.filter(measure=measure, **keys)
    assert own.height == 1
    return own["value"][0]


def off_by_one_in_register(i, rater, dimension):
    return i % 3 + (1 if (rater, dimension, i % 4) == ("ravi", "register", 0) else 0)


def test_a_mark_that_the_interval_does_not_bear_out_is_not_given_plainly():
    few, many = (
        alpha_sentences(
            rated(off_by_one_in_register),
            pl.DataFrame({"language": [None], "dimension": ["total"], "value": [0.85], "low": [low], "high": [0.9],
                          "n": [n], "reason": [None]}, schema_overrides={"language": pl.String}),
        )[0]
        for low, n in ((0.7, 6), (0.8, 600))
    )  # fmt: skip
    assert few.endswith("(0.8 or more), if more items bear it out, for the interval reaches down to 0.70.")
    assert many.endswith("(0.8 or more).")


def test_alpha_per_dimension_and_of_the_total():
    found = measure_agreement(rated(off_by_one_in_register), resamples=100)
    assert found.alpha["dimension"].to_list() == ["grammar", "register", "total"]
    assert value(found.alpha, "alpha", dimension="grammar") == 1
    assert value(found.alpha, "alpha", dimension="register") < value(found.alpha, "alpha", dimension="total") < 1
    assert "2 raters agree with Krippendorff's alpha 0.9" in found.headline
    assert "least on register" in found.headline
    assert "most on grammar (1.00)" in found.headline
    assert found.repeats.height == 0
    assert set(found.alpha["n"]) == {8}


def test_kappa_of_every_two_raters_who_share_items():
    table = rated(off_by_one_in_register, raters=("asha", "ravi", "meena"))
    table = table.filter((pl.col("rater") != "meena") | pl.col("id").is_in(["0", "1"]))
    found = measure_agreement(table, resamples=100).pairs
    assert found.select("rater", "other_rater").unique(maintain_order=True).rows() == [
        ("asha", "meena"),
        ("asha", "ravi"),
        ("meena", "ravi"),
    ]
    sums = rater_totals(table).pivot("rater", index="id", values="rating")
    for weights in ("quadratic", "linear"):
        own = found.filter(measure=f"kappa_{weights}", dimension="total", rater="asha", other_rater="ravi")
        assert own["value"].to_list() == [weighted_kappa(sums["asha"], sums["ravi"], weights=weights).value]
        assert own["n"].to_list() == [8]
    assert set(found.filter(rater="asha", other_rater="meena")["n"]) == {2}


def test_names_of_raters_may_be_those_of_columns():
    plain = measure_agreement(rated(off_by_one_in_register), resamples=50)
    odd = rated(off_by_one_in_register).with_columns(pl.col("rater").replace({"asha": "id", "ravi": "system"}))
    found = measure_agreement(odd, resamples=50)
    assert found.alpha.equals(plain.alpha)
    assert found.pairs["value"].equals(plain.pairs["value"])


def test_one_rater_gets_a_clear_line():
    found = measure_agreement(rated(off_by_one_in_register, raters=("asha",)))
    assert found.headline.startswith("There is one rater, so agreement can't be measured.")
    assert found.alpha["value"].to_list() == [None] * 3
    assert found.alpha["reason"].null_count() == 0
    assert found.pairs.height == 0


def test_nobody_yet_and_nothing_shared():
    nothing = rated(off_by_one_in_register).clear()
    assert "Nobody has rated anything yet" in measure_agreement(nothing).headline
    apart = rated(off_by_one_in_register).filter((pl.col("rater") == "asha") == (pl.col("id") < "4"))
    said = measure_agreement(apart).headline
    assert said.startswith("Agreement can't be measured yet: no item was rated twice")


def test_the_same_everywhere_has_no_alpha():
    found = measure_agreement(rated(lambda *_: 2))
    assert "every rating is the same" in found.headline
    assert found.pairs["value"].null_count() == found.pairs.height > 0


def test_skipped_items_count_for_nothing_and_are_counted():
    whole = rated(off_by_one_in_register)
    skipped = pl.when((pl.col("id") == "7") & (pl.col("rater") == "ravi")).then(None).otherwise("rating")
    found = measure_agreement(whole.with_columns(rating=skipped), resamples=100)
    without = measure_agreement(whole.filter(pl.col("id") != "7"), resamples=100)
    assert found.alpha["value"].to_list() == without.alpha["value"].to_list()
    assert set(found.alpha["n"]) == {7}
    assert set(found.alpha["n_failed"]) == {1}
    assert found.notes == ("1 page was skipped or left without a rating",)


def test_a_total_needs_every_dimension():
    table = rated(off_by_one_in_register).filter(
        (pl.col("id") != "7") | (pl.col("rater") != "ravi") | (pl.col("dimension") != "register")
    )
    found = measure_agreement(table, resamples=100).alpha
    assert found.select("dimension", "n").rows() == [("grammar", 8), ("register", 7), ("total", 7)]


def test_repeats_are_held_against_first_ratings_and_count_for_nothing_else():
    first = rated(off_by_one_in_register)
    again = first.filter(pl.col("id") < "4", rater="asha").with_columns(repeat=True)
    changed = pl.col("rating") + ((pl.col("id") == "0") & (pl.col("dimension") == "grammar")).cast(pl.Float64)
    found = measure_agreement(pl.concat([first, again.with_columns(changed)]), resamples=100)
    assert found.alpha.equals(measure_agreement(first, resamples=100).alpha)
    assert set(found.repeats["rater"]) == {"asha"}
    assert value(found.repeats, "equal_repeats", dimension="grammar") == 75
    assert value(found.repeats, "alpha_repeats", dimension="register") == 1
    assert 0 < value(found.repeats, "alpha_repeats", dimension="grammar") < 1
    assert "Shown an item again, the rater gives the same rating in 88% of 8 cases" in found.headline


def test_languages_stand_by_themselves_too():
    table = pl.concat([rated(off_by_one_in_register), rated(lambda i, *_: i % 3, language="te")])
    found = measure_agreement(table, resamples=100)
    alphas = {row[:2]: row[2] for row in found.alpha.select("language", "dimension", "value").iter_rows()}
    assert alphas["te", "total"] == 1
    assert alphas["hi", "total"] < alphas[None, "total"] < 1
    assert "By language: Hindi 0.9" in found.headline
    assert "Telugu 1.00" in found.headline


def test_the_order_of_rows_does_not_matter():
    table = pl.concat([rated(off_by_one_in_register), rated(lambda i, *_: i % 3, language="te")])
    one, other = (measure_agreement(t, resamples=50) for t in (table, table.sample(fraction=1, shuffle=True, seed=1)))
    keys = ["language", "dimension"]
    assert one.alpha.sort(keys).equals(other.alpha.sort(keys))


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_what_the_app_exports_is_read_as_it_is(serve, items, save, tmp_path, suffix):
    from equiglot.table import write_table

    server = serve(items(6), "asha,ravi", repeats=1, checks=1)
    names = ["naturalness", "grammar", "word_choice", "register", "usability"]
    for rater, link in server.raters.items():
        for position in range(1, 9):
            given = {"skipped": "other"} if (rater, position) == ("ravi", 2) else {}
            said = save(ratings={} if given else dict.fromkeys(names, position % 3 % 2), note='"a",\n', **given)
            assert server.post(f"{link}/{position}", said)[0] == 200
    exported = server.ratings
    write_table(exported, tmp_path / f"out{suffix}")
    again = read_ratings(tmp_path / f"out{suffix}")
    columns = [c for c in COLUMNS if c != "repeat"]
    assert again.select(columns).equals(exported.select(columns))
    assert again["repeat"].to_list() == exported["repeat"].to_list()
    assert again["repeat"].sum() == 2 * 5
    found = measure_agreement(again, resamples=100)
    assert found.alpha.equals(measure_agreement(exported, resamples=100).alpha)
    assert set(found.alpha["dimension"]) == {*names, "total"}
    human, table = read_totals(tmp_path / f"out{suffix}")
    assert table is not None
    assert human.equals(totals(exported))
    write_table(human, tmp_path / f"out-totals{suffix}")
    assert read_totals(tmp_path / f"out-totals{suffix}")[0].equals(human)


def test_a_plain_table_of_ratings_is_enough(tmp_path):
    (tmp_path / "r.csv").write_text("id,rater,rating\n1,a,2\n1,b,2\n2,a,3\n2,b,1\n", "utf-8")
    found = measure_agreement(read_ratings(tmp_path / "r.csv"), resamples=100)
    assert found.alpha["dimension"].to_list() == ["rating"]
    assert found.alpha["value"][0] is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id,rating\n1,2\n", "no column 'rater'"),
        ("id,rater,rating\n1,a,good\n", "row 1, column 'rating': 'good' is not a number"),
        ("id,rater,rating\n1,a,2\n1,a,3\n", "row 2: a rated this item twice on rating"),
        ("id,rater,rating,repeat\n1,a,2,false\n1,a,3,maybe\n", "row 2, column 'repeat': 'maybe'"),
        ("id,rater,dimension,rating\n1,a,x,2\n1,a,total,2\n", "row 2, column 'dimension': there are totals"),
        ("id,rater,language,rating\n1,a,hindish,2\n", "row 1, column 'language'"),
        ("id,rater,rating\n", "a header and no row"),
        ("id,rater,rating\n,a,2\n", "row 1, column 'id': the value is missing"),
    ],
)
def test_bad_ratings_name_the_row(tmp_path, text, says):
    (tmp_path / "r.csv").write_text(text, "utf-8")
    with pytest.raises(InputError) as error:
        read_ratings(tmp_path / "r.csv")
    assert says in str(error.value)
    assert "r.csv" in str(error.value)


def test_totals_come_to_their_rows():
    frame = pl.DataFrame({"id": ["1", "2"], "language": "hi", "system": "a", "comet": [0.5, 0.6]})
    human = totals(rated(lambda i, *_: i, items=2))
    joined = with_totals(Segments(frame), human.filter(id="1"))
    assert joined.frame["human"].to_list() == [2.0, None]
    assert joined.notes == ("people rated 1 of 2 rows",)
    with pytest.raises(InputError, match="none of the ratings"):
        with_totals(Segments(frame), human.with_columns(system=pl.lit("b")))
    with pytest.raises(InputError, match="same id, language and system"):
        with_totals(Segments(pl.concat([frame, frame])), human)


def test_totals_that_are_none(tmp_path):
    (tmp_path / "t.csv").write_text("id,language,system\n1,hi,a\n", "utf-8")
    with pytest.raises(InputError, match="neither ratings by raters nor a total"):
        read_totals(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text("id,human\n1,3\n1,4\n", "utf-8")
    with pytest.raises(InputError, match="two totals"):
        read_totals(tmp_path / "t.csv")
