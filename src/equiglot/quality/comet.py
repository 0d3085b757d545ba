"""COMET: a neural score of a translation against its source and, for most models, a reference.

Formula: the model's own. wmt22-comet-da is a regression over XLM-R embeddings of source, target and
reference (Rei et al. 2020, 2022); CometKiwi and XCOMET read the texts joined (Rei et al. 2022, Guerreiro et
al. 2024). Unit: the model's scale, about 0 to 1 for models of 2022 and later, unbounded before; higher is
better. It is not multiplied by 100.

COMET runs in an environment of its own (:mod:`equiglot.quality._comet_env`), through a small driver and not
through ``comet-score``, which harms text and numbers (:mod:`equiglot.quality._comet_driver` says how). What
differs from it: nothing is stripped; scores are float32, where ``comet-score`` 2.2.7 rounds to half
precision; a text that is missing, empty or shows nothing gives null with a reason, where COMET gives an empty target
a score like any other; and text that the encoder cut (past 510 tokens alone or 512 joined, for XLM-R) is counted.

Scores that ``comet-score --to_json`` wrote are read by :func:`read_comet_json`.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.measures import signature
from equiglot.models import parse_reference
from equiglot.models.embedded import file_sha256
from equiglot.quality._comet_env import comet_environment, setup_comet
from equiglot.quality._comet_json import read_comet_json
from equiglot.quality.scorer import NO_TEXT
from equiglot.text import text_state

__all__ = ["CometResult", "Truncated", "comet_environment", "comet_scores", "read_comet_json", "setup_comet"]

_DRIVER = Path(__file__).with_name("_comet_driver.py")
_APACHE = {"wmt22-comet-da", "wmt20-comet-da", "wmt20-comet-qe-da", "eamt22-cometinho-da"}
_PART = {"mt": "target", "src": "source", "ref": "reference"}


@dataclass(frozen=True, slots=True)
class Truncated:
    """One input of the encoder that was cut.

    ``row`` counts from 0; ``part`` names the text, or texts joined by ``+``; ``tokens`` is how long it was
    and ``limit`` how much was read, both with the special tokens.
    """

    row: int
    part: str
    tokens: int
    limit: int


@dataclass(frozen=True, slots=True)
class CometResult:
    """COMET's scores and everything that they depend on.

    Attributes:
        scores: one per row, on the model's own scale, higher is better; None where there is none.
        reasons: by row, why the score is None; None where there is a score.
        truncated: every text that the encoder cut; the row's score is of what was left.
        model: the model as it was named.
        model_sha256: SHA-256 of its checkpoint, in hexadecimal.
        comet_version: the version of unbabel-comet.
        uses_reference: whether the references were read.
        licence: the licence of the weights in a sentence, to be shown with the scores.
    """

    scores: list[float | None]
    reasons: list[str | None]
    truncated: tuple[Truncated, ...]
    model: str
    model_sha256: str
    comet_version: str
    uses_reference: bool
    licence: str

    @property
    def n_truncated(self) -> int:
        """How many rows had text cut."""
        return len({cut.row for cut in self.truncated})

    @property
    def signature(self) -> str:
        """Everything that changes a score, in one line."""
        name = self.model if self.model.startswith("hf:") else Path(self.model).name
        return signature(
            metric="comet",
            model=f"{name}@{self.model_sha256[:8]}",
            ref="yes" if self.uses_reference else "no",
            dtype="float32",
            comet=self.comet_version,
        )


def comet_scores(
    sources: Sequence[str | None],
    targets: Sequence[str | None],
    references: Sequence[str | None] | None,
    *,
    model: str,
    batch_size: int = 8,
    gpus: int = 0,
    progress: Progress = silent,
) -> CometResult:
    """Score targets with a COMET model, row by row.

    A score depends neither on the other rows nor on ``batch_size``, up to float32's rounding (about 1e-6);
    equal rows are computed once. Models that read no reference (CometKiwi) leave ``references`` aside;
    models that can do with or without (XCOMET) read them where they are given, and then a row without one
    has no score.

    Args:
        sources, targets, references: equally long, None for a missing text.
        model: ``hf:NAME`` (e.g. ``hf:Unbabel/wmt22-comet-da``), or the path of a checkpoint (``.ckpt``, with
            ``hparams.yaml`` one folder up) or of the folder that holds ``checkpoints/model.ckpt``.
        batch_size: rows at once; lower it when memory runs out.
        gpus: 0 or 1. (With more, COMET 2.2.7 cannot gather its results under torch 2.6 or later.)
        progress: told how many rows are scored.

    Raises:
        InputError: no environment; no such model; lengths that differ; a model that needs references and has
            none.
    """
    python = comet_environment()
    if python is None:
        raise InputError(
            "COMET needs an environment of its own, and there is none",
            fix="run `equiglot setup comet` once, or set EQUIGLOT_COMET_PYTHON to a python that has unbabel-comet",
        )
    _check(sources, targets, references, batch_size, gpus)
    given = [None] * len(targets) if references is None else references
    of_target, of_source, of_reference = _faults(targets), _faults(sources), _faults(given)
    reasons = [
        f"target is {target}" if target else f"source is {source}" if source else None
        for target, source in zip(of_target, of_source, strict=True)
    ]
    scorable = [i for i, reason in enumerate(reasons) if reason is None]
    rows = [{"src": sources[i], "mt": targets[i], "ref": None if of_reference[i] else given[i]} for i in scorable]
    job = {
        "model": _model_name(model),
        "references": references is not None,
        "batch_size": batch_size,
        "gpus": gpus,
        "rows": rows,
    }
    answer = _drive(python, job, progress)

    scores: list[float | None] = [None] * len(targets)
    for i, score in zip(scorable, answer["scores"], strict=True):
        scores[i] = score
        if score is None:
            fault = of_reference[i] if answer["uses_reference"] else None
            reasons[i] = f"reference is {fault}" if fault else "COMET gave no finite number"
    return CometResult(
        scores=scores,
        reasons=reasons,
        truncated=tuple(
            Truncated(scorable[row], "+".join(_PART[p] for p in part.split("+")), tokens, limit)
            for row, part, tokens, limit in answer["truncated"]
        ),
        model=model,
        model_sha256=file_sha256(Path(answer["checkpoint"])),
        comet_version=answer["version"],
        uses_reference=answer["uses_reference"],
        licence=_licence(model, answer["class"]),
    )


def _check(
    sources: Sequence[str | None],
    targets: Sequence[str | None],
    references: Sequence[str | None] | None,
    batch_size: int,
    gpus: int,
) -> None:
    for what, texts in (("sources", sources), ("references", references)):
        if texts is not None and len(texts) != len(targets):
            raise InputError(
                f"there are {len(texts)} {what} and {len(targets)} targets",
                fix=f"give one of {what} per target",
            )
    if batch_size < 1:
        raise InputError(f"batch size {batch_size} is below 1", fix="use 1 or more")
    if gpus not in (0, 1):
        raise InputError(
            f"{gpus} GPUs asked for, and COMET runs on 0 or 1 here", fix="split the rows and run them apart"
        )


def _faults(texts: Sequence[str | None]) -> list[str | None]:
    """By text, why it cannot be scored, completing "target is ..."."""
    return [
        NO_TEXT.get(state) or (None if _is_unicode(text or "") else "not valid Unicode (a lone surrogate)")
        for text, state in zip(texts, text_state(texts), strict=True)
    ]


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _model_name(model: str) -> str:
    """What COMET's loader understands: the path of a checkpoint, or a hub name."""
    reference = parse_reference(model)
    if reference.kind == "hf":
        return reference.name
    path = Path(reference.name) if reference.kind == "path" else None
    if path is not None and path.is_dir():
        path = path / "checkpoints" / "model.ckpt"
    if path is None or path.suffix != ".ckpt" or not path.is_file():
        raise InputError(
            f"'{model}' is not a COMET checkpoint",
            fix="name a .ckpt file, the folder that holds checkpoints/model.ckpt, or hf:NAME",
        )
    if not (path.parent.parent / "hparams.yaml").is_file():
        raise InputError(
            "there is no hparams.yaml one folder above this checkpoint",
            path=path,
            fix="put COMET's file there",
        )
    return str(path.resolve())


