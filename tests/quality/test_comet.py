"""COMET without COMET: what is read, what is refused, how the driver orders and counts, how its environment is made."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiglot import InputError
from equiglot.quality import _comet_driver as driver
from equiglot.quality.comet import (
    CometResult,
    Truncated,
    _licence,  # pyright: ignore[reportPrivateUsage]
    comet_environment,
    comet_scores,
    read_comet_json,
    setup_comet,
)

RECORDED = Path(__file__).parent / "data" / "comet" / "comet_score.json"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache and no environment named, whatever the machine has."""
    monkeypatch.setenv("EQUIGLOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("EQUIGLOT_COMET_PYTHON", raising=False)
    return tmp_path / "cache"


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """Files where COMET has them; nothing here reads what is in them."""
    (tmp_path / "model" / "checkpoints").mkdir(parents=True)
    (tmp_path / "model" / "checkpoints" / "model.ckpt").write_bytes(b"")
    (tmp_path / "model" / "hparams.yaml").write_text("")
    return tmp_path / "model"


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


# ---- reading comet-score's JSON


def test_reads_what_comet_score_wrote() -> None:
    scores = read_comet_json(RECORDED, systems=2)
    assert list(scores) == ["system_a.txt", "system_b.txt"]
    assert scores["system_a.txt"][0] == 0.080810546875
    assert [len(s) for s in scores.values()] == [6, 6]


def edited(tmp_path: Path, edit: Any) -> Path:
    data = json.loads(RECORDED.read_text("utf-8"))
    data = edit(data) or data
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(data), "utf-8")
    return path


def _set(value: Any) -> Any:
    return lambda data: data["system_b.txt"][2].update(COMET=value)


@pytest.mark.parametrize(
    ("edit", "says", "row"),
    [
        (_set(math.nan), "is NaN, not a finite number", 3),
        (_set(-math.inf), "is -Infinity, not a finite number", 3),
        (_set(None), "is null, not a finite number", 3),
        (_set("0.5"), 'is "0.5", not a finite number', 3),
        (_set(True), "is true, not a finite number", 3),
        (lambda data: data["system_b.txt"][4].pop("COMET") and None, "is null", 5),
        (lambda data: data["system_b.txt"][1].update(src="Something else."), "differ in their source", 2),
        (lambda data: data["system_b.txt"].pop() and None, "has 5 segments and 'system_a.txt' has 6", None),
        (lambda data: data["system_b.txt"].__setitem__(3, 0.5), "has no segment here", 4),
        (lambda data: data.update({"system_b.txt": []}), "is not a list of segments", None),
        (lambda data: data.update({"system_b.txt": 0.5}), "is not a list of segments", None),
        (lambda _: [0.5, 0.6], "is not an object", None),
    ],
)
def test_json_that_is_wrong_says_where(tmp_path: Path, edit: Any, says: str, row: int | None) -> None:
    path = edited(tmp_path, edit)
    with pytest.raises(InputError) as caught:
        read_comet_json(path)
    assert says in str(caught.value)
    assert str(path) in str(caught.value)
    assert caught.value.row == row


def test_json_with_another_number_of_systems() -> None:
    with pytest.raises(InputError, match=r"there are 2 systems \(system_a.txt, system_b.txt\), not 3"):
        read_comet_json(RECORDED, systems=3)


