"""`equiglot validate` from file to file: seconds and peak memory, and that its decisions do not depend on the format.

    python benchmarks/validity.py [--rows 1000000] [--formats parquet jsonl csv lines]

Rows have a source and an answer of 500 characters each, romanised and with English mixed in; one in fifty is a copy,
one in fifty has a word of native script in it. Then texts of a megabyte and of four that repeat themselves, and that
do not: time has to be in proportion to the text. Seconds are of the wall clock; processor seconds are beside them,
because other work on the machine lengthens the first and not the second.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from equiglot.validity import Policy
from equiglot.validity.validate import judged

CHARACTERS = 500
AT_ONCE = 20_000
_SENTENCE = "the river rose after rain and road to village stayed closed for two days please send report before noon"
_ENGLISH = _SENTENCE.split()


def text(source: random.Random, vocabulary: list[str]) -> str:
    words = source.choices(vocabulary, k=CHARACTERS // 4)
    return " ".join(words)[:CHARACTERS]


def frames(rows: int, seed: int = 0) -> Iterator[pl.DataFrame]:
    source = random.Random(seed)
    roman = ["".join(source.choices("aeioukhmnrstlpd", k=source.randint(2, 9))) for _ in range(3000)] + _ENGLISH
    # Twenty thousand different rows are enough: nothing is remembered from one row to the next.
    sources = [text(source, _ENGLISH * 3 + roman[:500]) for _ in range(min(rows, AT_ONCE))]
    targets = [text(source, roman) for _ in sources]
    targets[::50] = sources[::50]
    targets[1::50] = [f"{answer[:-8]} मानना है" for answer in targets[1::50]]
    for first in range(0, rows, len(sources)):
        n = min(len(sources), rows - first)
        ids = [str(first + i) for i in range(n)]
        yield pl.DataFrame({"id": ids, "language": "hi-Latn", "source": sources[:n], "target": targets[:n]})


def written(folder: Path, made: Iterable[pl.DataFrame], kind: str) -> list[str]:
    """The file in one format, as arguments of the command."""
    if kind == "lines":
        sources, targets = folder / "src.txt", folder / "hyp.txt"
        with sources.open("w", encoding="utf-8") as one, targets.open("w", encoding="utf-8") as other:
            for frame in made:
                one.writelines(f"{line}\n" for line in frame["source"])
                other.writelines(f"{line}\n" for line in frame["target"])
        return ["-s", str(sources), "-t", str(targets), "--language", "hi-Latn"]
    path = folder / f"in.{kind}"
    if kind == "parquet":
        writer: pq.ParquetWriter | None = None
        for frame in made:
            table = frame.to_arrow()
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
        if writer:
            writer.close()
    else:
        with path.open("wb") as file:
            for i, frame in enumerate(made):
                frame.write_ndjson(file) if kind == "jsonl" else frame.write_csv(file, include_header=not i)
    return [str(path)]


_MEASURED = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
said = json.loads(done.stdout)["invalid"]
print(json.dumps([time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss, said]))
"""
"""Runs a command from a small process: a child's peak memory is never below its parent's."""


def run(folder: Path, arguments: list[str]) -> tuple[float, float, float, int]:
    """Wall seconds, processor seconds, peak megabytes and invalid rows of one command."""
    command = ["-m", "equiglot", "validate", *arguments, "-o", str(folder / "out.parquet"), "--json"]
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, sys.executable, *command], stdout=subprocess.PIPE, check=True
    )
    wall, cpu, peak, invalid = json.loads(done.stdout)
    return wall, cpu, peak / (1024 if sys.platform != "darwin" else 1024**2), invalid


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--formats", nargs="+", default=["parquet", "jsonl", "csv", "lines"])
    given = parser.parse_args()
    counts: set[int] = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in given.formats:
            arguments = written(folder, frames(given.rows), kind)
            wall, cpu, peak, invalid = run(folder, arguments)
            counts.add(invalid)
            print(f"{kind:<8} {given.rows:9,} rows {wall:7.1f} s, {cpu:7.1f} s of processor, peak {peak:6.0f} MB, "
                  f"{invalid:,} invalid")  # fmt: skip
            for file in folder.iterdir():
                file.unlink()
    print("the formats agree" if len(counts) == 1 else f"THE FORMATS DISAGREE: {counts}")
    source = random.Random(1)
    words = ["".join(source.choices("aeioukhmnrstlpd", k=source.randint(2, 9))) for _ in range(3000)]
    for what, unit in (("honest", None), ("one word", "haan"), ("a phrase of 4 words", "main bhi ja raha")):
        for size in (1 << 20, 1 << 22):
            long = (f"{unit} " * (size // (len(unit) + 1))) if unit else " ".join(source.choices(words, k=size // 6))
            frame = pl.DataFrame({"language": ["hi"], "script": ["Latn"], "target": [long]})
            start = time.process_time()
            valid = judged(frame, Policy(), ())["valid"][0]
            spent = time.process_time() - start
            print(f"{what:<20} {len(long) / 1e6:4.1f} MB {spent:6.2f} s of processor, valid: {valid}")


if __name__ == "__main__":
    main()
