"""What of a text is scored: all of it, or, where the user asks for that, its first tokens.

A text is cut between characters: where the limit falls inside one (many tokenisers spell a character in several
tokens), the tokens of that character are left out too. So what is scored is always a beginning of the text, and bytes
and characters are counted on that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiglot.engine.cache import Item
from equiglot.errors import InputError
from equiglot.likelihood._encode import spans
from equiglot.likelihood.model import LanguageModel

__all__ = ["Taken", "take"]


@dataclass(frozen=True, slots=True)
class Taken:
    """What of a text is scored.

    Attributes:
        item: under which its score is kept; a cut text's is another than the whole one's.
        ids: the tokens.
        n_cut: how many tokens were left out.
        text: what the tokens spell.
    """

    item: Item
    ids: Sequence[int]
    n_cut: int
    text: str


def take(texts: Sequence[str], model: LanguageModel, cut: int | None) -> dict[str, Taken]:
    """What is scored of each text: its first ``cut`` tokens at most.

    Raises:
        InputError: a text has to be cut, and the tokeniser does not say where its tokens stand.
    """
    tokens = dict(zip(texts, model.encode(texts), strict=True))
    taken = {text: Taken(text, ids, 0, text) for text, ids in tokens.items()}
    long = [text for text, ids in tokens.items() if cut is not None and len(ids) > cut]
    if cut is None or not long:
        return taken
    places = spans(model.tokenizer, long)
    if places is None:
        raise InputError(
            f"the tokeniser of {model.name} does not say where its tokens stand, so a text can't be cut between them",
            fix="score whole texts",
        )
    for text, where in zip(long, places, strict=True):
        n = cut
        while n and where[n][0] < where[n - 1][1]:
            n -= 1
        end = max((stop for _, stop in where[:n]), default=0)
        taken[text] = Taken((text, "cut", str(cut)), tokens[text][:n], len(tokens[text]) - n, text[:end])
    return taken
