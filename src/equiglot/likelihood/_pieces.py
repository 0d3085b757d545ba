"""A text's tokens as what the model is run on: one piece, or a window after another where the context is too short.

A piece is prefix + tokens, with the position of the first token that it scores. Every token of a text is scored in one
piece only. Where a text fits, that is the only piece. Where it doesn't, windows start ``stride`` tokens apart; the
first scores all that it holds, each later one only what the one before did not reach, so that a token is scored with at
least ``window - stride`` tokens before it (less the prefix). Each window has the prefix: without BOS some models know
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from equiglot.errors import InputError
from equiglot.likelihood._encode import Prefix

__all__ = ["Piece", "Windows", "check_windows", "pieces"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Ids to run the model on, and the position of the first that is scored (at least 1)."""

    ids: tuple[int, ...]
    first: int


@dataclass(frozen=True, slots=True)
class Windows:
    """Window and stride in tokens, the prefix counted in the window; None where the context has no limit."""

    window: int | None
    stride: int | None

    def __str__(self) -> str:
        return "none" if self.window is None else f"{self.window}/{self.stride}"


def check_windows(context: int | None, window: int | None, stride: int | None, prefix: Prefix | None) -> Windows:
    """The windows that were asked for, or the model's context with half of it as stride.

    Raises:
        InputError: a window larger than the context or too small to score anything, or a stride that leaves gaps.
    """
    if window is None and context is None:
        if stride is not None:
            raise InputError(
                f"a stride of {stride} without a window", fix="give the window too: this model has no limit"
            )
        return Windows(None, None)
    size = window if window is not None else context or 0
    if context is not None and size > context:
        raise InputError(f"a window of {size} tokens is more than the model's context of {context}",
                         fix=f"give {context} or less")  # fmt: skip
    room = size - (len(prefix.ids) if prefix else 0)
    step = stride if stride is not None else max(1, size // 2)
    if room < 2:
        raise InputError(f"a window of {size} tokens has no room for two tokens of text", fix="give a larger window")
    if not 1 <= step < room:
        raise InputError(f"a stride of {step} tokens doesn't fit a window with room for {room} tokens of text",
                         fix=f"give a stride from 1 to {room - 1}")  # fmt: skip
    return Windows(size, step)


def pieces(tokens: Sequence[int], prefix: Prefix | None, windows: Windows) -> Iterator[Piece]:
    """The pieces of one text; none where there is nothing to score.

    >>> [(p.ids, p.first) for p in pieces([1, 2, 3, 4], Prefix((0,), "<s>"), Windows(3, 1))]
    [((0, 1, 2), 1), ((0, 2, 3), 2), ((0, 3, 4), 2)]
    """
    before = prefix.ids if prefix else ()
    room = len(tokens) if windows.window is None else windows.window - len(before)
    start = scored = 0
    while scored < len(tokens):
        end = min(start + room, len(tokens))
        # Without a prefix the very first token has nothing before it and is not scored.
        first = max(1, len(before) + scored - start)
        ids = (*before, *tokens[start:end])
        if first < len(ids):
            yield Piece(ids, first)
        scored, start = end, start + (windows.stride or room)