def _drive(python: Path, job: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Run the driver in COMET's environment and return its answer."""
    with tempfile.TemporaryDirectory(prefix="equiglot-comet-") as name:
        folder = Path(name)
        (folder / "job.json").write_text(json.dumps(job), "utf-8")
        command = [python, "-I", "-W", "ignore", _DRIVER, folder / "job.json", folder / "result.json"]
        errors = folder / "stderr"
        with (
            errors.open("wb") as stderr,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, encoding="utf-8") as process,
        ):
            try:
                for line in process.stdout or ():
                    numbers = line.split()
                    if len(numbers) == 2 and all(n.isdecimal() for n in numbers):
                        progress("COMET", int(numbers[0]), int(numbers[1]))
            except BaseException:  # a stop must not leave it computing on its own
                process.kill()
                raise
        if process.returncode:
            said = errors.read_text("utf-8", errors="replace").strip().splitlines()
            raise InputError(
                f"COMET stopped: {said[-1].strip() if said else f'exit code {process.returncode}'}",
                fix="lower the batch size if memory ran out, or mend the environment: `equiglot setup comet`",
            )
        answer = json.loads((folder / "result.json").read_text("utf-8"))
    if "error" in answer:
        raise InputError(answer["error"], fix=answer["fix"])
    return answer


def _licence(model: str, model_class: str) -> str:
    """The licence of the weights (COMET's LICENSE.models.md and the models' cards)."""
    name = model.lower()
    if "cometkiwi" in name or "xcomet" in name or model_class == "xcomet_metric":
        return "weights under CC BY-NC-SA 4.0: not for commercial use"
    if _APACHE & set(re.split(r"[:/\\]|--", name)):
        return "weights under Apache-2.0"
    return "licence of the weights not known to equiglot: see the model's card"
