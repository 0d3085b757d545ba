"""Train one GPT-2-style model; stopped at any point, it goes on from its last checkpoint.

AdamW (betas 0.9 and 0.95, weight decay 0.1 on matrices), gradients clipped at norm 1, the loss a mean over the batch's
tokens. On one device and version of torch a run that was stopped ends with the weights of one that was not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from equiglot.engine import Progress
from equiglot.errors import InputError
from equiglot.lab.batches import epoch_order, padded, updates_per_epoch
from equiglot.lab.checkpoint import Checkpoint
from equiglot.lab.config import Size
from equiglot.lab.tokenizer import END_OF_TEXT, train_tokenizer
from equiglot.models.gguf import quiet_transformers

__all__ = ["Recipe", "is_done", "train_model"]

_CHECKPOINT_EVERY = 100
"""Updates between two checkpoints."""

_DONE = "training.json"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that a model's weights depend on, but the texts themselves.

    Attributes:
        language: what it is trained on.
        vocabulary: tokens of its tokeniser.
        size: shape and training.
        texts_sha256: of the sentences, in order.
        seed: of weights, dropout and order.
    """

    language: str
    vocabulary: int
    size: Size
    texts_sha256: str
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """As it is kept with the model."""
        return asdict(self)


def train_model(texts: Sequence[str], recipe: Recipe, folder: Path, *, device: str, progress: Progress) -> None:
    """Train the recipe's tokeniser and model on the texts into ``folder``; nothing is done where it is there already.

    Raises:
        InputError: the folder holds a model of another recipe, or too little text for the vocabulary.
    """
    if is_done(folder, recipe):
        return
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    size = recipe.size
    tokenizer = train_tokenizer(texts, recipe.vocabulary, language=recipe.language, context=size.context)
    end = int(tokenizer.convert_tokens_to_ids(END_OF_TEXT))
    ids: list[list[int]] = [
        encoding.ids for encoding in tokenizer.backend_tokenizer.encode_batch(list(texts), add_special_tokens=False)
    ]
    config = GPT2Config(
        vocab_size=recipe.vocabulary, n_positions=size.context, n_embd=size.n_embd, n_layer=size.n_layer,
        n_head=size.n_head, resid_pdrop=size.dropout, embd_pdrop=size.dropout, attn_pdrop=size.dropout,
        bos_token_id=end, eos_token_id=end, use_cache=False,
    )  # fmt: skip
    unfinished = folder.with_name(f".{folder.name}.unfinished")
    unfinished.mkdir(parents=True, exist_ok=True)
    with torch.random.fork_rng([torch.device(device)] if device.startswith("cuda") else []):
        torch.manual_seed(recipe.seed)
        model: Any = GPT2LMHeadModel(config)
        model.loss_type = "ForCausalLM"  # what transformers falls back to, with a warning
        model = model.to(device).train()
        checkpoint = Checkpoint(unfinished / "checkpoint.pt", recipe.to_dict())
        losses = _run(model, ids, end=end, recipe=recipe, checkpoint=checkpoint, progress=progress)
    checkpoint.path.unlink(missing_ok=True)
    with quiet_transformers():
        model.eval().save_pretrained(unfinished)
        tokenizer.save_pretrained(unfinished)
    told = {
        "recipe": recipe.to_dict(),
        "torch": torch.__version__,
        "parameters": sum(p.numel() for p in model.parameters()),
        "tokens": sum(map(len, ids)),
        "loss_by_epoch": losses,
    }
    (unfinished / _DONE).write_text(json.dumps(told, indent=1, ensure_ascii=False), "utf-8")
    unfinished.replace(folder)


def is_done(folder: Path, recipe: Recipe) -> bool:
    """Whether a folder holds the recipe's model.

    Raises:
        InputError: it holds something else.
    """
    if not folder.exists():
        return False
    try:
        found = json.loads((folder / _DONE).read_text("utf-8"))["recipe"]
    except (OSError, ValueError, KeyError, TypeError):
        found = None
    if found != recipe.to_dict():
        raise InputError(
            "this folder holds something else than the model that was asked for",
            fix="give another output folder, or remove it to train anew",
            path=folder,
        )
    return True


def _run(
    model: Any,
    ids: Sequence[Sequence[int]],
    *,
    end: int,
    recipe: Recipe,
    checkpoint: Checkpoint,
    progress: Progress,
) -> list[float]:
    """Train to the end, from the checkpoint where there is one; the mean loss of each epoch in nats a token."""
    import torch

    size, device = recipe.size, str(model.device)
    each = updates_per_epoch(len(ids), size.batch)
    total = each * size.epochs
    matrices = [p for p in model.parameters() if p.dim() >= 2]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}],
        lr=size.learning_rate, betas=(0.9, 0.95),
    )  # fmt: skip
    step, sums = checkpoint.load(model, optimizer)
    while step < total:
        epoch, place = divmod(step, each)
        these = epoch_order(len(ids), recipe.seed, epoch)[place * size.batch : (place + 1) * size.batch]
        tokens, labels = (
            torch.from_numpy(made).to(device) for made in padded([ids[i] for i in these], end, size.context)
        )
        for group in optimizer.param_groups:
            group["lr"] = _learning_rate(size.learning_rate, step, total)
        with torch.autocast(device.split(":", maxsplit=1)[0], torch.bfloat16, enabled=device.startswith("cuda")):
            loss = model(input_ids=tokens, labels=labels).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        learnt = int((labels[:, 1:] >= 0).sum())
        sums.setdefault(epoch, [0.0, 0])
        sums[epoch] = [sums[epoch][0] + float(loss.detach()) * learnt, sums[epoch][1] + learnt]
        step += 1
        if step % _CHECKPOINT_EVERY == 0 and step < total:
            checkpoint.save(model, optimizer, step, sums)
        progress(f"training {recipe.language} with {recipe.vocabulary:,} tokens", step, total)
    return [total_loss / tokens for total_loss, tokens in sums.values()]


def _learning_rate(highest: float, step: int, total: int) -> float:
    warm = max(1, total // 20)
    if step < warm:
        return highest * (step + 1) / warm
    return highest * (0.55 + 0.45 * math.cos(math.pi * (step - warm) / max(1, total - warm)))
