"""Score rows with COMET. Run by the interpreter of COMET's own environment, not imported by equiglot:

    python -I _comet_driver.py JOB.json RESULT.json

It may use the standard library and what unbabel-comet brings, and nothing of equiglot. ``-I`` is needed:
without it this file's folder, which has a ``comet.py``, would come first in ``sys.path``.

Why not ``comet-score``: version 2.2.7 of that command reads lines of files and strips them, pairs files of
unequal length up to the shortest without a word, casts the model to half precision (scores between 0.5 and
1 are then multiples of 0.0005, so that close ones tie) and does not say which texts its encoder cut. Here
text travels as JSON, the model stays in float32 as in COMET's Python interface, and every cut is reported.
Loading, tokenising and scoring are COMET's own.

JOB:    ``{"model": checkpoint path or hub name, "references": whether there are any, "batch_size": int,
        "gpus": 0 or 1, "rows": [{"src": text, "mt": text, "ref": text or null}, ...]}``
RESULT: ``{"version", "checkpoint", "class", "uses_reference", "scores": [float or null, ...],
        "truncated": [[row, part, tokens, limit], ...]}``, scores in the order of the rows; or
        ``{"error": what, "fix": the way out}``.
On standard output: ``done total`` after each block.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

BATCHES_PER_BLOCK = 16

Row = dict[str, str]


def fields_of(model: Any, references: bool) -> list[str]:
    """Which texts of a row the model reads, given whether there are references at all."""
    reads = getattr(model.hparams, "input_segments", None)
    if reads is None:
        reads = ["mt", "src", "ref"] if model.requires_references() else ["mt", "src"]
    return [field for field in ("mt", "src", "ref") if field in reads and (field != "ref" or references)]


def encoded_together(model: Any, fields: list[str]) -> list[tuple[str, ...]]:
    """The inputs of the encoder, each named by its texts: one, or several joined for the unified models."""
    if not hasattr(model, "concat_inputs"):
        return [(field,) for field in fields]
    joined = [tuple(fields)]
    return joined if len(fields) == 2 else [("mt", "src"), ("mt", "ref"), *joined]


def cuts(encoder: Any, rows: list[Row], inputs: list[tuple[str, ...]]) -> list[list[tuple[str, int, int]]]:
    """By row, (part, tokens, limit) for each input of the encoder that is longer than it takes.

    A text alone may have ``max_positions - 2`` tokens (510 for XLM-R), texts joined ``max_positions``; both
    counts include the special tokens.
    """
    fields = {field for parts in inputs for field in parts}
    lengths = {f: [len(ids) for ids in encoder.tokenizer([r[f] for r in rows])["input_ids"]] for f in fields}
    found: list[list[tuple[str, int, int]]] = [[] for _ in rows]
    for parts in inputs:
        limit = encoder.max_positions - (2 if len(parts) == 1 else 0)
        between = (len(parts) - 1) * encoder.size_separator
        for i, row in enumerate(found):
            tokens = sum(lengths[f][i] - 2 for f in parts) + 2 + between
            if tokens > limit:
                row.append(("+".join(parts), tokens, limit))
    return found


def predict(model: Any, rows: list[Row], batch_size: int, gpus: int) -> list[float | None]:
    """One score per row, None where the model gave no finite number; longest first, in blocks that report."""
    order = sorted(range(len(rows)), key=lambda i: -sum(map(len, rows[i].values())))
    scores: list[float | None] = [None] * len(rows)
    block = batch_size * BATCHES_PER_BLOCK
    report(0, len(order))
    for start in range(0, len(order), block):
        part = order[start : start + block]
        output = model.predict(
            [rows[i] for i in part], batch_size=batch_size, gpus=gpus, progress_bar=False, num_workers=0
        )
        for i, score in zip(part, output.scores, strict=True):
            scores[i] = float(score) if math.isfinite(score) else None
        report(start + len(part), len(order))
    return scores


def report(done: int, total: int) -> None:
    """Say how far the work is."""
    sys.stdout.write(f"{done} {total}\n")
    sys.stdout.flush()


def load(name: str) -> tuple[Any, Path]:
    """The model and its checkpoint's path; COMET downloads a hub name that is not in the hub's cache."""
    from comet import (  # pyright: ignore[reportMissingImports]
        download_model,  # pyright: ignore[reportAttributeAccessIssue]
        load_from_checkpoint,  # pyright: ignore[reportAttributeAccessIssue]
    )

    checkpoint = Path(name if name.endswith(".ckpt") else download_model(name))
    return load_from_checkpoint(str(checkpoint)), checkpoint


def refusal(name: str, error: Exception) -> dict[str, str]:
    """Why a model could not be loaded, in one line, and the way out."""
    if "Weights only load failed" in str(error):
        said = "it is broken, or holds more than weights"
        fix = "if you trust its maker, set TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1, which lets it run any code"
    else:
        said = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        fix = "check the name, that the hub can be reached, and whether the licence must be accepted there first"
        if name.endswith(".ckpt"):
            fix = "check that the file is a whole COMET checkpoint and that hparams.yaml is its own"
    return {"error": f"COMET could not load '{name}' ({said})", "fix": fix}


def gpu_is_there() -> bool:
    """Whether torch sees one; without, Lightning would turn to the CPU and say nothing."""
    import torch  # pyright: ignore[reportMissingImports]

    return bool(torch.cuda.is_available() or torch.backends.mps.is_available())


def run(job: dict[str, Any]) -> dict[str, Any]:
    """The whole job; see the top of this file."""
    import comet  # pyright: ignore[reportMissingImports]

    if job["gpus"] and not gpu_is_there():
        return {"error": "the torch of COMET's environment sees no GPU", "fix": "use 0 GPUs, or another torch"}
    try:
        model, checkpoint = load(job["model"])
    except Exception as error:  # COMET raises bare Exceptions
        return refusal(job["model"], error)
    if model.requires_references() and not job["references"]:
        return {
            "error": f"'{job['model']}' needs references, and there are none",
            "fix": "give references, or a model that needs none (hf:Unbabel/wmt22-cometkiwi-da)",
        }
    fields = fields_of(model, job["references"])
    read = [{f: row[f] for f in fields} for row in job["rows"]]
    unique = list({json.dumps(row): row for row in read if None not in row.values()}.values())
    place = {json.dumps(row): i for i, row in enumerate(unique)}
    scores = predict(model, unique, job["batch_size"], job["gpus"])
    long = cuts(model.encoder, unique, encoded_together(model, fields)) if unique else []
    where = [place.get(json.dumps(row)) for row in read]
    return {
        "version": comet.__version__,  # pyright: ignore[reportAttributeAccessIssue]
        "checkpoint": str(checkpoint.resolve()),
        "class": model.hparams.class_identifier,
        "uses_reference": "ref" in fields,
        "scores": [None if i is None else scores[i] for i in where],
        "truncated": [[row, *cut] for row, i in enumerate(where) if i is not None for cut in long[i]],
    }


def main() -> None:
    """Read the job, score it, write the result."""
    job_file, result_file = map(Path, sys.argv[1:3])
    result = run(json.loads(job_file.read_text("utf-8")))
    result_file.write_text(json.dumps(result, allow_nan=False), "utf-8")


if __name__ == "__main__":
    main()
