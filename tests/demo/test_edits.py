"""The edits on any words: each does what its name says, and its size and value follow the formula."""

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import equiglot.demo
from equiglot.demo import SYSTEM_LANGUAGES, demo_parallel
from equiglot.demo.edits import EDIT_WEIGHTS, FALLBACK, SEVERITIES, Sentence, apply_edit, edit_system

EDITS = tuple(dict.fromkeys(name for weights in EDIT_WEIGHTS.values() for name in weights))
RANGES = {"none": (25, 25), "minor": (22, 24), "major": (12, 18), "critical": (0, 5)}
STEPS = {"none": (0, 0), "minor": (1, 2), "major": (7, 6), "critical": (20, 5)}
SEVERITY_OF = {
    **dict.fromkeys(["wrong_word", "change_number", "english_word", "repeat_phrase"], "major"),
    **dict.fromkeys(["drop_half", "wrong_sentence", "copy_source"], "critical"),
    "none": "none",
    "swap_words": "minor",
}

WORDS = st.text(st.sampled_from("aßдшكبकीிா్న‌中–-“,।.3७"), min_size=1, max_size=9)
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


def _pool(references: list[str]) -> list[Sentence]:
    return [Sentence(f"s{i}", f"English sentence number {i}.", text) for i, text in enumerate(references)]


def _chars(text: str) -> int:
    return sum(not c.isspace() for c in text)


def _slow_size(edit: str, reference: str, target: str) -> float:
    """The size of an edit, seen from the two texts alone."""
    total, old, new = _chars(reference), reference.split(), target.split()
    if edit in ("drop_word", "drop_half"):
        return (total - _chars(target)) / total
    if edit == "repeat_phrase":
        return (_chars(target) - total) / total
    if edit in ("wrong_sentence", "copy_source"):
        return sum(_chars(w) * n for w, n in (Counter(old) - Counter(new)).items()) / total
    if edit == "change_number":
        (at,) = [i for i, (a, b) in enumerate(zip(reference, target, strict=True)) if a != b]
        (number,) = [m[0] for m in re.finditer(r"\d+([.,]\d+)*", reference) if m.start() <= at < m.end()]
        return len(number) / total
    return sum(_chars(a) for a, b in zip(old, new, strict=True) if a != b) / total


def _chain(edit: str) -> list[str]:
    return [edit, *_chain(FALLBACK[edit])] if edit in FALLBACK else [edit]


@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(EDITS), st.text(max_size=4))
def test_value_follows_from_the_texts(references: list[str], edit: str, seed: str) -> None:
    pool = _pool(references)
    done = apply_edit(edit, pool[0], pool, seed=seed)
    assert done.edit in _chain(edit)
    size = _slow_size(done.edit, pool[0].reference, done.target)
    expected = SEVERITY_OF.get(done.edit, "minor" if size < 0.1 else "major")
    assert done.severity == expected
    base, slope = STEPS[expected]
    size = size if expected == "critical" else min(size / 0.5, 1)
    assert done.constructed == pytest.approx(25 - base - slope * size, abs=0.0501)
    low, high = RANGES[done.severity]
    assert low <= done.constructed <= high
    assert (done.target == pool[0].reference) == (done.edit == "none")


