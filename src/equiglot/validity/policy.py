"""The failure-aware policy: what may be found in an answer, what of it makes the answer invalid, and the thresholds.

The defaults are those of paper 3 (section 3.4), sharpened where it leaves a reading open: repeats are in a row, and
a phrase is of two to four words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from equiglot.errors import InputError
from equiglot.measures import signature
from equiglot.text import UNICODE_VERSION

__all__ = ["INVALID", "KINDS", "Policy"]

KINDS = {
    "empty": "nothing, white space or invisible characters only",
    "copy": "the source, returned unchanged",
    "short copy": "the source unchanged, and the source is short, as names are",
    "spillage": "letters of a script that is not the expected one",
    "degenerate": "one word or a short phrase over and over",
    "near copy": "the source with a word, case or punctuation changed",
    "placeholder": "a word or sign that stands for an answer, as N/A does, and nothing else",
    "no letters": "digits, signs or emoji only, where the source has letters",
    "loop": "a longer phrase, or letters within one word, over and over",
    "short loop": "one word or a short phrase over and over, too few times to be degenerate",
    "native digits": "digits of a script that is not the expected one",
    "invisible": "characters that show nothing where they do nothing",
    "damaged": "replacement characters or controls, as cut or mangled bytes leave them",
    "token limit": "as many tokens as the limit or more, so it may have been cut there",
}
"""Every kind of finding, in the order in which an answer's first failure is chosen."""

INVALID = ("empty", "copy", "short copy", "spillage", "degenerate")
"""The kinds that make an answer invalid by default; the others are reported and change nothing."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Thresholds, and the kinds that count as failures.

    Attributes:
        copy: word overlap with the source, 0 to 1, from which an answer is a copy.
        near_copy: overlap from which it is a near copy; one differing word of five or more is one too.
        short: copies of sources with fewer words than this are short copies.
        repeats: times that one word stands in a row from which the answer is degenerate.
        phrase: words that a repeated phrase has at most.
        phrase_repeats: times that a phrase of ``phrase`` words stands in a row from which the answer is degenerate;
            a shorter phrase has to fill as many words.
        short_loop: times that a word, or a phrase of up to ``phrase`` words, stands in a row from which it is a short
            loop.
        max_tokens: the token limit; None where none is checked.
        invalid: the kinds that make an answer invalid.

    >>> Policy(repeats=1)
    Traceback (most recent call last):
    ...
    equiglot.errors.InputError: repeats is 1; give 2 or more
    >>> Policy().count_also("near copy").count_not("short copy").invalid
    ('empty', 'copy', 'spillage', 'degenerate', 'near copy')
    """

    copy: float = 1.0
    near_copy: float = 0.9
    short: int = 3
    repeats: int = 20
    phrase: int = 4
    phrase_repeats: int = 50
    short_loop: int = 5
    max_tokens: int | None = None
    invalid: tuple[str, ...] = INVALID

    def __post_init__(self) -> None:
        for name in ("copy", "near_copy"):
            if not 0 < getattr(self, name) <= 1:
                raise InputError(f"{name} is {getattr(self, name)}", fix="give a share above 0 and up to 1")
        counts = ("repeats", "phrase", "phrase_repeats", "short_loop")
        for name, least in (("short", 0), *((name, 2) for name in counts), ("max_tokens", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise InputError(f"{name} is {value}", fix=f"give {least} or more")
        _known(self.invalid)
        object.__setattr__(self, "invalid", tuple(kind for kind in KINDS if kind in self.invalid))

    def count_also(self, *kinds: str) -> Policy:
        """The policy with more kinds that make an answer invalid."""
        return self._with(dict.fromkeys((*self.invalid, *_known(kinds))))

    def count_not(self, *kinds: str) -> Policy:
        """The policy with fewer of them."""
        left_out = _known(kinds)
        return self._with(kind for kind in self.invalid if kind not in left_out)

    def _with(self, kinds: Iterable[str]) -> Policy:
        from dataclasses import replace

        return replace(self, invalid=tuple(kinds))

    @property
    def stretch(self) -> int:
        """How many words a repeated phrase has to fill."""
        return self.phrase * self.phrase_repeats

    def signature(self, *, expected: str = "column", tokenizer: str | None = None) -> str:
        """Everything that decides whether an answer is valid; ``expected`` says where the script comes from."""
        return signature(
            measure="valid",
            invalid="+".join(kind.replace(" ", "-") for kind in self.invalid),
            copy=self.copy,
            near=self.near_copy,
            short=self.short,
            repeats=self.repeats,
            phrase=f"{self.phrase}x{self.phrase_repeats}",
            short_loop=self.short_loop,
            script=expected,
            limit=None if self.max_tokens is None else f"{self.max_tokens}@{tokenizer}",
            unicode=UNICODE_VERSION,
        )


def _known(kinds: Iterable[str]) -> tuple[str, ...]:
    kinds = tuple(kinds)
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"'{kind}' is no kind of failure", fix=f"the kinds are {', '.join(KINDS)}")
    return kinds
