"""What of a request changes the numbers: BOS, windows and a cut, settled for one model.

======= ========================================================================================================
bos     what comes before a text
======= ========================================================================================================
auto    the prefix that the tokeniser has; without one the first token is not scored, and ``first`` says so
require the prefix that the tokeniser has; without one an error
never   nothing; the first token is not scored (paper 2's stored values)
======= ========================================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass

from equiglot.errors import InputError
from equiglot.likelihood._encode import Prefix
from equiglot.likelihood._pieces import Windows, check_windows
from equiglot.likelihood.model import LanguageModel
from equiglot.measures import signature

__all__ = ["Policy", "settle"]


@dataclass(frozen=True, slots=True)
class Policy:
    """BOS policy, the prefix that it comes to, the windows, and the number of tokens a text is cut at."""

    bos: str
    prefix: Prefix | None
    windows: Windows
    cut: int | None = None

    @property
    def first(self) -> str:
        """``scored`` or ``skipped``: what becomes of a text's first token."""
        return "scored" if self.prefix else "skipped"

    @property
    def room(self) -> int | None:
        """How many tokens of text a window holds; None where there is no limit."""
        if self.windows.window is None:
            return None
        return self.windows.window - (len(self.prefix.ids) if self.prefix else 0)

    def signature(self, measure: str, model: LanguageModel) -> str:
        """Everything that changes the measure."""
        return signature(
            metric=measure,
            lm=model.identity,
            tok=model.tokenizer_sha256[:8],
            dtype=model.dtype,
            bos=self.bos,
            prefix=self.prefix.text if self.prefix else "none",
            first=self.first,
            windows=self.windows,
            cut=self.cut,
        )


def settle(
    model: LanguageModel,
    *,
    bos: str = "auto",
    window: int | None = None,
    stride: int | None = None,
    cut: int | None = None,
) -> Policy:
    """Settle BOS, windows and cut for a model.

    Raises:
        InputError: an unknown policy, a BOS required that the tokeniser hasn't got, windows that don't fit, or a cut
            of 0.
    """
    if cut is not None and cut < 1:
        raise InputError(f"a text can't be cut at {cut} tokens", fix="give 1 or more")
    if bos not in ("auto", "require", "never"):
        raise InputError(f"'{bos}' is not a BOS policy", fix="use auto, require or never")
    if bos == "require" and model.prefix is None:
        raise InputError(f"the tokeniser of {model.name} has no BOS", fix="use bos auto, which skips the first token")
    prefix = None if bos == "never" else model.prefix
    return Policy(bos, prefix, check_windows(model.context, window, stride, prefix), cut)