@pytest.mark.parametrize("content", [b"", b'{"a": [', b"system\tscore", b"\xff\xfe", b"{}", b"[" * 100_000])
def test_file_that_is_no_such_json(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(InputError, match="comet-score --to_json"):
        read_comet_json(tmp_path / "a.json")


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_comet_json(tmp_path / "none.json")


# ---- what is refused before COMET starts


def test_no_environment_names_the_way_out() -> None:
    assert comet_environment() is None
    with pytest.raises(InputError, match="equiglot setup comet"):
        comet_scores(["a"], ["b"], ["c"], model="hf:Unbabel/wmt22-comet-da")


def test_named_environment_that_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUIGLOT_COMET_PYTHON", "nowhere/python")
    with pytest.raises(InputError, match="EQUIGLOT_COMET_PYTHON is 'nowhere/python', which is no file"):
        comet_environment()


@pytest.mark.parametrize(
    ("texts", "options", "says"),
    [
        ((["a", "b"], ["c"], None), {}, "2 sources and 1 targets"),
        ((["a"], ["c"], ["d", "e"]), {}, "2 references and 1 targets"),
        ((["a"], ["c"], ["d"]), {"batch_size": 0}, "batch size 0"),
        ((["a"], ["c"], ["d"]), {"gpus": 2}, "2 GPUs"),
        ((["a"], ["c"], ["d"]), {"model": "pkg:comet"}, "not a COMET checkpoint"),
        ((["a"], ["c"], ["d"]), {"model": __file__}, "not a COMET checkpoint"),
        ((["a"], ["c"], ["d"]), {"model": "no/such/model.ckpt"}, "neither a path that exists"),
    ],
)
def test_refused(
    texts: tuple[Sequence[str], Sequence[str], Sequence[str] | None],
    options: dict[str, Any],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    checkpoint: Path,
) -> None:
    monkeypatch.setenv("EQUIGLOT_COMET_PYTHON", sys.executable)
    with pytest.raises(InputError, match=says):
        comet_scores(*texts, **{"model": str(checkpoint), **options})


def test_checkpoint_without_hparams(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUIGLOT_COMET_PYTHON", sys.executable)
    (checkpoint / "hparams.yaml").unlink()
    with pytest.raises(InputError, match=r"model.ckpt: there is no hparams.yaml"):
        comet_scores(["a"], ["b"], ["c"], model=str(checkpoint))


def test_interpreter_without_comet(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It also shows that the driver's ``import comet`` does not find the ``comet.py`` beside it."""
    monkeypatch.setenv("EQUIGLOT_COMET_PYTHON", sys.executable)
    with pytest.raises(InputError, match="COMET stopped: ModuleNotFoundError: No module named 'comet'"):
        comet_scores(["a"], ["b"], ["c"], model=str(checkpoint))


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands in for the interpreter")
def test_a_stop_does_not_leave_comet_running(checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = script(tmp_path / "python", f"echo $$ > {tmp_path / 'id'}\necho 1 2\nexec sleep 600")
    monkeypatch.setenv("EQUIGLOT_COMET_PYTHON", str(python))

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        comet_scores(["a"], ["b"], ["c"], model=str(checkpoint), progress=stopped)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "id").read_text()), 0)


# ---- the driver's own work, with a model that is not COMET's


@given(
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), max_size=40),
    batch_size=st.integers(1, 3),
)
def test_scores_come_back_in_order(texts: list[str], batch_size: int) -> None:
    def score(row: dict[str, str]) -> float:
        return math.nan if "x" in row["mt"] else float(hash(row["mt"]) % 1000)

    model = SimpleNamespace(predict=lambda rows, **_: SimpleNamespace(scores=[score(row) for row in rows]))
    rows = [{"src": "s" * (i % 3), "mt": text} for i, text in enumerate(texts)]
    expected = [None if math.isnan(score(row)) else score(row) for row in rows]
    assert driver.predict(model, rows, batch_size, gpus=0) == expected


_ROW = st.fixed_dictionaries({part: st.integers(0, 14).map("a".__mul__) for part in ("mt", "src", "ref")})


def _joined(row: dict[str, str], parts: tuple[str, ...], positions: int) -> tuple[int, int]:
    """How many tokens COMET's ``concat_sequences`` would make, and how many it keeps, done as it does it."""
    texts = [["<s>", *row[part], "</s>"][: positions - 2] for part in parts]
    joined = texts[0]
    for text in texts[1:]:
        joined = ["<s>", *joined[1:-1], "</s>", "</s>", *text[1:-1], "</s>"]
    whole = sum(len(row[part]) for part in parts) + 2 * len(parts)
    return whole, len(joined[:positions])