@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(EDITS), st.text(max_size=4))
def test_each_edit_does_what_its_name_says(references: list[str], edit: str, seed: str) -> None:
    pool = _pool(references)
    done = apply_edit(edit, pool[0], pool, seed=seed)
    old, new = pool[0].reference.split(), done.target.split()
    changed = [i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b]
    match done.edit:
        case "swap_words":
            assert changed == [changed[0], changed[0] + 1]
            assert new[changed[0]] == old[changed[1]] and new[changed[1]] == old[changed[0]]
            assert new[-1] == old[-1]
        case "drop_word":
            assert any(new == old[:i] + old[i + 1 :] for i in range(len(old) - 1))
        case "wrong_word":
            assert len(changed) == 1 and len(old) == len(new)
            assert new[changed[0]] in " ".join(references[1:]).split()
        case "english_word":
            assert len(changed) == 1 and len(old) == len(new)
            assert new[changed[0]] in pool[0].source
        case "change_number":
            (pair,) = [(a, b) for a, b in zip(pool[0].reference, done.target, strict=True) if a != b]
            assert len({ord(c) - unicodedata.decimal(c) for c in pair}) == 1, "digits of one script"
            assert unicodedata.decimal(pair[1]) != 0
        case "repeat_phrase":
            assert any(new == old[:i] + old[i : i + n] * 3 + old[i + n :] for n in (2, 3) for i in range(len(old) - n))
        case "drop_half":
            assert new == old[: len(new)]
            assert len(new) - (len(old) - len(new)) in (0, 1)
        case "wrong_sentence":
            assert done.target in references[1:]
        case "copy_source":
            assert done.target == pool[0].source
        case _:
            assert done.edit == "none"


@given(st.lists(TEXTS, min_size=2, max_size=6, unique=True), st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(references: list[str], random: object) -> None:
    pool = _pool(references)
    shuffled = list(pool)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for system in EDIT_WEIGHTS:
        by_id = {row.id: row for row in edit_system(pool, "hi", system)}
        assert {row.id: row for row in edit_system(shuffled, "hi", system)} == by_id


def test_larger_edits_never_score_higher() -> None:
    long, short = (Sentence("a", "x", text) for text in ("aa bbbb cc dd ee ff gg hh.", "aa bbbb cc."))
    other = Sentence("b", "y", "zzzz.")
    other_long = Sentence("b", "y", "zzzz yyyy.")
    small, large = (apply_edit("wrong_word", s, [s, other_long], seed="1") for s in (long, short))
    assert small.constructed > large.constructed
    assert apply_edit("wrong_word", long, [long, other], seed="1").edit == "wrong_sentence", "no bare word to borrow"


@pytest.mark.parametrize(
    ("edit", "text", "done"),
    [
        ("change_number", "no number inside here.", "wrong_word"),
        ("swap_words", "one, two.", "wrong_sentence"),
        ("swap_words", "same same end.", "drop_word"),
        ("drop_half", "three words here.", "wrong_sentence"),
        ("repeat_phrase", "word, word, word.", "wrong_sentence"),
        ("english_word", "content word.", "english_word"),
    ],
)
def test_fallbacks(edit: str, text: str, done: str) -> None:
    sentence, other = Sentence("a", "English, plain.", text), Sentence("b", "y", "fremd ist dieses Wort.")
    assert apply_edit(edit, sentence, [sentence, other], seed="1").edit == done


def test_every_edit_applies_somewhere_in_every_language() -> None:
    for language in SYSTEM_LANGUAGES:
        rows = demo_parallel().filter(language=language).select("id", "source", "target").rows()
        pool = [Sentence(*row) for row in rows]
        for edit in EDITS:
            made = [apply_edit(edit, s, pool, seed=f"{s.id}|{language}") for s in pool]
            assert edit in {row.edit for row in made}, (language, edit)


def test_weights_are_percent() -> None:
    assert {sum(weights.values()) for weights in EDIT_WEIGHTS.values()} == {100}
    assert set(FALLBACK) | set(FALLBACK.values()) | {"none"} == set(EDITS)
    assert tuple(RANGES) == SEVERITIES


def test_readme_tells_the_same_weights() -> None:
    readme = (Path(equiglot.demo.__file__).parent / "README.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| `(\w+)` \|.*\| (\d+) \| (\d+) \| (\d+) \|$", readme, flags=re.MULTILINE)
    told = {name: tuple(map(int, shares)) for name, *shares in table}
    assert told == {name: tuple(weights.get(name, 0) for weights in EDIT_WEIGHTS.values()) for name in EDITS}
