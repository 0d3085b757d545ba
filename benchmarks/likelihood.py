"""Sentence NLL of the bundled sentences: equiglot beside the two recipes that people write, same model, same texts.

python benchmarks/likelihood.py [TEXTS] [MODEL] [THREADS]

Each line says tokens a second by the clock and by the processor's time (the second is the steadier one where the
machine is shared, but counts threads that wait in a loop for each other), and how far a text's sum is from the recipe
in float64, one text at a time. Recipes, with transformers alone: "one by one" runs a text and takes log_softmax of all
its logits in float32; "padded by 16" does so for sixteen at a time, in the order that they come in.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForCausalLM
from transformers.utils import logging

from equiglot.demo import demo_parallel
from equiglot.likelihood import load_language_model, score_texts


def recipe(model: Any, sequences: list[list[int]], size: int) -> np.ndarray:
    """Logits of everything, log-softmax, gather."""
    sums: list[float] = []
    with torch.inference_mode():
        for start in range(0, len(sequences), size):
            part = sequences[start : start + size]
            width = max(map(len, part))
            tokens = torch.tensor([ids + [0] * (width - len(ids)) for ids in part])
            mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in part])
            logits = model(input_ids=tokens, attention_mask=mask, use_cache=False).logits
            logits = logits if logits.dtype == torch.float64 else logits.float()
            logp = logits[:, :-1].log_softmax(-1).gather(2, tokens[:, 1:, None]).squeeze(2)
            sums += (-(logp * mask[:, 1:]).double().sum(1)).tolist()
    return np.array(sums)


def main(count: int = 60, name: str = "pkg:gemma3-270m", threads: int = 0) -> None:
    if threads:
        torch.set_num_threads(threads)
    logging.disable_progress_bar()
    texts = demo_parallel().sample(fraction=1.0, shuffle=True, seed=0)["target"].head(count).to_list()
    ours = load_language_model(name, dtype="float32")
    sequences = [[*(ours.prefix.ids if ours.prefix else ()), *ids] for ids in ours.encode(texts)]
    folder, n_tokens = ours.module.config.name_or_path, sum(map(len, ours.encode(texts)))
    exact = recipe(AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64), sequences, 1)
    for dtype in ("float32", "bfloat16"):
        plain = AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, dtype))
        ours = load_language_model(name, dtype=dtype)
        print(f"{ours.identity} {dtype}, {len(texts)} texts, {n_tokens:,} tokens, {torch.get_num_threads()} threads")
        ways: dict[str, Callable[[], np.ndarray]] = {
            "one by one": lambda model=plain: recipe(model, sequences, 1),
            "padded by 16": lambda model=plain: recipe(model, sequences, 16),
            "equiglot": lambda model=ours: score_texts(texts, model, cache=False)["sent_nll"].to_numpy(),
        }
        for way, run in ways.items():
            wall, used = perf_counter(), process_time()
            made = run()
            wall, used = perf_counter() - wall, process_time() - used
            off = np.abs(made / exact - 1)
            speed = f"{n_tokens / wall:7.0f} tokens/s   {n_tokens / used:7.0f} per processor second"
            print(f"  {way:14}{speed}   off by {np.sqrt((off**2).mean()):.1e} rms, {off.max():.1e} at most", flush=True)


if __name__ == "__main__":
    main(*(int(arg) if arg.isdigit() else arg for arg in sys.argv[1:]))  # type: ignore[arg-type]