@given(rows=st.lists(_ROW, min_size=1, max_size=5))
def test_cuts_are_what_the_encoder_would_lose(rows: list[dict[str, str]]) -> None:
    positions = 12
    encoder = SimpleNamespace(
        max_positions=positions,
        size_separator=2,
        tokenizer=lambda texts: {"input_ids": [[0, *([5] * len(text)), 2] for text in texts]},
    )
    alone = driver.cuts(encoder, rows, [("mt",), ("src",), ("ref",)])
    for row, cuts in zip(rows, alone, strict=True):
        assert cuts == [(p, len(row[p]) + 2, 10) for p in ("mt", "src", "ref") if len(row[p]) + 2 > 10]
    combinations = [("mt", "src"), ("mt", "ref"), ("mt", "src", "ref")]
    for row, cuts in zip(rows, driver.cuts(encoder, rows, combinations), strict=True):
        whole_and_kept = {"+".join(parts): _joined(row, parts, positions) for parts in combinations}
        assert {part: (tokens, 12) for part, tokens, _ in cuts} == {
            part: (whole, 12) for part, (whole, kept) in whole_and_kept.items() if kept < whole
        }


def _model(segments: list[str] | None, requires: bool) -> Any:
    more = {"concat_inputs": None} if segments else {}
    return SimpleNamespace(
        hparams=SimpleNamespace(**({"input_segments": segments} if segments else {})),
        requires_references=lambda: requires,
        **more,
    )


@pytest.mark.parametrize(
    ("model", "references", "fields", "inputs"),
    [
        (_model(None, True), True, ["mt", "src", "ref"], [("mt",), ("src",), ("ref",)]),
        (_model(None, False), True, ["mt", "src"], [("mt",), ("src",)]),
        (_model(["mt", "src"], False), True, ["mt", "src"], [("mt", "src")]),
        (_model(["mt", "ref"], True), True, ["mt", "ref"], [("mt", "ref")]),
        (_model(["mt", "src", "ref"], False), False, ["mt", "src"], [("mt", "src")]),
        (
            _model(["mt", "src", "ref"], False),
            True,
            ["mt", "src", "ref"],
            [("mt", "src"), ("mt", "ref"), ("mt", "src", "ref")],
        ),
    ],
    ids=["wmt22-comet-da", "wmt20-comet-qe-da", "cometkiwi", "unite-ref", "xcomet-qe", "xcomet"],
)
def test_what_a_model_reads(model: Any, references: bool, fields: list[str], inputs: list[tuple[str, ...]]) -> None:
    assert driver.fields_of(model, references) == fields
    assert driver.encoded_together(model, fields) == inputs


def _job(**more: Any) -> dict[str, Any]:
    return {"model": "a/b", "references": False, "batch_size": 8, "gpus": 0, "rows": [], **more}


def _fail(error: Exception) -> Any:
    def load(_: str) -> None:
        raise error

    return load


