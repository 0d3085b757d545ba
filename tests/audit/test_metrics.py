"""Meta-evaluation on tables whose best metric is known because it is made, against SciPy, and through the command."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from equiglot.audit import metrics_audit
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.normalize import quantile_normalize
from equiglot.report import metrics_section, metrics_tables
from equiglot.stats import assign_clusters, correlation
from equiglot.table import Segments

FEW = {"resamples": 100, "permutations": 100}


def _build(languages=("hi",), *, systems=6, items=60, noise=None, seed=0, missing=0.0):
    """Systems of different quality; each metric is people's score with noise of its own, ``ter`` turned round."""
    rng = np.random.default_rng(seed)
    frames = []
    for language in languages:
        quality = np.linspace(0, 2, systems)[:, None]
        people = np.round(12 + 3 * (quality + rng.normal(size=(systems, items))))
        columns = {
            "id": [f"s{i}" for i in range(items)] * systems,
            "system": [f"m{i}" for i in range(systems) for _ in range(items)],
            "human": np.where(rng.random(people.shape) < missing, np.nan, people).ravel(),
        }
        for metric, spread in (noise or {"good": 1.0, "ter": 8.0}).items():
            scores = people + spread * rng.normal(size=people.shape)
            columns[metric] = (-scores if metric == "ter" else scores).ravel()
        place = {"language": pl.lit(language), "script": pl.lit("Deva"), "condition": pl.lit("native")}
        frames.append(pl.DataFrame(columns).with_columns(pl.col("human").fill_nan(None), **place))
    frame = pl.concat(frames)
    measures = {
        metric: MeasureInfo(metric, "score", "lower" if metric == "ter" else "higher", f"metric:{metric}|v:test")
        for metric in (noise or {"good": 1.0, "ter": 8.0})
    }
    return Segments(frame, measures)


def _matrix(frame, column):
    wide = frame.sort("system", "id").pivot(on="id", index="system", values=column, maintain_order=True)
    return wide.drop("system").to_numpy().astype(float)


def test_values_equal_scipy_on_the_same_rows(row):
    segments = _build(missing=0.2)
    audit = metrics_audit(segments, ["good", "ter"], **FEW)
    human = _matrix(segments.frame, "human")
    for metric, sign in (("good", 1), ("ter", -1)):
        scores = sign * _matrix(segments.frame, metric)
        ok = ~np.isnan(human)

        def found(measure, granularity, grouping, metric=metric):
            return row(audit.agreement, measure, metric=metric, granularity=granularity, grouping=grouping)

        own = found("pearson", "segment", "none")
        assert own["value"] == pytest.approx(scipy_stats.pearsonr(scores[ok], human[ok]).statistic, abs=1e-9)
        assert (own["n"], own["n_failed"]) == (ok.sum(), (~ok).sum())
        taus = [scipy_stats.kendalltau(s[k], h[k]).statistic for s, h, k in zip(scores.T, human.T, ok.T, strict=True)]
        assert found("kendall", "segment", "item")["value"] == pytest.approx(np.nanmean(taus), abs=1e-9)
        rhos = [scipy_stats.spearmanr(s[k], h[k]).statistic for s, h, k in zip(scores, human, ok, strict=True)]
        assert found("spearman", "segment", "system")["value"] == pytest.approx(np.mean(rhos), abs=1e-9)
        means = [[v[k].mean() for v, k in zip(values, ok, strict=True)] for values in (scores, human)]
        own = found("pearson", "system", "none")
        assert own["value"] == pytest.approx(scipy_stats.pearsonr(*means).statistic, abs=1e-9)
        assert own["n"] == 6
        assert own["low"] <= own["value"] <= own["high"]


def test_the_better_metric_comes_first_and_alone():
    audit = metrics_audit(_build(("hi", "mr")), ["ter", "good"], **FEW)
    for statistic in ("acc_eq", "pearson"):
        own = audit.clusters.filter(statistic=statistic, granularity="segment")
        assert own["metric"].to_list() == ["good", "ter"] * 2
        assert own["cluster"].to_list() == [1, 2] * 2
    assert "good agrees best with people" in audit.headline
    assert "alone there in 2" in audit.headline
    tests = audit.tests.filter(statistic="acc_eq")
    assert tests["better"].to_list() == ["good", "good"]
    assert (tests["p"] <= 0.05).all()


def test_metrics_that_are_alike_share_a_cluster():
    """By chance they don't in about one sample of ten: one-sided at 5%, with the better one chosen afterwards."""
    alike = 0
    for seed in range(10):
        audit = metrics_audit(_build(noise={"a": 3.0, "b": 3.0}, items=15, seed=seed), ["a", "b"], **FEW)
        own = audit.clusters.filter(statistic="acc_eq")["cluster"].to_list()
        alike += own == [1, 1]
        assert ("can't tell it from the next" in audit.headline.partition("Between")[0]) == (own == [1, 1])
    assert alike >= 7


