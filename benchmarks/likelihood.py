"""Sentence NLL side by side with peers: same model, same texts, same threads, in turns.

python benchmarks/likelihood.py [--peers PYTHON] [--dtype DTYPE ...] [--threads N] [--rounds N] [--each N] [--model REF]

Texts are 25 sentences each of English, Russian, Chinese and Arabic: FLORES's where the folder of shared data is there
(EQUIGLOT_SHARED_DATA, default ../shared/data), else the bundled ones. Each way of scoring has a process of its own, and
they take turns, so that what else the machine does hits all of them; of each, the best round counts. Peers run with the
Python that ``--peers`` names, in batches of 8; one that isn't installed there is left out, with a line.

Printed: tokens a second, how many times equiglot's time it takes, the share of the machine's own rate for a large
matrix product that the model's multiply-adds reach (projections and output layer of real tokens; attention itself and
padding aren't counted), highest memory, and how far the sums are from equiglot's in float64. Last, where both number
formats were run, equiglot in bfloat16 against the others in float32, in which they load this model unless told.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from equiglot.demo import demo_parallel
from equiglot.likelihood import LanguageModel, load_language_model, score_texts

HERE = Path(__file__).parent
OWN = ("equiglot", "with ranks", "one by one")
PEERS = ("minicons", "lmppl")


def texts(each: int) -> tuple[str, list[str]]:
    shared = Path(os.environ.get("EQUIGLOT_SHARED_DATA", HERE.parent.parent / "shared" / "data"))
    flores = shared / "parallel" / "texts_flores.parquet"
    if flores.is_file():
        table = pl.read_parquet(flores)
        return "FLORES", [text for language in ("en", "ru", "zh", "ar") for text in table[language].head(each)]
    demo = demo_parallel()
    found = demo.filter(language="ru")["source"].head(each).to_list()
    return "bundled", found + [
        text for language in ("ru", "zh", "ar") for text in demo.filter(language=language)["target"].head(each)
    ]


class Way:
    """A process that scores the texts one way, each time it is asked."""

    def __init__(self, python: str, job: dict[str, Any]) -> None:
        self.name, self.best, self.memory, self.nll = job["way"], float("inf"), 0, np.zeros(0)
        environment = {**os.environ, "OMP_NUM_THREADS": str(job["threads"]), "TRANSFORMERS_VERBOSITY": "error"}
        self.process = subprocess.Popen(
            [python, HERE / "_likelihood_way.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
        self.answer = self.ask(json.dumps(job))

    def ask(self, line: str) -> dict[str, Any] | None:
        """What the process answers; None where it has ended, which is told."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        if answer := self.process.stdout.readline():
            return json.loads(answer)
        _, errors = self.process.communicate()
        print(f"  {self.name}: left out ({(errors.strip().splitlines() or ['no reason given'])[-1]})", flush=True)
        return None

    def turn(self) -> None:
        answer = self.ask("go")
        if answer is not None:
            self.best, self.memory = min(self.best, answer["seconds"]), answer["memory"]
            self.nll = np.array(answer["nll"])

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.communicate()


def multiply_adds(model: LanguageModel) -> int:
    """Of one token: every matrix of the body once, and the output layer."""
    inside = sum(
        p.numel() for name, p in model.module.base_model.named_parameters() if p.ndim == 2 and "embed" not in name
    )
    return inside + model.head.weight.numel()


@dataclass(frozen=True)
class Task:
    """What is scored, and what there is to hold it against."""

    folder: str
    sentences: list[str]
    tokens: int
    work: int
    exact: np.ndarray


def compare(options: argparse.Namespace, dtype: str, task: Task) -> dict[str, float]:
    """Print how fast each way is; returns its tokens a second."""
    print(f"{dtype}, {options.threads} threads", flush=True)
    job = {"model": options.model, "folder": task.folder, "dtype": dtype, "threads": options.threads,
           "texts": task.sentences}  # fmt: skip
    pythons = dict.fromkeys(OWN, sys.executable) | (dict.fromkeys(PEERS, options.peers) if options.peers else {})
    if not options.peers:
        print(f"  {', '.join(PEERS)}: left out (give --peers PYTHON, one that has them)")
    started = [Way(python, {**job, "way": way}) for way, python in pythons.items() if way in options.ways]
    ways, rates = [way for way in started if way.answer is not None], [0.0]
    for _ in range(options.rounds):
        for way in ways:
            if way.name == "equiglot":
                rates.append((way.ask("rate") or {"rate": 0.0})["rate"])
            way.turn()
    for way in ways:
        way.end()
    print(f"  large matrix product: {2 * max(rates) / 1e9:.0f} GFLOP/s")
    ours = min((way.best for way in ways if way.name == "equiglot"), default=float("nan"))
    for way in (way for way in ways if len(way.nll)):
        off = np.abs(way.nll / task.exact - 1)
        share = 100 * task.tokens * task.work / way.best / max(rates) if max(rates) else float("nan")
        print(
            f"  {way.name:12}{task.tokens / way.best:7.0f} tokens/s   {way.best / ours:5.2f} x equiglot's time   "
            f"{share:3.0f}% of the product's rate   {way.memory / 2**30:5.2f} GiB   "
            f"a text {off.max():.1e} off at most, the mean {abs(way.nll.mean() / task.exact.mean() - 1):.1e}",
            flush=True,
        )
    return {way.name: task.tokens / way.best for way in ways}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--peers", metavar="PYTHON", default=os.environ.get("EQUIGLOT_PEERS"))
    parser.add_argument("--dtype", nargs="+", default=["bfloat16", "float32"])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--each", type=int, default=25, help="sentences a language")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--model", default="pkg:gemma3-270m")
    parser.add_argument("--ways", nargs="+", default=[*OWN, *PEERS], choices=[*OWN, *PEERS])
    options = parser.parse_args()
    name, sentences = texts(options.each)
    model = load_language_model(options.model, dtype="float64")
    scores = score_texts(sentences, model)  # kept, for float64 takes a while
    work, folder = multiply_adds(model), model.module.config.name_or_path
    task = Task(folder, sentences, int(scores["n_scored"].sum()), work, scores["sent_nll"].to_numpy())
    print(f"{model.identity}, {len(sentences)} sentences ({name}), {task.tokens:,} tokens, "
          f"{work / 1e6:.0f}M multiply-adds each")  # fmt: skip
    del model
    rates = {dtype: compare(options, dtype, task) for dtype in options.dtype}
    ours = rates.get("bfloat16", {}).get("equiglot")
    if ours and (theirs := {name: rate for name, rate in rates.get("float32", {}).items() if name not in OWN[:2]}):
        against = ", ".join(f"{name} {ours / rate:.1f} x" for name, rate in theirs.items())
        print(f"equiglot in bfloat16 against float32: {against}")


if __name__ == "__main__":
    main()
