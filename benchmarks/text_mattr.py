"""MATTR with a window of 500 words: equiglot against lexicalrichness on the same text, one core.

    pip install equiglot lexicalrichness     # in an environment of your own; a missing peer is skipped
    python benchmarks/text_mattr.py [--file LINES.txt] [--words 200000]

Printed is processor time from a list of lines to the value for equiglot; for lexicalrichness once with its
splitting of the text into words left out, and once with it. The values must agree.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[threads] = "1"

from text_sample import seconds, side_by_side, vocabulary  # noqa: E402

from equiglot.text import mattr  # noqa: E402

WINDOW = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, help="lines of UTF-8 text; default: made up")
    parser.add_argument("--words", type=int, default=200_000, help="how many words to make up")
    parser.add_argument("--rounds", type=int, default=7, help="how often the two are run in turn")
    given = parser.parse_args()
    texts = given.file.read_text("utf-8").split("\n") if given.file else vocabulary(given.words, 40_000)
    words = sum(len(text.split()) for text in texts)

    value = mattr(texts, WINDOW).value
    try:
        from lexicalrichness import LexicalRichness
    except ImportError:
        print(f"equiglot         {words:,} words {seconds(lambda: mattr(texts, WINDOW)) * 1e3:9.1f} ms   {value:.9f}")
        print("lexicalrichness  skipped: not installed (pip install lexicalrichness)")
        return
    text = " ".join(texts)
    split = seconds(lambda: LexicalRichness(text, preprocessor=None, tokenizer=str.split))
    peer = LexicalRichness(text, preprocessor=None, tokenizer=str.split)
    own, alone, ratio = side_by_side(lambda: mattr(texts, WINDOW), lambda: peer.mattr(window_size=WINDOW), given.rounds)
    theirs = peer.mattr(window_size=WINDOW)
    print(f"equiglot         {words:,} words {own * 1e3:9.1f} ms   {value:.9f}")
    print(f"lexicalrichness  {peer.words:,} words {alone * 1e3:9.1f} ms   {theirs:.9f}")
    if abs(theirs - value) > 1e-9:
        raise SystemExit("the values differ")
    print(f"ratio {ratio:.0f}x, median of {given.rounds} rounds ({(alone + split) / own:.0f}x with their splitting)")


if __name__ == "__main__":
    main()