def test_means_over_cells_and_pairs_of_all_cells(row):
    audit = metrics_audit(_build(("hi", "mr", "ne"), systems=4), ["good"], **FEW)
    rows = audit.agreement.filter(measure="acc_eq")
    everything = rows.filter(pl.col("language").is_null())["value"][0]
    assert everything == pytest.approx(rows.drop_nulls("language")["value"].mean())
    pairs = audit.agreement.filter(measure="accuracy").drop_nulls("language")["value"].to_list()
    together = row(audit.agreement.filter(pl.col("language").is_null()), "accuracy")
    assert together["value"] == pytest.approx(np.mean(pairs)), "each cell has 6 pairs"


def test_neither_row_order_nor_unit_matters():
    segments = _build(missing=0.1)
    before = metrics_audit(segments, ["good", "ter"], **FEW)
    moved = segments.frame.sample(fraction=1.0, shuffle=True, seed=3)
    assert metrics_audit(Segments(moved, segments.measures), ["good", "ter"], **FEW).agreement.equals(before.agreement)
    scaled = segments.frame.with_columns(pl.col("good") * 4 + 64)
    after = metrics_audit(Segments(scaled, segments.measures), ["good", "ter"], **FEW)
    kept = pl.col("measure") != "epsilon"
    assert after.agreement.filter(kept)["value"].to_list() == pytest.approx(
        before.agreement.filter(kept)["value"].to_list(), abs=1e-9
    )


@settings(max_examples=20)
@given(st.lists(st.integers(0, 30), min_size=9, max_size=60), st.integers(0, 100))
def test_quantile_normalisation_within_cells_changes_no_order_within_them(scores, seed):
    """Distinct scores stay distinct where the reference's do, so rho and tau within a cell stay what they were."""
    rng = np.random.default_rng(seed)
    values, cells = np.array(scores, dtype=float), np.arange(len(scores)) % 3
    human = rng.integers(0, 5, len(scores)).astype(float)
    mapped = quantile_normalize(values, cells, rng.normal(size=200))
    for kind in ("spearman", "kendall"):
        for cell in range(3):
            own = cells == cell
            before, after = (correlation(v[own], human[own], kind) for v in (values, mapped))
            assert after == (None if before is None else pytest.approx(before, abs=1e-12))


def test_a_sample_of_items_is_said_signed_and_the_same_rows_given_alone():
    segments = _build(("hi", "te"), systems=4, items=40, missing=0.1)
    found = metrics_audit(segments, ["good", "ter"], sample=15, seed=3, **FEW)
    assert "At most 15 items of each cell were drawn, with seed 3: 30 of 80." in found.notes
    assert "|sample:15|seed:3|" in found.signature
    ids = np.array(sorted({f"s{i}" for i in range(40)}))[
        np.sort(np.random.default_rng(3).choice(40, 15, replace=False))
    ]
    alone = replace(segments, frame=segments.frame.filter(pl.col("id").is_in(ids.tolist())))
    own = metrics_audit(alone, ["good", "ter"], seed=3, **FEW)
    assert found.agreement.drop("signature").equals(own.agreement.drop("signature"))
    shuffled = replace(segments, frame=segments.frame.sample(fraction=1, shuffle=True, seed=1))
    assert metrics_audit(shuffled, ["good", "ter"], sample=15, seed=3, **FEW).agreement.equals(found.agreement)
    other = metrics_audit(segments, ["good", "ter"], sample=15, seed=4, **FEW)
    assert not other.agreement["value"].equals(found.agreement["value"])


def test_a_sample_of_all_items_is_no_sample():
    segments = _build(items=20)
    found = metrics_audit(segments, ["good"], sample=20, **FEW)
    assert not any("drawn" in note for note in found.notes)
    assert found.agreement["value"].equals(metrics_audit(segments, ["good"], **FEW).agreement["value"])
    with pytest.raises(InputError, match="a sample of 1"):
        metrics_audit(segments, ["good"], sample=1, **FEW)


def test_clusters_by_their_definition():
    p = np.ones((4, 4))
    p[0, 3], p[1, 2] = 0.01, 0.03
    assert assign_clusters(p, 0.05) == [1, 1, 2, 2], "the first of a cluster that is beaten opens the next"
    assert assign_clusters(np.ones((3, 3)), 0.05) == [1, 1, 1]
    assert assign_clusters(np.zeros((3, 3)), 0.05) == [1, 2, 3]
    assert assign_clusters(np.ones((0, 0)), 0.05) == []


def test_what_cannot_be_had_says_why(row):
    alone = metrics_audit(_build(systems=1), ["good"], **FEW)
    for measure, granularity in (("pearson", "system"), ("soft_accuracy", "system"), ("acc_eq", "segment")):
        grouping = "item" if measure == "acc_eq" else "none"
        own = row(alone.agreement, measure, granularity=granularity, grouping=grouping)
        assert own["value"] is None
        assert own["reason"]
    assert any("One system only" in note for note in alone.notes)
    assert alone.headline.startswith("Nothing shows")

    segments = _build()
    apart = Segments(segments.frame.with_columns(id=pl.col("system") + pl.col("id")), segments.measures)
    audit = metrics_audit(apart, ["good"], **FEW)
    assert any("--item source" in note for note in audit.notes)
    assert row(audit.agreement, "acc_eq", language="hi")["reason"] == "no item has two rows with both scores"
    flat = Segments(segments.frame.with_columns(good=pl.lit(1.0)), segments.measures)
    own = row(metrics_audit(flat, ["good"], **FEW).agreement, "pearson", granularity="system", language="hi")
    assert own["value"] is None