@pytest.mark.parametrize(
    ("load", "job", "error", "fix"),
    [
        (lambda _: _model(None, True), _job(), "'a/b' needs references, and there are none", "a model that needs none"),
        (_fail(KeyError("no such\nmodel")), _job(), r"COMET could not load 'a/b' \(KeyError: .*\)$", "the hub"),
        (_fail(OSError("short\nfile")), _job(model="x.ckpt"), r"'x.ckpt' \(OSError: short file\)$", "whole COMET"),
        (_fail(OSError("Weights only load failed. In")), _job(model="x.ckpt"), "more than weights", "if you trust"),
        (lambda _: _model(None, True), _job(gpus=1), "sees no GPU", "use 0 GPUs"),
    ],
)
def test_driver_says_why_it_cannot(
    load: Any, job: dict[str, Any], error: str, fix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    comet = SimpleNamespace(__version__="2", download_model=lambda name: name, load_from_checkpoint=load)
    monkeypatch.setitem(sys.modules, "comet", comet)  # type: ignore[arg-type]
    monkeypatch.setattr(driver, "gpu_is_there", lambda: False)
    answer = driver.run(job)
    assert re.search(error, answer["error"])
    assert fix in answer["fix"]
    assert "\n" not in answer["error"]


# ---- the result


@pytest.mark.parametrize(
    ("model", "kind", "says"),
    [
        ("hf:Unbabel/wmt22-comet-da", "regression_metric", "Apache-2.0"),
        ("/hub/models--Unbabel--wmt22-comet-da/checkpoints/model.ckpt", "regression_metric", "Apache-2.0"),
        ("hf:Unbabel/wmt22-cometkiwi-da", "unified_metric", "not for commercial use"),
        ("hf:Unbabel/XCOMET-XL", "xcomet_metric", "not for commercial use"),
        ("mine/model.ckpt", "xcomet_metric", "not for commercial use"),
        ("hf:someone/wmt22-comet-da-tuned", "regression_metric", "not known"),
    ],
)
def test_licence_is_shown(model: str, kind: str, says: str) -> None:
    assert says in _licence(model, kind)


def test_result_counts_rows_and_signs_itself() -> None:
    cuts = (Truncated(3, "target", 600, 510), Truncated(3, "source", 511, 510))
    result = CometResult([0.5], [None], cuts, "a/model.ckpt", "ab" * 32, "2.2.7", True, "x")
    assert result.n_truncated == 1
    assert result.signature.startswith("metric:comet|model:model.ckpt@abababab|ref:yes|dtype:float32|comet:2.2.7|v:")


# ---- making the environment

posix = pytest.mark.skipif(os.name == "nt", reason="the stand-in interpreter is a shell script")


def test_setup_with_no_python(own_cache: Path) -> None:
    with pytest.raises(InputError, match="'nowhere/python' is not a Python that runs"):
        setup_comet(python="nowhere/python")


@posix
def test_setup_with_a_python_that_is_too_new(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is Python 3\.13, and COMET 2\.2\.7 needs 3\.10 to 3\.12"):
        setup_comet(python=str(script(tmp_path / "python", "echo 3 13")))


@posix
def test_setup_installs_torch_first_then_renames(tmp_path: Path, own_cache: Path) -> None:
    python = script(
        tmp_path / "python",
        f"""case "$*" in
        *version_info*) echo 3 11;;
        *"-m venv"*) mkdir -p "$4/bin"; touch "$4/pyvenv.cfg"; cp "$0" "$4/bin/python";;
        *) echo "$*" >>{tmp_path}/calls; echo did "$*";;
        esac""",
    )
    lines: list[str] = []
    made = setup_comet(python=str(python), on_line=lines.append)
    assert made == own_cache / "comet" / "bin" / "python" == comet_environment()
    calls = (tmp_path / "calls").read_text().splitlines()
    assert [line.removeprefix("did ") for line in lines] == calls
    assert calls[0].endswith("install --no-input torch==2.13.0")
    assert calls[1].endswith("install --no-input unbabel-comet==2.2.7 setuptools<82")
    assert calls[2].endswith("-c import comet")
    assert [folder.name for folder in own_cache.iterdir()] == ["comet"]
    assert setup_comet(python="nowhere/python") == made, "one that works is kept"


def test_setup_leaves_another_folder_alone(own_cache: Path) -> None:
    (own_cache / "comet").mkdir(parents=True)
    (own_cache / "comet" / "scores.sqlite").touch()
    with pytest.raises(InputError, match="in the way"):
        setup_comet()
    assert (own_cache / "comet" / "scores.sqlite").exists()


@pytest.mark.skipif(not (3, 10) <= sys.version_info[:2] <= (3, 12), reason="COMET needs Python 3.10 to 3.12")
def test_setup_that_fails_leaves_nothing(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real venv and the real pip, which is told to find nothing."""
    for name, value in {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match="No matching distribution found for no-such-torch") as caught:
        setup_comet(torch="no-such-torch==1")
    assert "\n" not in str(caught.value)
    assert "EQUIGLOT_COMET_PYTHON" in str(caught.value)
    assert list(own_cache.iterdir()) == []
    assert comet_environment() is None
