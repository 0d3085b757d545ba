"""References and the files of embedded models."""

from __future__ import annotations

import dataclasses

import pytest

from equiglot.errors import InputError
from equiglot.models import EMBEDDED, embedded, embedded_file, parse_reference


@pytest.mark.parametrize("text", ["nowhere/at/all", "pkg:", "hf: ", ""])
def test_what_names_nothing_says_how_to_name_it(text):
    with pytest.raises(InputError, match=r"pkg:NAME|hf:NAME"):
        parse_reference(text)


def test_a_path_that_exists_is_a_path(tmp_path):
    assert parse_reference(str(tmp_path)).kind == "path"


def test_an_unknown_embedded_name_lists_those_there_are():
    with pytest.raises(InputError, match="pkg:gemma3-270m, pkg:smollm2-135m"):
        embedded("gpt-17", "language model")


def test_a_file_that_is_not_the_pinned_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("EQUIGLOT_CACHE", str(tmp_path))
    wrong = dataclasses.replace(EMBEDDED["xlmr"], sha256="0" * 64)
    with pytest.raises(InputError, match="is not the one"):
        embedded_file(wrong)


def test_a_package_that_is_not_installed_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setenv("EQUIGLOT_CACHE", str(tmp_path))
    with pytest.raises(InputError, match=r"equiglot\[embedded\]"):
        embedded_file(dataclasses.replace(EMBEDDED["xlmr"], module="no_such_module_at_all"))
