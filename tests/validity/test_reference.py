"""The fast path finds what the definitions, written out plainly, find: over any Unicode text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from plain_definitions import PLACEHOLDERS, copies, is_empty, repeats, short_loop, spilled, stand_ins, words

from equiglot.validity import Policy, expected_scripts, word_overlap
from equiglot.validity._words import hashes, pieces
from equiglot.validity.judge import Answers, judge
from equiglot.validity.validate import judged

ANY = st.text(max_size=30)
SCRIPTS = "ab é\u0304 कि ా தமிழ் дом 東京は ไทย ab12 १२ 🙂 \u200d\u200b\ufeff।,. '-\t\n\u2028ßẞſKİ"
MIXED = st.text(st.sampled_from(SCRIPTS), max_size=40) | ANY
FEW = st.lists(st.sampled_from(["a", "B", "b", "c.", "c", "東", "कि", "ab"]), max_size=30).map(" ".join)
POLICY = Policy(copy=1.0, near_copy=0.8, short=3, repeats=4, phrase=3, phrase_repeats=4)


def kinds(target: str | None, source: str | None, expected: frozenset[str], policy: Policy = POLICY) -> set[str]:
    answers = Answers([target], [source], [expected], ["hi"], [False])
    return {finding.kind for finding in judge(answers, policy)[0]}


@settings(max_examples=150)
@given(MIXED, st.sampled_from([("Latn",), ("Deva",), ("Jpan",), ("Deva", "Latn"), ("Taml",)]))
def test_spillage(text, codes):
    expected = expected_scripts(*codes)
    found = judge(Answers([text], [None], [expected], ["hi"], [False]), POLICY)[0]
    where = {i for f in found if f.kind == "spillage" for i in range(f.start, f.end)}
    foreign = spilled(text, set(expected)) if not is_empty(text) else []
    # An address may hide letters; none of the sampled characters makes one, any text rarely does.
    if "." not in text and "@" not in text and ":" not in text:
        assert set(foreign) <= where
        assert sum(f.count for f in found if f.kind == "spillage") == len(foreign)


@given(MIXED | st.none())
def test_empty(text):
    assert ("empty" in kinds(text, None, expected_scripts("Latn"))) == is_empty(text)


@settings(max_examples=200)
@given(FEW | MIXED, FEW | MIXED)
def test_copies(source, target):
    expected = copies(source, target, copy=1.0, near=0.8, short=3)
    if "." in source and ":" in source:
        return
    found = kinds(target, source, expected_scripts("Latn")) & {"copy", "short copy", "near copy"}
    assert found == ({expected} if expected and not is_empty(target) else set())


@given(FEW, st.permutations(range(6)), st.integers(0, 5))
def test_near_copies_made_from_the_source(source, order, dropped):
    """Texts that differ little are rare among random ones."""
    parts = source.split()
    target = " ".join([parts[i] for i in order if i < len(parts) and i != dropped] + parts[6:])
    expected = copies(source, target, copy=1.0, near=0.8, short=3)
    found = kinds(target, source, expected_scripts("Latn")) & {"copy", "short copy", "near copy"}
    assert found == ({expected} if expected and not is_empty(target) else set())


@given(FEW | MIXED)
def test_a_text_is_its_own_copy(text):
    whole = f"{text} word another more"
    assert word_overlap(whole, whole) == 1
    assert "copy" in kinds(whole, whole, expected_scripts("Latn"))


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(["a", "A", "b", "c", "東", "कि"]), min_size=1, max_size=8),
    st.integers(1, 14),
    FEW,
    FEW,
)
def test_repeats(unit, times, before, after):
    text = " ".join([before, *unit * times, after])
    found = kinds(text, None, expected_scripts("Latn")) & {"degenerate", "loop"}
    expected = repeats(text, times=4, phrase=3, phrase_times=4)
    assert found == ({expected} if expected else set())


LOOPED = st.tuples(
    st.lists(st.sampled_from(["a", "A", "b", "-", "1", "東", "कि"]), min_size=1, max_size=5), st.integers(1, 9)
)


@settings(max_examples=150)
@given(st.lists(LOOPED, max_size=4))
def test_short_loops(parts):
    text = " ".join(word for unit, times in parts for word in unit * times)
    policy = Policy(repeats=7, phrase=3, phrase_repeats=8, short_loop=3)
    found = kinds(text, None, expected_scripts("Latn"), policy) & {"degenerate", "loop", "short loop"}
    longer = repeats(text, times=7, phrase=3, phrase_times=8)
    short = {"short loop"} if short_loop(text, times=3, phrase=3) else set()
    assert found == ({longer} if longer else short)


AS_PLACEHOLDER = st.sampled_from([entry["text"] for entry in PLACEHOLDERS])
SAID = (
    AS_PLACEHOLDER
    | AS_PLACEHOLDER.map(str.upper)
    | AS_PLACEHOLDER.map(" {}\n".format)
    | MIXED
    | st.text("12 .!٣🙂", max_size=8)
)


@settings(max_examples=150)
@given(SAID | st.just("How are you"), SAID)
def test_stand_ins(source, target):
    found = kinds(target, source, expected_scripts("Latn")) & {"placeholder", "no letters"}
    assert found == (set() if is_empty(target) else stand_ins(source, target))


def test_every_placeholder_is_there_once_with_its_reason():
    texts = [entry["text"].casefold() for entry in PLACEHOLDERS]
    assert len(set(texts)) == len(texts)
    assert all(entry["why"] and entry["text"] == entry["text"].strip() for entry in PLACEHOLDERS)


@given(st.lists(MIXED | FEW, max_size=20))
def test_words_of_joined_texts_are_those_of_each(texts):
    import numpy as np

    from equiglot.validity._classes import flags_of
    from equiglot.validity._words import bare_words, fold
    from equiglot.validity._words import words as found_words

    for first, joined, starts in pieces(texts):
        flags, folded = flags_of(joined, frozenset()), fold(joined)
        for bare, spans in ((False, found_words(flags, starts)), (True, bare_words(flags, starts))):
            row = np.searchsorted(starts, spans.starts, side="right") - 1
            hashed = hashes(joined, spans)[0]
            for i in range(len(starts)):
                own = [folded[s:e] for s, e in zip(spans.starts[row == i], spans.ends[row == i], strict=True)]
                # Empty texts begin where the next one does; the last that begins there owns the words.
                if i + 1 == len(starts) or starts[i + 1] != starts[i]:
                    assert own == words(texts[first + i], bare=bare)
            same = {}
            for s, e, number in zip(spans.starts, spans.ends, hashed, strict=True):
                assert same.setdefault(folded[s:e], number) == number
            assert len(set(same.values())) == len(same)


@settings(max_examples=60)
@given(st.lists(st.tuples(MIXED | FEW, MIXED | FEW | st.none()), min_size=1, max_size=12), st.integers(1, 40))
def test_decisions_do_not_depend_on_the_size_of_pieces(rows, size):
    import polars as pl

    from equiglot.validity import _words

    frame = pl.DataFrame(
        {"language": "hi", "script": "Latn", "source": [r[0] for r in rows], "target": [r[1] for r in rows]},
        schema_overrides={"source": pl.String, "target": pl.String},
    )
    whole = judged(frame, POLICY, ())
    usual = _words._AT_ONCE
    try:
        _words._AT_ONCE = size
        assert judged(frame, POLICY, ()).equals(whole)
    finally:
        _words._AT_ONCE = usual
    assert pl.concat([judged(frame[i], POLICY, ()) for i in range(frame.height)]).equals(whole)


def test_screening_lets_honest_texts_pass():
    """It may let any text through to be looked at; it is of use only where it rarely does."""
    import random

    from equiglot.validity._screen import may_be_copies, screened

    source = random.Random(0)
    characters = [chr(0x4E00 + 7 * i) for i in range(1500)]
    weights = [1 / (i + 3) for i in range(1500)]
    chinese = ["".join(source.choices(characters, weights, k=500)) for _ in range(50)]
    latin = [" ".join("".join(source.choices("aeioukmnrst", k=4)) for _ in range(400)) for _ in range(50)]
    for texts, code in ((chinese, "Hans"), (latin, "Latn")):
        looked_at = screened(texts, expected_scripts(code), Policy())
        assert looked_at.repeats.mean() < 0.1
        assert may_be_copies(looked_at, screened(texts[::-1], frozenset(), Policy()), Policy()).mean() < 0.1
