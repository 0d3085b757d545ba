"""One way of scoring texts, in a process of its own so that its memory can be told: benchmarks/likelihood.py starts it.

Reads one JSON job from standard input (way, folder or name of the model, dtype, threads, texts), loads, prints
``{"ready": ...}``, then scores all texts once for every line that it is sent and prints seconds, the highest memory so
far and each text's sum in nats.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

Score = Callable[[], list[float]]
_BATCH = 8


def equiglot(job: dict[str, Any], *, detail: str = "nll") -> Score:
    from equiglot.likelihood import load_language_model, score_texts

    model = load_language_model(job["model"], dtype=job["dtype"], threads=job["threads"])

    def run() -> list[float]:
        return score_texts(job["texts"], model, detail=detail, cache=False)["sent_nll"].to_list()

    return run


def with_ranks(job: dict[str, Any]) -> Score:
    return equiglot(job, detail="ranks")


def one_by_one(job: dict[str, Any]) -> Score:
    """Transformers alone: all logits of a text, log-softmax in float32 at least, gather."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(job["folder"])
    model = AutoModelForCausalLM.from_pretrained(job["folder"], dtype=getattr(torch, job["dtype"])).eval()

    def nll(text: str) -> float:
        tokens = tokenizer(text, return_tensors="pt").input_ids
        logits = model(input_ids=tokens, use_cache=False).logits
        logits = logits if logits.dtype == torch.float64 else logits.float()
        logp = logits[:, :-1].log_softmax(-1).gather(2, tokens[:, 1:, None])
        return -float(logp.double().sum())

    def run() -> list[float]:
        with torch.inference_mode():
            return [nll(text) for text in job["texts"]]

    return run


def minicons(job: dict[str, Any]) -> Score:
    import torch
    from minicons import scorer  # type: ignore[import-not-found]

    model = scorer.IncrementalLMScorer(job["folder"], "cpu", dtype=getattr(torch, job["dtype"]))
    texts = job["texts"]

    def run() -> list[float]:
        sums: list[float] = []
        for start in range(0, len(texts), _BATCH):
            sums += model.sequence_score(texts[start : start + _BATCH], reduction=lambda x: -float(x.sum()))
        return sums

    return run


def lmppl(job: dict[str, Any]) -> Score:
    import math

    import torch
    from lmppl import LM  # type: ignore[import-not-found]

    # Its own constructor hands transformers an argument that version 5 refuses; what it loads is the same.
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = LM.__new__(LM)
    model.tokenizer = AutoTokenizer.from_pretrained(job["folder"])
    model.model = AutoModelForCausalLM.from_pretrained(job["folder"], dtype=getattr(torch, job["dtype"])).eval()
    model.max_length, model.pad_token_initialized, model.device = None, False, model.model.device
    model.loss_fct = torch.nn.CrossEntropyLoss(reduction="none")
    if model.tokenizer.pad_token is None:
        model.tokenizer.pad_token = model.tokenizer.eos_token
    counts = [len(ids) - 1 for ids in model.tokenizer(job["texts"]).input_ids]

    def run() -> list[float]:
        found = model.get_perplexity(job["texts"], batch_size=_BATCH)
        return [math.log(value) * n for value, n in zip(found, counts, strict=True)]

    return run


WAYS = {"equiglot": equiglot, "with ranks": with_ranks, "one by one": one_by_one, "minicons": minicons, "lmppl": lmppl}


def product_rate(dtype: str) -> float:
    """Multiply-adds a second of a large matrix product."""
    import torch

    size = 2048
    one, other = (torch.randn(size, size).to(getattr(torch, dtype)) for _ in range(2))
    rates: list[float] = []
    for _ in range(6):
        begun = perf_counter()
        one @ other
        rates.append(size**3 / (perf_counter() - begun))
    return max(rates)


def highest_memory() -> int:
    """The most bytes that this process has held at once."""
    status = Path("/proc/self/status")
    if status.exists():  # what resource says includes the process that started this one
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    job = json.loads(sys.stdin.readline())
    with contextlib.redirect_stdout(sys.stderr):
        import torch

        torch.set_num_threads(job["threads"])
        run = WAYS[job["way"]](job)
        torch.set_num_threads(job["threads"])
        versions = f"torch {torch.__version__}, {torch.get_num_threads()} threads"
        print(json.dumps({"ready": versions}), file=out, flush=True)
        for asked in sys.stdin:
            if asked.strip() == "rate":
                print(json.dumps({"rate": product_rate(job["dtype"])}), file=out, flush=True)
                continue
            begun = perf_counter()
            sums = run()
            seconds = perf_counter() - begun
            print(json.dumps({"seconds": seconds, "memory": highest_memory(), "nll": sums}), file=out, flush=True)


if __name__ == "__main__":
    main()
