"""COMET itself, in its own environment, on tiny checkpoints of random weights (``make_tiny_comet.py``)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from equiglot import InputError
from equiglot.quality.comet import comet_environment, comet_scores, read_comet_json

HERE = Path(__file__).parent
RECORDED = HERE / "data" / "comet" / "comet_score.json"
PYTHON = comet_environment()  # asked before a test can point the cache elsewhere

pytestmark = pytest.mark.skipif(
    PYTHON is None,
    reason="no COMET environment (run `equiglot setup comet`, or set EQUIGLOT_COMET_PYTHON)",
)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the two checkpoints."""
    folder = tmp_path_factory.mktemp("tiny-comet")
    command = [str(PYTHON), "-I", "-W", "ignore", str(HERE / "make_tiny_comet.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUIGLOT_COMET_PYTHON", str(PYTHON))


LIMIT = 510
SPARE = 3  # <s>, the start of the word, </s>
ROWS: list[tuple[str | None, str | None, str | None]] = [
    ("The river is high today.", "आज नदी ऊँची है।", "आज नदी का जलस्तर ऊँचा है।"),
    ("No.", "", "नहीं।"),
    ("No.", " \u00a0\n", "नहीं।"),
    ("No.", None, "नहीं।"),
    ("No.", "नहीं।", None),
    ("No.", "नहीं।", ""),
    (None, "नहीं।", "नहीं।"),
    ("No.", "\ud800", "नहीं।"),
    ("Tea\u2028with\u0085milk.\r", "दूध वाली चाय।\n", "दूध के साथ चाय।"),
    ("a", "b" * (LIMIT - SPARE), "c"),
    ("a", "b" * (LIMIT - SPARE) + "c", "c"),
    ("a", "b" * (LIMIT - SPARE) + "def", "c"),
    ("The river is high today.", "आज नदी ऊँची है।", "आज नदी का जलस्तर ऊँचा है।"),
]


def test_reference_model(tiny: Path) -> None:
    """Gaps, cuts, duplicates, order, batch size, and agreement with ``comet-score``."""
    told: list[tuple[int, int]] = []
    recorded = read_comet_json(RECORDED)
    segments = [row for rows in json.loads(RECORDED.read_text("utf-8")).values() for row in rows]
    rows = [*ROWS, *((row["src"], row["mt"], row["ref"]) for row in segments)]
    sources, targets, references = (list(column) for column in zip(*rows, strict=True))
    model = str(tiny / "regression")
    result = comet_scores(
        sources, targets, references, model=model, progress=lambda _, done, total: told.append((done, total))
    )
    assert result.reasons == [
        None,
        "target is empty",
        "target is only white space",
        "target is missing",
        "reference is missing",
        "reference is empty",
        "source is missing",
        "target is not valid Unicode (a lone surrogate)",
        *[None] * (5 + len(segments)),
    ]
    assert [score is None for score in result.scores] == [reason is not None for reason in result.reasons]
    assert result.scores[0] == result.scores[12], "equal rows have equal scores"
    assert told == [(0, 16), (16, 16)], "the different rows among those that can be scored"

    assert [(cut.row, cut.part, cut.tokens, cut.limit) for cut in result.truncated] == [
        (10, "target", LIMIT + 1, LIMIT),
        (11, "target", LIMIT + 3, LIMIT),
    ]
    assert result.n_truncated == 2
    for row in (10, 11):
        assert result.scores[row] == pytest.approx(result.scores[9], abs=1e-6), "what was cut was not read"

    assert result.uses_reference
    assert result.comet_version == "2.2.7"
    assert "not known" in result.licence

    written = [score for scores in recorded.values() for score in scores]
    mine = result.scores[len(ROWS) :]
    assert mine == pytest.approx(written, abs=2e-3), "comet-score, up to its half precision"
    assert max(written) - min(written) > 0.2, "far more than that tolerance"

    turned = comet_scores(
        sources[::-1], targets[::-1], references[::-1], model=f"{model}/checkpoints/model.ckpt", batch_size=1
    )
    assert turned.scores[::-1] == pytest.approx(result.scores, abs=1e-6)
    assert turned.model_sha256 == result.model_sha256


def test_reference_free_model(tiny: Path) -> None:
    """CometKiwi's kind: target and source joined, 512 tokens in all; references are left aside."""
    fits = "b" * (512 - 2 * SPARE - len("aa"))
    targets = ["नहीं।", fits, fits + "b", "नहीं।"]
    sources = ["No.", "aa", "aa", "No."]
    result = comet_scores(sources, targets, [None, "x", "y", "z"], model=str(tiny / "unified"))
    assert result.reasons == [None] * 4
    assert result.scores[0] == result.scores[3]
    assert [(cut.row, cut.part, cut.tokens, cut.limit) for cut in result.truncated] == [(2, "target+source", 513, 512)]
    assert not result.uses_reference
    assert "|ref:no|" in result.signature


def test_checkpoint_with_more_than_weights(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that could run is loaded unless the user says so, as the error teaches."""
    model = str(tiny / "pickled")
    with pytest.raises(InputError, match=r"holds more than weights\); .* set TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1"):
        comet_scores(["a"], ["b"], ["c"], model=model)
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "1")
    assert comet_scores(["a"], ["b"], ["c"], model=model).reasons == [None]