def test_what_cannot_be_used_is_refused():
    segments = _build()
    with pytest.raises(InputError, match="no measure 'comet'"):
        metrics_audit(segments, ["comet"])
    with pytest.raises(InputError, match="one twice"):
        metrics_audit(segments, ["good", "good"])
    with pytest.raises(InputError, match="no column 'doc'"):
        metrics_audit(segments, ["good"], item="doc")
    with pytest.raises(InputError, match=r"two rows of one system for one item .*'m0'"):
        metrics_audit(Segments(pl.concat([segments.frame, segments.frame.head(1)]), segments.measures), ["good"])
    with pytest.raises(InputError, match="human"):
        metrics_audit(Segments(segments.frame.with_columns(human=None), segments.measures), ["good"])


def test_the_report_shows_every_cell():
    audit = metrics_audit(_build(("hi", "mr")), ["good", "ter"], **FEW)
    section, tables = metrics_section(audit), metrics_tables(audit)
    assert [table.name for table in tables] == ["agreement", "agreement-hi-Deva-native", "agreement-mr-Deva-native"]
    assert {chart.name for chart in section.charts} == {"acc-eq", "soft-accuracy"}
    assert tables[1].frame.filter(Statistic="acc_eq")["good"][0].split()[1] == "(1)"
    assert section.lead == audit.headline
    json.dumps(audit.to_dict(), allow_nan=False)


@pytest.fixture(scope="module")
def indicmt(shared_data, tmp_path_factory):
    """Gujarati and Tamil as the paper's table has them, with chrF by sacrebleu and TER left out for speed."""
    from sacrebleu.metrics import CHRF

    frame = pl.read_parquet(shared_data / "indicmt" / "segments.parquet").filter(pl.col("language").is_in(["gu", "ta"]))
    chrf = CHRF()
    texts = zip(frame["target"], frame["reference"], strict=True)
    scored = frame.select("segment_id", "language", "system", "source", "target", "human").with_columns(
        chrf=pl.Series([chrf.sentence_score(t, [r]).score for t, r in texts]),
        length=pl.col("target").str.len_chars().cast(pl.Float64),
    )
    path = tmp_path_factory.mktemp("indicmt") / "scored.parquet"
    scored.write_parquet(path)
    return path, scored


def test_indicmt_through_the_command(indicmt):
    import subprocess
    import sys

    path, frame = indicmt
    command = [sys.executable, "-m", "equiglot", "audit", "metrics", str(path), "--map", "id=segment_id", "--item"]
    command += ["source", "-m", "chrf", "-m", "length", "--resamples", "100", "--permutations", "100", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    found = json.loads(done.stdout)
    agreement = pl.DataFrame(found["agreement"], infer_schema_length=None)
    for language in ("gu", "ta"):
        part = frame.filter(pl.col("language") == language).drop_nulls("human")
        own = agreement.filter(language=language, metric="chrf", granularity="segment", grouping="none")
        value = own.filter(measure="spearman")["value"][0]
        assert value == pytest.approx(scipy_stats.spearmanr(part["chrf"], part["human"]).statistic, abs=1e-9)
        taus = []
        for (_,), group in part.group_by("source"):
            if group.height > 1 and group["chrf"].n_unique() > 1 and group["human"].n_unique() > 1:
                taus.append(scipy_stats.kendalltau(group["chrf"], group["human"]).statistic)
        own = agreement.filter(language=language, metric="chrf", measure="kendall", grouping="item")
        assert own["value"][0] == pytest.approx(np.mean(taus), abs=1e-9)
    clusters = pl.DataFrame(found["clusters"]).filter(statistic="acc_eq", metric="chrf")
    assert clusters["cluster"].to_list() == [1, 1], "the length of a translation is no match for chrF"


def test_people_who_order_nothing_agree_with_no_metric():
    segments = _build()
    audit = metrics_audit(replace(segments, frame=segments.frame.with_columns(human=pl.lit(5.0))), ["good"], **FEW)
    found = audit.agreement.filter(pl.col("measure").is_in(["accuracy", "soft_accuracy", "acc_eq"]))
    assert found["value"].to_list() == [None] * 3
    assert set(found["reason"]) == {"people's scores order no two systems, so there is nothing to agree with"}
    assert audit.headline.startswith("Nothing shows how metrics agree")


def test_metrics_that_agree_alike_are_named_together():
    segments = _build(noise={"one": 1.0})
    frame = segments.frame.with_columns(two="one")
    measures = {name: replace(segments.measures["one"], name=name) for name in ("one", "two")}
    audit = metrics_audit(Segments(frame, measures), ["one", "two"], **FEW)
    assert "one and two agree alike with people" in audit.headline
    assert "agrees best" not in audit.headline
