"""Script profile of each line: equiglot against GlotScript on the same lines, one core.

    pip install equiglot GlotScript     # in an environment of your own; a missing peer is skipped
    python benchmarks/text_scripts.py [--file LINES.txt] [--megabytes 50]

Printed are megabytes of UTF-8 per second of processor time, from a list of Python strings to the result, the
ratio, and the share of lines on whose script both agree. Ratios of one run may be compared, speeds of two
machines may not.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[threads] = "1"

from text_sample import lines, seconds, side_by_side  # noqa: E402

from equiglot.text import script_profile  # noqa: E402


def megabytes(texts: list[str]) -> float:
    return sum(len(text.encode()) for text in texts) / 1e6


def report(who: str, texts: list[str], time: float) -> None:
    size = megabytes(texts)
    print(f"{who:<11} {size:5.1f} MB, {len(texts):9,} lines {size / time:9.1f} MB/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, help="lines of UTF-8 text; default: made up, in a dozen scripts")
    parser.add_argument("--megabytes", type=float, default=50, help="how much of it for equiglot alone")
    parser.add_argument("--peer-megabytes", type=float, default=10, help="how much of it for both")
    parser.add_argument("--rounds", type=int, default=5, help="how often the two are run in turn")
    given = parser.parse_args()
    texts = given.file.read_text("utf-8").split("\n") if given.file else lines(given.megabytes)
    some = texts[: max(1, int(len(texts) * min(1, given.peer_megabytes / megabytes(texts))))]

    first = seconds(lambda: script_profile(["a"]))
    print(f"equiglot    first call, tables built {first * 1e3:16.0f} ms")
    report("equiglot", texts, min(seconds(lambda: script_profile(texts)) for _ in range(3)))
    try:
        from GlotScript import sp
    except ImportError:
        print("GlotScript  skipped: not installed (pip install GlotScript)")
        return
    own, peer, ratio = side_by_side(lambda: script_profile(some), lambda: [sp(text) for text in some], given.rounds)
    report("equiglot", some, own)
    report("GlotScript", some, peer)
    same = sum(a == sp(text)[0] for a, text in zip(script_profile(some)["script"], some, strict=True)) / len(some)
    print(f"ratio {ratio:.0f}x, median of {given.rounds} rounds; the same script in {same:.2%} of the lines")


if __name__ == "__main__":
    main()
