"""What `equiglot gate` and `equiglot rank` say of answers that count as valid and may be none."""

from __future__ import annotations

import pytest


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "my answers.tsv"
    texts = {"a": ["ghar aao jaldi", "phir milenge"], "b": ["N/A", "42"]}
    rows = [
        f"{i}\thi\tLatn\t{system}\tPlease come home early\t{text}"
        for system in texts
        for i, text in enumerate(texts[system])
    ]
    path.write_text("\n".join(["id\tlanguage\tscript\tsystem\tsource\ttarget", *rows, ""]), "utf-8")
    return path


@pytest.mark.parametrize("command", [("gate", "--max-invalid", 0.5), ("rank",)])
@pytest.mark.parametrize("suffix", [None, ".csv", ".parquet"])
def test_remarks_are_told_with_the_command_that_counts_them(equiglot, answers, tmp_path, command, suffix):
    table, (name, *options) = answers, command
    if suffix:
        table = tmp_path / f"judged{suffix}"
        assert equiglot("validate", answers, "-o", table).code == 0
    run = equiglot(name, table, *options)
    said = (
        "answers that count as valid, though they may be none: placeholder: 1 (50.0%) of b; no letters: 1 (50.0%) of b"
    )
    assert run.code == 0, run.err
    assert said in run.err
    path = f"'{table}'" if " " in str(table) else str(table)
    assert f"`equiglot validate {path} --also-invalid placeholder --also-invalid 'no letters' -o judged." in run.err
    told = equiglot(name, table, *options, "--json").json["notes"]
    assert len([note for note in told if note.startswith(said)]) == 1


def test_once_counted_nothing_is_left_to_tell(equiglot, answers, tmp_path):
    counted = tmp_path / "counted.parquet"
    also = ("--also-invalid", "placeholder", "--also-invalid", "no letters")
    assert equiglot("validate", answers, *also, "-o", counted).code == 0
    run = equiglot("gate", counted, "--max-invalid", 0.5)
    assert run.code == 1
    assert "though they may be none" not in run.err
