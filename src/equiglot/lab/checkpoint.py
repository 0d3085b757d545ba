"""What a stopped training run goes on from: weights, optimiser, the place reached, the random numbers' state."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Checkpoint", "Losses"]

Losses = dict[int, list[float]]
"""By epoch: the loss summed over its tokens so far in nats, and how many they are."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint file of one recipe; written beside its place and moved there when it is whole."""

    path: Path
    recipe: Mapping[str, Any]

    def save(self, model: Any, optimizer: Any, step: int, losses: Losses) -> None:
        """Keep everything that the next update depends on."""
        import torch

        state = {
            "recipe": json.dumps(self.recipe, sort_keys=True),
            "step": step,
            "losses": losses,
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "random_cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        }
        written = self.path.with_suffix(".part")
        torch.save(state, written)
        written.replace(self.path)

    def load(self, model: Any, optimizer: Any) -> tuple[int, Losses]:
        """Put model, optimiser and random numbers where they were; the updates done and the losses.

        Without a checkpoint, with a damaged one or another recipe's nothing is touched and nothing was done.
        """
        import torch

        try:
            state: Any = torch.load(self.path, weights_only=True)
            ours = state["recipe"] == json.dumps(self.recipe, sort_keys=True)
        except (OSError, RuntimeError, EOFError, KeyError, TypeError, pickle.UnpicklingError):
            return 0, {}
        if not ours:
            return 0, {}
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"].cpu())
        if state["random_cuda"]:
            torch.cuda.set_rng_state_all(state["random_cuda"])
        return state["step"], state["losses"]
