"""A made-up parallel corpus: short sentences of a few dozen words, the "languages" written in different letters."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

LETTERS = {"en": "abcdefghijklmno", "ru": "абвгдежзиклмноп"}


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """120 sentences of 3 to 9 words, word by word the same in both languages."""
    source = random.Random(0)
    words = [[source.randrange(15) for _ in range(source.randint(2, 7))] for _ in range(60)]
    sentences = [source.choices(words, k=source.randint(3, 9)) for _ in range(120)]
    table = {
        language: [" ".join("".join(letters[i] for i in word) for word in sentence) for sentence in sentences]
        for language, letters in LETTERS.items()
    }
    path = tmp_path_factory.mktemp("lab") / "texts.parquet"
    pl.DataFrame(table).write_parquet(path)
    return path
