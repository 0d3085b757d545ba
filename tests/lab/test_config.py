"""A lab file is read whole or refused with the key that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from equiglot.errors import InputError
from equiglot.lab import read_lab


def write(folder: Path, text: str) -> Path:
    path = folder / "lab.yaml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_with_everything(tmp_path):
    config = read_lab(
        write(tmp_path, "texts: t.tsv\nevaluate: e.tsv\nlanguages: [en, ru]\nvocabularies: [1024, 512]\nepochs: 2\n")
    )
    assert config.texts == (tmp_path / "t.tsv").resolve()
    assert config.vocabularies == (512, 1024)
    assert config.training.epochs == 2
    assert config.training.n_embd == 96


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("languages: [en]", "no 'texts'"),
        ("texts: t.tsv\nvocabulary: 512", "unknown key 'vocabulary'"),
        ("texts: t.tsv\nvocabularies: [100]", "[100] is not a list of sizes"),
        ("texts: t.tsv\nvocabularies: [512.5]", "[512.5] is not a list of sizes"),
        ("texts: t.tsv\nlanguages: [no]", "is not a list of columns"),
        ("texts: t.tsv\nlearning_rate: .nan", "nan is not a number"),
        ("texts: t.tsv\nepochs: true", "True is not a whole number"),
        ("texts: t.tsv\nsize: large", "'large' is not one of tiny"),
        ("texts: t.tsv\nbos: require", "'require' is not one of auto, never"),
        ("texts: t.tsv\ntexts: u.tsv", "there twice"),
        ("- texts", "not a mapping"),
    ],
)
def test_a_value_that_cannot_be(tmp_path, text, problem):
    with pytest.raises(InputError) as caught:
        read_lab(write(tmp_path, text))
    assert problem in str(caught.value)
    assert "lab.yaml" in str(caught.value)
